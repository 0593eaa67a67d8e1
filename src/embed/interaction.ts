import type { InferenceSession } from "onnxruntime-node";
import type { Runtime } from "./native.ts";

/** Tokens of a question that are compared; a longer one says its matter early on. */
const MAX_QUERY_TOKENS = 64;

/** What the graph is given for the comparison when only vectors are wanted, and the other way round. */
export function nothingToCompare({ Tensor }: Runtime): InferenceSession.OnnxValueMapType {
  const none = () => new Tensor("int64", BigInt64Array.of(0n), [1]);
  return { query_tokens: none(), passage_tokens: none() };
}

/**
 * Late interaction: each token of the question meets the token of the passage that is most like it (MaxSim, Khattab and
 * Zaharia, "ColBERT", 2020), and the mean of these likenesses is taken by the tokens' weights. So a passage is found
 * that says each thing in other words, where one vector for the whole blurs them.
 *
 * @param inputs names of the graph's inputs for whole texts
 * @returns one number for each passage, 0–1
 */
export async function interact(
  runtime: Runtime,
  session: InferenceSession,
  inputs: readonly string[],
  query: readonly number[],
  passages: readonly (readonly number[])[],
): Promise<number[]> {
  const asked = [...new Set(query)].slice(0, MAX_QUERY_TOKENS);
  const told = [...new Set(passages.flat())];
  if (asked.length === 0 || told.length === 0) return passages.map(() => 0);
  const list = (ids: readonly number[]) => new runtime.Tensor("int64", BigInt64Array.from(ids, BigInt), [ids.length]);
  const unread = () => new runtime.Tensor("int64", BigInt64Array.of(0n), [1, 1]);
  const { likeness, weight } = await session.run(
    {
      ...Object.fromEntries(inputs.map((name) => [name, unread()])),
      query_tokens: list(asked),
      passage_tokens: list(told),
    },
    ["likeness", "weight"],
  );
  const [cosines, weights] = [floats(likeness?.data), floats(weight?.data)];
  const all = weights.reduce((sum, one) => sum + one, 0);
  const columnOf = new Map(told.map((token, column) => [token, column]));
  return passages.map((tokens) => {
    const columns = Uint32Array.from(new Set(tokens), (token) => columnOf.get(token)!);
    let sum = 0;
    for (let row = 0; row < weights.length; row += 1) {
      const from = row * told.length;
      let most = 0;
      for (let at = 0; at < columns.length; at += 1) {
        const cosine = cosines[from + columns[at]!]!;
        if (cosine > most) most = cosine;
      }
      sum += weights[row]! * most;
    }
    return all > 0 ? Math.min(1, sum / all) : 0;
  });
}

function floats(data: unknown): Float32Array {
  if (!(data instanceof Float32Array)) throw new Error("the graph compares no tokens");
  return data;
}

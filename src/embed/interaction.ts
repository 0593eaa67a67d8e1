import type { InferenceSession } from "onnxruntime-node";
import type { Runtime } from "./native.ts";
import type { Rarity } from "./rarity.ts";

/** Tokens of a question that are compared; a longer one says its matter early on. */
const MAX_QUERY_TOKENS = 64;

/** What the graph is given for the comparison when only vectors are wanted, and the other way round. */
export function nothingToCompare({ Tensor }: Runtime): InferenceSession.OnnxValueMapType {
  const none = () => new Tensor("int64", BigInt64Array.of(0n), [1]);
  return { query_tokens: none(), passage_tokens: none() };
}

/**
 * Late interaction: each token of the question meets the token of the passage that is most like it (MaxSim, Khattab and
 * Zaharia, "ColBERT", 2020), and in the mean of these likenesses a token counts for as much as it is rare. So a passage
 * is found that says each thing in other words, where one vector for the whole blurs them.
 *
 * @param inputs names of the graph's inputs for whole texts
 * @returns one number for each passage, 0–1
 */
export async function interact(
  runtime: Runtime,
  session: InferenceSession,
  inputs: readonly string[],
  query: readonly number[],
  passages: readonly Uint32Array[],
  rarity: Rarity,
): Promise<number[]> {
  const asked = [...new Set(query)].slice(0, MAX_QUERY_TOKENS);
  const { told, columns } = inColumns(passages);
  if (asked.length === 0 || told.length === 0) return passages.map(() => 0);
  const list = (ids: readonly number[]) => new runtime.Tensor("int64", BigInt64Array.from(ids, BigInt), [ids.length]);
  const unread = () => new runtime.Tensor("int64", BigInt64Array.of(0n), [1, 1]);
  const { likeness, share } = await session.run(
    {
      ...Object.fromEntries(inputs.map((name) => [name, unread()])),
      query_tokens: list(asked),
      passage_tokens: list(told),
    },
    ["likeness", "share"],
  );
  const cosines = floats(likeness?.data);
  const weights = Array.from(floats(share?.data), (one, at) => rarity.of(asked[at]!, one));
  const all = weights.reduce((sum, one) => sum + one, 0);
  return columns.map((own) => {
    let sum = 0;
    for (let row = 0; row < weights.length; row += 1) {
      const from = row * told.length;
      let most = 0;
      for (let at = 0; at < own.length; at += 1) {
        const cosine = cosines[from + own[at]!]!;
        if (cosine > most) most = cosine;
      }
      sum += weights[row]! * most;
    }
    return all > 0 ? Math.min(1, sum / all) : 0;
  });
}

/** All tokens once, and for each passage where its own stand among them. */
function inColumns(passages: readonly Uint32Array[]) {
  const highest = passages.reduce((most, tokens) => tokens.reduce((one, token) => Math.max(one, token), most), 0);
  const columnOf = new Int32Array(highest + 1).fill(-1);
  const told: number[] = [];
  const columns = passages.map((tokens) => {
    const own = new Uint32Array(tokens.length);
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at]!;
      if (columnOf[token] === -1) columnOf[token] = told.push(token) - 1;
      own[at] = columnOf[token]!;
    }
    return own;
  });
  return { told, columns };
}

function floats(data: unknown): Float32Array {
  if (!(data instanceof Float32Array)) throw new Error("the graph compares no tokens");
  return data;
}

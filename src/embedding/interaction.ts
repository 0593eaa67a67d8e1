import type { InferenceSession } from "onnxruntime-node";
import type { Runtime } from "./native.ts";

/** What is usual among the texts that are searched. */
interface CollectionStatistics {
  /** Counts these texts' tokens, in place of what was counted before. */
  count(texts: Iterable<readonly number[]>): void;
  /**
   * Inverse document frequency as BM25 has it (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009),
   * above 0.
   *
   * @param share of the model's own texts, how many have the token, 0–1
   */
  rarity(token: number, share: number): number;
  /** Of a text, in tokens. */
  readonly meanLength: number;
}

/** So many texts of the model's own are counted in: what few texts of a new collection have says little. */
const OWN_TEXTS = 100;
/** As a case study's passages have. */
const OWN_LENGTH = 180;

export function createCollectionStatistics(): CollectionStatistics {
  let texts = 0;
  let tokensOfAll = 0;
  let having = new Map<number, number>();
  return {
    count(all) {
      texts = 0;
      tokensOfAll = 0;
      having = new Map();
      for (const tokens of all) {
        texts += 1;
        tokensOfAll += tokens.length;
        for (const token of new Set(tokens)) having.set(token, (having.get(token) ?? 0) + 1);
      }
    },
    rarity(token, share) {
      const found = (having.get(token) ?? 0) + share * OWN_TEXTS;
      return Math.log(1 + (texts + OWN_TEXTS - found + 0.5) / (found + 0.5));
    },
    get meanLength() {
      return (tokensOfAll + OWN_TEXTS * OWN_LENGTH) / (texts + OWN_TEXTS);
    },
  };
}

/** Tokens of a question that are compared; a longer one says its matter early on. */
const MAX_QUERY_TOKENS = 64;

/** What the graph is given for the comparison when only vectors are wanted, and the other way round. */
export function nothingToCompare({ Tensor }: Runtime): InferenceSession.OnnxValueMapType {
  const none = () => new Tensor("int64", BigInt64Array.of(0n), [1]);
  return { query_tokens: none(), passage_tokens: none() };
}

/** A cosine of no more says nothing: any two words of a language are alike to some degree. */
const UNRELATED = 0.1;
/** Above it a weak likeness counts for a little, so that it decides where there is none better. */
const SHARPNESS = 1.5;
/** BM25's k1 and b: how soon saying the same again adds nothing, and how far a long passage is held to be diluted. */
const SATURATION = 1;
const DILUTION = 0.75;

/**
 * Late interaction: BM25 whose term frequency is soft. Each token of the passage counts towards each token of the question
 * by how alike the two are, equal ones by 1 (Rekabsaz, Lupu, Hanbury and Zuccon, "Generalizing Translation Models in the
 * Probabilistic Relevance Framework", CIKM 2016); a token of the question counts for as much as it is rare in what is
 * searched and long in the model, which has learnt to make words short that say little, as "what" and "used". So a passage
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
  passages: readonly (readonly number[])[],
  collection: CollectionStatistics,
): Promise<number[]> {
  const asked = [...new Set(query)].slice(0, MAX_QUERY_TOKENS);
  const { told, columns } = inColumns(passages);
  if (asked.length === 0 || told.length === 0) return passages.map(() => 0);
  const list = (ids: readonly number[]) => new runtime.Tensor("int64", BigInt64Array.from(ids, BigInt), [ids.length]);
  const unread = () => new runtime.Tensor("int64", BigInt64Array.of(0n), [1, 1]);
  const found = await session.run(
    {
      ...Object.fromEntries(inputs.map((name) => [name, unread()])),
      query_tokens: list(asked),
      passage_tokens: list(told),
    },
    ["likeness", "share", "length"],
  );
  const related = floats(found.likeness?.data).map(relatedness);
  const [shares, lengths] = [floats(found.share?.data), floats(found.length?.data)];
  const weights = asked.map((token, at) => collection.rarity(token, shares[at]!) * lengths[at]!);
  const all = weights.reduce((sum, one) => sum + one, 0);
  return columns.map((own) => {
    const damping = SATURATION * (1 - DILUTION + (DILUTION * own.length) / collection.meanLength);
    let sum = 0;
    for (let row = 0; row < weights.length; row += 1) {
      const from = row * told.length;
      let frequency = 0;
      for (let at = 0; at < own.length; at += 1) frequency += related[from + own[at]!]!;
      if (frequency > 0) sum += (weights[row]! * frequency) / (frequency + damping);
    }
    return all > 0 ? sum / all : 0;
  });
}

/** 0–1, of two tokens' cosine. */
const relatedness = (cosine: number) =>
  cosine > UNRELATED ? ((cosine - UNRELATED) / (1 - UNRELATED)) ** SHARPNESS : 0;

/** All tokens once, and for each passage where its own stand among them. */
function inColumns(passages: readonly (readonly number[])[]) {
  let highest = 0;
  for (const tokens of passages) for (const token of tokens) if (token > highest) highest = token;
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

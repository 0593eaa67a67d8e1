import type { InferenceSession } from "onnxruntime-node";
import type { Runtime } from "./native.ts";

/** Token statistics of the searched texts. */
interface CollectionStatistics {
  /** Replaces the statistics by those of these texts. */
  count(texts: Iterable<readonly number[]>): void;
  /**
   * Inverse document frequency of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009); above 0.
   *
   * @param share fraction of the model's training texts that contain the token, 0–1
   */
  rarity(token: number, share: number): number;
  /** Mean length of a text in tokens. */
  readonly meanLength: number;
}

/** Weight of the model's training statistics in texts: a small collection alone gives poor estimates. */
const PRIOR_TEXTS = 100;
/** Typical length of a case study's passage in tokens. */
const PRIOR_LENGTH = 180;

export function createCollectionStatistics(): CollectionStatistics {
  let texts = 0;
  let totalTokens = 0;
  let textsWith = new Map<number, number>();
  return {
    count(all) {
      texts = 0;
      totalTokens = 0;
      textsWith = new Map();
      for (const tokens of all) {
        texts += 1;
        totalTokens += tokens.length;
        for (const token of new Set(tokens)) textsWith.set(token, (textsWith.get(token) ?? 0) + 1);
      }
    },
    rarity(token, share) {
      const found = (textsWith.get(token) ?? 0) + share * PRIOR_TEXTS;
      return Math.log(1 + (texts + PRIOR_TEXTS - found + 0.5) / (found + 0.5));
    },
    get meanLength() {
      return (totalTokens + PRIOR_TEXTS * PRIOR_LENGTH) / (texts + PRIOR_TEXTS);
    },
  };
}

/** Passages compared with a query token by token. */
export interface Interaction {
  /** One per passage, 0–1: the sum of its matches by their weights. */
  readonly scores: ArrayLike<number>;
  /** One per distinct token of the query, up to 64: its share of the score. They add up to 1. */
  readonly weights: readonly number[];
  /** By passage, then by token of the query: how far the passage expresses it, 0–1. */
  readonly matches: readonly ArrayLike<number>[];
  /** By passage, then by token of the query: the similarity of the passage's nearest token, 0–1. */
  readonly nearest: readonly ArrayLike<number>[];
}

/** An interaction in few pieces, for a message: what belongs to a passage is next to each other. */
export interface PackedInteraction {
  readonly scores: Float64Array;
  readonly weights: readonly number[];
  readonly matches: Float64Array;
  readonly nearest: Float32Array;
}

export function unpacked({ scores, weights, matches, nearest }: PackedInteraction): Interaction {
  const tokens = weights.length;
  const byPassage = (values: Float64Array | Float32Array) =>
    Array.from(scores, (_, at) => values.subarray(at * tokens, (at + 1) * tokens));
  return { scores, weights, matches: byPassage(matches), nearest: byPassage(nearest) };
}

/** The token ids of a text. */
export type TokenIds = Uint16Array | Uint32Array;

/** Texts by number, of which some are given: those whose tokens are not kept. */
export interface NumberedMessage {
  /** Numbers name one text each within their collection. */
  readonly collection: string;
  readonly numbers: readonly number[];
  readonly texts: ReadonlyMap<number, string>;
}

/** Copies ids to the smallest array that holds them. */
export const compactIds = (ids: readonly number[]): TokenIds =>
  ids.every((id) => id <= 0xffff) ? Uint16Array.from(ids) : Uint32Array.from(ids);

/** Query tokens that are compared; further tokens are ignored. */
const MAX_QUERY_TOKENS = 64;

/** Inputs for the comparison when only text vectors are needed. */
export function emptyComparison({ Tensor }: Runtime): InferenceSession.OnnxValueMapType {
  const none = () => new Tensor("int64", BigInt64Array.of(0n), [1]);
  return { query_tokens: none(), passage_tokens: none() };
}

/**
 * Cosines up to this value count as 0: any two words of a language are similar to some degree. Above it they count with
 * exponent 1.5: weak similarities count little, but decide where there is nothing better.
 */
const UNRELATED = 0.1;
/** BM25's k1 (term-frequency saturation) and b (length normalisation). */
const K1 = 1;
const B = 0.75;

/**
 * Late interaction: BM25 with a soft term frequency. Each passage token counts towards each query token by their
 * similarity, equal tokens by 1 (Rekabsaz, Lupu, Hanbury and Zuccon, "Generalizing Translation Models in the Probabilistic
 * Relevance Framework", CIKM 2016). The weight of a query token is its rarity in the collection times the length of its
 * vector: training makes the vectors of words such as "what" short. This finds passages that express each part of a query
 * in other words, which a single vector per passage blurs.
 *
 * @param inputs names of the graph's inputs for whole texts
 */
export async function interact(
  runtime: Runtime,
  session: InferenceSession,
  inputs: readonly string[],
  query: readonly number[],
  passages: readonly ArrayLike<number>[],
  collection: CollectionStatistics,
): Promise<PackedInteraction> {
  const queryTokens = [...new Set(query)].slice(0, MAX_QUERY_TOKENS);
  const { tokens, columns } = assignColumns(passages);
  const scores = new Float64Array(passages.length);
  if (queryTokens.length === 0 || tokens.length === 0)
    return { scores, weights: [], matches: new Float64Array(), nearest: new Float32Array() };
  const list = (ids: readonly number[]) => new runtime.Tensor("int64", int64Of(ids), [ids.length]);
  const empty = () => new runtime.Tensor("int64", BigInt64Array.of(0n), [1, 1]);
  const found = await session.run(
    {
      ...Object.fromEntries(inputs.map((name) => [name, empty()])),
      query_tokens: list(queryTokens),
      passage_tokens: list(tokens),
    },
    ["likeness", "share", "length"],
  );
  const related = relatednessOf(floats(found.likeness?.data));
  const [shares, lengths] = [floats(found.share?.data), floats(found.length?.data)];
  const weights = queryTokens.map((token, at) => collection.rarity(token, shares[at]!) * lengths[at]!);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shareOf = weights.map((weight) => (total > 0 ? weight / total : 0));
  const matches = new Float64Array(columns.length * weights.length);
  const nearest = new Float32Array(columns.length * weights.length);
  for (const [passage, own] of columns.entries()) {
    const damping = K1 * (1 - B + (B * own.length) / collection.meanLength);
    for (let row = 0; row < weights.length; row += 1) {
      const from = row * tokens.length;
      let frequency = 0;
      let most = 0;
      for (let at = 0; at < own.length; at += 1) {
        const one = related[from + own[at]!]!;
        frequency += one;
        if (one > most) most = one;
      }
      const match = frequency > 0 ? frequency / (frequency + damping) : 0;
      matches[passage * weights.length + row] = match;
      nearest[passage * weights.length + row] = most;
      scores[passage]! += match * shareOf[row]!;
    }
  }
  return { scores, weights: shareOf, matches, nearest };
}

/** Maps the cosines of two tokens to 0–1, in place. Most pairs of tokens are unrelated. */
function relatednessOf(cosines: Float32Array): Float32Array {
  for (let at = 0; at < cosines.length; at += 1) {
    const related = (cosines[at]! - UNRELATED) / (1 - UNRELATED);
    // A root is several times faster than a power.
    cosines[at] = related > 0 ? related * Math.sqrt(related) : 0;
  }
  return cosines;
}

/** Writes the low halves directly: a conversion to `BigInt` of each id takes a tenth of a comparison. */
function int64Of(ids: readonly number[]): BigInt64Array {
  const cells = new BigInt64Array(ids.length);
  const halves = new Int32Array(cells.buffer);
  const low = IS_LITTLE_ENDIAN ? 0 : 1;
  for (let at = 0; at < ids.length; at += 1) halves[at * 2 + low] = ids[at]!;
  return cells;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The distinct tokens of all passages, and for each passage the columns of its tokens. */
function assignColumns(passages: readonly ArrayLike<number>[]) {
  let highest = 0;
  for (const passage of passages)
    for (let at = 0; at < passage.length; at += 1) if (passage[at]! > highest) highest = passage[at]!;
  const columnOf = new Int32Array(highest + 1).fill(-1);
  const tokens: number[] = [];
  const columns = passages.map((passage) => {
    const tokenColumns = new Uint32Array(passage.length);
    for (let at = 0; at < passage.length; at += 1) {
      const token = passage[at]!;
      if (columnOf[token] === -1) columnOf[token] = tokens.push(token) - 1;
      tokenColumns[at] = columnOf[token]!;
    }
    return tokenColumns;
  });
  return { tokens, columns };
}

function floats(data: unknown): Float32Array {
  if (!(data instanceof Float32Array)) throw new Error("the graph does not compare tokens");
  return data;
}

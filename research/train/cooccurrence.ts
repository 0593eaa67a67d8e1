import type { Random } from "../../scripts/random.ts";
import { sideHash, type TokenisedPairs } from "./tokens.ts";

/** A sparse matrix, row by row: the entries of row `r` lie from `starts[r]` to `starts[r + 1]`. */
export interface Sparse {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Uint32Array;
  readonly column: Uint16Array;
  readonly value: Float32Array;
}

/** Tokens that count as context: the most frequent. Bounds memory to about 2 GB while counting. */
const CONTEXTS = 16_000;
const WINDOW = 6;
/** Tokens more frequent than this share are dropped at random, so that function words do not fill the windows. */
const FREQUENT = 2e-4;
/** Flattens the contexts' distribution, or rare contexts would weigh too much. */
const SMOOTHING = 0.75;
const MIN_COUNT = 2;
/** Both sides of a short pair are each other's context, whatever the distance of the tokens. */
const SHORT = 24;

/** Counts co-occurring tokens, and weights the counts by positive pointwise mutual information. */
export function contextMatrix(pairs: TokenisedPairs, random: Random): Sparse {
  const rows = pairs.vocabulary.length;
  const rank = contextRanks(pairs.frequency);
  const total = pairs.frequency.reduce((sum, count) => sum + count, 0);
  const keep = Float64Array.from(pairs.frequency, (count) => Math.sqrt((FREQUENT * total) / Math.max(count, 1)));
  const counts = Array.from({ length: rows }, () => new Float32Array(CONTEXTS));
  const add = (a: number, b: number) => {
    if (rank[b]! >= 0) counts[a]![rank[b]!]! += 1;
    if (rank[a]! >= 0) counts[b]![rank[a]!]! += 1;
  };
  const seen = new Set<bigint>();
  for (let pair = 0; pair < pairs.count; pair += 1) {
    const sides = [2 * pair, 2 * pair + 1].map((side) => {
      const kept: number[] = [];
      for (let at = pairs.starts[side]!; at < pairs.starts[side + 1]!; at += 1)
        if (random() < keep[pairs.text[at]!]!) kept.push(pairs.text[at]!);
      const hash = sideHash(pairs, side);
      if (!seen.has(hash)) {
        seen.add(hash);
        for (let at = 0; at < kept.length; at += 1)
          for (let other = Math.max(0, at - WINDOW); other < at; other += 1) add(kept[at]!, kept[other]!);
      }
      return kept;
    });
    const [left = [], right = []] = sides;
    if (left.length + right.length <= SHORT) for (const a of left) for (const b of right) add(a, b);
  }
  return positiveInformation(counts);
}

function contextRanks(frequency: Float64Array): Int32Array {
  const ranks = new Int32Array(frequency.length).fill(-1);
  const order = [...frequency.keys()].sort((a, b) => frequency[b]! - frequency[a]! || a - b);
  for (const [rank, token] of order.slice(0, CONTEXTS).entries()) ranks[token] = rank;
  return ranks;
}

function positiveInformation(counts: readonly Float32Array[]): Sparse {
  const rowSums = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columnSums = new Float64Array(CONTEXTS);
  let entries = 0;
  for (const row of counts)
    for (let column = 0; column < CONTEXTS; column += 1) {
      columnSums[column]! += row[column]!;
      if (row[column]! >= MIN_COUNT) entries += 1;
    }
  const smoothed = columnSums.map((sum) => sum ** SMOOTHING);
  const smoothedTotal = smoothed.reduce((sum, value) => sum + value, 0);
  const starts = new Uint32Array(counts.length + 1);
  const column = new Uint16Array(entries);
  const value = new Float32Array(entries);
  let at = 0;
  for (const [row, cells] of counts.entries()) {
    for (let context = 0; context < CONTEXTS; context += 1) {
      const count = cells[context]!;
      if (count < MIN_COUNT) continue;
      const information = Math.log((count * smoothedTotal) / (rowSums[row]! * smoothed[context]!));
      if (information <= 0) continue;
      column[at] = context;
      value[at] = information;
      at += 1;
    }
    starts[row + 1] = at;
  }
  return {
    rows: counts.length,
    columns: CONTEXTS,
    starts,
    column: column.slice(0, at),
    value: value.slice(0, at),
  };
}

import type { TokenisedPairs } from "./tokens.ts";
import { SPECIAL } from "./vocabulary.ts";

/** Words rarer than this share keep nearly their whole length; more frequent ones lose it (SIF). */
const HALF_SHARE = 1e-3;
/** Mean length of a row, so that the optimiser's steps are small in comparison. */
const MEAN_LENGTH = 2;

/** Scales each token's row by its information content, and clears the rows of special tokens. */
export function weighRows(rows: Float32Array, frequency: Float64Array, dimensions: number): Float32Array {
  const total = frequency.reduce((sum, count) => sum + count, 0);
  const out = rows.slice();
  let lengths = 0;
  for (let token = 0; token < frequency.length; token += 1) {
    const row = out.subarray(token * dimensions, (token + 1) * dimensions);
    const length = Math.hypot(...row);
    const weight = HALF_SHARE / (HALF_SHARE + frequency[token]! / total);
    // The decomposition gives frequent tokens long rows as well: only the direction is its to say.
    const factor = token < SPECIAL.length || length === 0 ? 0 : weight / length ** 0.5;
    for (let index = 0; index < dimensions; index += 1) row[index]! *= factor;
    lengths += Math.hypot(...row);
  }
  const scale = (MEAN_LENGTH * frequency.length) / lengths;
  return out.map((value) => value * scale);
}

/** 1 would leave rows as long as they are, 0 make all equal. */
const EVENNESS = 0.9;

/** Reduces the differences in row length: contrastive training gives rare words more weight than similarity needs. */
export function softenLengths(table: Float32Array, dimensions: number): Float32Array {
  const out = table.slice();
  for (let from = 0; from < out.length; from += dimensions) {
    const row = out.subarray(from, from + dimensions);
    const length = Math.hypot(...row);
    if (length > 0) for (let index = 0; index < dimensions; index += 1) row[index]! *= length ** (EVENNESS - 1);
  }
  return out;
}

/** Of all texts that were read, how many have each token, 0–1. */
export function sharesOf(
  { text, starts, count }: Pick<TokenisedPairs, "text" | "starts" | "count">,
  tokens: number,
): Float32Array {
  const texts = new Float64Array(tokens);
  for (let side = 0; side < count * 2; side += 1)
    for (const token of new Set(text.subarray(starts[side]!, starts[side + 1]!))) texts[token]! += 1;
  return Float32Array.from(texts, (found) => found / (count * 2));
}

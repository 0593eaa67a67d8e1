import { SPECIAL } from "./vocabulary.ts";

/** Words rarer than this share keep nearly their whole length; more frequent ones lose it (SIF). */
const HALF_SHARE = 1e-3;
/** Mean length of a row, so that the optimiser's steps are small beside it. */
const MEAN_LENGTH = 2;

/** Scales each token's row by how much it tells, and blanks the rows of special tokens. */
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

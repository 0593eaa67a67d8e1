import { symmetricEigen } from "./decomposition.ts";
import type { TokenisedPairs } from "./tokens.ts";

/** Texts by which the directions are measured. */
const SAMPLE = 8_000;
const LEAST_TOKENS = 8;
/** 0 leaves the table unchanged, 1 makes all directions equal. */
const STRENGTH = 0.5;

/**
 * Evens out, in part, how much the directions of the space say: what nearly all texts have in common fills a few of
 * them, and outweighs the differences of texts (partial whitening, as "all but the top", Mu and Viswanath 2018, less
 * abruptly).
 *
 * @param table rows × dimensions
 * @param pairs every so many of whose longer texts are measured
 * @returns a new table
 */
export function evenOut(
  table: Float32Array,
  { text, starts, count }: Pick<TokenisedPairs, "text" | "starts" | "count">,
  dimensions: number,
): Float32Array {
  const sides = Array.from({ length: count * 2 }, (_, side) => side).filter(
    (side) => starts[side + 1]! - starts[side]! >= LEAST_TOKENS,
  );
  const step = Math.max(1, Math.floor(sides.length / SAMPLE));
  const common = new Float64Array(dimensions * dimensions);
  for (let at = 0; at < sides.length; at += step) {
    const side = sides[at]!;
    const vector = new Float64Array(dimensions);
    for (const token of text.subarray(starts[side]!, starts[side + 1]!))
      for (let index = 0; index < dimensions; index += 1) vector[index]! += table[token * dimensions + index]!;
    const length = Math.max(Math.hypot(...vector), 1e-12);
    for (let i = 0; i < dimensions; i += 1)
      for (let j = 0; j < dimensions; j += 1)
        common[i * dimensions + j]! += (vector[i]! / length) * (vector[j]! / length);
  }
  const { values, vectors } = symmetricEigen(common, dimensions);
  const sizes = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / dimensions;
  const factors = sizes.map((size) => (Math.max(size, 1e-9 * mean) / mean) ** -STRENGTH);
  // Turned into the directions, scaled there, and turned back.
  const turn = new Float64Array(dimensions * dimensions);
  for (let i = 0; i < dimensions; i += 1)
    for (let j = 0; j < dimensions; j += 1)
      for (let k = 0; k < dimensions; k += 1)
        turn[i * dimensions + j]! += vectors[i * dimensions + k]! * factors[k]! * vectors[j * dimensions + k]!;
  const out = new Float32Array(table.length);
  for (let row = 0; row < table.length; row += dimensions)
    for (let i = 0; i < dimensions; i += 1) {
      let sum = 0;
      for (let j = 0; j < dimensions; j += 1) sum += table[row + j]! * turn[j * dimensions + i]!;
      out[row + i] = sum;
    }
  return out;
}

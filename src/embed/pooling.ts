/** One vector per token of a batch: texts × tokens × dimensions, row by row. */
export interface TokenVectors {
  readonly values: Float32Array;
  readonly texts: number;
  readonly tokens: number;
  readonly dimensions: number;
}

/**
 * One vector per text from its tokens'.
 *
 * @param lengths how many tokens of each text are its own; those after them are padding and never count
 */
export function pool(vectors: TokenVectors, lengths: readonly number[], how: "mean" | "cls"): Float32Array[] {
  const { values, texts, tokens, dimensions } = vectors;
  return Array.from({ length: texts }, (_, text) => {
    const start = text * tokens * dimensions;
    const length = lengths[text] ?? 0;
    if (length === 0) return new Float32Array(dimensions);
    if (how === "cls") return values.slice(start, start + dimensions);
    const sum = new Float64Array(dimensions);
    for (let token = 0; token < length; token += 1)
      for (let index = 0; index < dimensions; index += 1) sum[index]! += values[start + token * dimensions + index]!;
    return Float32Array.from(sum, (value) => value / length);
  });
}

/** The vector with length 1; the zero vector stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length === 0 ? vector : vector.map((value) => value / length);
}

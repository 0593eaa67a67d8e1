import type { Random } from "../../scripts/random.ts";
import type { Sparse } from "./cooccurrence.ts";

/** Directions beyond those that are wanted: they make the randomised decomposition's last ones exact enough. */
const SPARE = 24;
const POWER_STEPS = 2;

/**
 * The rows of a sparse matrix in the `dimensions` directions that explain most of it: left singular vectors times the
 * square root of their singular values, by a randomised decomposition (Halko, Martinsson, Tropp).
 *
 * @returns rows × dimensions, row by row
 */
export function truncatedRows(matrix: Sparse, dimensions: number, random: Random): Float32Array {
  const width = dimensions + SPARE;
  const probe = Float32Array.from({ length: matrix.columns * width }, () => random() + random() + random() - 1.5);
  let range = orthonormal(times(matrix, probe, width), width);
  for (let step = 0; step < POWER_STEPS; step += 1) {
    const back = orthonormal(transposedTimes(matrix, range, width), width);
    range = orthonormal(times(matrix, back, width), width);
  }
  // B = Qᵀ M; the left singular vectors of M are Q times the eigenvectors of B Bᵀ.
  const projected = transposedTimes(matrix, range, width);
  const { values, vectors } = symmetricEigen(gram(projected, width), width);
  const order = [...values.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, dimensions);
  const turn = new Float32Array(width * dimensions);
  for (const [to, from] of order.entries()) {
    const scale = Math.max(values[from]!, 0) ** 0.25;
    for (let row = 0; row < width; row += 1) turn[row * dimensions + to] = vectors[row * width + from]! * scale;
  }
  return dense(range, turn, width, dimensions);
}

function times({ rows, starts, column, value }: Sparse, right: Float32Array, width: number): Float32Array {
  const out = new Float32Array(rows * width);
  for (let row = 0; row < rows; row += 1) {
    const to = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
      const from = column[at]! * width;
      const factor = value[at]!;
      for (let index = 0; index < width; index += 1) out[to + index]! += factor * right[from + index]!;
    }
  }
  return out;
}

function transposedTimes(
  { rows, columns, starts, column, value }: Sparse,
  right: Float32Array,
  width: number,
): Float32Array {
  const out = new Float32Array(columns * width);
  for (let row = 0; row < rows; row += 1) {
    const from = row * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
      const to = column[at]! * width;
      const factor = value[at]!;
      for (let index = 0; index < width; index += 1) out[to + index]! += factor * right[from + index]!;
    }
  }
  return out;
}

function dense(left: Float32Array, right: Float32Array, inner: number, width: number): Float32Array {
  const rows = left.length / inner;
  const out = new Float32Array(rows * width);
  for (let row = 0; row < rows; row += 1)
    for (let k = 0; k < inner; k += 1) {
      const factor = left[row * inner + k]!;
      for (let index = 0; index < width; index += 1) out[row * width + index]! += factor * right[k * width + index]!;
    }
  return out;
}

/** Aᵀ A of a tall matrix. */
function gram(tall: Float32Array, width: number): Float64Array {
  const out = new Float64Array(width * width);
  for (let row = 0; row < tall.length; row += width)
    for (let i = 0; i < width; i += 1) {
      const factor = tall[row + i]!;
      if (factor === 0) continue;
      for (let j = i; j < width; j += 1) out[i * width + j]! += factor * tall[row + j]!;
    }
  for (let i = 0; i < width; i += 1) for (let j = 0; j < i; j += 1) out[i * width + j] = out[j * width + i]!;
  return out;
}

/** An orthonormal base of the columns, by Cholesky's factor of their Gram matrix; twice, for accuracy. */
function orthonormal(tall: Float32Array, width: number): Float32Array {
  let base = tall;
  for (let pass = 0; pass < 2; pass += 1)
    base = dense(base, inverseUpper(cholesky(gram(base, width), width), width), width, width);
  return base;
}

function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column]!;
      for (let k = 0; k < column; k += 1) sum -= lower[row * size + k]! * lower[column * size + k]!;
      lower[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[column * size + column]!;
    }
  return lower;
}

/** The inverse of the transposed lower factor. */
function inverseUpper(lower: Float64Array, size: number): Float32Array {
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column += 1)
    for (let row = column; row < size; row += 1) {
      let sum = row === column ? 1 : 0;
      for (let k = column; k < row; k += 1) sum -= lower[row * size + k]! * inverse[k * size + column]!;
      inverse[row * size + column] = sum / lower[row * size + row]!;
    }
  const out = new Float32Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) out[column * size + row] = inverse[row * size + column]!;
  return out;
}

/** Eigenvalues and eigenvectors (in columns) of a symmetric matrix, by Jacobi's rotations. */
export function symmetricEigen(
  matrix: Float64Array,
  size: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const a = matrix.slice();
  const vectors = new Float64Array(size * size);
  for (let index = 0; index < size; index += 1) vectors[index * size + index] = 1;
  for (let sweep = 0; sweep < 12; sweep += 1)
    for (let p = 0; p < size; p += 1)
      for (let q = p + 1; q < size; q += 1) {
        const off = a[p * size + q]!;
        const [pp, qq] = [a[p * size + p]!, a[q * size + q]!];
        if (Math.abs(off) <= 1e-12 * Math.sqrt(Math.abs(pp * qq))) continue;
        const theta = (qq - pp) / (2 * off);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cos = 1 / Math.sqrt(t * t + 1);
        rotate(a, size, p, q, cos, t * cos);
        rotateColumns(vectors, size, p, q, cos, t * cos);
      }
  return { values: Float64Array.from({ length: size }, (_, index) => a[index * size + index]!), vectors };
}

function rotate(a: Float64Array, size: number, p: number, q: number, cos: number, sin: number): void {
  rotateColumns(a, size, p, q, cos, sin);
  for (let k = 0; k < size; k += 1) {
    const [x, y] = [a[p * size + k]!, a[q * size + k]!];
    a[p * size + k] = cos * x - sin * y;
    a[q * size + k] = sin * x + cos * y;
  }
}

function rotateColumns(a: Float64Array, size: number, p: number, q: number, cos: number, sin: number): void {
  for (let k = 0; k < size; k += 1) {
    const [x, y] = [a[k * size + p]!, a[k * size + q]!];
    a[k * size + p] = cos * x - sin * y;
    a[k * size + q] = sin * x + cos * y;
  }
}

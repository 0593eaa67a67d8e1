export interface Example {
  readonly features: readonly string[];
  readonly isTrue: boolean;
}

export interface Model {
  readonly weights: ReadonlyMap<string, number>;
  readonly bias: number;
}

const STEPS = 25;

/**
 * Logistic regression over named features by Newton's method. The penalty draws each weight to its prior (0 without
 * one); the bias is free.
 */
export function fitLogistic(
  examples: readonly Example[],
  {
    ridge,
    minSeen,
    priors,
  }: { readonly ridge: number; readonly minSeen: number; readonly priors: Readonly<Record<string, number>> },
): Model {
  const seen = new Map<string, number>();
  for (const { features } of examples) for (const name of features) seen.set(name, (seen.get(name) ?? 0) + 1);
  const often = [...seen].filter(([, times]) => times >= minSeen).map(([name]) => name);
  const names = [...new Set([...Object.keys(priors), ...often])];
  const place = new Map(names.map((name, at) => [name, at]));
  const size = names.length + 1;
  // Each row as the places of its features; the last place is the bias.
  const rows = examples.map(({ features, isTrue }) => ({
    at: [...features.flatMap((name) => place.get(name) ?? []), names.length],
    isTrue,
  }));
  const drawn = Float64Array.from([...names.map((name) => priors[name] ?? 0), 0]);
  const penalty = Float64Array.from({ length: size }, (_, at) => (at === names.length ? 1e-6 : ridge));
  const weights = new Float64Array(size);
  for (let step = 0; step < STEPS; step++) {
    const gradient = Float64Array.from(weights, (weight, at) => (penalty[at] ?? 0) * (weight - (drawn[at] ?? 0)));
    const hessian = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = penalty[at] ?? 0;
      return row;
    });
    for (const { at, isTrue } of rows) {
      const likely = 1 / (1 + Math.exp(-at.reduce((sum, index) => sum + (weights[index] ?? 0), 0)));
      const error = likely - (isTrue ? 1 : 0);
      const curve = likely * (1 - likely);
      for (const left of at) {
        gradient[left] = (gradient[left] ?? 0) + error;
        const row = hessian[left];
        if (row) for (const right of at) row[right] = (row[right] ?? 0) + curve;
      }
    }
    const change = solve(hessian, gradient);
    let most = 0;
    change.forEach((by, at) => {
      weights[at] = (weights[at] ?? 0) - by;
      most = Math.max(most, Math.abs(by));
    });
    if (most < 1e-7) break;
  }
  return { weights: new Map(names.map((name, at) => [name, weights[at] ?? 0])), bias: weights[names.length] ?? 0 };
}

export function likelihood({ weights, bias }: Model, features: readonly string[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, name) => sum + (weights.get(name) ?? 0), bias)));
}

/** Gaussian elimination; the matrix is positive definite, and is used up. */
function solve(matrix: Float64Array[], values: Float64Array): Float64Array {
  const size = values.length;
  const result = Float64Array.from(values);
  for (let pivot = 0; pivot < size; pivot++) {
    const own = matrix[pivot] as Float64Array;
    const scale = own[pivot] ?? 1;
    for (let row = pivot + 1; row < size; row++) {
      const other = matrix[row] as Float64Array;
      const factor = (other[pivot] ?? 0) / scale;
      if (factor === 0) continue;
      for (let column = pivot; column < size; column++)
        other[column] = (other[column] ?? 0) - factor * (own[column] ?? 0);
      result[row] = (result[row] ?? 0) - factor * (result[pivot] ?? 0);
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    const own = matrix[row] as Float64Array;
    let sum = result[row] ?? 0;
    for (let column = row + 1; column < size; column++) sum -= (own[column] ?? 0) * (result[column] ?? 0);
    result[row] = sum / (own[row] ?? 1);
  }
  return result;
}

/** One choice between named options, or none of them. */
export interface Choice {
  readonly weight: number;
  readonly options: readonly { readonly features: ReadonlyMap<string, number>; readonly isRight: boolean }[];
  /** None of the options is right. */
  readonly isNone: boolean;
}

export interface SoftmaxModel {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

interface SoftmaxOptions {
  /** Penalty on the square of each weight; the bias is free. */
  readonly ridge: number;
  /** Weights that the penalty draws to; 0 for other features. */
  readonly priors?: Readonly<Record<string, number>>;
  /** Only these features and those with a prior get a weight. */
  readonly features: readonly string[];
  readonly steps?: number;
}

/** Weights below this are left out of the model. */
const LEAST_WEIGHT = 0.02;

/**
 * Fits a conditional log-linear model: the score of an option is the bias plus its weighted features, that of "none" is 0, and
 * the probability is the softmax of the scores. Several right options share their probability. L-BFGS from the priors, so the
 * same choices give the same weights; they are rounded to 2 decimals.
 */
export function fitSoftmax(
  choices: readonly Choice[],
  { ridge, priors = {}, features: shared, steps = 120 }: SoftmaxOptions,
): SoftmaxModel {
  const features = [...new Set([...shared, ...Object.keys(priors)])].sort();
  const drawn = Float64Array.from([...features.map((name) => priors[name] ?? 0), 0]);
  const place = new Map(features.map((name, at) => [name, at]));
  const size = features.length + 1;
  const rows = choices
    .filter(({ isNone, options }) => isNone || options.some(({ isRight }) => isRight))
    .map(({ weight, isNone, options }) => ({
      weight,
      isNone,
      options: options.map((option) => {
        const known = [...option.features].filter(([name]) => place.has(name));
        return {
          at: Int32Array.from(known, ([name]) => place.get(name) ?? 0),
          values: Float64Array.from(known, ([, value]) => value),
          isRight: option.isRight && !isNone,
        };
      }),
    }));
  const evaluate = (theta: Float64Array): { loss: number; gradient: Float64Array } => {
    const gradient = theta.map((value, at) => (at === size - 1 ? 0 : ridge * (value - (drawn[at] ?? 0))));
    let loss = theta.reduce(
      (sum, value, at) => sum + (at === size - 1 ? 0 : (ridge / 2) * (value - (drawn[at] ?? 0)) ** 2),
      0,
    );
    for (const { weight, isNone, options } of rows) {
      const scores = options.map(({ at, values }) => {
        let score = theta[size - 1] ?? 0;
        for (let index = 0; index < at.length; index++) score += (theta[at[index] ?? 0] ?? 0) * (values[index] ?? 0);
        return score;
      });
      const most = Math.max(0, ...scores);
      const likely = scores.map((score) => Math.exp(score - most));
      const none = Math.exp(-most);
      const total = likely.reduce((sum, one) => sum + one, none);
      const right = isNone ? none : likely.reduce((sum, one, at) => sum + (options[at]?.isRight ? one : 0), 0);
      loss -= weight * Math.log(Math.max(right, 1e-300) / total);
      for (const [index, { at, values, isRight }] of options.entries()) {
        const one = likely[index] ?? 0;
        const change = weight * (one / total - (isRight ? one / Math.max(right, 1e-300) : 0));
        for (let feature = 0; feature < at.length; feature++) {
          const target = at[feature] ?? 0;
          gradient[target] = (gradient[target] ?? 0) + change * (values[feature] ?? 0);
        }
        gradient[size - 1] = (gradient[size - 1] ?? 0) + change;
      }
    }
    return { loss, gradient };
  };
  const theta = minimise(evaluate, drawn, steps);
  const kept = features
    .map((name, at) => [name, round(theta[at] ?? 0)] as const)
    .filter(([, weight]) => Math.abs(weight) >= LEAST_WEIGHT)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return { bias: round(theta[size - 1] ?? 0), weights: Object.fromEntries(kept) };
}

const round = (value: number) => Math.round(value * 100) / 100;
const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

const MEMORY = 8;

/** L-BFGS with backtracking. */
function minimise(
  evaluate: (theta: Float64Array) => { loss: number; gradient: Float64Array },
  start: Float64Array,
  steps: number,
): Float64Array {
  const size = start.length;
  let theta = start;
  let { loss, gradient } = evaluate(theta);
  const history: { readonly s: Float64Array; readonly y: Float64Array; readonly rho: number }[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = gradient.map((value) => -value);
    const alphas: number[] = [];
    for (const { s, y, rho } of history.toReversed()) {
      const alpha = rho * dot(s, direction);
      alphas.push(alpha);
      for (let at = 0; at < size; at++) direction[at] = (direction[at] ?? 0) - alpha * (y[at] ?? 0);
    }
    const last = history.at(-1);
    const scale = last
      ? dot(last.s, last.y) / dot(last.y, last.y)
      : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)));
    for (let at = 0; at < size; at++) direction[at] = (direction[at] ?? 0) * scale;
    for (const { s, y, rho } of history) {
      const change = (alphas.pop() ?? 0) - rho * dot(y, direction);
      for (let at = 0; at < size; at++) direction[at] = (direction[at] ?? 0) + change * (s[at] ?? 0);
    }
    const slope = dot(gradient, direction);
    let length = 1;
    let next = theta;
    let found = { loss, gradient };
    for (; length > 1e-6; length /= 2) {
      next = theta.map((value, at) => value + length * (direction[at] ?? 0));
      found = evaluate(next);
      if (found.loss <= loss + 1e-4 * length * slope) break;
    }
    const s = next.map((value, at) => value - (theta[at] ?? 0));
    const y = found.gradient.map((value, at) => value - (gradient[at] ?? 0));
    const curvature = dot(s, y);
    if (curvature > 1e-12) history.push({ s, y, rho: 1 / curvature });
    if (history.length > MEMORY) history.shift();
    const gain = loss - found.loss;
    theta = next;
    ({ loss, gradient } = found);
    if (gain < 1e-7 * Math.max(1, Math.abs(loss))) break;
  }
  return theta;
}

/** Names of the features that occur with at least this many vendors. */
export function sharedFeatures(
  choices: readonly (Choice & { readonly vendor: string })[],
  minVendors: number,
): string[] {
  const seen = new Map<string, Set<string>>();
  for (const { vendor, options } of choices)
    for (const { features } of options)
      for (const name of features.keys()) {
        const vendors = seen.get(name);
        if (vendors) vendors.add(vendor);
        else seen.set(name, new Set([vendor]));
      }
  return [...seen].flatMap(([name, vendors]) => (vendors.size >= minVendors ? [name] : [])).sort();
}

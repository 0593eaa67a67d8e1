import { BIAS, WEIGHTS } from "./weights.ts";

/**
 * How likely a figure is an outcome: 0 to 1, the logistic function of the sum of its features' weights.
 *
 * @param features names as `featuresOf` gives them; one without a weight counts nothing
 */
export function scoreOf(features: readonly string[]): number {
  let sum = BIAS;
  for (const feature of features) sum += WEIGHTS[feature] ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

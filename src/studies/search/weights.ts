/**
 * Every number of the ranking. They are set by cross-validation on the development queries:
 * `bun run eval search --corpus DIR` prints what they give, and `--tune` what other values would.
 */
export const RANKING = {
  /** Shares of the two normalised scores in the hybrid; they sum to 1. */
  keyword: 0.5,
  semantic: 0.5,
  /** What the second, third … best passage of a case study adds to the best one, as shares of their own scores. */
  further: [0.1, 0.05],
  /** Passages asked of each side for one result, and at the least: fewer lose case studies, more cost time. */
  candidatesPerResult: 12,
  leastCandidates: 120,
  mostCandidates: 600,
} as const;

export type Ranking = {
  readonly keyword: number;
  readonly semantic: number;
  readonly further: readonly number[];
};

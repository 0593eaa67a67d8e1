/** What one side counts for, and what the further passages of a case study add to its best one there. */
export interface SideWeights {
  /** Share in the hybrid; both sum to 1. */
  readonly share: number;
  /** Of the second, third … best passage's own score. */
  readonly further: readonly number[];
}

export interface Ranking {
  readonly keyword: SideWeights;
  readonly semantic: SideWeights;
}

/**
 * Set on the sixty development questions; `bun run eval search --corpus DIR` prints what they give. Five-fold
 * cross-validation chose a keyword share of 0.75 in most folds (0.55 to 0.85 in the others), and what it chose gave an
 * nDCG@10 of 0.75 to 0.78 on the questions that it had not seen.
 */
export const RANKING: Ranking = {
  /** Words decide most questions; a story that says them in several places is more about them. */
  keyword: { share: 0.75, further: [0.2, 0.1] },
  /** A second passage that is a little like the question says nothing: counting it made every figure worse. */
  semantic: { share: 0.25, further: [] },
};

/** Passages asked of each side: fewer lose case studies, more cost time. */
export const CANDIDATES = { perResult: 10, least: 60, most: 600 } as const;

import type { SearchMode } from "../../vocabulary/case-study.ts";

/** What each side counts for; together 1. */
export interface Shares {
  /** Words in common, by BM25. */
  readonly keyword: number;
  /** The vectors' cosine. */
  readonly semantic: number;
  /** Late interaction: the question's tokens against the passage's. */
  readonly interaction: number;
}

export interface Ranking {
  /** What the second, third … best passage of a case study adds to its best one on a side, of its own score. */
  readonly further: Readonly<Record<keyof Shares, readonly number[]>>;
  /** With a model that gives vectors only. */
  readonly plain: Readonly<Record<SearchMode, Shares>>;
  /** With one that compares token by token as well. */
  readonly compared: Readonly<Record<SearchMode, Shares>>;
}

/**
 * Set on 1,443 development questions about 397 case studies, asked of a model that had read none of them (`bun run train
 * --blind`): nDCG@10 of 1,383 that we wrote (`data/training/questions`) is 0.511 by words and 0.582 by all sides, of the
 * sixty of `bun run eval search` 0.769 and 0.864. Around these shares it is flat: 0.1 more or less changes it by 0.01.
 * Words count for little because the comparison sees them too: equal tokens are wholly alike.
 */
export const RANKING: Ranking = {
  further: {
    /** A story that says the words in several places is more about them. */
    keyword: [0.2, 0.1],
    /** A second passage that is a little like the question says nothing: counting it made every figure worse. */
    semantic: [],
    interaction: [0.2],
  },
  plain: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 1, interaction: 0 },
    hybrid: { keyword: 0.6, semantic: 0.4, interaction: 0 },
  },
  compared: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 0.25, interaction: 0.75 },
    hybrid: { keyword: 0.05, semantic: 0.33, interaction: 0.62 },
  },
};

/** Passages asked of each side: fewer lose case studies, more cost time. */
export const CANDIDATES = { perResult: 10, least: 60, most: 600 } as const;

/**
 * Of the best of both sides so many are compared token by token, at 0.1 ms each where there are 100,000 case studies:
 * most of it to read them. Twice as many add 0.005 to the nDCG@10 and 0.008 to the recall@10 of the 1,383 questions.
 */
export const COMPARED = { perResult: 3, least: 30, most: 150 } as const;

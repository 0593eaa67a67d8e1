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
 * --blind`), and on two sets of another kind (`bun run eval embedding`): nDCG@10 of 1,383 questions that we wrote
 * (`data/training/questions`) is 0.509 by words and 0.608 by all sides, of the sixty of `bun run eval search` 0.767 and
 * 0.904. Around these shares it is flat: 0.05 more or less changes them by 0.01. Less for words serves questions about
 * case studies a little better, more serves long technical ones (Cranfield) and names.
 */
export const RANKING: Ranking = {
  further: {
    /** A story that says the words in several places is more about them. */
    keyword: [0.2, 0.1],
    /** A second passage that is a little like the question says nothing: counting it made every figure worse. */
    semantic: [],
    interaction: [0.1],
  },
  plain: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 1, interaction: 0 },
    hybrid: { keyword: 0.6, semantic: 0.4, interaction: 0 },
  },
  compared: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 0.2, interaction: 0.8 },
    hybrid: { keyword: 0.25, semantic: 0.2, interaction: 0.55 },
  },
};

/** Passages asked of each side: fewer lose case studies, more cost time. */
export const CANDIDATES = { perResult: 6, least: 60, most: 600 } as const;

/**
 * Of the best of both sides so many are compared token by token, at 0.08 ms each where there are 100,000 case studies:
 * to read them, to find their tokens and to compare. Half as many again find hardly more, a quarter less loses 0.005.
 */
export const COMPARED = { perResult: 4, least: 40, most: 200 } as const;

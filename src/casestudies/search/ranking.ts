import type { SearchMode } from "../types.ts";

/** Weights of the rankings; they add up to 1. */
interface Weights {
  /** BM25. */
  readonly keyword: number;
  /** Cosine similarity of the vectors. */
  readonly semantic: number;
  /** Late interaction: the query's tokens against the passage's. */
  readonly interaction: number;
}

export interface Ranking {
  /** Share of the second, third … best passage's score that is added to a case study's best score, by ranking. */
  readonly further: Readonly<Record<keyof Weights, readonly number[]>>;
  /** For models that only produce vectors. */
  readonly plain: Readonly<Record<SearchMode, Weights>>;
  /** For models that also compare token by token. */
  readonly compared: Readonly<Record<SearchMode, Weights>>;
}

/**
 * Tuned on 1,443 development questions about 397 case studies, with a model that was not trained on them (`npm run train --
 * --blind`), and on two sets of other kinds (`npm run eval -- embedding`): nDCG@10 of 1,383 questions that we wrote
 * (`data/training/questions`) is 0.511 with words alone and 0.613 with all rankings; of the sixty of `npm run eval -- search` 0.757 and
 * 0.924. The optimum is flat: 0.05 more or less changes the figures by 0.01. A lower weight of words is slightly better for
 * questions about case studies, a higher one for long technical questions (Cranfield) and names. `npm run eval -- search-held-out`
 * chooses them on other vendors than it measures.
 */
export const RANKING: Ranking = {
  further: {
    /** Words that occur in several passages are more likely the subject. */
    keyword: [0.2, 0.1],
    /** Counting a second, weakly similar passage made every figure worse. */
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
    hybrid: { keyword: 0.22, semantic: 0.15, interaction: 0.63 },
  },
};

/** A passage found by one ranking; a higher score is better. */
export interface FoundPassage {
  readonly passage: number;
  readonly study: string;
  readonly score: number;
}

export interface RankedStudy {
  readonly study: string;
  /** 0–1. */
  readonly score: number;
  /** The passage that contributes most. */
  readonly passage: number;
}

/** The passages of one ranking and its weight. */
interface RankedPassages {
  readonly found: readonly FoundPassage[];
  /** 0–1; the weights of all rankings add up to 1. */
  readonly weight: number;
  /** Share of the second, third … best passage's score that is added to a case study's best score. */
  readonly further: readonly number[];
}

interface Candidate {
  readonly scores: number[];
  readonly passage: number;
}

/**
 * Fuses rankings of passages into one ranking of case studies. Each ranking's scores are normalised to 0–1 between its
 * worst and best candidate, then weighted. Ranks are not used: they would rate the tail of a weak ranking as high as
 * that of a strong one.
 *
 * @returns best first; equal scores are ordered by id, so that results are deterministic
 */
export function fuse(rankings: readonly RankedPassages[]): RankedStudy[] {
  const ranked = new Map<string, { score: number; passage: number; best: number }>();
  for (const { found, weight, further } of rankings) {
    const most = 1 + further.reduce((sum, one) => sum + one, 0);
    for (const [study, { scores, passage }] of byStudy(normalised(found))) {
      const part = (weight * withFurther(scores, further)) / most;
      const known = ranked.get(study);
      if (!known) ranked.set(study, { score: part, passage, best: part });
      else {
        known.score += part;
        if (part > known.best) Object.assign(known, { passage, best: part });
      }
    }
  }
  return [...ranked]
    .map(([study, { score, passage }]) => ({ study, passage, score: Math.min(1, Math.max(0, score)) }))
    .sort((a, b) => b.score - a.score || (a.study < b.study ? -1 : 1));
}

/** The best passages of two rankings, normalised and equally weighted; best first. */
export function bestOfBoth(
  keyword: readonly FoundPassage[],
  semantic: readonly FoundPassage[],
  limit: number,
): FoundPassage[] {
  const best = new Map<number, FoundPassage>();
  for (const found of [...normalised(keyword), ...normalised(semantic)]) {
    const known = best.get(found.passage);
    best.set(found.passage, known ? { ...known, score: known.score + found.score } : found);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.passage - b.passage).slice(0, limit);
}

/** Score of the worst candidate: it was found, which is better than not at all. */
const FLOOR = 0.02;

function normalised(found: readonly FoundPassage[]): FoundPassage[] {
  const scores = found.map(({ score }) => score);
  const best = Math.max(...scores);
  const worst = Math.min(...scores);
  const span = best - worst;
  return found.map((each) => ({ ...each, score: span > 0 ? FLOOR + ((each.score - worst) / span) * (1 - FLOOR) : 1 }));
}

function byStudy(found: readonly FoundPassage[]): Map<string, Candidate> {
  const studies = new Map<string, Candidate>();
  for (const { study, passage, score } of found.toSorted((a, b) => b.score - a.score || a.passage - b.passage)) {
    const known = studies.get(study);
    if (known) known.scores.push(score);
    else studies.set(study, { scores: [score], passage });
  }
  return studies;
}

const withFurther = ([best = 0, ...rest]: readonly number[], further: readonly number[]): number =>
  further.reduce((sum, share, index) => sum + share * (rest[index] ?? 0), best);

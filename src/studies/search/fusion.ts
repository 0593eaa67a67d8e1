/** A passage that one side found; higher is better. */
export interface FoundPassage {
  readonly passage: number;
  readonly study: string;
  readonly score: number;
}

export interface RankedStudy {
  readonly study: string;
  /** 0–1. */
  readonly score: number;
  /** The passage that speaks for it. */
  readonly passage: number;
}

/** What one side found, and what it counts for. */
export interface Side {
  readonly found: readonly FoundPassage[];
  /** 0–1; of all sides together 1. */
  readonly share: number;
  /** What the second, third … passage of a case study adds to its best, of its own score. */
  readonly further: readonly number[];
}

interface Candidate {
  readonly scores: number[];
  readonly passage: number;
}

/**
 * Ranks case studies by what the sides found. Each side's scores are brought to 0–1 by its own best and worst
 * candidate and then weighed; ranks are not used, since they make a weak side's tail as good as a strong side's.
 *
 * @returns best first; equal scores in the order of their names, so that the same question has the same answer
 */
export function fuse(sides: readonly Side[]): RankedStudy[] {
  const ranked = new Map<string, { score: number; passage: number; best: number }>();
  for (const { found, share, further } of sides) {
    const most = 1 + further.reduce((sum, one) => sum + one, 0);
    for (const [study, { scores, passage }] of byStudy(normalised(found))) {
      const part = (share * withFurther(scores, further)) / most;
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

/** The passages that two sides speak for most, each brought to 0–1 and both worth the same; best first. */
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

/** The worst candidate still counts for a little: it was found among all. */
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

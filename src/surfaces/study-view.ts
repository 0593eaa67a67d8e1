import type { StudyHit } from "../vocabulary/case-study.ts";

/** One result of a search: the record, its score, and the text that matches best. */
export function hitView({ study, score, passage }: StudyHit) {
  return {
    ...study,
    score: Math.round(score * 10_000) / 10_000,
    passage: passage.text,
    highlights: passage.highlights,
  };
}

export interface AskedResults {
  readonly query: string;
  readonly hits: readonly StudyHit[];
}

/** A result set of the contract: the query as it was asked, and its results. */
export const resultsView = ({ query, hits }: AskedResults) => ({ query, results: hits.map(hitView) });

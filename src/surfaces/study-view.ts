import type { StudyHit } from "../vocabulary/case-study.ts";
import { Failure } from "../vocabulary/failure.ts";

/** What callers are told of a result's score, wherever it stands. */
export const SCORE_TEXT =
  "0 to 1, best first. It compares the results of one answer with one another and is no measure of how relevant the best of them is: a query that nothing here answers has high ones too, so read the passage.";

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

/** What searches answer; a refusal's pointers, which are into the questions, lead to where the caller wrote them. */
export async function pointed<T>(searching: Promise<T>, placeOf: (pointer: string) => string): Promise<T> {
  try {
    return await searching;
  } catch (error) {
    if (!(error instanceof Failure) || !error.details.problems) throw error;
    const problems = error.details.problems.map(({ pointer, detail }) => ({ pointer: placeOf(pointer), detail }));
    throw new Failure(error.code, error.advice, { ...error.details, problems });
  }
}

/** For a surface that takes one question alone. */
export const ofTheOne = (pointer: string) => pointer.replace(/^\/0/, "");

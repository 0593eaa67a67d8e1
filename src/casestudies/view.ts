import { Failure } from "../core/errors.ts";
import { plural } from "../core/text.ts";

import type { StudyAnswer } from "./answer/answer.ts";
import type { Claim, ClaimedStudy } from "./claims.ts";
import type { StudyHit, StudyResults } from "./types.ts";

/** Description of a result's score for callers of every interface. */
export const SCORE_TEXT =
  "0 to 1, best first. Scores order the results of one query and do not measure relevance: `relevance` does.";

/** Descriptions of a result's relevance for callers of every interface. */
export const RELEVANCE_TEXT =
  "Whether the record answers the query: `strong` very likely, `good` likely, `weak` hardly; weak ones come last. Null where it was not rated: in keyword mode, and with models other than the built-in one.";
export const PROBABILITY_TEXT =
  "0 to 1: of results with this value, about this share answers their query, measured on questions about other vendors. Null like `relevance`.";
export const NO_GOOD_MATCH_TEXT = "Present when all results are `weak`: probably no record answers the query.";

export const ALSO_IN_TEXT =
  "Present when other case studies have nearly the same text: they are not results themselves, as of a story that two vendors publish.";

/** A search result of the API: the record, its score, and the best-matching text. */
function hitView({ study, score, relevance, passage, also_in }: StudyHit) {
  return {
    ...study,
    score: Math.round(score * 10_000) / 10_000,
    relevance: relevance?.level ?? null,
    probability: relevance && Math.round(relevance.probability * 1_000) / 1_000,
    passage: passage.text,
    highlights: passage.highlights,
    ...(also_in.length === 0 ? {} : { also_in }),
  };
}

/** A result set of the API. */
export const resultsView = ({ query, hits, noGoodMatch, degraded, pending }: StudyResults) => ({
  query,
  results: hits.map(hitView),
  ...(noGoodMatch ? { no_good_match: true } : {}),
  ...(degraded === null ? {} : { degraded: { reason: degraded } }),
  ...(pending === 0 ? {} : { index: { pending } }),
});

export const NO_ANSWER_TEXT = "Present when no case study answers the question well.";

/** An answer of the API. */
export const answerView = ({ query, composed, groups, noAnswer, degraded, pending }: StudyAnswer) => ({
  query,
  ...(composed === null ? {} : { composed }),
  groups,
  ...(noAnswer ? { no_answer: true } : {}),
  ...(degraded === null ? {} : { degraded: { reason: degraded } }),
  ...(pending === 0 ? {} : { index: { pending } }),
});

/** Case studies with their claims, if they are asked for. */
export async function withClaims<Study extends ClaimedStudy>(
  caseStudies: { claimsOf(studies: readonly ClaimedStudy[]): Promise<ReadonlyMap<string, Claim>> },
  include: "claim" | undefined,
  studies: readonly Study[],
): Promise<readonly (Study & { readonly claim?: Claim })[]> {
  if (include === undefined) return studies;
  const claims = await caseStudies.claimsOf(studies);
  return studies.map((study) => {
    const claim = claims.get(study.id);
    return claim ? { ...study, claim } : study;
  });
}

/** What a person should know about a result set, in sentences. */
export const noticesOf = ({
  noGoodMatch = false,
  degraded,
  pending,
}: Pick<StudyResults, "degraded" | "pending"> & { readonly noGoodMatch?: boolean }): string[] => [
  ...(noGoodMatch ? ["No good match: these results hardly answer the query."] : []),
  ...(degraded === null ? [] : [degraded]),
  ...(pending === 0
    ? []
    : [`${plural(pending, "case study is", "case studies are")} not in the search index yet: results may be missing.`]),
];

/** Maps the pointers of a search's failure, which are into its queries, to those of the request. */
export async function withPointers<T>(searching: Promise<T>, pointerOf: (pointer: string) => string): Promise<T> {
  try {
    return await searching;
  } catch (error) {
    if (!(error instanceof Failure) || !error.details.problems) throw error;
    const problems = error.details.problems.map(({ pointer, detail }) => ({ pointer: pointerOf(pointer), detail }));
    throw new Failure(error.code, error.message, { ...error.details, problems });
  }
}

/** For requests with a single query: `/0/query` → `/query`. */
export const withoutIndex = (pointer: string) => pointer.replace(/^\/0/, "");

import { Failure } from "../core/errors.ts";
import type { StudyHit } from "./types.ts";

/** Description of a result's score for callers of every interface. */
export const SCORE_TEXT =
  "0 to 1, best first. Scores order the results of one query and do not measure relevance: a query without a good match has high scores too, so read the passage.";

/** A search result of the API: the record, its score, and the best-matching text. */
function hitView({ study, score, passage }: StudyHit) {
  return {
    ...study,
    score: Math.round(score * 10_000) / 10_000,
    passage: passage.text,
    highlights: passage.highlights,
  };
}

/** A result set of the API. */
export const resultsView = ({ query, hits }: { readonly query: string; readonly hits: readonly StudyHit[] }) => ({
  query,
  results: hits.map(hitView),
});

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

/** Looks up the names that a filter may use, in this process or on a server. */
export interface FilterNames {
  readonly companies: {
    find(
      filter: { q: string },
      page: { limit: number },
    ): Promise<{ readonly companies: readonly { readonly slug: string }[] }>;
  };
  readonly caseStudies: {
    list(filter: { industry: string }, page: { limit: number }): Promise<{ readonly total: number }>;
    /** Most case studies first. */
    listIndustries(): Promise<readonly { readonly industry: string; readonly slug: string | null }[]>;
  };
}

/**
 * Slugs similar to an unknown one, best first; undefined when a company has the slug.
 *
 * @param q the search text, by default the slug
 */
export async function similarSlugs(
  { companies }: Pick<FilterNames, "companies">,
  slug: string,
  { q = slug, limit }: { readonly q?: string; readonly limit: number },
): Promise<readonly string[] | undefined> {
  const similar = (await companies.find({ q }, { limit })).companies.map((company) => company.slug);
  return similar.includes(slug.toLowerCase()) ? undefined : similar;
}

/** All industries with case studies; undefined when this industry has some. */
export async function otherIndustries({ caseStudies }: Pick<FilterNames, "caseStudies">, industry: string) {
  const { total } = await caseStudies.list({ industry }, { limit: 1 });
  return total > 0 ? undefined : await caseStudies.listIndustries();
}

import { Failure } from "../core/errors.ts";
import type { StudyHit } from "./types.ts";

/** What callers are told of a result's score, wherever it stands. */
export const SCORE_TEXT =
  "0 to 1, best first. It compares the results of one answer with one another and is no measure of how relevant the best of them is: a query that nothing here answers has high ones too, so read the passage.";

/** One result of a search: the record, its score, and the text that matches best. */
function hitView({ study, score, passage }: StudyHit) {
  return {
    ...study,
    score: Math.round(score * 10_000) / 10_000,
    passage: passage.text,
    highlights: passage.highlights,
  };
}

interface AskedResults {
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

/** What a filter can name, wherever it is kept. */
export interface FilterNames {
  findCompanies(
    filter: { q: string },
    page: { limit: number },
  ): Promise<{ readonly companies: readonly { readonly slug: string }[] }>;
  listStudies(filter: { industry: string }, page: { limit: number }): Promise<{ readonly total: number }>;
  /** Those of most case studies first. */
  listIndustries(): Promise<readonly { readonly industry: string; readonly slug: string | null }[]>;
}

/**
 * Slugs that are like one that no company has, best first; undefined where a company has it.
 *
 * @param q what is looked for: the slug, as far as it can be asked for
 */
export async function nearSlugs(
  names: Pick<FilterNames, "findCompanies">,
  slug: string,
  { q = slug, limit }: { readonly q?: string; readonly limit: number },
): Promise<readonly string[] | undefined> {
  const near = (await names.findCompanies({ q }, { limit })).companies.map((company) => company.slug);
  return near.includes(slug.toLowerCase()) ? undefined : near;
}

/** The industries that there are, where no case study is of this one; undefined where one is. */
export async function otherIndustries(names: Omit<FilterNames, "findCompanies">, industry: string) {
  const { total } = await names.listStudies({ industry }, { limit: 1 });
  return total > 0 ? undefined : await names.listIndustries();
}

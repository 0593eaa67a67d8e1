import { Failure, type FailureCode } from "../core/errors.ts";
import { findClosest, quoted, wordsIn } from "../core/text.ts";
import type { CompanyRepository } from "./companies/repository.ts";
import { closestCountry } from "./fields.ts";
import { industriesNamed } from "./keys.ts";
import type { CaseStudyRepository, ResolvedFilter } from "./repository.ts";
import type { Industries } from "./taxonomy/taxonomy.ts";
import type { StudyFilter } from "./types.ts";

interface FilterParts {
  readonly companies: Pick<CompanyRepository, "find" | "search">;
  readonly caseStudies: Pick<CaseStudyRepository, "list" | "industries" | "naming">;
  readonly industries: Industries;
  /** ISO 3166-1 alpha-2 code of a country's name or code; null when unknown. */
  readonly parseCountry: (text: string) => string | null;
}

/** Resolves the names in filters. A name that does not exist is an error: an empty result would look like an answer. */
export interface Filters {
  /**
   * @param pointer JSON pointer of the filter in the input
   * @param version of the case studies, where the caller has read it
   * @throws Failure `company.not_found`, `industry.not_found`, `query.invalid` for an unknown country
   */
  resolve(filter: StudyFilter, pointer?: string, version?: string): Promise<ResolvedFilter>;
}

const SUGGESTIONS = 3;

export function createFilters(parts: FilterParts): Filters {
  const { companies, industries, parseCountry } = parts;
  return {
    async resolve({ industry, company, country, tool, ...filter }, pointer = "", version = undefined) {
      if (company !== undefined && !(await companies.find(company))) {
        throw unknownName("company.not_found", `${pointer}/company`, company, await unknownCompany(companies, company));
      }
      const named = industry === undefined ? undefined : industriesNamed(industries, industry);
      if (named && industry !== undefined && !(await isKnown(parts, industry, named))) {
        throw unknownName(
          "industry.not_found",
          `${pointer}/industry`,
          industry,
          `Unknown industry ${quoted(industry)}: ${await otherIndustries(parts, industry)}`,
        );
      }
      const code = country === undefined ? undefined : parseCountry(country);
      if (country !== undefined && code === null) {
        const meant = closestCountry(country);
        const remedy = meant ? `did you mean ${meant}?` : "use two letters, such as DE, or an English name.";
        const message = `Unknown country ${quoted(country)}: ${remedy}`;
        throw new Failure("query.invalid", message, {
          problems: [{ pointer: `${pointer}/country`, detail: message }],
        });
      }
      const among = tool === undefined ? undefined : await parts.caseStudies.naming(tool, version);
      return { ...filter, company, industries: named, country: code ?? undefined, among };
    },
  };
}

const unknownName = (code: FailureCode, pointer: string, name: string, message: string) =>
  new Failure(code, message, { problems: [{ pointer, detail: message }], unknown: [name] });

/** The message for a slug that no company has, with similar slugs. */
export async function unknownCompany(companies: Pick<CompanyRepository, "search">, slug: string): Promise<string> {
  const similar = (await companies.search({ q: slug, limit: SUGGESTIONS })).companies.map((company) => company.slug);
  const remedy = similar.length > 0 ? `did you mean ${similar.join(", ")}?` : "search companies to find the slug.";
  return `No company has the slug ${quoted(slug)}: ${remedy}`;
}

/** An industry of the taxonomy, or one that a record names. */
async function isKnown(
  { companies, caseStudies, industries: taxonomy }: FilterParts,
  industry: string,
  industries: NonNullable<ResolvedFilter["industries"]>,
): Promise<boolean> {
  if (taxonomy.slugsFor(industry)) return true;
  if ((await caseStudies.list({ industries }, { limit: 1 })).total > 0) return true;
  return (await companies.search({ industries, limit: 1 })).total > 0;
}

async function otherIndustries({ caseStudies, industries }: FilterParts, industry: string): Promise<string> {
  const used = (await caseStudies.industries()).map((one) => one.industry);
  const names = [...used, ...industries.nameBySlug.values()];
  const meant = findClosest(industry, [...names, ...industries.nameBySlug.keys()]) ?? withWordLike(industry, names);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const examples = used.length > 0 ? used : [...industries.nameBySlug.values()];
  return `use a name such as ${examples.slice(0, SUGGESTIONS).join(", ")}.`;
}

/** The name that has a word like the misspelt one: "Financial Services" for "finacial". */
function withWordLike(text: string, names: readonly string[]): string | undefined {
  const byWord = new Map(names.toReversed().flatMap((name) => wordsIn(name).map((word) => [word, name] as const)));
  const meant = findClosest(text, [...byWord.keys()]);
  return meant && byWord.get(meant);
}

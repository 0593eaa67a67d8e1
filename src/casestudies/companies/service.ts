import { Failure } from "../../core/errors.ts";
import { type ClaimCounts, type ClaimReader, countClaims } from "../claims.ts";
import { createFilters, unknownCompany } from "../filters.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { Industries } from "../taxonomy/taxonomy.ts";
import type { CaseStudy, Company, PageOptions } from "../types.ts";
import type { CompanyAnalysis, CompanyTimeline } from "./analysis.ts";
import { readCompanyFields } from "./fields.ts";
import type { CompanyChange, CompanyPage, CompanyRepository, ComparedCompany } from "./repository.ts";

interface Comparison {
  readonly industry: string | null;
  readonly companies: readonly ComparedCompany[];
}

/** Vendors that publish case studies. Slugs are case-insensitive. */
export interface CompanyService {
  /** Best match first with `q`, otherwise by name. @throws Failure `cursor.invalid`, `industry.not_found` */
  find(filter: { q?: string | undefined; industry?: string | undefined }, page?: PageOptions): Promise<CompanyPage>;
  /** With its 100 newest case studies. @throws Failure `company.not_found` */
  get(slug: string): Promise<Company & { readonly case_studies: readonly CaseStudy[] }>;
  /** How many of a vendor's clients the stored scans still see using it. @throws Failure `company.not_found` */
  claims(slug: string): Promise<ClaimCounts>;
  /** @throws Failure `company.not_found` */
  analyse(slug: string): Promise<CompanyAnalysis>;
  /** @throws Failure `company.not_found` */
  timeline(slug: string): Promise<CompanyTimeline>;
  /** In the order of the slugs, 1–5 distinct ones. @throws Failure `company.not_found` listing unknown slugs */
  compare(
    slugs: readonly string[],
    options?: { industry?: string | undefined; limitPerCompany?: number | undefined },
  ): Promise<Comparison>;
  /** @throws Failure `company.not_found`, `company.exists`, `company.invalid` */
  edit(slug: string, change: CompanyEdit): Promise<Company>;
  /** Moves all case studies of `from` to `into` and deletes `from`. @throws Failure `company.not_found`, `company.exists` */
  merge(from: string, into: string): Promise<Company>;
}

type CompanyEdit = Omit<CompanyChange, "industry"> & { readonly industry?: string | null | undefined };

export interface CompanyServiceOptions {
  readonly companies: CompanyRepository;
  readonly caseStudies: Pick<CaseStudyRepository, "list" | "industries" | "claimed" | "naming">;
  readonly claims: ClaimReader;
  readonly industries: Industries;
  /** Called after case studies were queued for the index. */
  readonly onChange: () => void;
}

const PAGE = 20;
const NEWEST_STUDIES = 100;
const COMPARED_STUDIES = 5;

export function createCompanyService({
  companies,
  caseStudies,
  claims,
  industries,
  onChange,
}: CompanyServiceOptions): CompanyService {
  const filters = createFilters({ companies, caseStudies, industries, parseCountry: () => null });
  const resolve = async (industry: string | undefined) => (await filters.resolve({ industry })).industries;

  const unknownSlugs = async (unknown: readonly string[]) => {
    const messages = await Promise.all(unknown.map((slug) => unknownCompany(companies, slug)));
    return new Failure("company.not_found", messages.join(" "), { unknown });
  };

  /** Adds similar slugs to the message of `company.not_found`. */
  const withSuggestions = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "company.not_found") throw error;
      throw await unknownSlugs(error.details.unknown ?? []);
    }
  };

  const getCompany = async (slug: string): Promise<Company> => {
    const company = await companies.find(slug);
    if (!company) throw await unknownSlugs([slug]);
    return company;
  };

  return {
    async find({ q, industry }, { limit = PAGE, cursor } = {}) {
      return await companies.search({ q, industries: await resolve(industry), limit, cursor });
    },

    async get(slug) {
      const company = await getCompany(slug);
      const { studies } = await caseStudies.list({ company: company.slug }, { limit: NEWEST_STUDIES });
      return { ...company, case_studies: studies };
    },

    async claims(slug) {
      const company = await getCompany(slug);
      const studies = await caseStudies.claimed({ company: company.slug });
      return countClaims(studies, await claims.of(studies));
    },

    analyse: (slug) => withSuggestions(companies.analysis(slug)),
    timeline: (slug) => withSuggestions(companies.timeline(slug)),

    async compare(slugs, { industry, limitPerCompany = COMPARED_STUDIES } = {}) {
      const compared = await withSuggestions(
        companies.compare(slugs, { limitPerCompany, industries: await resolve(industry) }),
      );
      return { industry: industry ?? null, companies: compared };
    },

    async edit(slug, { industry, ...change }) {
      const fields = readCompanyFields(change, (field) => `/${field}`);
      const resolved = typeof industry === "string" ? industries.resolve(industry) : industry;
      await withSuggestions(companies.edit(slug, { ...fields, industry: resolved }));
      onChange();
      return await getCompany(change.slug ?? slug);
    },

    async merge(from, into) {
      await withSuggestions(companies.merge(from, into));
      onChange();
      return await getCompany(into);
    },
  };
}

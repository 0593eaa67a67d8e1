import { Failure } from "../../core/errors.ts";
import { industriesNamed } from "../keys.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { Industries } from "../taxonomy/taxonomy.ts";
import type { CaseStudy, Company, PageOptions } from "../types.ts";
import type { CompanyAnalysis, CompanyTimeline } from "./analysis.ts";
import { readCompanyFields } from "./fields.ts";
import {
  type CompanyChange,
  type CompanyPage,
  type CompanyRepository,
  type ComparedCompany,
  notFound,
} from "./repository.ts";

interface Comparison {
  readonly industry: string | null;
  readonly companies: readonly ComparedCompany[];
}

/** Vendors that publish case studies. Slugs are case-insensitive. */
export interface CompanyService {
  /** Best match first with `q`, otherwise by name. @throws Failure `cursor.invalid` */
  find(filter: { q?: string | undefined; industry?: string | undefined }, page?: PageOptions): Promise<CompanyPage>;
  /** With its 100 newest case studies. @throws Failure `company.not_found` */
  get(slug: string): Promise<Company & { readonly case_studies: readonly CaseStudy[] }>;
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
  readonly caseStudies: Pick<CaseStudyRepository, "list">;
  readonly industries: Industries;
  /** Called after case studies were queued for the index. */
  readonly onChange: () => void;
}

const PAGE = 20;
const NEWEST_STUDIES = 100;
const COMPARED_STUDIES = 5;
const SUGGESTIONS = 3;

export function createCompanyService({
  companies,
  caseStudies,
  industries,
  onChange,
}: CompanyServiceOptions): CompanyService {
  const resolve = (industry: string | undefined) =>
    industry === undefined ? undefined : industriesNamed(industries, industry);

  const getCompany = async (slug: string): Promise<Company> => {
    const company = await companies.find(slug);
    if (!company) throw notFound([slug]);
    return company;
  };

  /** Adds similar slugs to the message of `company.not_found`. */
  const withSuggestions = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      const [slug] =
        error instanceof Failure && error.code === "company.not_found" ? (error.details.unknown ?? []) : [];
      if (!(error instanceof Failure) || slug === undefined) throw error;
      const similar = (await companies.search({ q: slug, limit: SUGGESTIONS })).companies.map(
        (company) => company.slug,
      );
      if (similar.length === 0) throw error;
      const message = `No company has the slug ${slug.slice(0, 100)}; did you mean ${similar.join(", ")}?`;
      throw new Failure(error.code, message, error.details);
    }
  };

  return {
    find: ({ q, industry }, { limit = PAGE, cursor } = {}) =>
      companies.search({ q, industries: resolve(industry), limit, cursor }),

    async get(slug) {
      const company = await getCompany(slug);
      const { studies } = await caseStudies.list({ company: company.slug }, { limit: NEWEST_STUDIES });
      return { ...company, case_studies: studies };
    },

    analyse: (slug) => companies.analysis(slug),
    timeline: (slug) => companies.timeline(slug),

    async compare(slugs, { industry, limitPerCompany = COMPARED_STUDIES } = {}) {
      const compared = await companies.compare(slugs, { limitPerCompany, industries: resolve(industry) });
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

import type { Kysely } from "kysely";
import type { CaseStudy, Company, Industry } from "../vocabulary/case-study.ts";
import { Failure } from "../vocabulary/failure.ts";
import type { CaseStudies, PageOptions } from "./case-studies.ts";
import {
  type CompanyAnalysis,
  type TopClient,
  type TopIndustry,
  topClients,
  topIndustries,
  topOutcomes,
} from "./companies/analysis.ts";
import { type CompanyChange, editCompany, mergeCompanies } from "./companies/edit.ts";
import { companiesBySlug } from "./companies/rows.ts";
import { byMatch, type CompanyMatch, companyMatches, RANKS } from "./companies/search.ts";
import { type CompanyTimeline, timelineOf } from "./companies/timeline.ts";
import { cursorOf, invalidCursor, placeIn } from "./studies/cursor.ts";
import { industryKey } from "./studies/folded.ts";
import type { IndustryNames } from "./studies/records.ts";
import type { Tables } from "./tables.ts";

export type { CompanyAnalysis, OutcomeExample, TopClient, TopIndustry, TopOutcome } from "./companies/analysis.ts";
export type { CompanyChange } from "./companies/edit.ts";
export type { CompanyTimeline, TimelineEntry } from "./companies/timeline.ts";

export interface CompanySearch extends PageOptions {
  /** The company's name, slug or domain, or something like it. */
  readonly q?: string;
  /** The company's own industry is one of these. */
  readonly industries?: readonly Industry[];
}

export interface CompanyPage {
  readonly companies: readonly Company[];
  /** All that match, on every page. */
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface ComparedCompany {
  readonly company: Company;
  /** Of the industries, when some were asked for; so are the case studies and the clients. */
  readonly total_case_studies: number;
  /** Newest first. */
  readonly case_studies: readonly CaseStudy[];
  /** Of all the company's case studies, whichever industry was asked for. */
  readonly top_industries: readonly TopIndustry[];
  readonly notable_clients: readonly TopClient[];
}

export interface CompareOptions {
  readonly industries?: readonly Industry[];
  readonly limitPerCompany: number;
}

/** Vendors and what their case studies come to. Slugs are understood in any case. */
export interface Companies {
  find(slug: string): Promise<Company | undefined>;
  /**
   * Without `q` by name; with it, what is exactly so first, then what starts so, then what is like it.
   *
   * @throws Failure `cursor.invalid`
   */
  search(search: CompanySearch): Promise<CompanyPage>;
  /**
   * At most ten of each, most case studies first.
   *
   * @throws Failure `company.not_found`
   */
  analysis(slug: string): Promise<CompanyAnalysis>;
  /**
   * Oldest first.
   *
   * @throws Failure `company.not_found`
   */
  timeline(slug: string): Promise<CompanyTimeline>;
  /**
   * In the order of the slugs.
   *
   * @throws Failure `company.not_found`, whose `unknown` lists every slug that does not exist
   */
  compare(slugs: readonly string[], options: CompareOptions): Promise<readonly ComparedCompany[]>;
  /** @throws Failure `company.not_found`, `company.exists` when another one has the slug */
  edit(slug: string, change: CompanyChange): Promise<void>;
  /**
   * Gives all that `from` has to `into`, and forgets `from`. Answers how many case studies moved.
   *
   * @throws Failure `company.not_found`, `company.exists` when they are one
   */
  merge(from: string, into: string): Promise<number>;
}

const BY_NAME = "companies";
const BY_MATCH = "found companies";

export function companiesIn(
  queries: Kysely<Tables>,
  names: IndustryNames,
  caseStudies: Pick<CaseStudies, "list">,
  clock: () => Date,
): Companies {
  const bySlugs = async (slugs: readonly string[]) =>
    (await companiesBySlug(queries, slugs, names)).map(({ company }) => company);

  /** @throws Failure `company.not_found` */
  const existing = async (slugs: readonly string[]) => {
    const records = await companiesBySlug(queries, slugs, names);
    const known = new Set(records.map(({ company }) => company.slug));
    const unknown = slugs.filter((slug) => !known.has(slug.toLowerCase()));
    if (unknown.length > 0) throw notFound(unknown);
    return records;
  };

  return {
    async find(slug) {
      return (await bySlugs([slug]))[0];
    },

    async search({ q, industries, limit, cursor }) {
      const keys = industries?.map(industryKey);
      const { slugs, total, next_cursor } =
        q === undefined || q.trim() === ""
          ? await pageByName(queries, keys, limit, cursor)
          : pageOf(await companyMatches(queries, q, keys), limit, cursor);
      return { companies: await bySlugs(slugs), total, next_cursor };
    },

    async analysis(slug) {
      const [record] = await existing([slug]);
      if (!record) throw notFound([slug]);
      const { id, company } = record;
      const total = company.total_case_studies;
      return {
        company,
        total_case_studies: total,
        top_industries: await topIndustries(queries, id, total, names),
        top_clients: await topClients(queries, id),
        top_outcomes: await topOutcomes(queries, id),
      };
    },

    async timeline(slug) {
      const [record] = await existing([slug]);
      if (!record) throw notFound([slug]);
      return { company: record.company, ...(await timelineOf(queries, record.id, names)) };
    },

    edit: (slug, change) => editCompany(queries, slug, change, clock().toISOString()),
    merge: (from, into) => mergeCompanies(queries, from, into, clock().toISOString()),

    async compare(slugs, { industries, limitPerCompany }) {
      const records = await existing(slugs);
      return await Promise.all(
        records.map(async ({ id, company }) => {
          const filter = { company: company.slug, ...(industries && { industries }) };
          const { studies, total } = await caseStudies.list(filter, { limit: limitPerCompany });
          return {
            company,
            total_case_studies: total,
            case_studies: studies,
            top_industries: await topIndustries(queries, id, company.total_case_studies, names),
            notable_clients: await topClients(queries, id, industries?.map(industryKey)),
          };
        }),
      );
    },
  };
}

function notFound(unknown: readonly string[]): Failure {
  const advice = `No company has the slug ${unknown.map((slug) => slug.slice(0, 100)).join(", ")}; search companies by name to find theirs.`;
  return new Failure("company.not_found", advice, { unknown });
}

interface SlugPage {
  readonly slugs: readonly string[];
  readonly total: number;
  readonly next_cursor: string | null;
}

async function pageByName(
  queries: Kysely<Tables>,
  industryKeys: readonly string[] | undefined,
  limit: number,
  cursor: string | undefined,
): Promise<SlugPage> {
  let companies = queries.selectFrom("companies");
  if (industryKeys !== undefined) companies = companies.where("industry_key", "in", industryKeys);
  let page = companies
    .select(["name_folded", "slug"])
    .orderBy("name_folded")
    .orderBy("slug")
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [name, slug] = placeIn(BY_NAME, ["string", "string"], cursor);
    page = page.where((eb) => eb(eb.refTuple("name_folded", "slug"), ">", eb.tuple(name, slug)));
  }
  const rows = await page.execute();
  const { total } = await companies.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    slugs: shown.map(({ slug }) => slug),
    total,
    next_cursor: rows.length > limit && last ? cursorOf(BY_NAME, [last.name_folded, last.slug]) : null,
  };
}

/** Every page looks for all matches anew: there are few, and their order is the same each time. */
function pageOf(matches: readonly CompanyMatch[], limit: number, cursor: string | undefined): SlugPage {
  const after = cursor === undefined ? undefined : matchIn(cursor);
  const rest = after ? matches.filter((match) => byMatch(match, after) > 0) : matches;
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    slugs: shown.map(({ slug }) => slug),
    total: matches.length,
    next_cursor:
      rest.length > limit && last
        ? cursorOf(BY_MATCH, [last.rank, last.similarity, last.name_folded, last.slug])
        : null,
  };
}

function matchIn(cursor: string): CompanyMatch {
  const [told, similarity, name_folded, slug] = placeIn(BY_MATCH, ["string", "number", "string", "string"], cursor);
  const rank = RANKS.find((one) => one === told);
  if (!rank) throw invalidCursor();
  return { rank, similarity, name_folded, slug };
}

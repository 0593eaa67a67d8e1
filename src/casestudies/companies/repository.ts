import type { Kysely, Transaction } from "kysely";
import { Failure } from "../../core/errors.ts";
import { normaliseName } from "../../core/text.ts";
import { decodeCursor, encodeCursor, inChunks, invalidCursor } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { enqueue } from "../index/outbox.ts";
import { industryKey } from "../keys.ts";
import { type CaseStudyRepository, type IndustryNames, industryName, type PageOptions } from "../repository.ts";
import { MAX_NAME_KEY, saveSearchTerms } from "../save.ts";
import type { CaseStudy, Company, Industry } from "../types.ts";
import {
  type CompanyAnalysis,
  type CompanyTimeline,
  type TopClient,
  type TopIndustry,
  timelineOf,
  topClients,
  topIndustries,
  topOutcomes,
} from "./analysis.ts";
import { byMatch, type CompanyMatch, companyMatches, RANKS } from "./search.ts";

interface CompanyRecord {
  readonly id: number;
  readonly company: Company;
}

const companyQuery = (queries: Kysely<Tables>) =>
  queries
    .selectFrom("companies")
    .selectAll("companies")
    .select(({ selectFrom }) =>
      selectFrom("case_studies")
        .whereRef("company_id", "=", "companies.id")
        .select((eb) => eb.fn.countAll<number>().as("studies"))
        .as("studies"),
    );

type Row = Awaited<ReturnType<ReturnType<typeof companyQuery>["execute"]>>[number];

const recordOf = (row: Row, names: IndustryNames): CompanyRecord => ({
  id: row.id,
  company: {
    name: row.name,
    slug: row.slug,
    domain: row.domain,
    industry: industryName(row, names),
    logo_url: row.logo_url,
    total_case_studies: row.studies ?? 0,
  },
});

/** In the order of the slugs, without those that do not exist. Slugs are lower case; any case is understood. */
async function companiesBySlug(
  queries: Kysely<Tables>,
  slugs: readonly string[],
  names: IndustryNames,
): Promise<readonly CompanyRecord[]> {
  const wanted = slugs.map((slug) => slug.toLowerCase());
  const rows = await inChunks(wanted, (chunk) => companyQuery(queries).where("slug", "in", chunk).execute());
  const records = new Map(rows.map((row) => [row.slug, recordOf(row, names)]));
  return wanted.flatMap((slug) => records.get(slug) ?? []);
}

export interface CompanyChange {
  readonly name?: string;
  /** Lower case, words with dashes. */
  readonly slug?: string;
  readonly domain?: string | null;
  readonly industry?: Industry | null;
  readonly logo_url?: string | null;
}

/**
 * Changes a company; its case studies are indexed anew, for the index holds the slug and passages carry the name.
 *
 * @throws Failure `company.not_found`, `company.exists` when another one has the slug
 */
async function editCompany(queries: Kysely<Tables>, slug: string, change: CompanyChange, now: string): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const row = await rowOf(transaction, slug);
    const { industry, ...plain } = change;
    if (change.slug !== undefined && change.slug !== row.slug && (await findRow(transaction, change.slug))) {
      throw new Failure("company.exists", `Another company has the slug ${change.slug}; merge the two instead.`);
    }
    const next = { ...row, ...plain };
    await transaction
      .updateTable("companies")
      .set({
        ...plain,
        name_folded: [...normaliseName(next.name)].slice(0, MAX_NAME_KEY).join(""),
        ...(industry === undefined
          ? {}
          : {
              industry_raw: industry?.raw ?? null,
              industry_slug: industry?.slug ?? null,
              industry_key: industry && industryKey(industry),
            }),
        updated_at: now,
      })
      .where("id", "=", row.id)
      .execute();
    await transaction.deleteFrom("company_trigrams").where("company_id", "=", row.id).execute();
    await saveSearchTerms(transaction, row.id, next);
    const sites = { company_name: next.name, company_slug: next.slug, company_domain: next.domain };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", row.slug).execute();
    if (next.slug !== row.slug || next.name !== row.name) await indexAnew(transaction, row.id, now);
  });
}

/**
 * Gives all that one company has to another one, which keeps what is known of it, and forgets the first. Answers how
 * many case studies moved.
 *
 * @throws Failure `company.not_found`
 */
async function mergeCompanies(queries: Kysely<Tables>, from: string, into: string, now: string): Promise<number> {
  return await queries.transaction().execute(async (transaction) => {
    const [left, kept] = [await rowOf(transaction, from), await rowOf(transaction, into)];
    if (left.id === kept.id) throw new Failure("company.exists", "Name two different companies to merge.");
    const { numUpdatedRows } = await transaction
      .updateTable("case_studies")
      .set({ company_id: kept.id })
      .where("company_id", "=", left.id)
      .executeTakeFirst();
    await transaction
      .updateTable("companies")
      .set({ domain: kept.domain ?? left.domain, logo_url: kept.logo_url ?? left.logo_url, updated_at: now })
      .where("id", "=", kept.id)
      .execute();
    const sites = { company_name: kept.name, company_slug: kept.slug, company_domain: kept.domain ?? left.domain };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", left.slug).execute();
    await transaction.deleteFrom("companies").where("id", "=", left.id).execute();
    await indexAnew(transaction, kept.id, now);
    return Number(numUpdatedRows);
  });
}

const findRow = (transaction: Transaction<Tables>, slug: string) =>
  transaction.selectFrom("companies").selectAll().where("slug", "=", slug.toLowerCase()).executeTakeFirst();

async function rowOf(transaction: Transaction<Tables>, slug: string) {
  const row = await findRow(transaction, slug);
  if (row) return row;
  throw new Failure(
    "company.not_found",
    `No company has the slug ${slug.slice(0, 100)}; search companies to find it.`,
    {
      unknown: [slug],
    },
  );
}

async function indexAnew(transaction: Transaction<Tables>, company: number, now: string): Promise<void> {
  const rows = await transaction
    .updateTable("case_studies")
    .set((eb) => ({ revision: eb("revision", "+", 1), indexed_at: null, updated_at: now }))
    .where("company_id", "=", company)
    .returning("id")
    .execute();
  await enqueue(
    transaction,
    "upsert",
    rows.map(({ id }) => id),
    now,
  );
}

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

interface CompareOptions {
  readonly industries?: readonly Industry[];
  readonly limitPerCompany: number;
}

/** Vendors and what their case studies come to. Slugs are understood in any case. */
export interface CompanyRepository {
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

export function createCompanyRepository(
  queries: Kysely<Tables>,
  names: IndustryNames,
  caseStudies: Pick<CaseStudyRepository, "list">,
  clock: () => Date,
): CompanyRepository {
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
    const [name, slug] = decodeCursor(BY_NAME, ["string", "string"], cursor);
    page = page.where((eb) => eb(eb.refTuple("name_folded", "slug"), ">", eb.tuple(name, slug)));
  }
  const rows = await page.execute();
  const { total } = await companies.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    slugs: shown.map(({ slug }) => slug),
    total,
    next_cursor: rows.length > limit && last ? encodeCursor(BY_NAME, [last.name_folded, last.slug]) : null,
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
        ? encodeCursor(BY_MATCH, [last.rank, last.similarity, last.name_folded, last.slug])
        : null,
  };
}

function matchIn(cursor: string): CompanyMatch {
  const [told, similarity, name_folded, slug] = decodeCursor(
    BY_MATCH,
    ["string", "number", "string", "string"],
    cursor,
  );
  const rank = RANKS.find((one) => one === told);
  if (!rank) throw invalidCursor();
  return { rank, similarity, name_folded, slug };
}

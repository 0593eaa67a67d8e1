import type { Kysely, Transaction } from "kysely";
import { Failure } from "../../core/errors.ts";
import {
  countRows,
  decodeCursor,
  encodeCursor,
  inChunks,
  invalidCursor,
  type Page,
  type PageRequest,
  readPage,
} from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { enqueue } from "../index/outbox.ts";
import { industryColumns, industryKey } from "../keys.ts";
import { type IndustryNames, industryName } from "../records.ts";
import type { CaseStudyRepository } from "../repository.ts";
import { changeTime } from "../save.ts";
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
import { nameKey, saveSearchTerms } from "./save.ts";
import { byMatch, type CompanyMatch, findMatches, RANKS } from "./search.ts";

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

/** In the order of the slugs; unknown slugs are skipped. Slugs are case-insensitive. */
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
  readonly name?: string | undefined;
  /** Lower case, words with dashes. */
  readonly slug?: string | undefined;
  readonly domain?: string | null | undefined;
  readonly industry?: Industry | null | undefined;
  readonly logo_url?: string | null | undefined;
}

/**
 * Changes a company and reindexes its case studies when the name or slug changes, which the index contains.
 *
 * @throws Failure `company.not_found`, `company.exists` when another one has the slug
 */
async function editCompany(queries: Kysely<Tables>, slug: string, change: CompanyChange, now: string): Promise<void> {
  await inTransaction(queries, "case studies", async (transaction) => {
    const row = await rowOf(transaction, slug);
    if (change.slug !== undefined && change.slug !== row.slug && (await findRow(transaction, change.slug))) {
      throw new Failure("company.exists", `Another company has the slug ${change.slug}; merge the two instead.`);
    }
    const next = {
      name: change.name ?? row.name,
      slug: change.slug ?? row.slug,
      domain: change.domain === undefined ? row.domain : change.domain,
      logo_url: change.logo_url === undefined ? row.logo_url : change.logo_url,
    };
    const industry = change.industry === undefined ? {} : industryColumns(change.industry);
    await transaction
      .updateTable("companies")
      .set({ ...next, ...industry, name_folded: nameKey(next.name), updated_at: now })
      .where("id", "=", row.id)
      .execute();
    await transaction.deleteFrom("company_trigrams").where("company_id", "=", row.id).execute();
    await saveSearchTerms(transaction, row.id, next);
    const sites = { company_name: next.name, company_slug: next.slug, company_domain: next.domain };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", row.slug).execute();
    if (next.slug !== row.slug || next.name !== row.name) await reindex(transaction, row.id, now);
  });
}

/**
 * Moves all case studies of one company to another and deletes the first. The other company keeps its fields; empty
 * ones are filled in. Returns the number of moved case studies.
 *
 * @throws Failure `company.not_found`
 */
async function mergeCompanies(queries: Kysely<Tables>, from: string, into: string, now: string): Promise<number> {
  return await inTransaction(queries, "case studies", async (transaction) => {
    const [source, target] = [await rowOf(transaction, from), await rowOf(transaction, into)];
    if (source.id === target.id) throw new Failure("company.exists", "Name two different companies to merge.");
    const { numUpdatedRows } = await transaction
      .updateTable("case_studies")
      .set({ company_id: target.id })
      .where("company_id", "=", source.id)
      .executeTakeFirst();
    await transaction
      .updateTable("companies")
      .set({ domain: target.domain ?? source.domain, logo_url: target.logo_url ?? source.logo_url, updated_at: now })
      .where("id", "=", target.id)
      .execute();
    const sites = {
      company_name: target.name,
      company_slug: target.slug,
      company_domain: target.domain ?? source.domain,
    };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", source.slug).execute();
    await transaction.deleteFrom("companies").where("id", "=", source.id).execute();
    await reindex(transaction, target.id, now);
    return Number(numUpdatedRows);
  });
}

const findRow = (transaction: Transaction<Tables>, slug: string) =>
  transaction.selectFrom("companies").selectAll().where("slug", "=", slug.toLowerCase()).executeTakeFirst();

async function rowOf(transaction: Transaction<Tables>, slug: string) {
  const row = await findRow(transaction, slug);
  if (!row) throw notFound([slug]);
  return row;
}

async function reindex(transaction: Transaction<Tables>, company: number, now: string): Promise<void> {
  const updated_at = await changeTime(transaction, now);
  const rows = await transaction
    .updateTable("case_studies")
    .set((eb) => ({ revision: eb("revision", "+", 1), indexed_at: null, updated_at }))
    .where("company_id", "=", company)
    .returning("id")
    .execute();
  await enqueue(transaction, "upsert", rows.map(({ id }) => id).sort(), now);
}

export interface CompanySearch extends PageRequest {
  /** Name, slug or domain, or a similar text. */
  readonly q?: string | undefined;
  /** Industries of the company itself, not of its clients. */
  readonly industries?: readonly Industry[] | undefined;
}

export interface CompanyPage extends Page {
  readonly companies: readonly Company[];
}

export interface ComparedCompany {
  readonly company: Company;
  /** Of the given industries, if any; the same holds for case studies and clients. */
  readonly total_case_studies: number;
  /** Newest first. */
  readonly case_studies: readonly CaseStudy[];
  /** Of all case studies of the company, whatever the industries. */
  readonly top_industries: readonly TopIndustry[];
  readonly notable_clients: readonly TopClient[];
}

interface CompareOptions {
  readonly industries?: readonly Industry[] | undefined;
  readonly limitPerCompany: number;
}

/** Vendors and figures about their case studies. Slugs are case-insensitive. */
export interface CompanyRepository {
  find(slug: string): Promise<Company | undefined>;
  /**
   * Without `q` by name; with `q` exact matches first, then prefixes, then similar names.
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
   * Moves all case studies of `from` to `into` and deletes `from`. Returns the number of moved case studies.
   *
   * @throws Failure `company.not_found`, `company.exists` when both are the same company
   */
  merge(from: string, into: string): Promise<number>;
}

const BY_NAME = {
  list: "companies",
  columns: [
    ["name_folded", "string"],
    ["slug", "string"],
  ],
} as const;
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

    async search({ q, industries, ...page }) {
      const keys = industries?.map(industryKey);
      const { slugs, total, next_cursor } =
        q === undefined || q.trim() === ""
          ? await pageByName(queries, keys, page)
          : pageOf(await findMatches(queries, q, keys), page);
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
          const { studies, total } = await caseStudies.list(
            { company: company.slug, industries },
            { limit: limitPerCompany },
          );
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

export function notFound(unknown: readonly string[]): Failure {
  const message = `No company has the slug ${unknown.map((slug) => slug.slice(0, 100)).join(", ")}; search companies to find it.`;
  return new Failure("company.not_found", message, { unknown });
}

interface SlugPage extends Page {
  readonly slugs: readonly string[];
}

async function pageByName(
  queries: Kysely<Tables>,
  industryKeys: readonly string[] | undefined,
  page: PageRequest,
): Promise<SlugPage> {
  let companies = queries.selectFrom("companies");
  if (industryKeys !== undefined) companies = companies.where("industry_key", "in", industryKeys);
  const { rows, next_cursor } = await readPage(companies.select(["name_folded", "slug"]), BY_NAME, page);
  return { slugs: rows.map(({ slug }) => slug), total: await countRows(companies), next_cursor };
}

/** Each page repeats the search: there are few matches, and their order is stable. */
function pageOf(matches: readonly CompanyMatch[], { limit, cursor }: PageRequest): SlugPage {
  const after = cursor === undefined ? undefined : decodeMatch(cursor);
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

function decodeMatch(cursor: string): CompanyMatch {
  const [name, similarity, name_folded, slug] = decodeCursor(
    BY_MATCH,
    ["string", "number", "string", "string"],
    cursor,
  );
  const rank = RANKS.find((one) => one === name);
  if (!rank) throw invalidCursor();
  return { rank, similarity, name_folded, slug };
}

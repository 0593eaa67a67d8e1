import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { normaliseName } from "../core/text.ts";
import { decodeCursor, encodeCursor, inChunks } from "../db/cursor.ts";
import type { Tables } from "../db/schema.ts";
import { industryKey } from "./keys.ts";
import { isAt, removeStudies, type SaveOptions, type SaveResult, saveStudies } from "./save.ts";
import type { CaseStudy, Industry, NewCaseStudy, Origin, Outcome, Quote, ReviewOrder, StudyFilter } from "./types.ts";

/** A filter whose industry was looked up in the taxonomy before: one word may stand for several. */
export interface ResolvedFilter extends Omit<StudyFilter, "industry"> {
  readonly industries?: readonly Industry[];
}

/** The condition on `case_studies` that a filter stands for. */
function matching(filter: ResolvedFilter) {
  return (eb: ExpressionBuilder<Tables, "case_studies">): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (filter.company !== undefined) {
      const company = eb
        .selectFrom("companies")
        .select("companies.id")
        .where("slug", "=", filter.company.toLowerCase());
      conditions.push(eb("company_id", "=", company));
    }
    if (filter.industries !== undefined) conditions.push(eb("industry_key", "in", filter.industries.map(industryKey)));
    if (filter.client !== undefined) {
      const name = normaliseName(filter.client);
      const clients = eb
        .selectFrom("clients")
        .select("clients.id")
        .where((client) => client.or([client("name_folded", "=", name), client("domain_folded", "=", name)]));
      // Domain-less and nameless clients have an empty column, which is no match.
      conditions.push(name === "" ? eb.lit(false) : eb("client_id", "in", clients));
    }
    if (filter.country !== undefined) conditions.push(eb("country", "=", filter.country.toUpperCase()));
    // The column that the indexes hold; in it what is undated comes before every day.
    if (filter.publishedAfter !== undefined) conditions.push(eb("published_order", ">=", filter.publishedAfter));
    if (filter.publishedBefore !== undefined) {
      conditions.push(eb("published_order", ">", ""), eb("published_order", "<=", filter.publishedBefore));
    }
    return eb.and(conditions);
  };
}

/** Names of the taxonomy's industries by their slugs. An industry without a name is shown by its slug. */
export type IndustryNames = ReadonlyMap<string, string>;

/** What an industry is shown as: the taxonomy's name, else the source's own word. */
export const industryName = (
  row: { readonly industry_slug: string | null; readonly industry_raw: string | null },
  names: IndustryNames,
): string | null =>
  row.industry_slug === null ? row.industry_raw : (names.get(row.industry_slug) ?? row.industry_slug);

/** The case studies of these row numbers, in their order, without those that do not exist. */
async function recordsOf(
  queries: Kysely<Tables>,
  numbers: readonly number[],
  names: IndustryNames,
): Promise<CaseStudy[]> {
  const records = await recordsByNumber(queries, numbers, names);
  return numbers.flatMap((number) => records.get(number) ?? []);
}

/** Two queries, however many there are. */
export async function recordsByNumber(
  queries: Kysely<Tables>,
  numbers: readonly number[],
  names: IndustryNames,
): Promise<ReadonlyMap<number, CaseStudy>> {
  const rows = await inChunks(numbers, (chunk) => rowsOf(queries, chunk));
  const outcomes = await outcomesOf(queries, numbers);
  return new Map(rows.map((row) => [row.number, recordOf(row, outcomes.get(row.number) ?? [], names)]));
}

const rowsOf = (queries: Kysely<Tables>, numbers: readonly number[]) =>
  queries
    .selectFrom("case_studies")
    .innerJoin("companies", "companies.id", "case_studies.company_id")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .where("case_studies.number", "in", numbers)
    .select([
      "case_studies.number",
      "case_studies.id",
      "case_studies.title",
      "case_studies.url",
      "companies.name as company_name",
      "companies.slug as company_slug",
      "clients.name as client_name",
      "clients.domain as client_domain",
      "case_studies.industry_slug",
      "case_studies.industry_raw",
      "case_studies.country",
      "case_studies.summary",
      "case_studies.challenge",
      "case_studies.solution",
      "case_studies.products",
      "case_studies.tools",
      "case_studies.quote_text",
      "case_studies.quote_person",
      "case_studies.quote_role",
      "case_studies.published_at",
      "case_studies.language",
      "case_studies.indexed_at",
      "case_studies.origin",
    ])
    .execute();

type RecordRow = Awaited<ReturnType<typeof rowsOf>>[number];

function recordOf(row: RecordRow, outcomes: readonly Outcome[], names: IndustryNames): CaseStudy {
  return {
    id: row.id,
    title: row.title,
    url: row.url,
    company: { name: row.company_name, slug: row.company_slug },
    client: { name: row.client_name, domain: row.client_domain },
    industry: industryName(row, names),
    country: row.country,
    summary: row.summary,
    challenge: row.challenge,
    solution: row.solution,
    outcomes,
    products: JSON.parse(row.products),
    tools: JSON.parse(row.tools),
    quote: quoteOf(row),
    published_at: row.published_at,
    language: row.language,
    indexed_at: row.indexed_at,
    origin: row.origin,
  };
}

/** A quote without its words still tells who is quoted. */
function quoteOf({ quote_text, quote_person, quote_role }: RecordRow): Quote | null {
  if (quote_text === null && quote_person === null && quote_role === null) return null;
  return { text: quote_text, person: quote_person, role: quote_role };
}

async function outcomesOf(
  queries: Kysely<Tables>,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly Outcome[]>> {
  const rows = await inChunks(numbers, (chunk) =>
    queries
      .selectFrom("outcomes")
      .selectAll()
      .where("study_number", "in", chunk)
      .orderBy("study_number")
      .orderBy("position")
      .execute(),
  );
  const byStudy = Map.groupBy(rows, (row) => row.study_number);
  return new Map(
    [...byStudy].map(([number, those]) => [
      number,
      those.map(({ metric, value, unit, direction, text }) => ({ metric, value, unit, direction, text })),
    ]),
  );
}

/** Passages that stand together are read together: as a sample they say nearly as much, and cost a twentieth. */
const IN_A_ROW = 20;

/** Ids of about `most` passages, evenly spread over all, the same ones as long as nothing is added. */
async function samplePassageIds(queries: Kysely<Tables>, most: number): Promise<readonly number[]> {
  const { first, last } = await queries
    .selectFrom("passages")
    .select([sql<number | null>`min(id)`.as("first"), sql<number | null>`max(id)`.as("last")])
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return [];
  const places = Math.ceil(most / IN_A_ROW);
  const ids = new Set<number>();
  for (let place = 0; place < places; place += 1) {
    const rows = await queries
      .selectFrom("passages")
      .select("id")
      .where("id", ">=", first + Math.floor(((last - first + 1) * place) / places))
      .orderBy("id")
      .limit(IN_A_ROW)
      .execute();
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

/** An industry that at least one case study is of. */
export interface CountedIndustry {
  /** Name in the taxonomy, else the source's own word. */
  readonly industry: string;
  /** Slug of the taxonomy; null when it does not know the word. */
  readonly slug: string | null;
  readonly case_studies: number;
}

/** Those of most case studies first, then by name. */
async function countIndustries(queries: Kysely<Tables>, names: IndustryNames): Promise<readonly CountedIndustry[]> {
  // Counted in the index alone: reading each case study's row would take ten times as long.
  const counted = queries
    .selectFrom("case_studies")
    .select((eb) => [
      "industry_key",
      eb.fn.min<number>("number").as("first"),
      eb.fn.countAll<number>().as("case_studies"),
    ])
    .where("industry_key", "is not", null)
    .groupBy("industry_key");
  const rows = await queries
    .selectFrom(counted.as("counted"))
    .innerJoin("case_studies", "case_studies.number", "counted.first")
    .select((eb) => [
      "case_studies.industry_slug",
      "counted.case_studies",
      eb
        .case()
        .when("case_studies.industry_slug", "is", null)
        .then(
          eb
            .selectFrom("case_studies as same")
            .whereRef("same.industry_key", "=", "counted.industry_key")
            .select(({ fn }) => fn.min<string | null>("same.industry_raw").as("industry_raw")),
        )
        .end()
        .as("industry_raw"),
    ])
    .execute();
  return rows
    .map((row) => ({
      industry: industryName(row, names) ?? "",
      slug: row.industry_slug,
      case_studies: row.case_studies,
    }))
    .sort((one, other) => other.case_studies - one.case_studies || one.industry.localeCompare(other.industry, "en"));
}

interface ReviewFilter extends Pick<ResolvedFilter, "company" | "industries"> {
  /** Whether the operator corrected a field of it. */
  readonly corrected?: boolean;
}

/** A case study as a reviewer chooses it. */
export interface ReviewedStudy {
  readonly study: CaseStudy;
  /** Of what an engine read and nobody corrected: where it was least sure, 0–1. Null when no engine read it. */
  readonly least_sure: { readonly pointer: string; readonly confidence: number } | null;
  /** Names of the fields that the operator corrected, by name. */
  readonly corrected: readonly string[];
}

interface ReviewPage {
  readonly studies: readonly ReviewedStudy[];
  /** All that match, on every page. */
  readonly total: number;
  readonly next_cursor: string | null;
}

interface ReviewOptions {
  readonly order: ReviewOrder;
  readonly limit: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** Beyond every confidence: what nobody judged comes last. */
const UNJUDGED = 2;

/** @throws Failure `cursor.invalid`, also for one of another order */
async function listForReview(
  queries: Kysely<Tables>,
  names: IndustryNames,
  { corrected, ...filter }: ReviewFilter,
  { order, limit, cursor }: ReviewOptions,
): Promise<ReviewPage> {
  const list = `review ${order}`;
  const matched = queries
    .selectFrom("case_studies")
    .where(matching(filter))
    .$if(corrected !== undefined, (query) =>
      query.where(({ exists, not, selectFrom }) => {
        const corrections = exists(
          selectFrom("corrections").select("field").whereRef("corrections.case_study_id", "=", "case_studies.id"),
        );
        return corrected ? corrections : not(corrections);
      }),
    );
  const { total } = await matched.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();

  const ranked = queries.selectFrom(
    matched
      .select((eb) => [
        "case_studies.number",
        "case_studies.id",
        (order === "newest" ? eb.lit(0) : eb.fn.coalesce(leastConfidence(eb), eb.lit(UNJUDGED))).as("rank"),
      ])
      .as("ranked"),
  );
  let page = ranked
    .select(["number", "id", "rank"])
    .orderBy("rank")
    .orderBy("number", "desc")
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [rank, number] = decodeCursor(list, ["number", "number"], cursor);
    page = page.where((eb) =>
      eb.or([eb("rank", ">", rank), eb.and([eb("rank", "=", rank), eb("number", "<", number)])]),
    );
  }
  const rows = await page.execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    studies: await reviewed(queries, names, shown),
    total,
    next_cursor: rows.length > limit && last ? encodeCursor(list, [last.rank, last.number]) : null,
  };
}

/** Of one case study, and of what nobody corrected. */
const leastConfidence = ({ selectFrom }: ExpressionBuilder<Tables, "case_studies">) =>
  selectFrom("provenance")
    .select((eb) => eb.fn.min<number | null>("confidence").as("confidence"))
    .whereRef("provenance.case_study_id", "=", "case_studies.id")
    .where("engine", "!=", "operator")
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("corrections")
            .select("field")
            .whereRef("corrections.case_study_id", "=", "provenance.case_study_id")
            // `/client/name` is of the field `client`.
            .where(sql<boolean>`instr(provenance.pointer || '/', '/' || corrections.field || '/') = 1`),
        ),
      ),
    );

async function reviewed(
  queries: Kysely<Tables>,
  names: IndustryNames,
  rows: readonly { readonly number: number; readonly id: string }[],
): Promise<ReviewedStudy[]> {
  const ids = rows.map(({ id }) => id);
  const numbers = rows.map(({ number }) => number);
  const studies = await recordsOf(queries, numbers, names);
  const corrections = await queries
    .selectFrom("corrections")
    .select(["case_study_id", "field"])
    .where("case_study_id", "in", ids)
    .orderBy("field")
    .execute();
  const provenance = await queries
    .selectFrom("provenance")
    .select(["case_study_id", "pointer", "confidence"])
    .where("case_study_id", "in", ids)
    .where("engine", "!=", "operator")
    .orderBy("confidence")
    .orderBy("pointer")
    .execute();
  return studies.map((study) => {
    const corrected = corrections.flatMap((row) => (row.case_study_id === study.id ? row.field : []));
    const least = provenance.find(
      ({ case_study_id, pointer }) => case_study_id === study.id && !corrected.includes(pointer.split("/")[1] ?? ""),
    );
    return {
      study,
      least_sure: least ? { pointer: least.pointer, confidence: least.confidence } : null,
      corrected,
    };
  });
}

export interface PageOptions {
  readonly limit: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

interface StudyPage {
  readonly studies: readonly CaseStudy[];
  /** All that match, on every page. */
  readonly total: number;
  readonly next_cursor: string | null;
}

interface StoredPassage {
  /** Never used twice, not even when the passage is gone. */
  readonly id: number;
  readonly case_study_id: string;
  /** From 0, within its case study. */
  readonly position: number;
  readonly heading: string | null;
  readonly text: string;
  /** Of its case study. */
  readonly title: string;
  readonly client: string | null;
  /** The source's own word. */
  readonly industry: string | null;
  readonly summary: string | null;
}

/** A case study with what only the index needs. */
interface ExportedStudy {
  /** Where to go on after it. */
  readonly number: number;
  readonly study: CaseStudy;
  readonly revision: number;
  readonly origin: Origin;
  readonly licence: string | null;
  readonly body: string | null;
  /** The industry as the source wrote it. */
  readonly industry_raw: string | null;
}

/** Case studies. Whatever changes one notes it in the outbox in the same transaction. */
export interface CaseStudyRepository {
  /**
   * Saves a batch, all or nothing, and answers for each in order. The same address, however written, is the same case
   * study: it is updated when anything of it differs. A new one whose text is nearly that of another of the same
   * company and client is a duplicate and is not stored. An id that another address has gets a suffix. The company and
   * the client are made when they are missing; what is known of a company stays, and what is not is filled in.
   *
   * Blocks other writers while it runs: give some hundred at once.
   *
   * @throws RangeError when a fingerprint is not 16 hex digits
   */
  save(batch: readonly NewCaseStudy[], options?: SaveOptions): Promise<readonly SaveResult[]>;
  find(id: string): Promise<CaseStudy | undefined>;
  /** With what only the index needs. */
  detail(id: string): Promise<ExportedStudy | undefined>;
  /** In the order of the ids, without those that do not exist. */
  byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
  /**
   * Newest first, undated last.
   *
   * @throws Failure `cursor.invalid`
   */
  list(filter: ResolvedFilter, page: PageOptions): Promise<StudyPage>;
  /** As a reviewer chooses among them. @throws Failure `cursor.invalid` */
  listForReview(filter: ReviewFilter, options: ReviewOptions): Promise<ReviewPage>;
  count(filter?: ResolvedFilter): Promise<number>;
  /** Those of most case studies first. */
  industries(): Promise<readonly CountedIndustry[]>;
  /** All that match, in no order. */
  ids(filter: ResolvedFilter): Promise<readonly string[]>;
  /** The passages of all that match, ascending. */
  passageIds(filter: ResolvedFilter): Promise<readonly number[]>;
  /** By case study and position; a case study that does not exist has none. */
  passagesOf(ids: readonly string[]): Promise<readonly StoredPassage[]>;
  /** In the order of the ids, without those that do not exist. */
  passages(ids: readonly number[]): Promise<readonly StoredPassage[]>;
  /** The id of the newest passage; 0 without any. */
  newestPassage(): Promise<number>;
  /** About `most` passages, evenly spread over all, the same ones as long as nothing is added. */
  sample(most: number): Promise<readonly StoredPassage[]>;
  /** All, in the order in which they came, `size` at a time; others may write between two batches. */
  each(after?: number, size?: number): AsyncGenerator<readonly ExportedStudy[], void, void>;
  /** Removes case studies, and companies and clients that none is left of. Answers how many there were. */
  remove(ids: readonly string[]): Promise<number>;
  /** Says that `model` has embedded these revisions; one that was changed meanwhile stays unindexed. */
  markIndexed(revisions: readonly { readonly id: string; readonly revision: number }[], model: string): Promise<void>;
}

const LIST = "case studies";

export function createCaseStudyRepository(
  queries: Kysely<Tables>,
  names: IndustryNames,
  clock: () => Date,
): CaseStudyRepository {
  const byIds = async (ids: readonly string[]) => {
    const rows = await inChunks(ids, (chunk) =>
      queries.selectFrom("case_studies").select(["id", "number"]).where("id", "in", chunk).execute(),
    );
    const numbers = new Map(rows.map(({ id, number }) => [id, number]));
    return await recordsOf(
      queries,
      ids.flatMap((id) => numbers.get(id) ?? []),
      names,
    );
  };

  const count = async (filter: ResolvedFilter = {}) => {
    const { total } = await queries
      .selectFrom("case_studies")
      .where(matching(filter))
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return total;
  };

  const storedPassages = queries
    .selectFrom("passages")
    .innerJoin("case_studies", "case_studies.number", "passages.study_number")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .select([
      "passages.id",
      "case_studies.id as case_study_id",
      "passages.position",
      "passages.heading",
      "passages.text",
      "case_studies.title",
      "clients.name as client",
      "case_studies.industry_raw as industry",
      "case_studies.summary",
    ]);

  const passages = async (ids: readonly number[]) => {
    const rows = await inChunks(ids, (chunk) => storedPassages.where("passages.id", "in", chunk).execute());
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  return {
    byIds,
    count,

    save: (batch, { keepVersions = false, over, also } = {}) =>
      queries.transaction().execute(async (transaction) => {
        if (over && !(await isAt(transaction, over))) return [];
        await also?.(transaction);
        return await saveStudies(transaction, batch, { names, keepVersions, now: clock().toISOString() });
      }),

    async find(id) {
      return (await byIds([id]))[0];
    },

    async detail(id) {
      const row = await queries
        .selectFrom("case_studies")
        .select(["number", "revision", "origin", "licence", "body", "industry_raw"])
        .where("id", "=", id)
        .executeTakeFirst();
      const study = row && (await byIds([id]))[0];
      return study && { ...row, study };
    },

    async list(filter, { limit, cursor }) {
      let page = queries
        .selectFrom("case_studies")
        .select(["number", "published_order", "id"])
        .where(matching(filter))
        .orderBy("published_order", "desc")
        .orderBy("id")
        .limit(limit + 1);
      if (cursor !== undefined) {
        const [day, id] = decodeCursor(LIST, ["string", "string"], cursor);
        // The first half lets the index be entered at the day.
        page = page
          .where("published_order", "<=", day)
          .where((eb) => eb.or([eb("published_order", "<", day), eb("id", ">", id)]));
      }
      const rows = await page.execute();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        studies: await recordsOf(
          queries,
          shown.map(({ number }) => number),
          names,
        ),
        total: await count(filter),
        next_cursor: rows.length > limit && last ? encodeCursor(LIST, [last.published_order, last.id]) : null,
      };
    },

    listForReview: (filter, options) => listForReview(queries, names, filter, options),
    industries: () => countIndustries(queries, names),

    async ids(filter) {
      const rows = await queries.selectFrom("case_studies").select("id").where(matching(filter)).execute();
      return rows.map(({ id }) => id);
    },

    async passageIds(filter) {
      const rows = await queries
        .selectFrom("passages")
        .select("id")
        .where("study_number", "in", (eb) => eb.selectFrom("case_studies").select("number").where(matching(filter)))
        .execute();
      return rows.map(({ id }) => id).sort((a, b) => a - b);
    },

    passagesOf: (ids) =>
      inChunks([...new Set(ids)], (chunk) =>
        storedPassages
          .where("case_studies.id", "in", chunk)
          .orderBy("case_studies.number")
          .orderBy("passages.position")
          .execute(),
      ),

    passages,

    async newestPassage() {
      const newest = await queries
        .selectFrom("passages")
        .select("id")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return newest?.id ?? 0;
    },

    sample: async (most) => await passages(await samplePassageIds(queries, most)),

    async *each(after = 0, size = 200) {
      let last = after;
      for (;;) {
        const rows = await queries
          .selectFrom("case_studies")
          .select(["number", "revision", "origin", "licence", "body", "industry_raw"])
          .where("number", ">", last)
          .orderBy("number")
          .limit(size)
          .execute();
        if (rows.length === 0) return;
        last = rows.at(-1)?.number ?? last;
        const records = await recordsByNumber(
          queries,
          rows.map(({ number }) => number),
          names,
        );
        // One that was removed between the two queries is left out.
        yield rows.flatMap((row) => {
          const study = records.get(row.number);
          return study ? [{ ...row, study }] : [];
        });
      }
    },

    remove: (ids) =>
      queries.transaction().execute((transaction) => removeStudies(transaction, ids, clock().toISOString())),

    markIndexed: (revisions, model) =>
      queries.transaction().execute(async (transaction) => {
        const now = clock().toISOString();
        for (const { id, revision } of revisions) {
          const row = await transaction
            .updateTable("case_studies")
            // An index that is made anew, as after a restore, finds nothing that was not found before.
            .set((eb) => ({ indexed_at: eb.fn.coalesce("indexed_at", eb.val(now)) }))
            .where("id", "=", id)
            .where("revision", "=", revision)
            .returning("number")
            .executeTakeFirst();
          if (!row) continue;
          const embedding = { model, revision, embedded_at: now };
          await transaction
            .insertInto("embeddings")
            .values({ study_number: row.number, ...embedding })
            .onConflict((conflict) => conflict.columns(["study_number", "model"]).doUpdateSet(embedding))
            .execute();
        }
      }),
  };
}

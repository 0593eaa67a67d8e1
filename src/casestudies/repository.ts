import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { createTurns } from "../core/async.ts";
import { normaliseName } from "../core/text.ts";
import { countRows, inChunks, type Page, type PageRequest, queryByList, readPage } from "../db/cursor.ts";
import { numbersIn } from "../db/engine.ts";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { ClaimedStudy } from "./claims.ts";
import { embeddedModel, LOCAL_INDEX } from "./index/outbox.ts";
import { industryKey, urlKey } from "./keys.ts";
import {
  createRecordReader,
  type FingerprintedStudy,
  type IndustryNames,
  industryName,
  recordsByNumber,
  recordsOf,
} from "./records.ts";
import { hasRevision, removeStudies, type SaveOptions, type SaveResult, saveStudies } from "./save.ts";
import type { PassageInContext } from "./search/term-statistics.ts";
import { createFactReader, type StudyFacts } from "./study-facts.ts";
import type { CaseStudy, Industry, NewCaseStudy, Origin, ReviewOrder, StudyFilter } from "./types.ts";

/**
 * A filter whose industry text was resolved with the taxonomy, because one text may name several industries, and whose tool
 * was resolved to the case studies that name it ({@link CaseStudyRepository.naming}).
 */
export interface ResolvedFilter extends Omit<StudyFilter, "industry" | "tool"> {
  readonly industries?: readonly Industry[] | undefined;
  readonly among?: StudySet | undefined;
}

/** Case studies by their row numbers. */
export interface StudySet {
  readonly numbers: readonly number[];
  readonly query: RawBuilder<number>;
}

/** The SQL condition of a filter on `case_studies`. */
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
      // Clients without a name or domain have an empty column, which must not match an empty filter.
      conditions.push(name === "" ? eb.lit(false) : eb("client_id", "in", clients));
    }
    if (filter.country !== undefined) conditions.push(eb("country", "=", filter.country.toUpperCase()));
    // The indexed column, in which undated case studies sort before every date.
    if (filter.publishedAfter !== undefined) conditions.push(eb("published_order", ">=", filter.publishedAfter));
    if (filter.publishedBefore !== undefined) {
      conditions.push(eb("published_order", ">", ""), eb("published_order", "<=", filter.publishedBefore));
    }
    if (filter.figures) {
      const figure = eb
        .selectFrom("outcomes")
        .select("position")
        .whereRef("outcomes.study_number", "=", "case_studies.number")
        .where("value", "is not", null);
      conditions.push(eb.exists(figure));
    }
    if (filter.among) {
      // SQLite would read the rows of a large set, and sort them; with `+` it looks each row of an index up in the set.
      const isLarge = filter.among.numbers.length > MAX_READ_BY_NUMBER;
      conditions.push(
        sql<SqlBool>`${isLarge ? sql`+` : sql``}${sql.ref("case_studies.number")} in (${filter.among.query})`,
      );
    }
    return eb.and(conditions);
  };
}

const MAX_READ_BY_NUMBER = 500;

/** Consecutive passages read together: nearly as representative as single ones, at a twentieth of the cost. */
const CONSECUTIVE = 20;

/** Ids of about `most` passages, evenly distributed; the same ids as long as no passage is added. */
async function samplePassageIds(queries: Kysely<Tables>, most: number): Promise<readonly number[]> {
  const { first, last } = await queries
    .selectFrom("passages")
    .select([sql<number | null>`min(id)`.as("first"), sql<number | null>`max(id)`.as("last")])
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return [];
  const places = Math.ceil(most / CONSECUTIVE);
  const ids = new Set<number>();
  for (let place = 0; place < places; place += 1) {
    const rows = await queries
      .selectFrom("passages")
      .select("id")
      .where("id", ">=", first + Math.floor(((last - first + 1) * place) / places))
      .orderBy("id")
      .limit(CONSECUTIVE)
      .execute();
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

/** A value of a field, with the number of case studies that have it. */
export interface FacetValue {
  /** As the filter takes it: a slug, an industry's name, a country's code, a year. */
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

export interface Facets {
  readonly vendors: readonly FacetValue[];
  readonly industries: readonly FacetValue[];
  readonly countries: readonly FacetValue[];
  readonly years: readonly FacetValue[];
  /** Clients by name. */
  readonly clients: readonly FacetValue[];
  readonly tools: readonly FacetValue[];
  /** Case studies with an outcome that has a figure. */
  readonly figures: number;
}

const MAX_FACET_VALUES = 100;

/** Each field in a turn of its own, so that other requests are answered in between. */
async function countFacets(
  queries: Kysely<Tables>,
  names: IndustryNames,
  filter: ResolvedFilter,
  facts: StudyFacts,
): Promise<Facets> {
  const studies = queries.selectFrom("case_studies").where(matching(filter));
  const count = sql<number>`count(*)`.as("count");
  const turn = createTurns();
  // Counted before the join: both tables have columns of the same names, which a filter may use.
  const vendors = await queries
    .selectFrom(studies.select(["company_id", count]).groupBy("company_id").as("counted"))
    .innerJoin("companies", "companies.id", "counted.company_id")
    .select(["companies.slug", "companies.name", "counted.count"])
    .orderBy("counted.count", "desc")
    .orderBy("companies.slug")
    .limit(MAX_FACET_VALUES)
    .execute();
  await turn();
  const industries = await industriesCounted(queries, (query) => query.where(matching(filter)));
  await turn();
  const countries = await studies
    .select(["country", count])
    .where("country", "is not", null)
    .groupBy("country")
    .orderBy(sql`count(*)`, "desc")
    .orderBy("country")
    .limit(MAX_FACET_VALUES)
    .execute();
  await turn();
  const years = await studies
    .select([sql<string>`substr(published_order, 1, 4)`.as("year"), count])
    .where("published_order", ">", "")
    .groupBy(sql`substr(published_order, 1, 4)`)
    .orderBy(sql`substr(published_order, 1, 4)`, "desc")
    .limit(MAX_FACET_VALUES)
    .execute();
  await turn();
  const clients = await queries
    .selectFrom(studies.select(["client_id", count]).groupBy("client_id").as("counted"))
    .innerJoin("clients", "clients.id", "counted.client_id")
    // Clients of one name with several domains are one value, as in the filter.
    .select([sql<string>`min(clients.name)`.as("name"), sql<number>`sum(counted.count)`.as("count")])
    .where("clients.name", "is not", null)
    .groupBy("clients.name_folded")
    .orderBy(sql`sum(counted.count)`, "desc")
    .orderBy("clients.name_folded")
    .limit(MAX_FACET_VALUES)
    .execute();
  await turn();
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== false);
  const within = isFiltered ? (await studies.select("number").execute()).map(({ number }) => number) : undefined;
  await turn();
  const { tools, figures } = await facts.count(MAX_FACET_VALUES, within);
  return {
    vendors: vendors.map(({ slug, name, count: number }) => ({ value: slug, label: name, count: Number(number) })),
    // Several spellings of one industry are one value.
    industries: [...Map.groupBy(industries, (row) => industryName(row, names))]
      .flatMap(([name, rows]) => {
        if (name === null) return [];
        return [{ value: name, label: name, count: rows.reduce((sum, row) => sum + Number(row.count), 0) }];
      })
      .sort((one, other) => other.count - one.count || (one.label < other.label ? -1 : 1))
      .slice(0, MAX_FACET_VALUES),
    countries: countries.flatMap(({ country, count: number }) =>
      country === null ? [] : [{ value: country, label: country, count: Number(number) }],
    ),
    years: years.map(({ year, count: number }) => ({ value: year, label: year, count: Number(number) })),
    clients: clients.map(({ name, count: number }) => ({ value: name, label: name, count: Number(number) })),
    tools: tools.map(({ name, count: number }) => ({ value: name, label: name, count: number })),
    figures,
  };
}

/** An industry with at least one case study. */
export interface CountedIndustry {
  /** Name in the taxonomy, else the source's text. */
  readonly industry: string;
  /** Slug of the taxonomy; null when the taxonomy does not have the industry. */
  readonly slug: string | null;
  readonly case_studies: number;
}

type StudyQuery = SelectQueryBuilder<Tables, "case_studies", Record<never, never>>;

/** Industries by their key, with how many of some case studies have each. */
function industriesCounted(queries: Kysely<Tables>, narrow: (query: StudyQuery) => StudyQuery = (query) => query) {
  // A covering index answers this; reading each row would take ten times as long.
  const counted = narrow(queries.selectFrom("case_studies"))
    .select((eb) => ["industry_key", eb.fn.min<number>("number").as("first"), eb.fn.countAll<number>().as("count")])
    .where("industry_key", "is not", null)
    .groupBy("industry_key");
  return queries
    .selectFrom(counted.as("counted"))
    .innerJoin("case_studies", "case_studies.number", "counted.first")
    .select((eb) => [
      "case_studies.industry_slug",
      "counted.count",
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
}

/** Most case studies first, then by name. */
async function countIndustries(queries: Kysely<Tables>, names: IndustryNames): Promise<readonly CountedIndustry[]> {
  const rows = await industriesCounted(queries);
  return rows
    .map((row) => ({ industry: industryName(row, names) ?? "", slug: row.industry_slug, case_studies: row.count }))
    .sort((one, other) => other.case_studies - one.case_studies || one.industry.localeCompare(other.industry, "en"));
}

interface ReviewFilter extends Pick<ResolvedFilter, "company" | "industries"> {
  /** Whether the operator corrected at least one field. */
  readonly corrected?: boolean | undefined;
}

/** A case study in the review list. */
export interface ReviewedStudy {
  readonly study: CaseStudy;
  /** The uncorrected field with the lowest confidence, 0–1; null when no engine extracted the case study. */
  readonly least_sure: { readonly pointer: string; readonly confidence: number } | null;
  /** Names of the corrected fields, sorted. */
  readonly corrected: readonly string[];
}

interface ReviewPage extends Page {
  readonly studies: readonly ReviewedStudy[];
}

interface ReviewOptions extends PageRequest {
  readonly order: ReviewOrder;
}

/** Above every confidence, so that case studies without one come last. */
const NO_CONFIDENCE = 2;

/** @throws Failure `cursor.invalid`, also for a cursor of the other order */
async function listForReview(
  queries: Kysely<Tables>,
  names: IndustryNames,
  { corrected, ...filter }: ReviewFilter,
  { order, ...page }: ReviewOptions,
): Promise<ReviewPage> {
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
  const ranked = queries.selectFrom(
    matched
      .select((eb) => [
        "case_studies.number",
        "case_studies.id",
        (order === "newest" ? eb.lit(0) : eb.fn.coalesce(leastConfidence(eb), eb.lit(NO_CONFIDENCE))).as("rank"),
      ])
      .as("ranked"),
  );
  const { rows, next_cursor } = await readPage(
    ranked.select(["number", "id", "rank"]),
    {
      list: `review ${order}`,
      columns: [
        ["rank", "number"],
        ["number", "number", "desc"],
      ],
    },
    page,
  );
  return { studies: await reviewed(queries, names, rows), total: await countRows(matched), next_cursor };
}

/** The lowest confidence among a case study's uncorrected fields. */
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
            // `/client/name` belongs to the field `client`.
            .where(
              sql<boolean>`substr(provenance.pointer || '/', 1, length(corrections.field) + 2) = '/' || corrections.field || '/'`,
            ),
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

/** A case study whose client's domain is known, with its place in the list. */
export interface ListedClaim extends ClaimedStudy {
  readonly number: number;
  /** `YYYY-MM-DD`, or empty. */
  readonly published_order: string;
}

/** What of a case study decides, without its text, whether it concerns a company. */
export interface ListedStudy extends ClaimedStudy {
  readonly client: { readonly name: string | null; readonly domain: string | null };
  /** Slug of the taxonomy. */
  readonly industry_slug: string | null;
  readonly country: string | null;
  readonly tools: readonly string[];
}

/** A client whose domain is known, with the industry of one of its case studies. */
export interface ClientIndustry {
  readonly domain: string;
  /** Slug of the taxonomy. */
  readonly industry_slug: string;
  readonly country: string | null;
}

interface StudyPage extends Page {
  readonly studies: readonly CaseStudy[];
}

/** An id is never reused, not even after the passage is deleted. */
interface StoredPassage extends PassageInContext {
  readonly case_study_id: string;
  /** From 0, within the case study. */
  readonly position: number;
}

/** A passage with the facets of its case study, as the search index has them. */
interface FilteredPassage extends StoredPassage {
  /** Slug. */
  readonly company: string;
  /** Display name, lower case. */
  readonly industry_name: string | null;
  readonly country: string | null;
  readonly published_at: string | null;
}

/** A case study with the fields that only exports and corrections need. */
export interface StoredStudy {
  /** Row number; the position from which `each` continues. */
  readonly number: number;
  readonly study: CaseStudy;
  readonly revision: number;
  readonly origin: Origin;
  readonly licence: string | null;
  readonly body: string | null;
  /** The industry as the source wrote it. */
  readonly industry_raw: string | null;
}

/** Stored case studies. Every change adds an outbox entry in the same transaction. */
export interface CaseStudyRepository {
  /**
   * Saves a batch atomically and returns one result for each record, in order. Records are matched by address (see
   * `urlKey`) and updated when their content differs. A new record with nearly the text of another of the same company
   * and client is a duplicate and is not stored. An id that another address has gets a suffix. Missing companies and
   * clients are created; empty fields of existing companies are filled in.
   *
   * Blocks other writers while it runs: pass a few hundred records at once.
   *
   * @throws RangeError when a fingerprint is not 16 hex digits
   */
  save(batch: readonly NewCaseStudy[], options?: SaveOptions): Promise<readonly SaveResult[]>;
  find(id: string): Promise<CaseStudy | undefined>;
  /** With body, licence and revision. */
  detail(id: string): Promise<StoredStudy | undefined>;
  /** With body, licence and revision, by the key of the address ({@link urlKey}); unknown addresses are skipped. */
  atUrls(urls: readonly string[]): Promise<ReadonlyMap<string, StoredStudy>>;
  /** In the order of the ids; unknown ids are skipped. */
  byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
  /**
   * Newest first, undated last.
   *
   * @throws Failure `cursor.invalid`
   */
  list(filter: ResolvedFilter, page: PageRequest): Promise<StudyPage>;
  /** Matches whose client's domain is known, in the order of `list`; by default all. */
  claimed(filter: ResolvedFilter, limit?: number): Promise<readonly ListedClaim[]>;
  /** The newest matches. */
  listed(filter: ResolvedFilter, limit: number): Promise<readonly ListedStudy[]>;
  /** The text of pages by the id of the case study; absent where none is stored. */
  bodies(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Clients whose domain and industry are known, newest case study first; a client with two industries twice. */
  clientIndustries(filter: {
    readonly domain?: string | undefined;
    readonly industries?: readonly string[] | undefined;
    readonly limit: number;
  }): Promise<readonly ClientIndustry[]>;
  /** The review list. @throws Failure `cursor.invalid` */
  listForReview(filter: ReviewFilter, options: ReviewOptions): Promise<ReviewPage>;
  count(filter?: ResolvedFilter): Promise<number>;
  /** Most case studies first. */
  industries(): Promise<readonly CountedIndustry[]>;
  /**
   * How often each value occurs among the matches, most often first; at most 100 values of a field.
   *
   * @param version where the caller has read it
   */
  facets(filter: ResolvedFilter, version?: string): Promise<Facets>;
  /** Changes whenever a case study is added, changed or removed. */
  version(): Promise<string>;
  /**
   * The case studies that name a tool, in any case.
   *
   * @param version where the caller has read it
   */
  naming(tool: string, version?: string): Promise<StudySet>;
  setOf(numbers: readonly number[]): StudySet;
  /** All matches, in no particular order. */
  ids(filter: ResolvedFilter): Promise<readonly string[]>;
  /** The same of a set, kept as long as the set is. */
  idsOf(set: StudySet): Promise<readonly string[]>;
  /** Passages of all matches, ascending. */
  passageIds(filter: ResolvedFilter): Promise<readonly number[]>;
  /** Ordered by case study and position; unknown ids are skipped. */
  passagesOf(ids: readonly string[]): Promise<readonly StoredPassage[]>;
  /** In the order of the ids; unknown ids are skipped. */
  passages(ids: readonly number[]): Promise<readonly StoredPassage[]>;
  /** As `byIds`, each with the similarity hash of its whole text. */
  withFingerprints(ids: readonly string[]): Promise<readonly FingerprintedStudy[]>;
  /** The `size` newest passages with an id below `before`, newest first, with what a search can filter by. */
  passagesBefore(before: number, size: number): Promise<readonly FilteredPassage[]>;
  /** The id of the newest passage; 0 when there is none. */
  newestPassage(): Promise<number>;
  /** About `most` passages, evenly distributed; the same ones as long as no passage is added. */
  sample(most: number): Promise<readonly StoredPassage[]>;
  /** All, in insertion order, `size` at a time; other processes may write between two batches. */
  each(after?: number, size?: number): AsyncGenerator<readonly StoredStudy[], void, void>;
  /** Removes case studies, and companies and clients left without any. Returns how many case studies were removed. */
  remove(ids: readonly string[]): Promise<number>;
  /** Records that `model` embedded these revisions; a case study that changed meanwhile stays unindexed. */
  markIndexed(revisions: readonly { readonly id: string; readonly revision: number }[], model: string): Promise<void>;
}

const NEWEST_FIRST = {
  list: "case studies",
  columns: [
    ["published_order", "string", "desc"],
    ["id", "string"],
  ],
} as const;

export function createCaseStudyRepository(
  queries: Kysely<Tables>,
  names: IndustryNames,
  clock: () => Date,
  indexId = LOCAL_INDEX,
): CaseStudyRepository {
  const readRecords = createRecordReader(queries, names);
  const facts = createFactReader(queries);
  const queryOf = new WeakMap<readonly number[], RawBuilder<number>>();
  const setOf = (numbers: readonly number[]): StudySet => {
    // Its JSON may have megabytes.
    const query = queryOf.get(numbers) ?? numbersIn(queries, numbers);
    queryOf.set(numbers, query);
    return { numbers, query };
  };
  const idsOfNumbers = new WeakMap<readonly number[], readonly string[]>();
  const withFingerprints = async (ids: readonly string[]) => {
    const found = await readRecords(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const byIds = async (ids: readonly string[]) => (await withFingerprints(ids)).map(({ study }) => study);

  const count = (filter: ResolvedFilter = {}) => countRows(queries.selectFrom("case_studies").where(matching(filter)));

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

  const passagesById = queryByList(queries, (ids: readonly number[]) => storedPassages.where("passages.id", "in", ids));
  const passages = async (ids: readonly number[]) => {
    const rows = await passagesById(ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  return {
    byIds,
    count,

    withFingerprints,

    save: (batch, { keepVersions = false, ifRevision, before } = {}) =>
      inTransaction(queries, "case studies", async (transaction) => {
        if (ifRevision && !(await hasRevision(transaction, ifRevision))) return [];
        await before?.(transaction);
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

    async claimed(filter, limit) {
      const rows = await queries
        .selectFrom("case_studies")
        .innerJoin("clients", "clients.id", "case_studies.client_id")
        .innerJoin("companies", "companies.id", "case_studies.company_id")
        .where("case_studies.number", "in", (eb) =>
          eb
            .selectFrom("case_studies")
            .select("number")
            .where(matching(filter))
            .$if(limit !== undefined, (query) =>
              query
                .where(({ exists, selectFrom }) =>
                  exists(
                    selectFrom("clients")
                      .select("clients.id")
                      .whereRef("clients.id", "=", "case_studies.client_id")
                      .where("domain", "is not", null),
                  ),
                )
                .orderBy("published_order", "desc")
                .orderBy("id")
                .limit(limit ?? 0),
            ),
        )
        .where("clients.domain", "is not", null)
        .select([
          "case_studies.id",
          "case_studies.number",
          "case_studies.published_order",
          "case_studies.products",
          "companies.slug",
          "clients.domain",
        ])
        .orderBy("case_studies.published_order", "desc")
        .orderBy("case_studies.id")
        .execute();
      return rows.map(({ id, number, published_order, products, slug, domain }) => ({
        id,
        number,
        published_order,
        company: { slug },
        client: { domain },
        products: JSON.parse(products),
      }));
    },

    async listed(filter, limit) {
      const rows = await queries
        .selectFrom("case_studies")
        .leftJoin("clients", "clients.id", "case_studies.client_id")
        .innerJoin("companies", "companies.id", "case_studies.company_id")
        .where("case_studies.number", "in", (eb) =>
          eb
            .selectFrom("case_studies")
            .select("number")
            .where(matching(filter))
            .orderBy("published_order", "desc")
            .orderBy("id")
            .limit(limit),
        )
        .select([
          "case_studies.id",
          "case_studies.industry_slug",
          "case_studies.country",
          "case_studies.products",
          "case_studies.tools",
          "companies.slug",
          "clients.name",
          "clients.domain",
        ])
        .orderBy("case_studies.published_order", "desc")
        .orderBy("case_studies.id")
        .execute();
      return rows.map(({ products, tools, slug, name, domain, ...row }) => ({
        ...row,
        company: { slug },
        client: { name, domain },
        products: JSON.parse(products),
        tools: JSON.parse(tools),
      }));
    },

    async bodies(ids) {
      const rows = await inChunks(ids, (chunk) =>
        queries.selectFrom("case_studies").select(["id", "body"]).where("id", "in", chunk).execute(),
      );
      return new Map(rows.flatMap(({ id, body }) => (body === null ? [] : [[id, body] as const])));
    },

    async clientIndustries({ domain, industries: slugs, limit }) {
      const rows = await queries
        .selectFrom("case_studies")
        .innerJoin("clients", "clients.id", "case_studies.client_id")
        .where("clients.domain", "is not", null)
        .where("case_studies.industry_slug", "is not", null)
        .$if(domain !== undefined, (query) => query.where("clients.domain_folded", "=", normaliseName(domain ?? "")))
        .$if(slugs !== undefined, (query) => query.where("case_studies.industry_slug", "in", slugs ?? []))
        .select(["clients.domain", "case_studies.industry_slug", "case_studies.country"])
        .orderBy("case_studies.published_order", "desc")
        .orderBy("case_studies.id")
        .limit(limit)
        .execute();
      const seen = new Set<string>();
      return rows.flatMap(({ domain: name, industry_slug, country }) => {
        const key = `${name} ${industry_slug}`;
        if (name === null || industry_slug === null || seen.has(key)) return [];
        seen.add(key);
        return { domain: name, industry_slug, country };
      });
    },

    async atUrls(urls) {
      const keys = [...new Set(urls.map(urlKey))];
      const rows = await inChunks(keys, (chunk) =>
        queries
          .selectFrom("case_studies")
          .select(["url_key", "number", "revision", "origin", "licence", "body", "industry_raw"])
          .where("url_key", "in", chunk)
          .execute(),
      );
      const records = await recordsByNumber(
        queries,
        rows.map(({ number }) => number),
        names,
      );
      return new Map(
        rows.flatMap(({ url_key, ...row }) => {
          const study = records.get(row.number);
          return study ? [[url_key, { ...row, study }] as const] : [];
        }),
      );
    },

    async list(filter, page) {
      const studies = queries
        .selectFrom("case_studies")
        .select(["number", "published_order", "id"])
        .where(matching(filter));
      const { rows, next_cursor } = await readPage(studies, NEWEST_FIRST, page);
      const numbers = rows.map(({ number }) => number);
      return { studies: await recordsOf(queries, numbers, names), total: await count(filter), next_cursor };
    },

    listForReview: (filter, options) => listForReview(queries, names, filter, options),
    industries: () => countIndustries(queries, names),
    facets: async (filter, version) => countFacets(queries, names, filter, await facts.read(version)),
    version: () => facts.version(),

    naming: async (tool, version) => setOf((await facts.read(version)).naming(tool)),
    setOf,

    async ids(filter) {
      const rows = await queries.selectFrom("case_studies").select("id").where(matching(filter)).execute();
      return rows.map(({ id }) => id);
    },

    async idsOf({ numbers }) {
      const kept = idsOfNumbers.get(numbers);
      if (kept) return kept;
      const turn = createTurns();
      const rows = await inChunks(numbers, async (chunk) => {
        await turn();
        return await queries.selectFrom("case_studies").select("id").where("number", "in", chunk).execute();
      });
      const ids = rows.map(({ id }) => id);
      idsOfNumbers.set(numbers, ids);
      return ids;
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

    async passagesBefore(before, size) {
      const rows = await storedPassages
        .innerJoin("companies", "companies.id", "case_studies.company_id")
        .select([
          "companies.slug as company",
          "case_studies.industry_slug",
          "case_studies.industry_raw",
          "case_studies.country",
          "case_studies.published_at",
        ])
        .where("passages.id", "<", before)
        .orderBy("passages.id", "desc")
        .limit(size)
        .execute();
      return rows.map((row) => ({ ...row, industry_name: industryName(row, names)?.toLowerCase() ?? null }));
    },

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
        // A case study may have been removed between the two queries.
        yield rows.flatMap((row) => {
          const study = records.get(row.number);
          return study ? [{ ...row, study }] : [];
        });
      }
    },

    remove: (ids) =>
      inTransaction(queries, "case studies", (transaction) => removeStudies(transaction, ids, clock().toISOString())),

    markIndexed: (revisions, model) =>
      inTransaction(queries, "case studies", async (transaction) => {
        const now = clock().toISOString();
        for (const { id, revision } of revisions) {
          const row = await transaction
            .updateTable("case_studies")
            // Rebuilding the index, as after a restore, does not change when a case study was first indexed.
            .set((eb) => ({ indexed_at: eb.fn.coalesce("indexed_at", eb.val(now)) }))
            .where("id", "=", id)
            .where("revision", "=", revision)
            .returning("number")
            .executeTakeFirst();
          if (!row) continue;
          const embedding = { model: embeddedModel(model, indexId), revision, embedded_at: now };
          await transaction
            .insertInto("embeddings")
            .values({ study_number: row.number, ...embedding })
            .onConflict((conflict) => conflict.columns(["study_number", "model"]).doUpdateSet(embedding))
            .execute();
        }
      }),
  };
}

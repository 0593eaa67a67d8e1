import type { Kysely, Selectable, Transaction } from "kysely";
import { decodeCursor, encodeCursor, inChunks } from "../../db/cursor.ts";
import type { PageRow, SiteRow, SubmissionRow, Tables } from "../../db/schema.ts";
import { urlKey } from "../keys.ts";
import type { CaseStudy, FetchedPage, Provenance } from "../types.ts";
import type { Submission, SubmissionPreview, SubmissionState } from "./types.ts";

interface NewSubmission {
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly case_study_url: string;
  readonly contact_email: string;
}

export interface SubmissionPage {
  readonly submissions: readonly Submission[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What may be changed of a submission; its address and contact stay. */
type SubmissionChange = Partial<
  Pick<Submission, "company_name" | "company_slug" | "company_domain" | "reason" | "approved_by" | "preview"> & {
    readonly found: number;
  }
>;

export interface SubmissionRepository {
  /** The pending one of the same address, however written, when there is one; else a new one. */
  add(submission: NewSubmission): Promise<{ readonly submission: Submission; readonly isNew: boolean }>;
  find(id: string): Promise<Submission | undefined>;
  /** The id of the one submission of the address, however written, that has not ended. */
  pendingOf(url: string): Promise<string | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: { state?: SubmissionState }, page: { limit: number; cursor?: string }): Promise<SubmissionPage>;
  change(id: string, change: SubmissionChange): Promise<void>;
  /**
   * Goes on to `to` when it stands at one of `from`; answers false, and changes nothing, when it does not. A reason is
   * forgotten unless a new one is given.
   */
  move(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: Pick<SubmissionChange, "reason" | "approved_by">,
  ): Promise<boolean>;
  /** How many are in each state that has any. */
  counts(): Promise<Readonly<Partial<Record<SubmissionState, number>>>>;
}

const ENDED: readonly SubmissionState[] = ["rejected", "available", "failed"];
const LIST = "submissions";
const ID_CHARACTERS = "0123456789abcdefghijkmnpqrstuvwxyz";

export function createSubmissionRepository(queries: Kysely<Tables>, clock: () => Date): SubmissionRepository {
  const counted = queries
    .selectFrom("submissions")
    .selectAll("submissions")
    .select(({ selectFrom }) => [
      selectFrom("pages")
        .innerJoin("sites", "sites.id", "pages.site_id")
        .whereRef("sites.url_key", "=", "submissions.url_key")
        .where("pages.case_study_id", "is not", null)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .as("structured"),
      selectFrom("pages")
        .innerJoin("sites", "sites.id", "pages.site_id")
        .innerJoin("case_studies", "case_studies.id", "pages.case_study_id")
        .whereRef("sites.url_key", "=", "submissions.url_key")
        .where("case_studies.indexed_at", "is not", null)
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .as("indexed"),
    ]);

  const find = async (id: string) => {
    const row = await counted.where("submissions.id", "=", id).executeTakeFirst();
    return row && submissionOf(row);
  };

  const pendingId = async (from: Pick<Kysely<Tables>, "selectFrom">, key: string) => {
    const pending = await from
      .selectFrom("submissions")
      .select("id")
      .where("url_key", "=", key)
      .where("state", "not in", ENDED)
      .executeTakeFirst();
    return pending?.id;
  };

  return {
    find,
    pendingOf: (url) => pendingId(queries, urlKey(url)),

    async add(submission) {
      const key = urlKey(submission.case_study_url);
      const now = clock().toISOString();
      const { id, isNew } = await queries.transaction().execute(async (transaction) => {
        const pending = await pendingId(transaction, key);
        if (pending !== undefined) return { id: pending, isNew: false };
        const fresh = newId();
        await transaction
          .insertInto("submissions")
          .values({
            ...submission,
            id: fresh,
            url_key: key,
            state: "waiting",
            reason: null,
            approved_by: null,
            preview: null,
            received_at: now,
            updated_at: now,
          })
          .execute();
        return { id: fresh, isNew: true };
      });
      const kept = await find(id);
      if (!kept) throw new Error("A submission that was kept is not there.");
      return { submission: kept, isNew };
    },

    async list({ state }, { limit, cursor }) {
      let page = counted
        .orderBy("submissions.received_at", "desc")
        .orderBy("submissions.id")
        .limit(limit + 1);
      let all = queries.selectFrom("submissions");
      if (state !== undefined) {
        page = page.where("submissions.state", "=", state);
        all = all.where("state", "=", state);
      }
      if (cursor !== undefined) {
        const [received, id] = decodeCursor(LIST, ["string", "string"], cursor);
        page = page.where((eb) =>
          eb.or([
            eb("submissions.received_at", "<", received),
            eb.and([eb("submissions.received_at", "=", received), eb("submissions.id", ">", id)]),
          ]),
        );
      }
      const rows = await page.execute();
      const { total } = await all.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        submissions: shown.map(submissionOf),
        total,
        next_cursor: rows.length > limit && last ? encodeCursor(LIST, [last.received_at, last.id]) : null,
      };
    },

    async change(id, { preview, ...change }) {
      await queries
        .updateTable("submissions")
        .set({
          ...change,
          ...(preview === undefined ? {} : { preview: preview && JSON.stringify(preview) }),
          updated_at: clock().toISOString(),
        })
        .where("id", "=", id)
        .execute();
    },

    async move(id, from, to, change = {}) {
      const { numUpdatedRows } = await queries
        .updateTable("submissions")
        .set({ reason: null, ...change, state: to, updated_at: clock().toISOString() })
        .where("id", "=", id)
        .where("state", "in", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async counts() {
      const rows = await queries
        .selectFrom("submissions")
        .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
  };
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `sub_${[...bytes].map((byte) => ID_CHARACTERS[byte % ID_CHARACTERS.length]).join("")}`;
}

type CountedRow = Selectable<SubmissionRow> & { readonly structured: number | null; readonly indexed: number | null };

function submissionOf({ url_key, found, structured, indexed, preview, ...row }: CountedRow): Submission {
  return {
    ...row,
    preview: preview === null ? null : (JSON.parse(preview) as SubmissionPreview),
    counts: { found, structured: structured ?? 0, indexed: indexed ?? 0 },
  };
}

export type Site = Selectable<SiteRow>;
export type CrawledPage = Omit<Selectable<PageRow>, "page">;

interface NewSite {
  readonly submission_id: string | null;
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly url: string;
}

/** What a crawl brought of a page, beside the page. */
interface PageMarks {
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string;
}

type StructuredPageResult =
  /** `note`: what should be known of how it was read. */
  { readonly caseStudyId: string; readonly note?: string | null } | { readonly refused: string };

/** Listing pages that are crawled, and the case-study pages that were found there. */
export interface PageRepository {
  /** The site of the address, made or brought up to date. */
  keepSite(site: NewSite): Promise<Site>;
  findSite(id: number): Promise<Site | undefined>;
  /** The site of an address, however written. */
  siteOf(url: string): Promise<Site | undefined>;
  /** Sites whose next crawl is due. */
  sitesDue(limit: number): Promise<readonly Site[]>;
  crawled(site: number, next: Date | null): Promise<void>;

  find(url: string): Promise<CrawledPage | undefined>;
  /** Addresses of the site's pages that were not gone when last seen. */
  urlsOf(site: number): Promise<readonly string[]>;
  /** Keeps what was fetched until it is structured. A page that was gone is there again. */
  fetched(site: number, page: FetchedPage, marks: PageMarks): Promise<void>;
  /** What was fetched and is not structured yet. */
  content(url: string): Promise<FetchedPage | undefined>;
  /** The page became this case study, or was refused as none. What was fetched of it is dropped. */
  structured(url: string, result: StructuredPageResult): Promise<void>;
  gone(url: string, reason: string): Promise<void>;
  list(filter: { site?: number; caseStudyId?: string; state?: PageRow["state"] }): Promise<readonly CrawledPage[]>;
}

const COLUMNS = [
  "url_key",
  "site_id",
  "url",
  "state",
  "reason",
  "etag",
  "last_modified",
  "content_hash",
  "case_study_id",
  "fetched_at",
  "gone_at",
] as const;
const MOST_LISTED = 1_000;

export function createPageRepository(queries: Kysely<Tables>, clock: () => Date): PageRepository {
  const now = () => clock().toISOString();
  return {
    async keepSite(site) {
      const { url, ...told } = site;
      return await queries
        .insertInto("sites")
        .values({ ...site, url_key: urlKey(url), last_crawled_at: null, next_crawl_at: null })
        .onConflict((conflict) => conflict.column("url_key").doUpdateSet(told))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    findSite: (id) => queries.selectFrom("sites").selectAll().where("id", "=", id).executeTakeFirst(),
    siteOf: (url) => queries.selectFrom("sites").selectAll().where("url_key", "=", urlKey(url)).executeTakeFirst(),

    sitesDue: (limit) =>
      queries
        .selectFrom("sites")
        .selectAll()
        .where("next_crawl_at", "<=", now())
        .orderBy("next_crawl_at")
        .limit(limit)
        .execute(),

    async crawled(site, next) {
      await queries
        .updateTable("sites")
        .set({ last_crawled_at: now(), next_crawl_at: next?.toISOString() ?? null })
        .where("id", "=", site)
        .execute();
    },

    find: (url) => queries.selectFrom("pages").select(COLUMNS).where("url_key", "=", urlKey(url)).executeTakeFirst(),

    async urlsOf(site) {
      const rows = await queries
        .selectFrom("pages")
        .select("url")
        .where("site_id", "=", site)
        .where("state", "!=", "gone")
        .execute();
      return rows.map(({ url }) => url);
    },

    async fetched(site, page, marks) {
      const { content, ...told } = page;
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const header = Buffer.from(JSON.stringify(told));
      const packed = Buffer.concat([lengthOf(header), header, bytes]);
      const row = {
        site_id: site,
        url: page.url,
        state: "fetched" as const,
        reason: null,
        ...marks,
        fetched_at: now(),
        gone_at: null,
        page: Bun.zstdCompressSync(packed),
      };
      await queries
        .insertInto("pages")
        .values({ url_key: urlKey(page.url), case_study_id: null, ...row })
        .onConflict((conflict) => conflict.column("url_key").doUpdateSet(row))
        .execute();
    },

    async content(url) {
      const row = await queries
        .selectFrom("pages")
        .select("page")
        .where("url_key", "=", urlKey(url))
        .executeTakeFirst();
      if (!row?.page) return undefined;
      const packed = Buffer.from(Bun.zstdDecompressSync(row.page));
      const end = 4 + packed.readUInt32LE(0);
      const told = JSON.parse(packed.toString("utf8", 4, end)) as Omit<FetchedPage, "content">;
      const bytes = packed.subarray(end);
      return { ...told, content: told.kind === "html" ? bytes.toString("utf8") : new Uint8Array(bytes) };
    },

    async structured(url, result) {
      const told =
        "refused" in result
          ? { state: "refused" as const, reason: result.refused }
          : { state: "structured" as const, reason: result.note ?? null, case_study_id: result.caseStudyId };
      await queries
        .updateTable("pages")
        .set({ ...told, page: null })
        .where("url_key", "=", urlKey(url))
        .execute();
    },

    async gone(url, reason) {
      await queries
        .updateTable("pages")
        .set({ state: "gone", reason, gone_at: now(), page: null })
        .where("url_key", "=", urlKey(url))
        .where("state", "!=", "gone")
        .execute();
    },

    async list({ site, caseStudyId, state }) {
      let rows = queries.selectFrom("pages").select(COLUMNS).orderBy("url_key").limit(MOST_LISTED);
      if (site !== undefined) rows = rows.where("site_id", "=", site);
      if (caseStudyId !== undefined) rows = rows.where("case_study_id", "=", caseStudyId);
      if (state !== undefined) rows = rows.where("state", "=", state);
      return await rows.execute();
    },
  };
}

function lengthOf(header: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.byteLength);
  return length;
}

export interface StudyVersion {
  readonly revision: number;
  readonly replaced_at: string;
  readonly study: CaseStudy;
}

/** What an operator corrected, why each field says what it says, and what a case study said before. */
export interface CorrectionRepository {
  /** Values by field name. They hold until they are taken back, whatever a later crawl reads. */
  of(caseStudyId: string): Promise<Readonly<Record<string, unknown>>>;
  /** The same of what is kept under addresses, by the address as it was given; of those that were not corrected, nothing. */
  at(urls: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  keep(caseStudyId: string, values: Readonly<Record<string, unknown>>, transaction: Transaction<Tables>): Promise<void>;
  /** A correction that is not there is taken back too. */
  takeBack(caseStudyId: string, field: string, transaction: Transaction<Tables>): Promise<void>;
  /**
   * What the case study said before this field was corrected for the first time; undefined when it was not, or when the
   * correction changed nothing.
   */
  before(caseStudyId: string, field: string): Promise<CaseStudy | undefined>;
  provenanceOf(caseStudyId: string): Promise<readonly Provenance[]>;
  /** In place of what was kept before. */
  keepProvenance(caseStudyId: string, provenance: readonly Provenance[]): Promise<void>;
  /** Newest first. */
  versionsOf(caseStudyId: string): Promise<readonly StudyVersion[]>;
}

export function createCorrectionRepository(queries: Kysely<Tables>, clock: () => Date): CorrectionRepository {
  return {
    async of(caseStudyId) {
      const rows = await queries
        .selectFrom("corrections")
        .select(["field", "value"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("field")
        .execute();
      return Object.fromEntries(rows.map(({ field, value }) => [field, JSON.parse(value)]));
    },

    async at(urls) {
      const rows = await inChunks(urls.map(urlKey), (chunk) =>
        queries
          .selectFrom("corrections")
          .innerJoin("case_studies", "case_studies.id", "corrections.case_study_id")
          .select(["case_studies.url_key", "corrections.field", "corrections.value"])
          .where("case_studies.url_key", "in", chunk)
          .execute(),
      );
      const found = Map.groupBy(rows, ({ url_key }) => url_key);
      return new Map(
        urls.flatMap((url) => {
          const fields = found.get(urlKey(url));
          return fields
            ? [[url, Object.fromEntries(fields.map(({ field, value }) => [field, JSON.parse(value)]))]]
            : [];
        }),
      );
    },

    async keep(caseStudyId, values, transaction) {
      for (const [field, value] of Object.entries(values)) {
        const told = { value: JSON.stringify(value) };
        await transaction
          .insertInto("corrections")
          .values({ case_study_id: caseStudyId, field, ...told, corrected_at: clock().toISOString() })
          // The time of the first one stays: it tells what was read from what was corrected before.
          .onConflict((conflict) => conflict.columns(["case_study_id", "field"]).doUpdateSet(told))
          .execute();
      }
    },

    async takeBack(caseStudyId, field, transaction) {
      await transaction
        .deleteFrom("corrections")
        .where("case_study_id", "=", caseStudyId)
        .where("field", "=", field)
        .execute();
    },

    async before(caseStudyId, field) {
      const row = await queries
        .selectFrom("study_versions")
        .innerJoin("corrections", "corrections.case_study_id", "study_versions.case_study_id")
        .select("study_versions.content")
        .where("study_versions.case_study_id", "=", caseStudyId)
        .where("corrections.field", "=", field)
        .whereRef("study_versions.replaced_at", ">=", "corrections.corrected_at")
        .orderBy("study_versions.revision")
        .limit(1)
        .executeTakeFirst();
      return row && JSON.parse(row.content);
    },

    provenanceOf: (caseStudyId) =>
      queries
        .selectFrom("provenance")
        .select(["pointer", "engine", "sentence", "confidence"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("pointer")
        .execute(),

    keepProvenance: (caseStudyId, provenance) =>
      queries.transaction().execute(async (transaction) => {
        await transaction.deleteFrom("provenance").where("case_study_id", "=", caseStudyId).execute();
        if (provenance.length === 0) return;
        await transaction
          .insertInto("provenance")
          .values(provenance.map((told) => ({ case_study_id: caseStudyId, ...told })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),

    async versionsOf(caseStudyId) {
      const rows = await queries
        .selectFrom("study_versions")
        .select(["revision", "replaced_at", "content"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("revision", "desc")
        .execute();
      return rows.map(({ revision, replaced_at, content }) => ({ revision, replaced_at, study: JSON.parse(content) }));
    },
  };
}

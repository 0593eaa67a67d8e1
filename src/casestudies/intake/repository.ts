import type { Kysely, Selectable } from "kysely";
import { countRows, type Page, type PageRequest, readPage } from "../../db/cursor.ts";
import type { PageRow, SiteRow, SubmissionRow, Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { urlKey } from "../keys.ts";
import type { FetchedPage } from "../types.ts";
import type { Submission, SubmissionPreview, SubmissionState } from "./types.ts";

interface NewSubmission {
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly case_study_url: string;
  readonly contact_email: string;
}

export interface SubmissionPage extends Page {
  readonly submissions: readonly Submission[];
}

/** The fields of a submission that may change; address and contact stay. */
interface SubmissionChange {
  readonly company_name?: string | undefined;
  readonly company_slug?: string | undefined;
  readonly company_domain?: string | null | undefined;
  readonly reason?: string | null;
  readonly approved_by?: Submission["approved_by"];
  readonly preview?: SubmissionPreview;
  readonly found?: number;
}

export interface SubmissionRepository {
  /** Returns the pending submission of the same address (see `urlKey`), or adds a new one. */
  add(submission: NewSubmission): Promise<{ readonly submission: Submission; readonly isNew: boolean }>;
  find(id: string): Promise<Submission | undefined>;
  /** The id of the address's submission that has not ended, if any. */
  pendingOf(url: string): Promise<string | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: { state?: SubmissionState | undefined }, page: PageRequest): Promise<SubmissionPage>;
  change(id: string, change: SubmissionChange): Promise<void>;
  /**
   * Moves the submission to the state `to` if its state is one of `from`; otherwise changes nothing and returns false.
   * Clears the reason unless a new one is given.
   */
  move(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change?: Pick<SubmissionChange, "reason" | "approved_by">,
  ): Promise<boolean>;
  /** Number of submissions by state; states without any are absent. */
  counts(): Promise<Readonly<Partial<Record<SubmissionState, number>>>>;
}

const ENDED: readonly SubmissionState[] = ["rejected", "available", "failed"];
const NEWEST_FIRST = {
  list: "submissions",
  columns: [
    ["submissions.received_at", "string", "desc"],
    ["submissions.id", "string"],
  ],
} as const;
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
      const { id, isNew } = await inTransaction(queries, `submission ${key}`, async (transaction) => {
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
      const saved = await find(id);
      if (!saved) throw new Error("The saved submission was not found.");
      return { submission: saved, isNew };
    },

    async list({ state }, page) {
      let matching = counted;
      let all = queries.selectFrom("submissions");
      if (state !== undefined) {
        matching = matching.where("submissions.state", "=", state);
        all = all.where("state", "=", state);
      }
      const { rows, next_cursor } = await readPage(matching, NEWEST_FIRST, page);
      return { submissions: rows.map(submissionOf), total: await countRows(all), next_cursor };
    },

    async change(id, { preview, ...change }) {
      await queries
        .updateTable("submissions")
        .set({
          ...change,
          preview: preview && JSON.stringify(preview),
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

/** HTTP validators and content hash of a fetched page. */
interface PageValidators {
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string;
}

type StructuredPageResult =
  /** `note`: a remark about the extraction, such as a fallback. */
  { readonly caseStudyId: string; readonly note?: string | null } | { readonly refused: string };

/** Listing pages that are crawled (sites), and the case-study pages found on them. */
export interface PageRepository {
  /** Creates or updates the site of the address. */
  saveSite(site: NewSite): Promise<Site>;
  findSite(id: number): Promise<Site | undefined>;
  /** The site of an address (see `urlKey`). */
  findSiteByUrl(url: string): Promise<Site | undefined>;
  /** Sites whose next crawl is due, longest overdue first. */
  findDueSites(limit: number): Promise<readonly Site[]>;
  markCrawled(site: number, next: Date | null): Promise<void>;

  find(url: string): Promise<CrawledPage | undefined>;
  /** Addresses of the site's pages that existed at the last crawl. */
  listUrls(site: number): Promise<readonly string[]>;
  /** Stores a fetched page until it is structured. A page marked as gone becomes available again. */
  saveFetched(site: number, page: FetchedPage, validators: PageValidators): Promise<void>;
  /** The fetched page that is not structured yet. */
  findContent(url: string): Promise<FetchedPage | undefined>;
  /** Records that the page became a case study or was refused, and drops the fetched content. */
  markStructured(url: string, result: StructuredPageResult): Promise<void>;
  markGone(url: string, reason: string): Promise<void>;
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
    async saveSite(site) {
      const { url, ...changes } = site;
      return await queries
        .insertInto("sites")
        .values({ ...site, url_key: urlKey(url), last_crawled_at: null, next_crawl_at: null })
        .onConflict((conflict) => conflict.column("url_key").doUpdateSet(changes))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    findSite: (id) => queries.selectFrom("sites").selectAll().where("id", "=", id).executeTakeFirst(),
    findSiteByUrl: (url) =>
      queries.selectFrom("sites").selectAll().where("url_key", "=", urlKey(url)).executeTakeFirst(),

    findDueSites: (limit) =>
      queries
        .selectFrom("sites")
        .selectAll()
        .where("next_crawl_at", "<=", now())
        .orderBy("next_crawl_at")
        .limit(limit)
        .execute(),

    async markCrawled(site, next) {
      await queries
        .updateTable("sites")
        .set({ last_crawled_at: now(), next_crawl_at: next?.toISOString() ?? null })
        .where("id", "=", site)
        .execute();
    },

    find: (url) => queries.selectFrom("pages").select(COLUMNS).where("url_key", "=", urlKey(url)).executeTakeFirst(),

    async listUrls(site) {
      const rows = await queries
        .selectFrom("pages")
        .select("url")
        .where("site_id", "=", site)
        .where("state", "!=", "gone")
        .execute();
      return rows.map(({ url }) => url);
    },

    async saveFetched(site, page, validators) {
      const { content, ...metadata } = page;
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const header = Buffer.from(JSON.stringify(metadata));
      const packed = Buffer.concat([lengthOf(header), header, bytes]);
      const row = {
        site_id: site,
        url: page.url,
        state: "fetched" as const,
        reason: null,
        ...validators,
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

    async findContent(url) {
      const row = await queries
        .selectFrom("pages")
        .select("page")
        .where("url_key", "=", urlKey(url))
        .executeTakeFirst();
      if (!row?.page) return undefined;
      const packed = Buffer.from(Bun.zstdDecompressSync(row.page));
      const end = 4 + packed.readUInt32LE(0);
      const metadata = JSON.parse(packed.toString("utf8", 4, end)) as Omit<FetchedPage, "content">;
      const bytes = packed.subarray(end);
      return { ...metadata, content: metadata.kind === "html" ? bytes.toString("utf8") : new Uint8Array(bytes) };
    },

    async markStructured(url, result) {
      const changes =
        "refused" in result
          ? { state: "refused" as const, reason: result.refused }
          : { state: "structured" as const, reason: result.note ?? null, case_study_id: result.caseStudyId };
      await queries
        .updateTable("pages")
        .set({ ...changes, page: null })
        .where("url_key", "=", urlKey(url))
        .execute();
    },

    async markGone(url, reason) {
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

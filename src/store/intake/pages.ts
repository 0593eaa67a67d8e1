import type { Kysely, Selectable } from "kysely";
import type { FetchedPage } from "../../vocabulary/page.ts";
import { urlKey } from "../studies/url-key.ts";
import type { Tables } from "../tables.ts";
import type { PageRow, SiteRow } from "./tables.ts";

export type Site = Selectable<SiteRow>;
export type CrawledPage = Omit<Selectable<PageRow>, "page">;

export interface NewSite {
  readonly submission_id: string | null;
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly url: string;
}

/** What a crawl brought of a page, beside the page. */
export interface PageMarks {
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: string;
}

export type StructuredPageResult =
  /** `note`: what should be known of how it was read. */
  { readonly caseStudyId: string; readonly note?: string | null } | { readonly refused: string };

/** Listing pages that are crawled, and the case-study pages that were found there. */
export interface Pages {
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

export function pagesIn(queries: Kysely<Tables>, clock: () => Date): Pages {
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

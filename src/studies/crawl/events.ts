import type { FetchedPage } from "../../vocabulary/page.ts";
import type { EarlyEnd } from "./limits.ts";

/** What was kept of a page when it was read last. */
export interface KnownPage {
  readonly url: string;
  readonly etag: string | null;
  /** As the event told it. */
  readonly last_modified: string | null;
  readonly content_hash: string | null;
}

export type CrawlEvent =
  /** A list was read; `found` is how many addresses that look like case studies it named first. */
  | { readonly type: "listing"; readonly url: string; readonly title: string | null; readonly found: number }
  /** A case study. `etag` and `last_modified` are as the server wrote them, to be asked with again. */
  | {
      readonly type: "page";
      readonly page: FetchedPage;
      readonly etag: string | null;
      readonly last_modified: string | null;
      readonly content_hash: string;
      /** 0 to 1. */
      readonly confidence: number;
      readonly reasons: readonly string[];
    }
  /** A known page that has not changed. */
  | { readonly type: "unchanged"; readonly url: string }
  /** A known page that is not there any more: `code` is what its address answers, 200 for a page that says so itself. */
  | { readonly type: "gone"; readonly url: string; readonly code: number }
  | { readonly type: "skipped"; readonly url: string; readonly reason: string }
  /** What a reviewer should know. */
  | { readonly type: "note"; readonly text: string };

export interface CrawlSummary {
  /** After redirects. */
  readonly listing_url: string;
  readonly listing_title: string | null;
  /** Pages that were asked for. */
  readonly pages: number;
  readonly bytes: number;
  /** Addresses that look like case studies, read or not. */
  readonly found: number;
  /** Case studies that were read, changed or not. */
  readonly case_studies: number;
  readonly skipped: number;
  readonly ended: "complete" | EarlyEnd;
}

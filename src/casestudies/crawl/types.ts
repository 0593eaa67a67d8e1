import type { HttpFault } from "../../net/snapshot.ts";
import type { FetchedPage } from "../types.ts";

/** Limits of one crawl. */
export interface CrawlLimits {
  /** Pages requested; robots.txt, sitemaps and feeds do not count. */
  readonly maxPages: number;
  /** Bytes of all bodies, decompressed. */
  readonly maxBytes: number;
  /** Milliseconds between two requests to one host. */
  readonly perHostMs: number;
  /** Links followed in a row, starting from the listing. */
  readonly maxDepth: number;
  /** Milliseconds for the whole crawl. */
  readonly deadlineMs: number;
}

const MIB = 1_048_576;

export const CRAWL_LIMITS: CrawlLimits = {
  maxPages: 500,
  maxBytes: 512 * MIB,
  perHostMs: 1_000,
  maxDepth: 2,
  deadlineMs: 3_600_000,
};

/** What is stored of a page from an earlier crawl. */
export interface KnownPage {
  readonly url: string;
  readonly etag: string | null;
  /** As the server wrote it, or as an ISO 8601 instant. */
  readonly last_modified: string | null;
  readonly content_hash: string | null;
}

export type CrawlEvent =
  /** A list was read; `found` counts the probable case studies that it was the first to name. */
  | { readonly type: "listing"; readonly url: string; readonly title: string | null; readonly found: number }
  /** A case study. `etag` and `last_modified` are as the server wrote them, for the next conditional request. */
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
  /** A known page that no longer exists: `code` is the HTTP status, 200 for a page that says so in its text. */
  | { readonly type: "gone"; readonly url: string; readonly code: number }
  | { readonly type: "skipped"; readonly url: string; readonly reason: string }
  /** Information for a reviewer. */
  | { readonly type: "note"; readonly text: string };

/** Why an address could not be read: the network, or one of the reasons below. */
export type UnreadableCode =
  | HttpFault
  | "http"
  | "login"
  | "not_found"
  | "not_a_page"
  | "too_large"
  | "incomplete"
  | "redirect"
  | "not_an_address";

/** Shown to the operator and to the contact of a submission. */
export interface Unreadable {
  readonly code: UnreadableCode;
  /** A clause in words of this program: `the site answers 503`. */
  readonly reason: string;
}

/** Why a crawl ended before it was complete. */
export type EarlyEnd = "pages" | "bytes" | "time" | "robots" | "unreachable";

export interface CrawlSummary {
  /** After redirects. */
  readonly listing_url: string;
  readonly listing_title: string | null;
  /** Pages requested. */
  readonly pages: number;
  readonly bytes: number;
  /** Probable case studies, read or not. */
  readonly found: number;
  /** Case studies read, changed or not. */
  readonly case_studies: number;
  readonly skipped: number;
  readonly ended: "complete" | EarlyEnd;
  /** Why the list could not be read or the site stopped answering; null otherwise. */
  readonly unreadable: Unreadable | null;
}

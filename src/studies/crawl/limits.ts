/** How much of a stranger's site one crawl takes. */
export interface CrawlLimits {
  /** Pages that are read; robots.txt, sitemaps and feeds do not count. */
  readonly maxPages: number;
  /** Bytes of all bodies, unpacked. */
  readonly maxBytes: number;
  /** Milliseconds between two requests to one host. */
  readonly perHostMs: number;
  /** Links that are followed one after the other, from the listing on. */
  readonly maxDepth: number;
  /** Milliseconds for the whole. */
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

export const PAGE_BYTES = 3 * MIB;
export const PDF_BYTES = 8 * MIB;
/** Listing pages that are read, whatever the page budget. */
export const MAX_LISTINGS = 50;
/** Addresses that one crawl keeps in mind. */
export const MAX_CANDIDATES = 20_000;

/** Why a crawl came to its end before it was complete. */
export type EarlyEnd = "pages" | "bytes" | "time" | "robots" | "unreachable";

/** Ends a crawl gently: what was found by then counts. */
export class CrawlEnded extends Error {
  constructor(readonly ended: EarlyEnd) {
    super(`the crawl ended: ${ended}`);
  }
}

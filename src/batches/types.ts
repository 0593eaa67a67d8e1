import type { Page } from "../db/cursor.ts";
import type { Enrichment } from "../detection/types.ts";

export const BATCH_STATES = ["running", "paused", "cancelled", "done"] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** `duplicate` has the result of an earlier row with the same domain. */
export const ITEM_STATES = ["waiting", "done", "failed", "invalid", "duplicate", "cancelled"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** One row of a list. */
export interface ListEntry {
  /** The domain as given. */
  readonly input: string;
  /** The cells of the further columns. */
  readonly cells?: Readonly<Record<string, string>> | undefined;
  /** The column that `input` is from; absent in a list without columns. */
  readonly column?: string | undefined;
  /** Why the row cannot be read, in one sentence. */
  readonly fault?: string | undefined;
}

export interface BatchOptions {
  readonly name?: string | undefined;
  /** Maximum age of a stored result in seconds, Infinity for any age. The default is configured. */
  readonly maxAgeSeconds?: number | undefined;
  /** Ids of the scanners; by default all. */
  readonly only?: readonly string[] | undefined;
  /** Minimum confidence of the tools in the results, 0–1. The default is configured. */
  readonly minConfidence?: number | undefined;
  /** Id of the webhook that is notified at the end. */
  readonly webhook?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** How the caller names the column with the domains, for messages. */
  readonly columnOption?: string | undefined;
  /** Seconds until a domain is tried again while DNS does not answer for it; one entry for each further attempt. */
  readonly retrySeconds?: readonly number[] | undefined;
}

/** What is stored of the options, and the names of the further columns. */
export interface StoredOptions {
  /** Null for any age. */
  readonly max_age_seconds?: number | null;
  readonly only?: readonly string[];
  readonly min_confidence?: number;
  readonly retry_seconds: readonly number[];
  readonly columns: readonly string[];
}

export interface Progress {
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  /** By code of the failure. */
  readonly failed: Readonly<Record<string, number>>;
  readonly skipped: { readonly invalid: number; readonly duplicate: number; readonly cancelled: number };
}

/** A list of domains that is scanned in the background. */
export interface Batch {
  /** `batch_` and 20 characters. */
  readonly id: string;
  readonly name: string | null;
  readonly state: BatchState;
  /** Rows of the list. */
  readonly total: number;
  /** Distinct domains, which is what counts against the quota. */
  readonly domains: number;
  readonly columns: readonly string[];
  /** Null for all. */
  readonly sources: readonly string[] | null;
  readonly progress: Progress;
  /** ISO 8601 UTC; null when it is not running or nothing has finished yet. */
  readonly estimated_end: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface BatchPage extends Page {
  readonly batches: readonly Batch[];
}

/** One row of the results, in the order of the list. */
export interface BatchItem {
  readonly position: number;
  readonly input: string;
  readonly cells: Readonly<Record<string, string>>;
  /** Null for an invalid row. */
  readonly domain: string | null;
  /** That of the first row with the same domain, for a duplicate. */
  readonly state: Exclude<ItemState, "duplicate">;
  /** Why it failed; null while it waits for another attempt. */
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly result: Enrichment | null;
}

/** Whose batches: the email of an API key, or the operator of this machine, whose batches are not counted. */
export const OPERATOR = "";

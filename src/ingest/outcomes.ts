import type { Snapshot } from "../net/snapshot.ts";

/** Why a record adds nothing, although nothing is wrong with it. */
export const SKIPPED = {
  other_record: "records of other types, such as requests",
  not_text: "pictures and other binary content",
  not_ok: "responses without a page, such as errors",
  no_company: "records without a company's domain, such as IP addresses",
  no_address: "pages that do not state their address",
  no_data: "records without data that detection uses",
} as const;

/** Why a record could not be read. */
export const REFUSED = {
  cut: "cut off before its end",
  length: "a length that does not match the content",
  bomb: "decompresses to far more than its size",
  corrupt: "damaged or not of its format",
  too_large: "larger than the limit",
  line_too_long: "a line longer than the limit",
  too_deep: "archives inside archives",
  reader_stopped: "used too much time or memory; its reader was ended",
  empty: "it is empty",
  unrecognised: "of no known format",
  unreadable: "a file that cannot be read",
} as const;

export type SkipReason = keyof typeof SKIPPED;
export type RefusalReason = keyof typeof REFUSED;

/** What one record of a file contains: a part of a recording of one company, or why it has none. */
export type Outcome =
  | { readonly kind: "recording"; readonly snapshot: Snapshot }
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | { readonly kind: "refused"; readonly reason: RefusalReason };

export const skipped = (reason: SkipReason): Outcome => ({ kind: "skipped", reason });
export const refused = (reason: RefusalReason): Outcome => ({ kind: "refused", reason });

/** Outcomes of the records between two places of a file; reading can resume at `end`. */
export interface Step {
  readonly start: number;
  readonly end: number;
  readonly outcomes: readonly Outcome[];
}

/** The number of records by outcome. */
export interface Counts {
  /** Records that were read, whatever came of them. */
  records: number;
  /** Exchanges, DNS answers and certificates that were analysed. */
  pages: number;
  readonly skipped: Partial<Record<SkipReason, number>>;
  readonly refused: Partial<Record<RefusalReason, number>>;
}

export const noCounts = (): Counts => ({ records: 0, pages: 0, skipped: {}, refused: {} });

export function addCounts(sum: Counts, more: Counts): void {
  sum.records += more.records;
  sum.pages += more.pages;
  for (const [reason, count] of Object.entries(more.skipped) as [SkipReason, number][])
    sum.skipped[reason] = (sum.skipped[reason] ?? 0) + count;
  for (const [reason, count] of Object.entries(more.refused) as [RefusalReason, number][])
    sum.refused[reason] = (sum.refused[reason] ?? 0) + count;
}

export function countOutcome(counts: Counts, outcome: Outcome): void {
  counts.records += 1;
  if (outcome.kind === "recording") counts.pages += outcome.snapshot.http.length;
  else if (outcome.kind === "skipped") counts.skipped[outcome.reason] = (counts.skipped[outcome.reason] ?? 0) + 1;
  else counts.refused[outcome.reason] = (counts.refused[outcome.reason] ?? 0) + 1;
}

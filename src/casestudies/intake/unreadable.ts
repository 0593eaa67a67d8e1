import { PermanentError } from "../../jobs/runner.ts";
import type { CrawlSummary } from "../crawl/types.ts";

/** A site that could not be read, in one sentence that may be sent to the contact of a submission. */
export class UnreadableSite extends Error {}

/** Why a site could not be read. The network's own words for a refused address are for the operator only. */
export function unreadableText({ listing_url, unreadable }: Pick<CrawlSummary, "listing_url" | "unreadable">): string {
  if (unreadable === null) return `${listing_url} cannot be read.`;
  const reason = unreadable.code === "forbidden" ? "the address may not be requested" : unreadable.reason;
  return `${listing_url} cannot be read: ${reason}.`;
}

/** The reason that a contact gets for an error: only sentences of this program; the job keeps the error for the operator. */
export const contactReason = (error: unknown): string =>
  error instanceof UnreadableSite || error instanceof PermanentError
    ? error.message
    : "An internal error occurred; the operator has been informed.";

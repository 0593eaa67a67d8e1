import type { Batch } from "../api-types.ts";
import { formatDayOfYear, formatNumber, formatSpan, pluralise } from "../format.ts";

const REASONS: Readonly<Record<string, string>> = {
  "domain.invalid": "not a domain",
  "domain.not_found": "not in DNS",
  "domain.reserved": "reserved name",
  "dns.unavailable": "DNS did not answer",
  "scan.interrupted": "interrupted",
  "quota.exceeded": "over the quota",
};

/** `12 not in DNS, 3 DNS did not answer`. */
export const failures = ({ progress: { failed } }: Batch): string =>
  Object.entries(failed)
    .map(([code, count]) => `${formatNumber(count)} ${REASONS[code] ?? code}`)
    .join(", ");

export const failedCount = ({ progress: { failed } }: Batch): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** The share of the domains that were scanned or failed, 0–1. The cancelled ones count as not done. */
export function shareDone(batch: Batch): number {
  const { domains, progress } = batch;
  return domains === 0 ? 1 : (progress.done + failedCount(batch)) / domains;
}

/** The given name, or that of the uploaded file; for a pasted list `120 domains, 24 Nov`. */
export const listName = ({ name, domains, created_at }: Batch): string =>
  name ?? `${pluralise(domains, "domain")}, ${formatDayOfYear(created_at)}`;

export const STATE_WORDS: Readonly<Record<Batch["state"], string>> = {
  running: "Running",
  paused: "Paused",
  cancelled: "Cancelled",
  done: "Done",
};

/** `about 12 minutes left`. */
export function timeLeft({ estimated_end }: Batch, now = Date.now()): string {
  if (estimated_end === null) return "";
  return `about ${formatSpan(Math.max(1, (Date.parse(estimated_end) - now) / 1_000))} left`;
}

/** `2 rows are no domain, 3 repeated`. */
export function skippedText({ progress: { skipped } }: Batch): string {
  const parts = [
    skipped.invalid > 0 ? `${pluralise(skipped.invalid, "row is", "rows are")} not a domain` : "",
    skipped.duplicate > 0 ? `${formatNumber(skipped.duplicate)} repeated` : "",
    skipped.cancelled > 0 ? `${formatNumber(skipped.cancelled)} cancelled` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

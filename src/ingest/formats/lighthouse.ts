import { parseInstant } from "../../core/dates.ts";
import { field } from "../../core/json.ts";
import { plainText, snapshotOf } from "../../detection/captures/web.ts";
import { redactKeyed } from "../../detection/redaction.ts";
import { type Outcome, refused, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";

const MAX_REQUESTS = 5_000;

/** The Lighthouse report in a document: of Lighthouse itself, or of the PageSpeed API. */
export function lighthouseIn(document: unknown): object | undefined {
  const report = field(document, "lighthouseResult") ?? document;
  if (typeof report !== "object" || report === null || !("audits" in report)) return undefined;
  return "lighthouseVersion" in report || "requestedUrl" in report ? report : undefined;
}

/** Reads the requests that a Lighthouse report lists; it contains no page. */
export function readLighthouse(report: object, context: FormatContext): Outcome {
  const addresses = ["finalDisplayedUrl", "finalUrl", "mainDocumentUrl", "requestedUrl"].map((key) =>
    field(report, key),
  );
  const page = addresses.flatMap((address) => URL.parse(plainText(address)) ?? [])[0];
  const domain = page && context.companyOf(page.hostname);
  if (!page || domain === undefined) return skipped("no_company");
  const items = field(field(field(field(report, "audits"), "network-requests"), "details"), "items");
  if (!Array.isArray(items)) return refused("corrupt");
  const urls = [page.href, ...items.slice(0, MAX_REQUESTS).map((item) => plainText(field(item, "url")))];
  const requests = urls.flatMap((address) => {
    const url = URL.parse(address.slice(0, 8_192));
    return url && /^https?:$/.test(url.protocol) ? [redactKeyed(url.href).slice(0, 8_192)] : [];
  });
  const at = parseInstant(plainText(field(report, "fetchTime"))) ?? context.capturedAt;
  return {
    kind: "recording",
    snapshot: snapshotOf(domain, "lighthouse", at, {
      requests: [...new Set(requests)].map((url) => ({ url, cookies: [] })),
    }),
  };
}

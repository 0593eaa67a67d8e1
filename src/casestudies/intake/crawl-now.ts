import { siteOf } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import { quoted } from "../../core/text.ts";
import { assertNotOptedOut } from "../../net/opt-outs.ts";
import { POLICY_SETTINGS } from "../../net/policy.ts";
import { ProcessEnded } from "../../processes/one-at-a-time.ts";
import type { CrawlEvent, CrawlSummary } from "../crawl/types.ts";
import { parseHttpUrl } from "../fields.ts";
import type { CaseStudy, Provenance, Vendor } from "../types.ts";
import type { IntakeContext } from "./context.ts";
import { vendorOf } from "./read-file.ts";
import { saveStructuredPage, structurePage } from "./structure-page.ts";
import { refusalOf } from "./submissions.ts";
import { unreadableText } from "./unreadable.ts";
import { crawlSite } from "./worker.ts";

export interface ForegroundCrawl {
  /** Name of the company; by default derived from the site's domain. */
  readonly company?: string | undefined;
  /** Save nothing. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
}

/** A step of a foreground crawl; the last one is the summary. */
export type CrawlStep =
  | Exclude<CrawlEvent, { type: "page" }>
  | {
      readonly type: "study";
      readonly url: string;
      /** Result of the save; `dry` when nothing is saved. */
      readonly outcome: "added" | "updated" | "unchanged" | "duplicate" | "dry";
      readonly study: Omit<CaseStudy, "company" | "indexed_at">;
      readonly provenance: readonly Provenance[];
    }
  | ({ readonly type: "summary" } & CrawlSummary);

/** Does what the crawl and structure jobs do, one page after the other, in the foreground. */
export async function* crawlNow(
  context: IntakeContext,
  address: string,
  { company, dryRun = false, signal }: ForegroundCrawl,
): AsyncGenerator<CrawlStep> {
  const { pages, crawler, crawlLimits } = context;
  const url = parseHttpUrl(address.includes("://") ? address : `https://${address}`);
  if (url === null)
    throw new Failure(
      "submission.invalid",
      `${quoted(address)} is not the http or https address of a page, such as https://acme.com/customers.`,
    );
  const refusal = refusalOf(context, url);
  if (refusal !== null) {
    const remedy = context.client.policy.remedy(url);
    const advice = remedy === null ? "" : ` To allow it, change ${POLICY_SETTINGS[remedy]}.`;
    throw new Failure("submission.invalid", `${refusal}${advice}`);
  }
  await assertNotOptedOut(context.optOuts, new URL(url).hostname);
  const domain = siteOf(new URL(url).hostname);
  const known = await pages.findSiteByUrl(url);
  const named = vendorOf(url, company ?? known?.company_name);
  const vendor: Vendor = company ? named : { ...named, slug: known?.company_slug ?? named.slug };
  const site = dryRun
    ? { id: 0, url }
    : await pages.saveSite({
        submission_id: known?.submission_id ?? null,
        company_name: vendor.name,
        company_slug: vendor.slug,
        company_domain: domain,
        url,
      });

  const events = dryRun ? crawler.crawl({ url, limits: crawlLimits, signal }) : crawlSite(context, site, signal);
  let next = await events.next();
  for (; !next.done; next = await events.next()) {
    const event = next.value;
    if (event.type === "page") yield await structureNow(context, site.id, event, vendor, dryRun, signal);
    else {
      if (event.type === "gone" && !dryRun) await pages.markGone(event.url, `The server answers ${event.code}.`);
      yield event;
    }
  }
  const summary = next.value;
  if (summary.ended === "unreachable")
    throw new Failure("crawl.failed", `${unreadableText(summary)} Check the address, or try again later.`);
  if (summary.ended === "robots")
    throw new Failure("crawl.failed", `The robots.txt of ${domain} forbids crawling ${url}.`);
  yield { type: "summary", ...summary };
}

async function structureNow(
  context: IntakeContext,
  site: number,
  { page, etag, last_modified, content_hash }: Extract<CrawlEvent, { type: "page" }>,
  vendor: Vendor,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<CrawlStep> {
  const { pages, onChange } = context;
  if (!dryRun) await pages.saveFetched(site, page, { etag, last_modified, content_hash });
  const structured = await structurePage(context, page, vendor, signal).catch((error: unknown) => {
    if (error instanceof ProcessEnded) return { refused: error.message };
    throw error;
  });
  if ("refused" in structured) {
    if (!dryRun) await pages.markStructured(page.url, structured);
    return { type: "skipped", url: page.url, reason: structured.refused };
  }
  const outcome = dryRun ? "dry" : await saveStructuredPage(context, page.url, structured);
  if (!dryRun) onChange();
  const { company: _, passages: _passages, fingerprint: _fingerprint, body: _body, ...fields } = structured.study;
  return {
    type: "study",
    url: page.url,
    outcome,
    study: { ...fields, industry: fields.industry?.raw ?? null },
    provenance: structured.provenance,
  };
}

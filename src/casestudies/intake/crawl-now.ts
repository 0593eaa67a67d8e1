import { siteOf } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import { slugOf } from "../../core/text.ts";
import type { CrawlEvent, CrawlSummary } from "../crawl/types.ts";
import { parseHttpUrl } from "../fields.ts";
import type { CaseStudy, Provenance, Vendor } from "../types.ts";
import type { IntakeParts } from "./context.ts";
import { sentenceOf } from "./submissions.ts";
import { crawlSite, keepStudy, structurePage } from "./worker.ts";

export interface ForegroundCrawl {
  /** Whose case studies they are; by default what the site's domain says. */
  readonly company?: string | undefined;
  /** Keeps nothing. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
}

/** What `crawl` tells as it goes; the last step is the summary. */
export type CrawlStep =
  | Exclude<CrawlEvent, { type: "page" }>
  | {
      readonly type: "study";
      readonly url: string;
      /** What became of it; `dry` when nothing is kept. */
      readonly outcome: "added" | "updated" | "unchanged" | "duplicate" | "dry";
      readonly study: Omit<CaseStudy, "company" | "indexed_at">;
      readonly provenance: readonly Provenance[];
    }
  | ({ readonly type: "summary" } & CrawlSummary);

/** The same as the jobs do, one page after the other, in the foreground. */
export async function* crawlNow(
  parts: IntakeParts,
  address: string,
  { company, dryRun = false, signal }: ForegroundCrawl,
  refusal: (url: string) => string | null,
): AsyncGenerator<CrawlStep> {
  const url = parseHttpUrl(address.includes("://") ? address : `https://${address}`);
  const forbidden = url === null ? "Give the http or https address of a page." : refusal(url);
  if (url === null || forbidden !== null)
    throw new Failure("submission.invalid", sentenceOf(forbidden ?? "Give an address."));
  const domain = siteOf(new URL(url).hostname);
  const known = await parts.store.pages.siteOf(url);
  const name = company ?? known?.company_name ?? nameOf(domain);
  const vendor: Vendor = { name, slug: company ? slugOf(name) : (known?.company_slug ?? slugOf(name)), domain };
  const site = dryRun
    ? { id: 0, url }
    : await parts.store.pages.keepSite({
        submission_id: known?.submission_id ?? null,
        company_name: vendor.name,
        company_slug: vendor.slug,
        company_domain: domain,
        url,
      });

  const crawl = dryRun ? parts.crawler.crawl({ url, limits: parts.limits, signal }) : crawlSite(parts, site, signal);
  let next = await crawl.next();
  for (; !next.done; next = await crawl.next()) {
    const event = next.value;
    if (event.type !== "page") {
      if (event.type === "gone" && !dryRun) await parts.store.pages.gone(event.url, `It answers ${event.code}.`);
      yield event;
      continue;
    }
    yield* structured(parts, site.id, event, vendor, dryRun, signal);
  }
  const summary = next.value;
  if (summary.ended === "unreachable") throw new Failure("crawl.failed", `${url} does not answer; check the address.`);
  if (summary.ended === "robots")
    throw new Failure("crawl.failed", `The robots.txt of ${domain} forbids reading ${url}.`);
  yield { type: "summary", ...summary };
}

async function* structured(
  parts: IntakeParts,
  site: number,
  { page, etag, last_modified, content_hash }: Extract<CrawlEvent, { type: "page" }>,
  vendor: Vendor,
  dryRun: boolean,
  signal: AbortSignal,
): AsyncGenerator<CrawlStep> {
  const { pages } = parts.store;
  if (!dryRun) await pages.fetched(site, page, { etag, last_modified, content_hash });
  const read = await structurePage(parts, page, vendor, signal);
  if ("refused" in read) {
    if (!dryRun) await pages.structured(page.url, read);
    yield { type: "skipped", url: page.url, reason: read.refused };
    return;
  }
  const { study, provenance } = read;
  const outcome = dryRun ? "dry" : await keepStudy(parts, page.url, read);
  if (!dryRun) parts.changed();
  const { company: _, passages: _passages, fingerprint: _fingerprint, body: _body, ...told } = study;
  yield {
    type: "study",
    url: page.url,
    outcome,
    study: { ...told, industry: study.industry?.raw ?? null },
    provenance,
  };
}

/** `acme.co.uk` → `Acme`: the best that is known before a page was read. */
function nameOf(domain: string): string {
  const label = domain.split(".")[0] ?? domain;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

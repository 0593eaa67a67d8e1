import { GiveUp, type Handler } from "../../jobs/runner.ts";
import type { Site } from "../../store/intake/pages.ts";
import type { CrawlEvent, CrawlSummary } from "../crawl/crawler.ts";
import { fail } from "./fail.ts";
import { CRAWL, FINISH, type IntakeParts, STRUCTURE } from "./parts.ts";

const DAY_MS = 86_400_000;

/** Reads a site and keeps each page that is a case study, with the work of structuring it. */
export function crawlJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload, attempts, max_attempts }, signal) => {
    const site = await store.pages.findSite(Number(payload.site));
    if (!site) throw new GiveUp("The site is not known any more.");
    const submission = typeof payload.submission === "string" ? payload.submission : null;
    let summary: CrawlSummary;
    try {
      const crawl = crawlSite(parts, site, signal);
      let next = await crawl.next();
      for (; !next.done; next = await crawl.next()) await keep(parts, site, submission, next.value);
      summary = next.value;
      fruitful(summary);
    } catch (error) {
      const isLast = error instanceof GiveUp || attempts >= max_attempts;
      if (submission !== null && isLast && !signal.aborted) {
        await fail(parts, submission, ["crawling"], messageOf(error));
      }
      throw error;
    }
    await store.pages.crawled(site.id, nextCrawl(parts));
    if (submission !== null) {
      await store.submissions.change(submission, { found: summary.case_studies });
      await store.submissions.move(submission, ["crawling"], "structuring");
      await store.jobs.add({ kind: FINISH, subject: submission, payload: { submission } });
    }
    parts.wake();
    return undefined;
  };
}

/** Crawls with what is known of the site's pages, so that what did not change is not read again. */
export function crawlSite(
  { store, crawler, limits }: Pick<IntakeParts, "store" | "crawler" | "limits">,
  { id, url }: Pick<Site, "id" | "url">,
  signal: AbortSignal,
): AsyncGenerator<CrawlEvent, CrawlSummary> {
  return crawler.crawl({
    url,
    limits,
    known: async (address) => {
      const page = await store.pages.find(address);
      // What was not structured yet is asked for as if it were new.
      return page?.state === "structured" || page?.state === "refused" ? page : undefined;
    },
    knownUrls: () => store.pages.urlsOf(id),
    signal,
  });
}

/** Keeps what a crawl tells of. Doing it again changes nothing. */
async function keep(parts: IntakeParts, site: Site, submission: string | null, event: CrawlEvent): Promise<void> {
  const { pages, jobs } = parts.store;
  if (event.type === "gone") await pages.gone(event.url, `It answers ${event.code}.`);
  if (event.type !== "page") return;
  const { page, etag, last_modified, content_hash } = event;
  await pages.fetched(site.id, page, { etag, last_modified, content_hash });
  await jobs.add({ kind: STRUCTURE, subject: page.url, payload: { site: site.id, url: page.url, submission } });
  parts.wake();
}

/** @throws GiveUp, or Error when it is worth another attempt */
function fruitful({ ended, case_studies, listing_url }: CrawlSummary): void {
  if (ended === "unreachable") throw new Error(`${listing_url} does not answer.`);
  if (ended === "robots") throw new GiveUp("The site's robots.txt forbids reading this page.");
  if (case_studies === 0) throw new GiveUp("No case studies were found on this page.");
}

const nextCrawl = ({ recrawlDays, clock }: IntakeParts): Date | null =>
  recrawlDays === 0 ? null : new Date(clock().getTime() + recrawlDays * DAY_MS);

/** Lets sites whose day has come be crawled again. Answers how many. */
export async function queueDueCrawls({ store, wake }: Pick<IntakeParts, "store" | "wake">): Promise<number> {
  const due = await store.pages.sitesDue(100);
  for (const { id } of due) await store.jobs.add({ kind: CRAWL, subject: `site ${id}`, payload: { site: id } });
  if (due.length > 0) wake();
  return due.length;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

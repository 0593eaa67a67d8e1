import { type Handled, PermanentError } from "../../jobs/runner.ts";
import type { RunningJob } from "../../jobs/types.ts";
import type { JobFeature } from "../../jobs/worker.ts";
import type { Mailer } from "../../net/mailer.ts";
import { ProcessEnded } from "../../processes/one-at-a-time.ts";
import type { CrawlEvent, CrawlSummary } from "../crawl/types.ts";
import type { PageText } from "../types.ts";
import { CRAWL, EMAIL, FINISH, type IntakeContext, PREVIEW, STRUCTURE } from "./context.ts";
import { queueNotification, resumeEmails, sendEmail } from "./notifications.ts";
import type { Site } from "./repository.ts";
import { saveStructuredPage, structurePage } from "./structure-page.ts";
import { approve, crawlSubject, isContactOfSite, queueCrawl } from "./submissions.ts";
import type { Submission, SubmissionPreview, SubmissionState } from "./types.ts";
import { contactReason, UnreadableSite, unreadableText } from "./unreadable.ts";

const DAY_MS = 86_400_000;

/** The jobs of the intake. Without a mailer, emails wait. */
export const createIntakeJobs = (context: IntakeContext, mailer: Mailer | undefined): JobFeature => ({
  handlers: {
    [PREVIEW]: (job, signal) => previewSubmission(context, job, signal),
    [CRAWL]: (job, signal) => crawl(context, job, signal),
    [STRUCTURE]: (job, signal) => structure(context, job, signal),
    [FINISH]: (job) => finish(context, job),
    ...(mailer
      ? { [EMAIL]: (job: RunningJob, signal: AbortSignal) => sendEmail(context.emails, mailer, job, signal) }
      : {}),
  },
  async queueDue() {
    await resume(context);
    await queueDueCrawls(context);
  },
});

/** Ends a submission and notifies its contact of the reason. */
async function fail(
  context: Pick<IntakeContext, "submissions" | "emails" | "jobs" | "wakeWorker">,
  id: string,
  from: readonly SubmissionState[],
  reason: string,
): Promise<void> {
  if (!(await context.submissions.move(id, from, "failed", { reason }))) return;
  const failed = await context.submissions.find(id);
  if (failed) await queueNotification(context, failed, "failed");
  context.wakeWorker();
}

/** Limits of a preview, which reads a site before its approval. */
const PREVIEW_LIMITS = { maxPages: 12, maxBytes: 24 * 1_048_576, maxDepth: 1, deadlineMs: 90_000 };
const SAMPLES = 3;
/** The same page would end the next process too. */
const HOSTILE_PAGE = "A page could not be read within the limits of time and memory.";
const MAX_NOTES = 10;

/** Crawls a few pages of a submission for the review, and approves it if the policy allows. */
async function previewSubmission(
  context: IntakeContext,
  { payload, attempts, max_attempts }: RunningJob,
  signal: AbortSignal,
): Promise<Handled> {
  const { submissions } = context;
  const submission = await submissions.find(String(payload.submission));
  if (submission?.state !== "waiting") return undefined;
  try {
    await submissions.change(submission.id, { preview: await createPreview(context, submission, signal) });
  } catch (error) {
    if (error instanceof ProcessEnded) {
      await fail(context, submission.id, ["waiting"], HOSTILE_PAGE);
      throw new PermanentError(`${HOSTILE_PAGE} ${error.message}`);
    }
    if (attempts >= max_attempts && !signal.aborted) {
      await fail(context, submission.id, ["waiting"], contactReason(error));
    }
    throw error;
  }
  await submissions.move(submission.id, ["waiting"], "review");
  if (context.autoApprove && (await isContactOfSite(context, submission))) {
    await approve(context, submission.id, "policy");
  }
  return undefined;
}

async function createPreview(
  { crawler, crawlLimits, clock, extractor }: IntakeContext,
  submission: Submission,
  signal: AbortSignal,
): Promise<SubmissionPreview> {
  const samples: SubmissionPreview["samples"][number][] = [];
  const notes: string[] = [];
  let listed = 0;
  let seen = 0;
  const events = crawler.crawl({
    url: submission.case_study_url,
    limits: { ...PREVIEW_LIMITS, perHostMs: crawlLimits.perHostMs ?? 1_000 },
    signal,
  });
  let next = await events.next();
  for (; !next.done; next = await events.next()) {
    const event = next.value;
    if (event.type === "listing") listed += event.found;
    if (event.type === "note" && notes.length < MAX_NOTES) notes.push(event.text);
    if (event.type !== "page") continue;
    seen += 1;
    if (samples.length < SAMPLES) samples.push(sampleOf(await extractor.extract(event.page, signal)));
  }
  const { listing_url, listing_title, ended } = next.value;
  if (ended === "unreachable") throw new UnreadableSite(unreadableText(next.value));
  if (ended === "robots") notes.push("The site's robots.txt forbids crawling this page.");
  const found = Math.max(listed, seen);
  if (found === 0) notes.push("No case studies were found on this page.");
  return { listing_title, listing_url, found, samples, notes, looked_at: clock().toISOString() };
}

const sampleOf = ({ url, title, description, markdown }: PageText) => ({
  url,
  title,
  summary: description ?? (markdown.slice(0, 300).trim() || null),
});

/** Crawls a site, and queues the extraction of each page that is a case study. */
async function crawl(
  context: IntakeContext,
  { payload, attempts, max_attempts }: RunningJob,
  signal: AbortSignal,
): Promise<Handled> {
  const { pages, submissions, jobs } = context;
  const site = await pages.findSite(Number(payload.site));
  if (!site) throw new PermanentError("The site no longer exists.");
  const submission = typeof payload.submission === "string" ? payload.submission : null;
  let summary: CrawlSummary;
  try {
    const events = crawlSite(context, site, signal);
    let next = await events.next();
    for (; !next.done; next = await events.next()) await saveEvent(context, site, submission, next.value);
    summary = next.value;
    assertFoundStudies(summary);
  } catch (error) {
    const isLast = error instanceof PermanentError || attempts >= max_attempts;
    if (submission !== null && isLast && !signal.aborted) {
      await fail(context, submission, ["crawling"], contactReason(error));
    }
    throw error;
  }
  await pages.markCrawled(site.id, nextCrawl(context));
  if (submission !== null) {
    await submissions.change(submission, { found: summary.case_studies });
    await submissions.move(submission, ["crawling"], "structuring");
    await jobs.add({ kind: FINISH, subject: submission, payload: { submission } });
  }
  context.wakeWorker();
  return undefined;
}

/** Crawls a site with the validators of its stored pages, so that unchanged pages are not fetched again. */
export function crawlSite(
  { pages, crawler, crawlLimits }: Pick<IntakeContext, "pages" | "crawler" | "crawlLimits">,
  { id, url }: Pick<Site, "id" | "url">,
  signal: AbortSignal,
): AsyncGenerator<CrawlEvent, CrawlSummary> {
  return crawler.crawl({
    url,
    limits: crawlLimits,
    known: async (address) => {
      const page = await pages.find(address);
      // Pages that are not structured yet are fetched as if they were new.
      return page?.state === "structured" || page?.state === "refused" ? page : undefined;
    },
    knownUrls: () => pages.listUrls(id),
    signal,
  });
}

/** Saves the result of a crawl event. Idempotent. */
async function saveEvent(
  { pages, jobs, wakeWorker }: IntakeContext,
  site: Site,
  submission: string | null,
  event: CrawlEvent,
): Promise<void> {
  if (event.type === "gone") await pages.markGone(event.url, `The server answers ${event.code}.`);
  if (event.type !== "page") return;
  const { page, etag, last_modified, content_hash } = event;
  await pages.saveFetched(site.id, page, { etag, last_modified, content_hash });
  await jobs.add({ kind: STRUCTURE, subject: page.url, payload: { site: site.id, url: page.url, submission } });
  wakeWorker();
}

/** @throws PermanentError, or Error when another attempt may succeed */
function assertFoundStudies(summary: CrawlSummary): void {
  const { ended, case_studies } = summary;
  if (ended === "unreachable") throw new UnreadableSite(unreadableText(summary));
  if (ended === "robots") throw new PermanentError("The site's robots.txt forbids crawling this page.");
  if (case_studies === 0) throw new PermanentError("No case studies were found on this page.");
}

const nextCrawl = ({ recrawlDays, clock }: IntakeContext): Date | null =>
  recrawlDays === 0 ? null : new Date(clock().getTime() + recrawlDays * DAY_MS);

/** Extracts the case study of a fetched page. */
async function structure(context: IntakeContext, { payload }: RunningJob, signal: AbortSignal): Promise<Handled> {
  const { pages, onChange } = context;
  const url = String(payload.url);
  const page = await pages.findContent(url);
  const site = await pages.findSite(Number(payload.site));
  // An earlier attempt saved the result but ended before the job was marked as done.
  if (!page || !site) return undefined;
  const vendor = { name: site.company_name, slug: site.company_slug, domain: site.company_domain };
  const structured = await structurePage(context, page, vendor, signal).catch(async (error: unknown) => {
    if (!(error instanceof ProcessEnded)) throw error;
    await pages.markStructured(url, { refused: HOSTILE_PAGE });
    throw new PermanentError(`${HOSTILE_PAGE} ${error.message}`);
  });
  if ("refused" in structured) {
    await pages.markStructured(url, structured);
    return undefined;
  }
  await saveStructuredPage(context, url, structured);
  onChange();
  return undefined;
}

const AGAIN = { againInSeconds: 2 };

/** Waits until all pages of a submission are structured and indexed, then notifies the contact. */
async function finish(context: IntakeContext, { payload }: RunningJob): Promise<Handled> {
  const { submissions, jobs } = context;
  const id = String(payload.submission);
  if ((await jobs.openFor(STRUCTURE, id)) > 0) return AGAIN;
  await submissions.move(id, ["structuring"], "indexing");
  const submission = await submissions.find(id);
  if (submission?.state !== "indexing") return undefined;
  const { structured, indexed } = submission.counts;
  if (structured === 0) {
    await fail(context, id, ["indexing"], "None of the pages could be read as a case study.");
    return undefined;
  }
  if (indexed < structured) {
    context.onChange();
    return AGAIN;
  }
  if (await submissions.move(id, ["indexing"], "available")) {
    const available = await submissions.find(id);
    if (available) await queueNotification(context, available, "available");
    context.wakeWorker();
  }
  return undefined;
}

/** Queues the crawls of sites that are due. */
async function queueDueCrawls({ pages, jobs, wakeWorker }: IntakeContext): Promise<void> {
  const due = await pages.findDueSites(100);
  for (const { id } of due) await jobs.add({ kind: CRAWL, subject: crawlSubject(id), payload: { site: id } });
  if (due.length > 0) wakeWorker();
}

const UNDER_WAY: readonly SubmissionState[] = ["waiting", "crawling", "structuring", "indexing"];

/**
 * Queues the next job of each submission under way, in case a process ended between two steps, and fails submissions
 * whose job failed for good. Idempotent.
 */
async function resume(context: IntakeContext): Promise<void> {
  for (const state of UNDER_WAY) {
    let cursor: string | null | undefined;
    do {
      const page = await context.submissions.list({ state }, { limit: 100, cursor: cursor ?? undefined });
      for (const submission of page.submissions) await resumeSubmission(context, submission);
      cursor = page.next_cursor;
    } while (cursor);
  }
  await resumeEmails(context);
  context.wakeWorker();
}

async function resumeSubmission(context: IntakeContext, submission: Submission): Promise<void> {
  const { jobs, pages } = context;
  const { id, state } = submission;
  const [kind, subject] =
    state === "waiting"
      ? [PREVIEW, id]
      : state === "crawling"
        ? [CRAWL, crawlSubject((await pages.findSiteByUrl(submission.case_study_url))?.id)]
        : [FINISH, id];
  const newest = await jobs.newest(kind, subject);
  if (newest?.state === "waiting" || newest?.state === "running") return;
  // A failed job from before this submission belongs to an earlier one.
  if (newest?.state === "dead" && newest.updated_at >= submission.received_at) {
    await fail(context, id, [state], contactReason(undefined));
  } else if (state === "crawling") await queueCrawl(context, submission);
  else await jobs.add({ kind, subject, payload: { submission: id } });
}

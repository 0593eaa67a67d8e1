import { type Handler, PermanentError } from "../../jobs/runner.ts";
import type { Mailer } from "../../net/mailer.ts";
import type { CrawlEvent, CrawlSummary } from "../crawl/types.ts";
import { isProblems, parseRecord } from "../record.ts";
import type { SaveResult } from "../save.ts";
import type { FetchedPage, NewCaseStudy, PageText, Provenance, StructuredStudy, Vendor } from "../types.ts";
import { CRAWL, FINISH, type IntakeParts, MAIL, PREVIEW, STRUCTURE } from "./context.ts";
import type { EmailRepository } from "./emails.ts";
import type { Site } from "./repository.ts";
import { approve, queueNotification, startCrawl } from "./submissions.ts";
import type { Submission, SubmissionPreview, SubmissionState } from "./types.ts";

/** Ends a submission whose work was given up, and tells its contact why. */
async function fail(
  { store, wake }: Pick<IntakeParts, "store" | "wake">,
  submission: string,
  from: readonly SubmissionState[],
  reason: string,
): Promise<void> {
  if (!(await store.submissions.move(submission, from, "failed", { reason }))) return;
  const failed = await store.submissions.find(submission);
  if (failed) await queueNotification(store, failed, "failed");
  wake();
}

interface StructuredPage {
  readonly study: NewCaseStudy;
  /** The record that the study was read from. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly provenance: readonly Provenance[];
  /** Why another engine answered than the one that was asked for; null when it did not. */
  readonly fallback: string | null;
}

/** Fewer words than this are a menu or an error message, not a story. */
const LEAST_WORDS = 40;

/** Page in, case study out; nothing is kept. */
export async function structurePage(
  { extract, engine, tools }: Pick<IntakeParts, "extract" | "engine" | "tools">,
  page: FetchedPage,
  vendor: Vendor,
  signal?: AbortSignal,
): Promise<StructuredPage | { readonly refused: string }> {
  const text = await extract(page);
  if (wordsIn(text.markdown) < LEAST_WORDS) return { refused: "The page holds no story that can be read." };
  const structured = await engine.structure(text, vendor, signal);
  const raw = rawOf(text, vendor, structured);
  const study = parseRecord(raw, { ...tools, defaultOrigin: "submitted" });
  if (isProblems(study)) return { refused: study.map(({ detail }) => detail).join(" ") };
  return { study, raw, provenance: structured.provenance, fallback: structured.fallback };
}

const rawOf = (text: PageText, vendor: Vendor, { fields }: StructuredStudy) => ({
  ...fields,
  url: text.canonical ?? text.url,
  company: vendor,
  body: text.markdown,
});

/** Languages without spaces count each character. */
const wordsIn = (text: string): number =>
  text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Enough to see what a page is, and little enough to ask of a site that nobody approved yet. */
const LOOK = { maxPages: 12, maxBytes: 24 * 1_048_576, maxDepth: 1, deadlineMs: 90_000 };
const SAMPLES = 3;
const MAX_NOTES = 10;

/** Looks at a submitted page and shows the reviewer what is there. */
export function previewJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload, attempts, max_attempts }, signal) => {
    const submission = await store.submissions.find(String(payload.submission));
    if (submission?.state !== "waiting") return undefined;
    try {
      await store.submissions.change(submission.id, { preview: await look(parts, submission, signal) });
    } catch (error) {
      if (attempts >= max_attempts && !signal.aborted) {
        await fail(parts, submission.id, ["waiting"], "The page does not answer.");
      }
      throw error;
    }
    await store.submissions.move(submission.id, ["waiting"], "review");
    if (await parts.approves(submission)) await approve(parts, submission.id, "policy");
    return undefined;
  };
}

async function look(parts: IntakeParts, submission: Submission, signal: AbortSignal): Promise<SubmissionPreview> {
  const samples: SubmissionPreview["samples"][number][] = [];
  const notes: string[] = [];
  let listed = 0;
  let seen = 0;
  const crawl = parts.crawler.crawl({
    url: submission.case_study_url,
    limits: { ...LOOK, perHostMs: parts.limits.perHostMs ?? 1_000 },
    signal,
  });
  let next = await crawl.next();
  for (; !next.done; next = await crawl.next()) {
    const event = next.value;
    if (event.type === "listing") listed += event.found;
    if (event.type === "note" && notes.length < MAX_NOTES) notes.push(event.text);
    if (event.type !== "page") continue;
    seen += 1;
    if (samples.length < SAMPLES) samples.push(sampleOf(await parts.extract(event.page)));
  }
  const { listing_url, listing_title, ended } = next.value;
  if (ended === "unreachable") throw new Error("The page does not answer.");
  if (ended === "robots") notes.push("The site's robots.txt forbids reading this page.");
  const found = Math.max(listed, seen);
  if (found === 0) notes.push("No case studies were found on this page.");
  return { listing_title, listing_url, found, samples, notes, looked_at: parts.clock().toISOString() };
}

const sampleOf = ({ url, title, description, markdown }: PageText) => ({
  url,
  title,
  summary: description ?? (markdown.slice(0, 300).trim() || null),
});

const DAY_MS = 86_400_000;

/** Reads a site and keeps each page that is a case study, with the work of structuring it. */
export function crawlJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload, attempts, max_attempts }, signal) => {
    const site = await store.pages.findSite(Number(payload.site));
    if (!site) throw new PermanentError("The site is not known any more.");
    const submission = typeof payload.submission === "string" ? payload.submission : null;
    let summary: CrawlSummary;
    try {
      const crawl = crawlSite(parts, site, signal);
      let next = await crawl.next();
      for (; !next.done; next = await crawl.next()) await keep(parts, site, submission, next.value);
      summary = next.value;
      fruitful(summary);
    } catch (error) {
      const isLast = error instanceof PermanentError || attempts >= max_attempts;
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
  if (ended === "robots") throw new PermanentError("The site's robots.txt forbids reading this page.");
  if (case_studies === 0) throw new PermanentError("No case studies were found on this page.");
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

/** Makes a fetched page a case study. */
export function structureJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload }, signal) => {
    const url = String(payload.url);
    const page = await store.pages.content(url);
    const site = await store.pages.findSite(Number(payload.site));
    // Done before, by an attempt whose end was not noted.
    if (!page || !site) return undefined;
    const vendor: Vendor = { name: site.company_name, slug: site.company_slug, domain: site.company_domain };
    const structured = await structurePage(parts, page, vendor, signal);
    if ("refused" in structured) {
      await store.pages.structured(url, structured);
      return undefined;
    }
    await keepStudy(parts, url, structured);
    parts.changed();
    return undefined;
  };
}

/** Keeps what was read of a page; what an operator corrected holds over it. Answers what became of it. */
export async function keepStudy(
  parts: Pick<IntakeParts, "store" | "tools">,
  url: string,
  structured: StructuredPage,
): Promise<SaveResult["outcome"]> {
  const { store, tools } = parts;
  const { study, raw, provenance, fallback } = structured;
  const knownId = (await store.pages.find(url))?.case_study_id ?? null;
  const known = knownId === null ? undefined : await store.caseStudies.detail(knownId);
  const corrections = knownId === null ? {} : await store.corrections.of(knownId);
  const corrected = parseRecord({ ...raw, ...corrections }, { ...tools, defaultOrigin: "submitted" });
  const [saved] = await store.caseStudies.save([isProblems(corrected) ? study : corrected], {
    keepVersions: true,
    ...(known ? { over: { id: known.study.id, revision: known.revision } } : {}),
  });
  // It was corrected meanwhile.
  if (!saved) return await keepStudy(parts, url, structured);
  if (saved.outcome === "duplicate") {
    await store.pages.structured(url, { refused: `It repeats the case study ${saved.of}.` });
    return saved.outcome;
  }
  await store.corrections.keepProvenance(saved.id, provenance);
  await store.pages.structured(url, { caseStudyId: saved.id, note: fallback });
  return saved.outcome;
}

const SOON = { againInSeconds: 2 };

/** Waits until every page of a submission was structured and can be found, and says so. */
export function finishJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload }) => {
    const id = String(payload.submission);
    if ((await store.jobs.openFor(STRUCTURE, id)) > 0) return SOON;
    await store.submissions.move(id, ["structuring"], "indexing");
    const submission = await store.submissions.find(id);
    if (submission?.state !== "indexing") return undefined;
    const { structured, indexed } = submission.counts;
    if (structured > 0 && indexed < structured) {
      parts.changed();
      return SOON;
    }
    if (structured === 0) await fail(parts, id, ["indexing"], "None of the pages could be read as a case study.");
    else if (await store.submissions.move(id, ["indexing"], "available")) {
      const ended = await store.submissions.find(id);
      if (ended) await queueNotification(store, ended, "available");
      parts.wake();
    }
    return undefined;
  };
}

/**
 * Hands a mail to the server, at most once: one whose hand-over was cut short stays `unclear`, for the operator to see.
 */
export function mailJob(mails: EmailRepository, mailer: Mailer): Handler {
  return async ({ payload, attempts, max_attempts }, signal) => {
    const mail = await mails.begin(Number(payload.mail));
    if (!mail) return undefined;
    const result = await mailer.send(
      { id: `${mail.submission_id}.${mail.id}`, to: mail.recipient, subject: mail.subject, text: mail.body },
      signal,
    );
    if (result.status === "sent") {
      await mails.sent(mail.id);
      return undefined;
    }
    const final = result.status === "refused" || attempts >= max_attempts;
    // Whether the server took it is not known: it stays as it is, and becomes `unclear` when it is looked at again.
    if (result.status !== "unclear") await mails.refused(mail.id, result.reason, final);
    else await mails.begin(mail.id);
    if (result.status === "unclear") return undefined;
    throw final ? new PermanentError(result.reason) : new Error(result.reason);
  };
}

const UNDER_WAY: readonly SubmissionState[] = ["waiting", "crawling", "structuring", "indexing"];

/**
 * Gives every submission that is under way its work again, where a process ended between noting a step and noting the
 * work of the next one; fails those whose work was given up, and says so. Doing it again changes nothing.
 */
export async function resume(parts: IntakeParts): Promise<void> {
  const { submissions, jobs, mails } = parts.store;
  for (const state of UNDER_WAY) {
    let cursor: string | null | undefined;
    do {
      const page = await submissions.list({ state }, { limit: 100, ...(cursor ? { cursor } : {}) });
      for (const submission of page.submissions) await resumeOne(parts, submission);
      cursor = page.next_cursor;
    } while (cursor);
  }
  for (const mail of await mails.waiting()) {
    const newest = await jobs.newest(MAIL, String(mail));
    if (!newest) await jobs.add({ kind: MAIL, subject: String(mail), payload: { mail }, maxAttempts: 12 });
  }
  parts.wake();
}

async function resumeOne(parts: IntakeParts, submission: Submission): Promise<void> {
  const { jobs, pages } = parts.store;
  const { id, state } = submission;
  const site = await pages.siteOf(submission.case_study_url);
  const [kind, subject] =
    state === "waiting" ? [PREVIEW, id] : state === "crawling" ? [CRAWL, `site ${site?.id}`] : [FINISH, id];
  const newest = await jobs.newest(kind, subject);
  if (newest?.state === "waiting" || newest?.state === "running") return;
  // Work that was given up before this submission came has nothing to do with it.
  if (newest?.state === "dead" && newest.updated_at >= submission.received_at) {
    await fail(parts, id, [state], newest.last_error ?? "The work was given up.");
  } else if (state === "crawling") await startCrawl(parts, submission);
  else await jobs.add({ kind, subject, payload: { submission: id } });
}

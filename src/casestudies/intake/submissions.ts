import { parseDomain, siteOf } from "../../core/domain.ts";
import { Failure, type Problem } from "../../core/errors.ts";
import { quoted, slugOf } from "../../core/text.ts";
import { assertNotOptedOut } from "../../net/opt-outs.ts";
import { cleanText, parseHost, parseHttpUrl } from "../fields.ts";
import { CRAWL, type IntakeContext, PREVIEW } from "./context.ts";
import { queueNotification } from "./notifications.ts";
import type { Submission, SubmissionState } from "./types.ts";

export interface SubmissionRequest {
  readonly company_name: string;
  readonly case_study_url: string;
  /** Normalised. */
  readonly contact_email: string;
}

const MAX_NAME = 200;

/**
 * Saves a submission and queues the preview of its page. While a submission of the same address is pending, returns
 * that one.
 *
 * @throws Failure `submission.invalid`, `domain.opted_out`
 */
export async function submit(context: IntakeContext, request: SubmissionRequest): Promise<Submission> {
  const problems: Problem[] = [];
  const name = cleanText(request.company_name, MAX_NAME);
  if (name === null) problems.push({ pointer: "/company_name", detail: "Give the name of the company." });
  const url = parseHttpUrl(request.case_study_url.trim());
  const refusal = url === null ? null : refusalOf(context, url);
  if (url === null || refusal !== null) {
    problems.push({
      pointer: "/case_study_url",
      detail: refusal ?? "Give the http or https address of a public page, without a user or password in it.",
    });
  }
  if (name === null || url === null || problems.length > 0) {
    throw new Failure("submission.invalid", "Correct the listed fields and submit again.", { problems });
  }
  await assertNotOptedOut(context.optOuts, new URL(url).hostname);
  const { submission, isNew } = await context.submissions.add({
    company_name: name,
    company_slug: slugOf(name),
    company_domain: domainOf(url),
    case_study_url: url,
    contact_email: request.contact_email,
  });
  if (isNew) await queueNotification(context, submission, "received");
  // Also for an existing submission: a process may have ended before it queued the job.
  if (submission.state === "waiting") await queuePreview(context, submission.id);
  return submission;
}

/** Why the network policy forbids an address, as a sentence; null when it is allowed. */
export function refusalOf({ client }: Pick<IntakeContext, "client">, url: string): string | null {
  const reason = client.policy.refusal(url);
  return reason && `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith(".") ? "" : "."}`;
}

/** The company's domain according to its page's address; null for an IP address. */
function domainOf(url: string): string | null {
  const host = new URL(url).hostname;
  try {
    return parseDomain(host).name;
  } catch {
    return parseHost(siteOf(host));
  }
}

type Context = Pick<IntakeContext, "submissions" | "pages" | "jobs" | "emails" | "wakeWorker">;

/** @throws Failure `submission.not_found` */
export async function getSubmission(
  { submissions }: Pick<IntakeContext, "submissions">,
  id: string,
): Promise<Submission> {
  const submission = await submissions.find(id);
  if (submission) return submission;
  throw new Failure("submission.not_found", `No submission has the id ${quoted(id)}; list the submissions to find it.`);
}

/** @throws Failure `submission.not_found`, `submission.conflict` */
async function move(
  context: Context,
  id: string,
  from: readonly SubmissionState[],
  to: SubmissionState,
  change: { reason?: string; approved_by?: "operator" | "policy" } = {},
): Promise<Submission> {
  if (!(await context.submissions.move(id, from, to, change))) {
    const { state } = await getSubmission(context, id);
    throw new Failure(
      "submission.conflict",
      `The submission is ${state}; this action requires the state ${from.join(" or ")}.`,
    );
  }
  return await getSubmission(context, id);
}

/**
 * Approves a submission and queues its crawl.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function approve(context: Context, id: string, by: "operator" | "policy"): Promise<Submission> {
  const submission = await move(context, id, ["waiting", "review"], "crawling", { approved_by: by });
  await queueNotification(context, submission, "approved");
  await queueCrawl(context, submission);
  return submission;
}

/**
 * The contact's email address belongs to the domain of the page, and that domain receives email: such a submission
 * can be approved without a review.
 */
export async function isContactOfSite(
  { client }: Pick<IntakeContext, "client">,
  { contact_email, case_study_url }: Pick<Submission, "contact_email" | "case_study_url">,
): Promise<boolean> {
  const domain = contact_email.slice(contact_email.lastIndexOf("@") + 1);
  if (siteOf(domain) !== siteOf(new URL(case_study_url).hostname)) return false;
  const { status, records } = await client.dns(domain, "MX", AbortSignal.timeout(10_000));
  return status === "ok" && records.some(({ type, value }) => type === "MX" && value !== "" && value !== ".");
}

/**
 * @param reason sent to the contact
 * @throws Failure `submission.not_found`, `submission.conflict`, `submission.invalid` without a reason
 */
export async function reject(context: Context, id: string, reason: string): Promise<Submission> {
  const text = cleanText(reason, 1_000);
  if (text === null) {
    const problems = [{ pointer: "/reason", detail: "Give a reason; it is sent to the contact." }];
    throw new Failure("submission.invalid", "Give a reason; it is sent to the contact.", { problems });
  }
  const submission = await move(context, id, ["waiting", "review"], "rejected", { reason: text });
  await queueNotification(context, submission, "rejected");
  context.wakeWorker();
  return submission;
}

/**
 * Restarts an ended submission: with the crawl if it was approved, otherwise with the preview.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function retry(context: Context, id: string): Promise<Submission> {
  const { approved_by, case_study_url, state } = await getSubmission(context, id);
  // An address has at most one pending submission.
  if (state !== "available") {
    const pending = (await context.submissions.pendingOf(case_study_url)) ?? id;
    if (pending !== id) throw new Failure("submission.conflict", `The page was submitted again as ${pending}.`);
  }
  const ended: SubmissionState[] = ["failed", "rejected", "available"];
  const submission = await move(context, id, ended, approved_by === null ? "waiting" : "crawling");
  if (approved_by === null) await queuePreview(context, id);
  else await queueCrawl(context, submission);
  return submission;
}

export interface SubmissionEdit {
  readonly company_name?: string | undefined;
  readonly company_slug?: string | undefined;
  readonly company_domain?: string | null | undefined;
}

/**
 * Changes the company of a submission before it is crawled.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function edit(
  context: Pick<IntakeContext, "submissions">,
  id: string,
  change: SubmissionEdit,
): Promise<Submission> {
  const { state } = await getSubmission(context, id);
  if (state !== "waiting" && state !== "review") {
    throw new Failure("submission.conflict", `The submission is ${state}; edit the company instead.`);
  }
  await context.submissions.change(id, change);
  return await getSubmission(context, id);
}

export async function queuePreview({ jobs, wakeWorker }: Pick<IntakeContext, "jobs" | "wakeWorker">, id: string) {
  await jobs.add({ kind: PREVIEW, subject: id, payload: { submission: id } });
  wakeWorker();
}

/** Saves the site of a submission and queues its crawl. */
export async function queueCrawl(
  { pages, jobs, wakeWorker }: Pick<IntakeContext, "pages" | "jobs" | "wakeWorker">,
  submission: Submission,
): Promise<void> {
  const site = await pages.saveSite({
    submission_id: submission.id,
    company_name: submission.company_name,
    company_slug: submission.company_slug,
    company_domain: submission.company_domain,
    url: submission.case_study_url,
  });
  const payload = { site: site.id, submission: submission.id };
  await jobs.add({ kind: CRAWL, subject: crawlSubject(site.id), payload });
  wakeWorker();
}

/** The subject of crawl jobs: one crawl per site at a time. */
export const crawlSubject = (site: number | undefined) => `site ${site}`;

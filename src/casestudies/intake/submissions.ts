import { parseDomain, siteOf } from "../../core/domain.ts";
import { Failure, type Problem } from "../../core/errors.ts";
import { slugOf } from "../../core/text.ts";
import { cleanText, parseHost, parseHttpUrl } from "../fields.ts";
import { CRAWL, type IntakeParts, type IntakeStore, MAIL, PREVIEW } from "./context.ts";
import type { Submission, SubmissionState } from "./types.ts";

/** What a contact is told, once each. */
type Notice = "received" | "approved" | "rejected" | "available" | "failed";

/** Notes a mail for the contact and the work of sending it; without a mail server both wait. */
export async function queueNotification(
  store: Pick<IntakeStore, "mails" | "jobs">,
  submission: Submission,
  notice: Notice,
): Promise<void> {
  const { subject, body } = NOTICES[notice](submission);
  const id = await store.mails.add({
    submission_id: submission.id,
    // A submission that was retried may be rejected or fail again: that is news.
    event: notice === "rejected" || notice === "failed" ? `${notice} ${submission.updated_at}` : notice,
    recipient: submission.contact_email,
    subject,
    body: `Hello,\n\n${body}\n\nReference: ${submission.id}\nPage: ${submission.case_study_url}\n`,
  });
  if (id !== undefined)
    await store.jobs.add({ kind: MAIL, subject: String(id), payload: { mail: id }, maxAttempts: 12 });
}

const NOTICES: Readonly<Record<Notice, (submission: Submission) => { subject: string; body: string }>> = {
  received: ({ company_name }) => ({
    subject: `We received the case studies of ${company_name}`,
    body: "thank you for submitting your case-study page. It will be reviewed before anything is indexed.",
  }),
  approved: ({ company_name }) => ({
    subject: `The case studies of ${company_name} were approved`,
    body: "your case-study page was approved and is being read now.",
  }),
  rejected: ({ company_name, reason }) => ({
    subject: `The case studies of ${company_name} were not accepted`,
    body: `your case-study page was reviewed and not accepted. The reason given: ${reason ?? "none"}`,
  }),
  available: ({ company_name, counts }) => ({
    subject: `The case studies of ${company_name} can be found`,
    body: `your page was read: ${counts.indexed} case ${counts.indexed === 1 ? "study" : "studies"} can be searched now.`,
  }),
  failed: ({ company_name, reason }) => ({
    subject: `The case studies of ${company_name} could not be read`,
    body: `your page could not be read: ${reason ?? "the reason is not known"} You are welcome to submit it again.`,
  }),
};

export interface SubmissionRequest {
  readonly company_name: string;
  readonly case_study_url: string;
  /** Folded before. */
  readonly contact_email: string;
}

const MAX_NAME = 200;

/**
 * Keeps a submission and lets its page be looked at. The same address again, while it is pending, is the same submission.
 *
 * @param refusal why the network policy forbids an address; null when it does not
 * @throws Failure `submission.invalid`
 */
export async function submit(
  parts: Pick<IntakeParts, "store" | "wake">,
  request: SubmissionRequest,
  refusal: (url: string) => string | null,
): Promise<Submission> {
  const problems: Problem[] = [];
  const name = cleanText(request.company_name, MAX_NAME);
  if (name === null) problems.push({ pointer: "/company_name", detail: "Give the name of the company." });
  const url = parseHttpUrl(request.case_study_url.trim());
  const forbidden = url === null ? null : refusal(url);
  if (url === null || forbidden !== null) {
    problems.push({
      pointer: "/case_study_url",
      detail: forbidden
        ? sentenceOf(forbidden)
        : "Give the http or https address of a public page, without a user or password in it.",
    });
  }
  if (name === null || url === null || problems.length > 0) {
    throw new Failure("submission.invalid", "Correct what is listed and submit again.", { problems });
  }
  const { submission, isNew } = await parts.store.submissions.add({
    company_name: name,
    company_slug: slugOf(name),
    company_domain: domainOf(url),
    case_study_url: url,
    contact_email: request.contact_email,
  });
  if (isNew) await queueNotification(parts.store, submission, "received");
  // Also when it is not new: a process may have ended between keeping it and this.
  if (submission.state === "waiting") {
    await parts.store.jobs.add({ kind: PREVIEW, subject: submission.id, payload: { submission: submission.id } });
    parts.wake();
  }
  return submission;
}

/** A reason of the network's policy, as a person reads it. */
export const sentenceOf = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith(".") ? "" : "."}`;

/** The company's domain as far as its page's address tells it; null for an IP address. */
function domainOf(url: string): string | null {
  const host = new URL(url).hostname;
  try {
    return parseDomain(host).name;
  } catch {
    return parseHost(siteOf(host));
  }
}

type Parts = Pick<IntakeParts, "store" | "wake">;

/** @throws Failure `submission.not_found` */
export async function getSubmission({ store }: Pick<Parts, "store">, id: string): Promise<Submission> {
  const submission = await store.submissions.find(id);
  if (submission) return submission;
  throw new Failure("submission.not_found", "No submission has this id; list the submissions to find it.");
}

/** @throws Failure `submission.not_found`, `submission.conflict` */
async function moved(
  parts: Parts,
  id: string,
  from: readonly SubmissionState[],
  to: SubmissionState,
  change: { reason?: string; approved_by?: "operator" | "policy" } = {},
): Promise<Submission> {
  if (!(await parts.store.submissions.move(id, from, to, change))) {
    const { state } = await getSubmission(parts, id);
    throw new Failure(
      "submission.conflict",
      `The submission is ${state}; this can be done while it is ${from.join(" or ")}.`,
    );
  }
  return await getSubmission(parts, id);
}

/**
 * Lets the page be crawled.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function approve(parts: Parts, id: string, by: "operator" | "policy"): Promise<Submission> {
  const submission = await moved(parts, id, ["waiting", "review"], "crawling", { approved_by: by });
  await queueNotification(parts.store, submission, "approved");
  await startCrawl(parts, submission);
  return submission;
}

/**
 * @param reason told to the contact
 * @throws Failure `submission.not_found`, `submission.conflict`, `submission.invalid` without a reason
 */
export async function reject(parts: Parts, id: string, reason: string): Promise<Submission> {
  const told = cleanText(reason, 1_000);
  if (told === null) {
    const problems = [{ pointer: "/reason", detail: "Say why; the contact is told." }];
    throw new Failure("submission.invalid", "Give a reason; the contact is told.", { problems });
  }
  const submission = await moved(parts, id, ["waiting", "review"], "rejected", { reason: told });
  await queueNotification(parts.store, submission, "rejected");
  parts.wake();
  return submission;
}

/**
 * Takes a submission that failed or was rejected, or whose work came to nothing, up again from where it stood.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function retry(parts: Parts, id: string): Promise<Submission> {
  const { approved_by, case_study_url, state } = await getSubmission(parts, id);
  // Open again it would be the second one of its address.
  if (state !== "available") {
    const other = (await parts.store.submissions.pendingOf(case_study_url)) ?? id;
    if (other !== id) throw new Failure("submission.conflict", `The same page is submitted anew as ${other}.`);
  }
  const ended: SubmissionState[] = ["failed", "rejected", "available"];
  const submission = await moved(parts, id, ended, approved_by === null ? "waiting" : "crawling");
  if (approved_by !== null) await startCrawl(parts, submission);
  else {
    await parts.store.jobs.add({ kind: PREVIEW, subject: id, payload: { submission: id } });
    parts.wake();
  }
  return submission;
}

export interface SubmissionEdit {
  readonly company_name?: string;
  readonly company_slug?: string;
  readonly company_domain?: string | null;
}

/**
 * Corrects what will be known of the company, before its case studies are there.
 *
 * @throws Failure `submission.not_found`, `submission.conflict`
 */
export async function edit(parts: Parts, id: string, change: SubmissionEdit): Promise<Submission> {
  const { state } = await getSubmission(parts, id);
  if (state !== "waiting" && state !== "review") {
    throw new Failure("submission.conflict", `The submission is ${state}; edit the company itself instead.`);
  }
  await parts.store.submissions.change(id, change);
  return await getSubmission(parts, id);
}

/** Notes the site and the work of crawling it. */
export async function startCrawl({ store, wake }: Parts, submission: Submission): Promise<void> {
  const site = await store.pages.keepSite({
    submission_id: submission.id,
    company_name: submission.company_name,
    company_slug: submission.company_slug,
    company_domain: submission.company_domain,
    url: submission.case_study_url,
  });
  const payload = { site: site.id, submission: submission.id };
  await store.jobs.add({ kind: CRAWL, subject: `site ${site.id}`, payload });
  wake();
}

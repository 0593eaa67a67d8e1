import { Failure } from "../../vocabulary/failure.ts";
import type { Submission, SubmissionState } from "../../vocabulary/submission.ts";
import { cleanText } from "../raw-fields.ts";
import { tell } from "./notices.ts";
import { CRAWL, type IntakeParts, PREVIEW } from "./parts.ts";

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
  await tell(parts.store, submission, "approved");
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
  await tell(parts.store, submission, "rejected");
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

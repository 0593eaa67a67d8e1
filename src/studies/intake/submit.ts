import { parseDomain, siteOf } from "../../vocabulary/domain.ts";
import { Failure, type Problem } from "../../vocabulary/failure.ts";
import type { Submission } from "../../vocabulary/submission.ts";
import { readAddress, readHost } from "../field-values.ts";
import { cleanText } from "../raw-fields.ts";
import { slugOf } from "../slug.ts";
import { tell } from "./notices.ts";
import { type IntakeParts, PREVIEW } from "./parts.ts";

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
  const url = readAddress(request.case_study_url.trim());
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
  if (isNew) await tell(parts.store, submission, "received");
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
    return readHost(siteOf(host));
  }
}

import type { ReviewedStudy } from "../repository.ts";
import type { Email, EmailPage } from "./emails.ts";
import type { StudyDetail } from "./service.ts";
import type { Submission, SubmissionState } from "./types.ts";

const PENDING: Readonly<Partial<Record<SubmissionState, string>>> = {
  waiting: "The page will be reviewed before anything is indexed; the contact address is told of each step.",
  review: "The page will be reviewed before anything is indexed; the contact address is told of each step.",
};

/** What who submitted a page is told of it. */
export const receiptView = ({ id, state, company_name, case_study_url, received_at }: Submission) => ({
  submission_id: id,
  company_name,
  case_study_url,
  received_at,
  message: PENDING[state] ?? "The page was approved and is being read; the contact address is told when it is done.",
});

/** The states of a mail; one that is missing here does not compile. */
const MAIL_STATE_SET: Readonly<Record<Email["state"], true>> = {
  waiting: true,
  sending: true,
  sent: true,
  unclear: true,
  failed: true,
};
const isMailState = (text: string): text is Email["state"] => text in MAIL_STATE_SET;
export const EMAIL_STATES: readonly Email["state"][] = Object.keys(MAIL_STATE_SET).filter(isMailState);

/** A mail as a list tells it: everything but what it says. */
export const emailView = ({ body: _, ...told }: Email) => told;

/** A page of mails. */
export const emailsView = ({ mails, ...page }: EmailPage) => ({ mails: mails.map(emailView), ...page });

/** A case study as a reviewer chooses it: what it is of, and not all that it says. */
export const reviewedView = ({ study, least_sure, corrected }: ReviewedStudy) => {
  const { id, title, url, company, client, industry, published_at, origin } = study;
  return { id, title, url, company, client, industry, published_at, origin, least_sure, corrected };
};

/** A case study with what stands behind it; of its page all but what only the store needs. */
export function studyDetailView({ page, ...detail }: StudyDetail) {
  if (page === null) return { ...detail, page };
  const { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } = page;
  return { ...detail, page: { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } };
}

import type { Mail, StudyDetail } from "../app/app.ts";
import type { Submission, SubmissionState } from "../vocabulary/submission.ts";

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
const MAIL_STATE_SET: Readonly<Record<Mail["state"], true>> = {
  waiting: true,
  sending: true,
  sent: true,
  unclear: true,
  failed: true,
};
const isMailState = (text: string): text is Mail["state"] => text in MAIL_STATE_SET;
export const MAIL_STATES: readonly Mail["state"][] = Object.keys(MAIL_STATE_SET).filter(isMailState);

/** A mail as a list tells it: everything but what it says. */
export const mailView = ({ body: _, ...told }: Mail) => told;

/** Mails as a list; it has one page. */
export const mailsView = (mails: readonly Mail[]) => ({
  mails: mails.map(mailView),
  total: mails.length,
  next_cursor: null,
});

/** A case study with what stands behind it; of its page all but what only the store needs. */
export function studyDetailView({ page, ...detail }: StudyDetail) {
  if (page === null) return { ...detail, page };
  const { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } = page;
  return { ...detail, page: { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } };
}

import type { Email, EmailPage } from "./emails.ts";
import type { Submission } from "./types.ts";

const PENDING = "The page will be reviewed before anything is indexed. The contact address is notified of each step.";
const APPROVED = "The page is approved and being crawled. The contact address is notified when this is done.";

/** The response to a submission. */
export const receiptView = ({ id, state, company_name, case_study_url, received_at }: Submission) => ({
  submission_id: id,
  company_name,
  case_study_url,
  received_at,
  message: state === "waiting" || state === "review" ? PENDING : APPROVED,
});

/** States of an email; a missing one does not compile. */
const MAIL_STATE_SET: Readonly<Record<Email["state"], true>> = {
  waiting: true,
  sending: true,
  sent: true,
  unclear: true,
  failed: true,
};
const isMailState = (text: string): text is Email["state"] => text in MAIL_STATE_SET;
export const EMAIL_STATES: readonly Email["state"][] = Object.keys(MAIL_STATE_SET).filter(isMailState);

/** An email without its text, as lists show it. */
export const emailView = ({ body: _, ...rest }: Email) => rest;

/** A page of the list of emails. */
export const emailsView = ({ mails, ...page }: EmailPage) => ({ mails: mails.map(emailView), ...page });

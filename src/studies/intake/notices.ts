import type { Submission } from "../../vocabulary/submission.ts";
import { type IntakeStore, MAIL } from "./parts.ts";

/** What a contact is told, once each. */
export type Notice = "received" | "approved" | "rejected" | "available" | "failed";

/** Notes a mail for the contact and the work of sending it; without a mail server both wait. */
export async function tell(
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

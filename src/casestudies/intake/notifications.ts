import { type Handled, PermanentError } from "../../jobs/runner.ts";
import type { RunningJob } from "../../jobs/types.ts";
import type { Mailer } from "../../net/mailer.ts";
import { EMAIL, type IntakeContext } from "./context.ts";
import type { EmailRepository } from "./emails.ts";
import type { Submission } from "./types.ts";

/** Events of which a contact is notified, once each. */
type Notification = "received" | "approved" | "rejected" | "available" | "failed";

const MAX_ATTEMPTS = 12;

/** Queues an email to the contact of a submission. Without a mail server it waits. */
export async function queueNotification(
  { emails, jobs }: Pick<IntakeContext, "emails" | "jobs">,
  submission: Submission,
  notification: Notification,
): Promise<void> {
  const { subject, body } = TEXTS[notification](submission);
  const id = await emails.add({
    submission_id: submission.id,
    // After a retry, a submission may be rejected or fail again, which is a new event.
    event:
      notification === "rejected" || notification === "failed"
        ? `${notification} ${submission.updated_at}`
        : notification,
    recipient: submission.contact_email,
    subject,
    body: `Hello,\n\n${body}\n\nReference: ${submission.id}\nPage: ${submission.case_study_url}\n`,
  });
  if (id !== undefined) await queueEmail(jobs, id);
}

/** Queues emails whose job was lost when a process ended. */
export async function resumeEmails({ emails, jobs }: Pick<IntakeContext, "emails" | "jobs">): Promise<void> {
  for (const id of await emails.waiting()) {
    if (!(await jobs.newest(EMAIL, String(id)))) await queueEmail(jobs, id);
  }
}

const queueEmail = (jobs: IntakeContext["jobs"], id: number) =>
  jobs.add({ kind: EMAIL, subject: String(id), payload: { mail: id }, maxAttempts: MAX_ATTEMPTS });

const TEXTS: Readonly<Record<Notification, (submission: Submission) => { subject: string; body: string }>> = {
  received: ({ company_name }) => ({
    subject: `We received the case studies of ${company_name}`,
    body: "Thank you for submitting your case-study page. We will review it before anything is indexed.",
  }),
  approved: ({ company_name }) => ({
    subject: `The case studies of ${company_name} were approved`,
    body: "Your case-study page was approved and is being crawled now.",
  }),
  rejected: ({ company_name, reason }) => ({
    subject: `The case studies of ${company_name} were not accepted`,
    body: `Your case-study page was reviewed and not accepted. Reason: ${reason ?? "none given"}`,
  }),
  available: ({ company_name, counts }) => ({
    subject: `The case studies of ${company_name} can be searched now`,
    body: `Your page was crawled. ${counts.indexed} case ${counts.indexed === 1 ? "study" : "studies"} can be searched now.`,
  }),
  failed: ({ company_name, reason }) => ({
    subject: `The case studies of ${company_name} could not be read`,
    body: `Your page could not be read: ${reason ?? "the reason is not known"} You are welcome to submit it again.`,
  }),
};

/** Sends an email at most once: if sending is interrupted, the email stays `unclear` for the operator. */
export async function sendEmail(
  emails: EmailRepository,
  mailer: Mailer,
  { payload, attempts, max_attempts }: RunningJob,
  signal: AbortSignal,
): Promise<Handled> {
  const email = await emails.begin(Number(payload.mail));
  if (!email) return undefined;
  const result = await mailer.send(
    { id: `${email.submission_id}.${email.id}`, to: email.recipient, subject: email.subject, text: email.body },
    signal,
  );
  if (result.status === "sent") {
    await emails.sent(email.id);
    return undefined;
  }
  if (result.status === "unclear") {
    // Beginning an email that is being sent marks it as `unclear`: the server may have accepted it.
    await emails.begin(email.id);
    return undefined;
  }
  const isFinal = result.status === "refused" || attempts >= max_attempts;
  await emails.refused(email.id, result.reason, isFinal);
  throw isFinal ? new PermanentError(result.reason) : new Error(result.reason);
}

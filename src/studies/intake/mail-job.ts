import { GiveUp, type Handler } from "../../jobs/runner.ts";
import type { Mailer } from "../../net/mailer.ts";
import type { Mails } from "../../store/intake/mails.ts";

/**
 * Hands a mail to the server, at most once: one whose hand-over was cut short stays `unclear`, for the operator to see.
 */
export function mailJob(mails: Mails, mailer: Mailer): Handler {
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
    throw final ? new GiveUp(result.reason) : new Error(result.reason);
  };
}

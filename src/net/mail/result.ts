/** sent: the server took it. refused: it never will. later: try again. unclear: whether it took the mail is not known. */
export type MailResult =
  | { readonly status: "sent" }
  | { readonly status: "refused" | "later" | "unclear"; readonly reason: string };

/** What went wrong on the way to the server or in its answer. */
export interface MailFault {
  /** Reply code of SMTP; null without a reply. */
  readonly reply: number | null;
  readonly text: string;
  /** What the server answered to: `RCPT TO`, `AUTH PLAIN`, `CONN` for the connection itself. */
  readonly command: string;
  /** `ETLS`, `ETIMEDOUT`, … */
  readonly code: string;
}

/** Replies that speak of the login or its absence, whichever command they follow. */
const LOGIN = new Set([530, 534, 535, 538]);
/** Out of order: the session was at fault and not the mail. */
const WRONG_STATE = 503;
const ABOUT_THE_MAIL = /^(MAIL FROM|RCPT TO|DATA)$/;

/**
 * What a fault means for the mail.
 *
 * @param handedOver the last byte of the mail may have reached the server
 */
export function judge(fault: MailFault, handedOver: boolean, secrets: readonly string[]): MailResult {
  const { reply, command, code } = fault;
  const answered = reply !== null && reply >= 400 && reply < 600;
  if (handedOver && !(answered && command === "DATA")) {
    return { status: "unclear", reason: "The connection broke before the mail server said whether it took the mail." };
  }
  if (answered && LOGIN.has(reply)) {
    return { status: "later", reason: `The mail server did not accept the user and password of smtp.url (${reply}).` };
  }
  if (code === "ETLS" || command === "STARTTLS") {
    return { status: "later", reason: "The mail server made no encrypted connection that can be trusted." };
  }
  if (command.startsWith("AUTH") || code === "EAUTH") {
    return { status: "later", reason: `The login at the mail server failed${answered ? ` (${reply})` : ""}.` };
  }
  if (answered) {
    const isFinal = reply >= 500 && reply !== WRONG_STATE && ABOUT_THE_MAIL.test(command);
    return {
      status: isFinal ? "refused" : "later",
      reason: `The mail server answered: ${quoted(fault.text, secrets)}`,
    };
  }
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    return {
      status: "refused",
      reason: "The mail server does not take mails of this size or to this kind of address.",
    };
  }
  const why = code === "ETIMEDOUT" ? "did not answer in time" : "closed the connection";
  return { status: "later", reason: `The mail server ${why}.` };
}

/** The server's words on one line, without what it may have repeated of our login. */
function quoted(text: string, secrets: readonly string[]): string {
  const line = secrets
    .filter((secret) => secret !== "")
    .reduce((words, secret) => words.replaceAll(secret, "***"), text.slice(0, 2_000))
    .replace(/[\s\0-\x1f\x7f-\x9f]+/g, " ")
    .trim();
  return line.slice(0, 200).toWellFormed();
}

import { isIP, type Socket } from "node:net";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { onAbort } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { createTrust, dialTcp, withoutBrackets } from "./dial.ts";
import { describeError } from "./exchange.ts";

/** sent: the server accepted it. refused: it never will. later: retry. unclear: it may have accepted it. */
type MailResult =
  | { readonly status: "sent" }
  | { readonly status: "refused" | "later" | "unclear"; readonly reason: string };

/** An error of the connection or a negative reply of the server. */
interface MailFault {
  /** SMTP reply code; null without a reply. */
  readonly reply: number | null;
  readonly text: string;
  /** The command that failed: `RCPT TO`, `AUTH PLAIN`; `CONN` for the connection itself. */
  readonly command: string;
  /** `ETLS`, `ETIMEDOUT`, … */
  readonly code: string;
}

/** Replies about the login, whatever command they follow. */
const LOGIN = new Set([530, 534, 535, 538]);
/** Bad sequence of commands: a fault of the session and not of the email. */
const WRONG_STATE = 503;
const ABOUT_THE_EMAIL = /^(MAIL FROM|RCPT TO|DATA)$/;

/** @param transmitted the last byte of the email may have reached the server */
function resultOf(fault: MailFault, transmitted: boolean, secrets: readonly string[]): MailResult {
  const { reply, command, code } = fault;
  const answered = reply !== null && reply >= 400 && reply < 600;
  if (transmitted && !(answered && command === "DATA")) {
    return { status: "unclear", reason: "The connection broke before the mail server confirmed the email." };
  }
  if (answered && LOGIN.has(reply)) {
    return { status: "later", reason: `The mail server did not accept the user and password of smtp.url (${reply}).` };
  }
  if (code === "ETLS" || command === "STARTTLS") {
    return { status: "later", reason: "No trusted encrypted connection to the mail server is possible." };
  }
  if (command.startsWith("AUTH") || code === "EAUTH") {
    return { status: "later", reason: `The mail server refused the login${answered ? ` (${reply})` : ""}.` };
  }
  if (answered) {
    const isFinal = reply >= 500 && reply !== WRONG_STATE && ABOUT_THE_EMAIL.test(command);
    return {
      status: isFinal ? "refused" : "later",
      reason: `The mail server answered: ${quoted(fault.text, secrets)}`,
    };
  }
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    return {
      status: "refused",
      reason: "The mail server does not accept an email of this size or to such an address.",
    };
  }
  const cause = code === "ETIMEDOUT" ? "did not answer in time" : "closed the connection";
  return { status: "later", reason: `The mail server ${cause}.` };
}

/** The reply on one line, with the credentials masked that it may repeat. */
function quoted(text: string, secrets: readonly string[]): string {
  const line = secrets
    .filter((secret) => secret !== "")
    .reduce((words, secret) => words.replaceAll(secret, "***"), text.slice(0, 2_000))
    .replace(/[\s\0-\x1f\x7f-\x9f]+/g, " ")
    .trim();
  return line.slice(0, 200).toWellFormed();
}

interface MailServer {
  /** Without brackets around an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte instead of STARTTLS. */
  readonly implicitTls: boolean;
  /** Allows plain text and untrusted certificates; by default only for a server on this machine. */
  readonly insecure: boolean;
  readonly user: string | null;
  readonly password: string;
}

/**
 * Parses `smtp[s]://[user:password@]host[:port][?insecure=1|0]`.
 *
 * @throws Failure `config.invalid`; it never repeats the URL, which may contain a password
 */
function parseMailServer(text: string): MailServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    throw invalid("smtp.url is not a URL such as smtp://user:password@mail.example:587.");
  }
  for (const [name, value] of url.searchParams) {
    if (name !== "insecure" || !/^[01]$/.test(value))
      throw invalid("smtp.url has an unknown parameter; only insecure=1 and insecure=0 are allowed.");
  }
  const host = withoutBrackets(url.hostname).toLowerCase();
  const implicitTls = url.protocol === "smtps:";
  const insecure = url.searchParams.get("insecure");
  return {
    host,
    port: Number(url.port || (implicitTls ? 465 : 587)),
    implicitTls,
    insecure: insecure === null ? isThisMachine(host) : insecure === "1",
    user: url.username === "" ? null : decoded(url.username),
    password: decoded(url.password),
  };
}

interface Sender {
  readonly name: string;
  readonly address: string;
  readonly domain: string;
}

/**
 * Parses `casefile@acme.example` or `Casefile <casefile@acme.example>`.
 *
 * @throws Failure `config.invalid`
 */
function parseSender(text: string): Sender {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("<");
  const address = at >= 0 && trimmed.endsWith(">") ? trimmed.slice(at + 1, -1) : trimmed;
  const name = at >= 0 ? trimmed.slice(0, at).trim().replace(/^"|"$/g, "") : "";
  if (!isAddress(address) || /[\0-\x1f\x7f<>]/.test(name)) {
    throw invalid("smtp.from is not a sender such as Casefile <casefile@acme.example>.");
  }
  return { name, address, domain: address.slice(address.lastIndexOf("@") + 1) };
}

/** One plain address without a display name or any character that could end a header or a command. */
const isAddress = (text: string): boolean =>
  text.length <= 320 && /^[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,64}@[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,255}$/.test(text);

const isThisMachine = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("The user or password of smtp.url has a % that encodes no character; write it as %25.");
  }
}

const invalid = (message: string) => new Failure("config.invalid", message);

interface OutgoingMail {
  /** The same for every attempt. It becomes the Message-ID, which identifies a duplicate delivery. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Sends one email. Never rejects: an abort returns `later`, or `unclear` when it came too late. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailResult>;
  /** Aborts everything in flight. */
  close(): void;
}

interface MailerSettings {
  /** `smtp[s]://[user:password@]host[:port][?insecure=1|0]`. Encryption is required by default, except on this machine. */
  readonly url: string;
  /** `Casefile <casefile@acme.example>`. */
  readonly from: string;
  /** PEM text of certificate authorities to trust in addition to the default ones, or null. */
  readonly extraCa: string | null;
  /** Milliseconds per email, including connecting. */
  readonly timeoutMs: number;
}

/**
 * Sends email through the server that the operator configured, at whatever address the system resolves its name to.
 *
 * @throws Failure `config.invalid`
 */
export function openMailer(settings: MailerSettings): Mailer {
  const server = parseMailServer(settings.url);
  const sender = parseSender(settings.from);
  const secureContext = createTrust(settings.extraCa);
  const closing = new AbortController();
  const sessions = new Set<SMTPConnection>();

  function connect(socket: Socket): SMTPConnection {
    const session = new SMTPConnection({
      connection: socket,
      host: server.host,
      port: server.port,
      secure: server.implicitTls,
      requireTLS: !server.implicitTls && !server.insecure,
      name: sender.domain,
      tls: { rejectUnauthorized: !server.insecure, secureContext },
      connectionTimeout: settings.timeoutMs,
      greetingTimeout: settings.timeoutMs,
      socketTimeout: settings.timeoutMs,
      logger: false,
    });
    sessions.add(session);
    session.once("end", () => sessions.delete(session));
    return session;
  }

  return {
    async send(mail, signal) {
      if (!isAddress(mail.to)) return { status: "refused", reason: "The recipient is not an email address." };
      const node = compose(mail, sender);
      const bytes = await node.build();
      const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(settings.timeoutMs)]);
      let socket: Socket;
      try {
        socket = await dialTcp({ address: server.host, port: server.port }, limit);
      } catch (error) {
        if (limit.aborted) return stopped(limit, false);
        return { status: "later", reason: `The mail server cannot be reached: ${describeError(error)}.` };
      }
      return deliver(connect(socket), server, { envelope: node.getEnvelope(), bytes }, limit);
    },
    close() {
      closing.abort(new DOMException("The mailer was closed.", "AbortError"));
      for (const session of sessions) session.close();
    },
  };
}

function compose({ id, to, subject, text }: OutgoingMail, sender: Sender) {
  return new MailComposer({
    from: { name: sender.name, address: sender.address },
    to: { name: "", address: to },
    subject: subject.replace(/[\s\0-\x1f\x7f]+/g, " ").trim(),
    messageId: `<${id.replace(/[^A-Za-z0-9.-]/g, (other) => `_${other.charCodeAt(0).toString(16)}`)}@${sender.domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    text,
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

interface Message {
  readonly envelope: Parameters<SMTPConnection["send"]>[0];
  readonly bytes: Buffer;
}

/** Logs in if the URL has a user, sends, and quits. */
function deliver(
  session: SMTPConnection,
  server: MailServer,
  message: Message,
  limit: AbortSignal,
): Promise<MailResult> {
  const secrets = secretsOf(server);
  const content = Readable.from([message.bytes]);
  let transmitted = false;
  content.once("end", () => {
    transmitted = true;
  });
  return new Promise((resolve) => {
    let stopListening = () => {};
    const end = (result: MailResult) => {
      stopListening();
      if (result.status !== "sent") session.close();
      resolve(result);
    };
    const fail = (error: unknown) => end(resultOf(faultOf(error), transmitted, secrets));
    const send = () =>
      session.send(message.envelope, content, (error) => {
        if (error) return fail(error);
        session.quit();
        end({ status: "sent" });
      });
    // This listener stays: without one, an error after QUIT would end the process.
    session.on("error", fail);
    stopListening = onAbort(limit, () => end(stopped(limit, transmitted)));
    if (limit.aborted) return;
    session.connect((error) => {
      if (error) return fail(error);
      if (server.user === null) return send();
      if (!session.allowsAuth) {
        return end({ status: "later", reason: "The mail server does not support a login, but smtp.url has a user." });
      }
      const credentials = { user: server.user, pass: server.password };
      session.login({ credentials }, (refusal) => (refusal ? fail(refusal) : send()));
    });
  });
}

function stopped(limit: AbortSignal, transmitted: boolean): MailResult {
  const isLate = limit.reason instanceof DOMException && limit.reason.name === "TimeoutError";
  const code = isLate ? "ETIMEDOUT" : "ECONNECTION";
  if (transmitted || isLate) return resultOf({ reply: null, text: "", command: "CONN", code }, transmitted, []);
  return { status: "later", reason: "Sending was stopped before the email was transmitted." };
}

function faultOf(error: unknown): MailFault {
  const property = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  const [reply, text, command, code] = [
    property("responseCode"),
    property("response"),
    property("command"),
    property("code"),
  ];
  const isDistrust = /CERT|ALTNAME|VERIFY|ISSUER|SIGNATURE/.test(String(property("originalCode")));
  return {
    reply: typeof reply === "number" ? reply : null,
    text: typeof text === "string" ? text : "",
    command: typeof command === "string" ? command : "CONN",
    code: isDistrust ? "ETLS" : typeof code === "string" ? code : "",
  };
}

/** The credentials in the forms in which a reply could repeat them. */
function secretsOf({ user, password }: MailServer): string[] {
  if (user === null) return [];
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [password, base64(password), base64(`\0${user}\0${password}`), base64(user), user];
}

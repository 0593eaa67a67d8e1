import { isIP, type Socket } from "node:net";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { Failure } from "../core/errors.ts";
import { createTrust, dialTcp } from "./dial.ts";
import { describe } from "./exchange.ts";

/** sent: the server took it. refused: it never will. later: try again. unclear: whether it took the mail is not known. */
type MailResult =
  | { readonly status: "sent" }
  | { readonly status: "refused" | "later" | "unclear"; readonly reason: string };

/** What went wrong on the way to the server or in its answer. */
interface MailFault {
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
function judge(fault: MailFault, handedOver: boolean, secrets: readonly string[]): MailResult {
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

interface MailServer {
  /** Without brackets around an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte instead of STARTTLS. */
  readonly immediate: boolean;
  /** Plain text and certificates that nobody vouches for are taken: the URL says so, else the host is this machine. */
  readonly lax: boolean;
  readonly user: string | null;
  readonly password: string;
}

/**
 * Reads `smtp[s]://[user:password@]host[:port][?insecure=1|0]`.
 *
 * @throws Failure `config.invalid`; it never repeats the URL, which may hold a password
 */
function parseMailServer(text: string): MailServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    throw invalid("smtp.url is not a URL such as smtp://user:password@mail.example:587.");
  }
  for (const [name, value] of url.searchParams) {
    if (name !== "insecure" || !/^[01]$/.test(value)) throw invalid("smtp.url takes no parameter but insecure=1.");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const immediate = url.protocol === "smtps:";
  const insecure = url.searchParams.get("insecure");
  return {
    host,
    port: Number(url.port || (immediate ? 465 : 587)),
    immediate,
    lax: insecure === null ? isThisMachine(host) : insecure === "1",
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
 * Reads `casefile@acme.example` or `Casefile <casefile@acme.example>`.
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

/** One plain address: no list, no display name, nothing that could end a header or a command. */
const isAddress = (text: string): boolean =>
  text.length <= 320 && /^[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,64}@[^\s\0-\x20\x7f@<>()[\]\\,;:"]{1,255}$/.test(text);

const isThisMachine = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("The user or password of smtp.url has a % that stands for no character; write it as %25.");
  }
}

const invalid = (advice: string) => new Failure("config.invalid", advice);

interface OutgoingMail {
  /** The same for each attempt; it becomes the Message-ID, so that a double delivery can be told. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Hands one mail to the server. Never rejects: an abort is told as `later`, or `unclear` when it came too late. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailResult>;
  /** Ends everything under way. */
  close(): void;
}

interface MailerSettings {
  /** `smtp[s]://[user:password@]host[:port][?insecure=1|0]`; without it, encryption is a must unless the host is this machine. */
  readonly url: string;
  /** `Casefile <casefile@acme.example>`. */
  readonly from: string;
  /** PEM of authorities to trust beside the usual ones, or null. */
  readonly extraCa: string | null;
  /** Milliseconds for one mail, from the connection to the server's last word. */
  readonly timeoutMs: number;
}

/**
 * A mail server of the operator's own choice. Its name is looked up by the system, and any address is good.
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
      secure: server.immediate,
      requireTLS: !server.immediate && !server.lax,
      name: sender.domain,
      tls: { rejectUnauthorized: !server.lax, ...(secureContext ? { secureContext } : {}) },
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
      if (!isAddress(mail.to)) return { status: "refused", reason: "The recipient is not a mail address." };
      const node = compose(mail, sender);
      const bytes = await node.build();
      const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(settings.timeoutMs)]);
      let socket: Socket;
      try {
        socket = await dialTcp({ address: server.host, port: server.port }, limit);
      } catch (error) {
        if (limit.aborted) return stopped(limit, false);
        return { status: "later", reason: `The mail server cannot be reached: ${describe(error)}.` };
      }
      return hand(connect(socket), server, { envelope: node.getEnvelope(), bytes }, limit);
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

interface Parcel {
  readonly envelope: Parameters<SMTPConnection["send"]>[0];
  readonly bytes: Buffer;
}

/** Logs in where the URL has a user, sends, and says goodbye. */
function hand(session: SMTPConnection, server: MailServer, parcel: Parcel, limit: AbortSignal): Promise<MailResult> {
  const secrets = secretsOf(server);
  const message = Readable.from([parcel.bytes]);
  let handedOver = false;
  message.once("end", () => {
    handedOver = true;
  });
  return new Promise((resolve) => {
    const end = (result: MailResult) => {
      limit.removeEventListener("abort", abort);
      if (result.status !== "sent") session.close();
      resolve(result);
    };
    const abort = () => end(stopped(limit, handedOver));
    const fail = (error: unknown) => end(judge(faultOf(error), handedOver, secrets));
    const send = () =>
      session.send(parcel.envelope, message, (error) => {
        if (error) return fail(error);
        session.quit();
        end({ status: "sent" });
      });
    // It stays: an error after the last word, such as a goodbye that nobody answers, must not end the process.
    session.on("error", fail);
    limit.addEventListener("abort", abort, { once: true });
    if (limit.aborted) return abort();
    session.connect((error) => {
      if (error) return fail(error);
      if (server.user === null) return send();
      if (!session.allowsAuth) {
        return end({ status: "later", reason: "The mail server takes no login, and smtp.url has a user." });
      }
      const credentials = { user: server.user, pass: server.password };
      session.login({ credentials }, (refusal) => (refusal ? fail(refusal) : send()));
    });
  });
}

function stopped(limit: AbortSignal, handedOver: boolean): MailResult {
  const isLate = limit.reason instanceof DOMException && limit.reason.name === "TimeoutError";
  const code = isLate ? "ETIMEDOUT" : "ECONNECTION";
  if (handedOver || isLate) return judge({ reply: null, text: "", command: "CONN", code }, handedOver, []);
  return { status: "later", reason: "The sending was stopped before the mail was handed over." };
}

function faultOf(error: unknown): MailFault {
  const told = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  const [reply, text, command, code] = [told("responseCode"), told("response"), told("command"), told("code")];
  const isDistrust = /CERT|ALTNAME|VERIFY|ISSUER|SIGNATURE/.test(String(told("originalCode")));
  return {
    reply: typeof reply === "number" ? reply : null,
    text: typeof text === "string" ? text : "",
    command: typeof command === "string" ? command : "CONN",
    code: isDistrust ? "ETLS" : typeof code === "string" ? code : "",
  };
}

/** The forms in which a server could repeat the login. */
function secretsOf({ user, password }: MailServer): string[] {
  if (user === null) return [];
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [password, base64(password), base64(`\0${user}\0${password}`), base64(user), user];
}

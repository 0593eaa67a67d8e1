import type { Socket } from "node:net";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { judge, type MailFault, type MailResult } from "./mail/result.ts";
import { isAddress, type MailServer, parseMailServer, parseSender, type Sender } from "./mail/settings.ts";
import { createTrust, dialTcp } from "./web/dial.ts";
import { describe } from "./web/exchange.ts";

export type { MailResult };

export interface OutgoingMail {
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

export interface MailerSettings {
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

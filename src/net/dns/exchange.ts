import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import type { RecordType } from "../../vocabulary/snapshot.ts";
import { type DnsMessage, decodeMessage, encodeQuestion, TYPE_CODES } from "./message.ts";
import type { ServerAddress } from "./servers.ts";

export interface Question {
  /** Lower case, without the last dot; empty for the root. */
  readonly name: string;
  readonly type: RecordType;
}

/** `error` is a server that could not be reached; `timeout` one that did not answer with a fitting message in time. */
export type Reply = DnsMessage | "timeout" | "error";

const FORMAT_ERROR = 1;

/**
 * Asks one server once: over UDP, again over TCP when the answer did not fit, and again without EDNS when an old
 * server stumbles over it. Rejects only when `signal` aborts.
 */
export async function askServer(
  server: ServerAddress,
  question: Question,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  let reply = await overUdp(server, question, true, timeoutMs, signal);
  if (typeof reply === "object" && reply.rcode === FORMAT_ERROR)
    reply = await overUdp(server, question, false, timeoutMs, signal);
  if (typeof reply === "object" && reply.truncated) return overTcp(server, question, timeoutMs, signal);
  return reply;
}

/**
 * A fresh socket for each question has an unpredictable port, and being connected it hears only that server:
 * together with the random id a forger has to guess some thirty bits within the time limit.
 */
function overUdp(
  server: ServerAddress,
  question: Question,
  edns: boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Reply> {
  const socket = createSocket(isIPv6(server.ip) ? "udp6" : "udp4");
  return settle(
    timeoutMs,
    signal,
    () => socket.close(),
    (done) => {
      const id = randomId();
      socket.on("error", () => done("error"));
      socket.on("message", (packet) => {
        const message = decodeMessage(packet);
        if (message && answers(message, id, question)) done(message);
      });
      // Without a route, Bun and Node tell this callback of it, and no event; a socket that is not connected cannot send.
      socket.connect(server.port, server.ip, (unreachable?: Error) => {
        if (unreachable) return done("error");
        socket.send(encodeQuestion(id, question.name, question.type, edns), (error) => error && done("error"));
      });
    },
  );
}

function overTcp(server: ServerAddress, question: Question, timeoutMs: number, signal: AbortSignal): Promise<Reply> {
  const socket = connect({ host: server.ip, port: server.port });
  return settle(
    timeoutMs,
    signal,
    () => socket.destroy(),
    (done) => {
      const id = randomId();
      const query = encodeQuestion(id, question.name, question.type, true);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      let received = Buffer.alloc(0);
      socket.on("error", () => done("error"));
      socket.on("close", () => done("error"));
      socket.on("connect", () => socket.write(Buffer.concat([length, query])));
      socket.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        // The two-byte prefix bounds the message to 64 KiB; what follows it was not asked for.
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        const message = decodeMessage(received.subarray(2, 2 + received.readUInt16BE(0)));
        done(message && !message.truncated && answers(message, id, question) ? message : "error");
      });
    },
  );
}

/** Runs `start` until it is done, the time is up or the signal aborts, then closes once. */
function settle(
  timeoutMs: number,
  signal: AbortSignal,
  close: () => void,
  start: (done: (reply: Reply) => void) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (then: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      close();
      then();
    };
    const abort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(() => resolve("timeout")), timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    try {
      start((reply) => end(() => resolve(reply)));
    } catch {
      // A machine without IPv6 refuses such a socket at once instead of by an event.
      end(() => resolve("error"));
    }
  });
}

/** A server that could not read the question need not repeat it. */
function answers(message: DnsMessage, id: number, question: Question): boolean {
  if (message.id !== id) return false;
  if (!message.question) return message.rcode === FORMAT_ERROR;
  return message.question.name === question.name && message.question.type === TYPE_CODES[question.type];
}

function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
}

const LABEL = /^[a-z0-9_*-]{1,63}$/;

/** The name as it is asked: lower case, no last dot. Undefined for what no resolver should be troubled with. */
export function normaliseName(name: string): string | undefined {
  const plain = name.trim().toLowerCase().replace(/\.$/, "");
  return plain.length <= 253 && plain.split(".").every((label) => LABEL.test(label)) ? plain : undefined;
}

import { Agent, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { HttpExchange, LookupStatus } from "../../vocabulary/snapshot.ts";
import { readBody } from "./body.ts";
import { decodeText } from "./charset.ts";
import { type HeaderLimits, headerOf, recordHeaders } from "./headers.ts";

export interface ExchangeLimits extends HeaderLimits {
  /** Milliseconds until the response's head must be there, the connection's own time included. */
  readonly firstByteMs: number;
  /** Milliseconds for the whole exchange, however slowly it drips. */
  readonly exchangeMs: number;
  /** Bytes that are taken from the network before the content coding is undone. */
  readonly rawBytes: number;
}

export interface Outgoing {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Cap on decompressed bytes. */
  readonly maxBytes: number;
  readonly binary: boolean;
}

/** An open connection, and what the request line must say over it. */
export interface Line {
  readonly socket: Socket;
  readonly path: string;
}

/**
 * One request and its response over a connection that `open` makes.
 *
 * `node:http` does the talking because Bun's `fetch` joins and reorders repeated headers, fails at 257 of them, and
 * follows the proxy environment variables; here the socket is ours from its first byte.
 *
 * Rejects only when `signal` aborts; every other end is a status.
 */
export async function exchange(
  outgoing: Outgoing,
  open: (signal: AbortSignal) => Promise<Line>,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<HttpExchange> {
  signal.throwIfAborted();
  const clock = new AbortController();
  const abort = () => clock.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const whole = setTimeout(() => clock.abort(new TimeUp(limits.exchangeMs)), limits.exchangeMs);
  const head = setTimeout(() => clock.abort(new TimeUp(limits.firstByteMs)), limits.firstByteMs);
  let socket: Socket | undefined;
  try {
    const line = await open(clock.signal);
    socket = line.socket;
    const response = await send(outgoing, line, limits, clock.signal);
    clearTimeout(head);
    return await receive(outgoing, response, limits, clock.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeUp) return unanswered(outgoing, "timeout", error.message);
    if (error instanceof DOMException && error.name === "TimeoutError")
      return unanswered(outgoing, "timeout", "no address of the host took the connection in time");
    return unanswered(outgoing, "failed", describe(error));
  } finally {
    clearTimeout(whole);
    clearTimeout(head);
    signal.removeEventListener("abort", abort);
    socket?.destroy();
  }
}

/** An exchange without a response. */
export function unanswered(
  { url, method }: { readonly url: URL | string; readonly method: "GET" | "POST" },
  status: Exclude<LookupStatus, "ok">,
  detail: string,
): HttpExchange {
  return { method, url: String(url).slice(0, 8_192), status, code: 0, headers: [], body: "", detail };
}

class TimeUp extends Error {
  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`);
  }
}

/** Carries the one request over the one socket that was vetted. */
class OneSocket extends Agent {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ keepAlive: false });
    this.#socket = socket;
  }

  override createConnection(): Socket {
    return this.#socket;
  }
}

function send(outgoing: Outgoing, line: Line, limits: HeaderLimits, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      agent: new OneSocket(line.socket),
      method: outgoing.method,
      path: line.path,
      headers: outgoing.headers,
      // What is over our cap is dropped with a note; only a flood far beyond it ends the exchange.
      maxHeaderSize: limits.headerBytes * 4,
      // Many servers bend the grammar. With one response to a connection there is nobody to smuggle one to.
      insecureHTTPParser: true,
    });
    const abort = () => {
      sent.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.once("close", () => {
      signal.removeEventListener("abort", abort);
      reject(new Error("the connection was closed before an answer"));
    });
    sent.on("error", reject);
    sent.once("response", resolve);
    sent.once("upgrade", () => reject(new Error("the server wants another protocol")));
    sent.end(outgoing.body);
  });
}

async function receive(
  outgoing: Outgoing,
  response: IncomingMessage,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<HttpExchange> {
  const code = response.statusCode ?? 0;
  const { list: headers, dropped } = recordHeaders(response.rawHeaders, limits);
  const base = { method: outgoing.method, url: outgoing.url.href, status: "ok" as const, code, headers };
  const notes = dropped > 0 ? [`${dropped} headers over the cap were dropped`] : [];
  // Nobody reads the text of a redirect, and it would count against the visit's budget.
  if (code >= 300 && code < 400) return { ...base, body: "", ...noted(notes) };

  const coding = headers.flatMap(([name, value]) => (name === "content-encoding" ? value : [])).join(",");
  const body = await readBody(response, coding, { maxBytes: outgoing.maxBytes, rawBytes: limits.rawBytes }, signal);
  if (body.detail !== undefined) notes.push(body.detail);
  if (!body.complete && body.bytes.length === 0) {
    if (signal.aborted) throw signal.reason;
    return unanswered(outgoing, "failed", notes.join("; "));
  }
  return {
    ...base,
    ...(outgoing.binary
      ? { body: body.bytes.toString("base64"), encoding: "base64" as const }
      : { body: decodeText(body.bytes, headerOf(headers, "content-type")) }),
    ...(body.complete ? {} : { truncated: true }),
    ...noted(notes),
  };
}

function noted(notes: readonly string[]): { detail?: string } {
  return notes.length > 0 ? { detail: notes.join("; ") } : {};
}

/** An error in a clause. Codes and our own words only: a runtime's message may hold anything. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return "the exchange failed";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) return error.message.slice(0, 200);
  if (code.startsWith("HPE_")) return `the answer is not valid HTTP (${code})`;
  if (/CERT|ALTNAME|VERIFY|ISSUER|SIGNATURE/.test(code)) return `the certificate is not valid (${code})`;
  return `the connection failed (${code})`;
}

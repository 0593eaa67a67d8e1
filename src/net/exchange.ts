import { Agent, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { pipeline as chain, Duplex, Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import type { HttpExchange, LookupStatus } from "./snapshot.ts";

export interface HttpOptions {
  readonly method?: "GET" | "POST";
  /** Sent as JSON with POST. */
  readonly body?: string;
  readonly accept?: string;
  /** Cap on decompressed bytes, at most the configured page cap (3 MiB), which is the default. */
  readonly maxBytes?: number;
  /** Keep the body as base64 instead of text. */
  readonly binary?: boolean;
  /** An `ETag` as it was told. Goes to the address itself and not where it redirects; 304 says that nothing changed. */
  readonly ifNoneMatch?: string;
  /** A `Last-Modified` as it was told, for the same use. */
  readonly ifModifiedSince?: string;
  /** Further headers, in printable ASCII. Go to the address itself and never where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of `Authorization`, printable ASCII. Goes to the address itself and never where it redirects. */
  readonly authorization?: string;
  /** False takes a redirect for the answer. */
  readonly follow?: boolean;
}

export interface HttpAnswer {
  /** Each exchange in order; the last is what counts. */
  readonly hops: readonly [HttpExchange, ...HttpExchange[]];
  readonly final: HttpExchange;
}

interface BodyLimits {
  /** Decompressed bytes that are kept. */
  readonly maxBytes: number;
  /** Bytes that are taken from the network, so that a stream which expands to nothing ends too. */
  readonly rawBytes: number;
}

interface Body {
  readonly bytes: Buffer;
  /** Reached its end, within the limits and undamaged. */
  readonly complete: boolean;
  /** Why it is not complete. */
  readonly detail?: string;
}

const CUT_BY_TIME = "the body was cut off by the time limit";
const CUT_BY_NETWORK = "the connection ended inside the body";
const DAMAGED = "the compressed body is damaged";

/**
 * How an answer's body failed to come whole, though its head did; undefined for one that is whole or that we stopped
 * reading for its length. What is missing of half a page must not pass for something that the page does not have.
 */
export function cutOff({ detail = "" }: { readonly detail?: string }): "timeout" | "failed" | undefined {
  if (detail.includes(CUT_BY_TIME)) return "timeout";
  return detail.includes(CUT_BY_NETWORK) || detail.includes(DAMAGED) ? "failed" : undefined;
}

/** A stream that was cut off gives what it has instead of an error. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Nobody wraps a page more than twice, except to make a bomb. */
const MAX_CODINGS = 2;

/**
 * Reads a response's body and undoes its content codings. What came before a limit, an abort or damage is kept.
 * Rejects never.
 */
async function readBody(
  source: Readable,
  contentEncoding: string | undefined,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Body> {
  const stages = decodersFor(contentEncoding);
  if (typeof stages === "string") {
    source.destroy();
    return { bytes: Buffer.alloc(0), complete: false, detail: stages };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, next) {
      const kept = chunk.subarray(0, limits.maxBytes - size);
      chunks.push(kept);
      size += kept.length;
      next(kept.length < chunk.length ? new Full("the body is longer than the cap") : null);
    },
  });
  try {
    await pipeline([source, meter(limits.rawBytes), ...stages, sink], { signal });
    return { bytes: Buffer.concat(chunks), complete: true };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), complete: false, detail: reasonOf(error, signal) };
  }
}

class Full extends Error {}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return CUT_BY_TIME;
  if (error instanceof Full) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(Z_|ERR_BROTLI|ERR__?ERROR_FORMAT|ERR_BUFFER|ZSTD|ERR_ZSTD)/.test(code)) return DAMAGED;
  return CUT_BY_NETWORK;
}

function meter(max: number): Transform {
  let taken = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      taken += chunk.length;
      if (taken > max) next(new Full("the body is longer than the cap on received bytes"));
      else next(null, chunk);
    },
  });
}

function decodersFor(contentEncoding: string | undefined): Duplex[] | string {
  const codings = (contentEncoding ?? "")
    .slice(0, 200)
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return "the body is wrapped in too many content codings";
  const stages: Duplex[] = [];
  // The last coding was applied last, so it is undone first.
  for (const coding of codings.reverse()) {
    const stage = contentDecoderFor(coding);
    if (!stage) return `the content coding ${coding.slice(0, 40)} is not understood`;
    stages.push(stage);
  }
  return stages;
}

function contentDecoderFor(coding: string): Duplex | undefined {
  if (coding === "gzip" || coding === "x-gzip") return createGunzip(LENIENT);
  if (coding === "deflate") return Duplex.from(inflateEither);
  if (coding === "br") return createBrotliDecompress();
  if (coding === "zstd") return createZstdDecompress();
  return undefined;
}

/** Servers mean either of two formats by `deflate`; the first byte tells a zlib header from a raw stream. */
async function* inflateEither(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const stage = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT);
  async function* all() {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  yield* chain(Readable.from(all()), stage, () => {});
}

const META_WINDOW = 1_024;
const META = /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:-]{1,40})/i;
const PARAMETER = /charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:-]{1,40})/i;

/**
 * Decodes a body by its byte-order mark, else the content type's charset, else what the page says of itself in its
 * first kilobyte, else UTF-8. Broken sequences become U+FFFD; it never throws.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const label = bomOf(bytes) ?? PARAMETER.exec(contentType?.slice(0, 500) ?? "")?.[1] ?? metaOf(bytes) ?? "utf-8";
  return decoderFor(label).decode(bytes);
}

function bomOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** A page that can be read for its meta tag as ASCII cannot be UTF-16, whatever the tag says. */
function metaOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, META_WINDOW)).toString("latin1");
  const label = META.exec(start)?.[1];
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return new TextDecoder("utf-8");
  }
}

/** Response headers as they are recorded: names in lower case, in order, repeated as they came, without secrets. */
interface RecordedHeaders {
  readonly list: readonly (readonly [string, string])[];
  /** How many were dropped for the caps. */
  readonly dropped: number;
}

export interface HeaderLimits {
  readonly headerCount: number;
  /** Sum of the lengths of all names and values. */
  readonly headerBytes: number;
}

/** What belongs to a session between two parties and tells nothing of the tools in use. */
const DROPPED = new Set([
  "authorization",
  "authentication-info",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
]);
/** Their presence may give a tool away; their value is somebody's secret. */
const MASKED = new Set([
  "csrf-token",
  "x-amz-security-token",
  "x-api-key",
  "x-auth-token",
  "x-csrf-token",
  "x-xsrf-token",
]);
const MASK = "…";

/** @param raw names and values in turn, as Node's `rawHeaders` has them */
export function recordHeaders(raw: readonly string[], limits: HeaderLimits): RecordedHeaders {
  const list: (readonly [string, string])[] = [];
  let bytes = 0;
  let dropped = 0;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    const value = clean(name, raw[i + 1] ?? "");
    bytes += name.length + value.length;
    if (list.length >= limits.headerCount || bytes > limits.headerBytes) dropped += 1;
    else if (!DROPPED.has(name)) list.push([name, value]);
  }
  return { list, dropped };
}

/** The first value of a header, by its name in lower case. */
export function headerOf(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

/**
 * How long a server asks to be left alone, as RFC 9110 has it: seconds, or a date in GMT.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from then, 0 or more; undefined when it asks for nothing
 */
export function retryAfterMs(
  { headers }: { readonly headers: readonly (readonly [string, string])[] },
  now: number,
): number | undefined {
  const value = headerOf(headers, "retry-after");
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Of a bare "1.5" the parser would make a day in January.
  const until = value.endsWith(" GMT") ? Date.parse(value) - now : Number.NaN;
  return Number.isFinite(until) ? Math.max(0, until) : undefined;
}

function clean(name: string, value: string): string {
  const printable = value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, " ").trim();
  if (MASKED.has(name)) return MASK;
  return name === "set-cookie" ? maskCookie(printable) : printable;
}

/** Keeps a cookie's name and attributes, which tell who set it, and not its value. */
function maskCookie(cookie: string): string {
  const [pair = "", ...attributes] = cookie.split(";");
  const equals = pair.indexOf("=");
  // A cookie without an equals sign has an empty name: all of it is value.
  const name = equals < 0 ? "" : pair.slice(0, equals).trim();
  return [`${name}=${MASK}`, ...attributes.map((attribute) => attribute.trim())].join("; ");
}

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

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
import { onAbort } from "../core/async.ts";
import { errorCode } from "../core/errors.ts";
import type { HttpExchange, HttpFault, LookupStatus } from "./snapshot.ts";

export interface HttpOptions {
  readonly method?: "GET" | "POST" | undefined;
  /** Text, for POST. */
  readonly body?: string | undefined;
  /** Media type of the body; JSON by default. */
  readonly type?: string | undefined;
  readonly accept?: string | undefined;
  /** Maximum of decompressed bytes; at most the configured page size (3 MiB), which is the default. */
  readonly maxBytes?: number | undefined;
  /**
   * Called before each piece of a decompressed body is kept, with its size; returns how many bytes may be kept. Fewer end
   * the body. Bodies that are read at the same time can so share one budget exactly.
   */
  readonly reserve?: ((bytes: number) => number) | undefined;
  /** Return the body as base64 instead of text. */
  readonly binary?: boolean | undefined;
  /** The `ETag` of an earlier response. Not sent to redirect targets; the response is 304 when nothing changed. */
  readonly ifNoneMatch?: string | undefined;
  /** The `Last-Modified` of an earlier response, for the same use. */
  readonly ifModifiedSince?: string | undefined;
  /** Additional headers in printable ASCII. Not sent to redirect targets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Value of `Authorization`, in printable ASCII. Not sent to redirect targets. */
  readonly authorization?: string | undefined;
  /**
   * Whether the robots.txt of a site forbids a URL, as a clause, or null. Called before each request, redirects included;
   * without it robots.txt is not asked.
   */
  readonly robots?: ((url: URL) => Promise<string | null>) | undefined;
  /** False returns a redirect as the answer. */
  readonly follow?: boolean | undefined;
}

export interface HttpAnswer {
  /** Every exchange in order, `final` last. */
  readonly hops: readonly [HttpExchange, ...HttpExchange[]];
  readonly final: HttpExchange;
}

interface BodyLimits {
  /** Maximum of decompressed bytes to keep. */
  readonly maxBytes: number;
  /** As in {@link HttpOptions}. */
  readonly reserve: (bytes: number) => number;
  /** Maximum of received bytes, which ends a stream that decompresses to nothing. */
  readonly rawBytes: number;
}

interface Body {
  readonly size: number;
  /** Read to its end, within the limits and undamaged. */
  readonly complete: boolean;
  /** Why it is not complete. */
  readonly detail?: string;
}

const CUT_BY_TIME = "the body was cut off by the time limit";
const CUT_BY_NETWORK = "the connection ended inside the body";
const DAMAGED = "the compressed body is damaged";

/**
 * Why the body of a response is incomplete; undefined for a complete one and for one that was cut at the size limit.
 * Callers must not conclude from half a page that the page lacks something.
 */
export function cutOff({ detail = "" }: { readonly detail?: string }): "timeout" | "failed" | undefined {
  if (detail.includes(CUT_BY_TIME)) return "timeout";
  return detail.includes(CUT_BY_NETWORK) || detail.includes(DAMAGED) ? "failed" : undefined;
}

/** A truncated stream yields the bytes it has instead of an error. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Limits decompression bombs; real pages have at most two codings. */
const MAX_CODINGS = 2;

/** Reads and decompresses the body of a response, keeping the bytes before a limit, an abort or damage. Never rejects. */
export async function readBody(
  source: Readable,
  contentEncoding: string | undefined,
  limits: BodyLimits,
  keep: (chunk: Buffer) => void,
  signal: AbortSignal,
): Promise<Body> {
  const stages = decodersFor(contentEncoding);
  if (typeof stages === "string") {
    source.destroy();
    return { size: 0, complete: false, detail: stages };
  }
  let size = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, next) {
      const kept = chunk.subarray(0, limits.reserve(Math.min(chunk.length, limits.maxBytes - size)));
      keep(kept);
      size += kept.length;
      next(kept.length < chunk.length ? new LimitReached("the body is longer than the limit") : null);
    },
  });
  try {
    await pipeline([source, limitBytes(limits.rawBytes), ...stages, sink], { signal });
    return { size, complete: true };
  } catch (error) {
    return { size, complete: false, detail: reasonOf(error, signal) };
  }
}

class LimitReached extends Error {}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return CUT_BY_TIME;
  if (error instanceof LimitReached) return error.message;
  const code = errorCode(error);
  if (/^(Z_|ERR_BROTLI|ERR__?ERROR_FORMAT|ERR_BUFFER|ZSTD|ERR_ZSTD)/.test(code)) return DAMAGED;
  return CUT_BY_NETWORK;
}

function limitBytes(max: number): Transform {
  let taken = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      taken += chunk.length;
      if (taken > max) next(new LimitReached("the body is longer than the limit of received bytes"));
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
  if (codings.length > MAX_CODINGS) return "the body has too many content codings";
  const stages: Duplex[] = [];
  // The last coding was applied last and is decoded first.
  for (const coding of codings.reverse()) {
    const stage = contentDecoderFor(coding);
    if (!stage) return `the content coding ${coding.slice(0, 40)} is not supported`;
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

/** Servers send two formats as `deflate`; the first byte distinguishes a zlib header from a raw stream. */
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
 * Decodes a body by its byte-order mark, the charset of the content type, or the `meta` tag in the first kilobyte, in this
 * order; by default as UTF-8. Invalid sequences become U+FFFD. Never throws.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  return decoderFor(labelOf(bytes, contentType)).decode(bytes);
}

/** Decodes a body while it arrives, as `decodeText` decodes the whole, so that it is never in memory twice. */
function createTextCollector(contentType: string | undefined) {
  const head: Buffer[] = [];
  let headBytes = 0;
  let decoder: TextDecoder | undefined;
  const pieces: string[] = [];
  const start = () => {
    const known = Buffer.concat(head);
    decoder = decoderFor(labelOf(known, contentType));
    pieces.push(decoder.decode(known, { stream: true }));
    return decoder;
  };
  return {
    add(chunk: Buffer): void {
      if (decoder) {
        pieces.push(decoder.decode(chunk, { stream: true }));
        return;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (headBytes >= META_WINDOW) start();
    },
    end: (): Pick<HttpExchange, "body"> => {
      const last = decoder ?? start();
      pieces.push(last.decode());
      return { body: pieces.join("") };
    },
  };
}

function createBinaryCollector() {
  const chunks: Buffer[] = [];
  return {
    add: (chunk: Buffer): void => void chunks.push(chunk),
    end: (): Pick<HttpExchange, "body" | "encoding"> => ({
      body: Buffer.concat(chunks).toString("base64"),
      encoding: "base64",
    }),
  };
}

const labelOf = (bytes: Uint8Array, contentType: string | undefined): string =>
  bomOf(bytes) ?? PARAMETER.exec(contentType?.slice(0, 500) ?? "")?.[1] ?? metaOf(bytes) ?? "utf-8";

function bomOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

/** A page whose `meta` tag is readable as ASCII cannot be UTF-16, whatever the tag says. */
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

/** Response headers without secrets: names in lower case, in order, with repeated ones. */
interface RecordedHeaders {
  readonly list: readonly (readonly [string, string])[];
  /** Headers over the limits. */
  readonly dropped: number;
}

export interface HeaderLimits {
  readonly headerCount: number;
  /** Sum of the lengths of all names and values. */
  readonly headerBytes: number;
}

/** Headers of a session, which reveal no tool. */
const DROPPED = new Set([
  "authorization",
  "authentication-info",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
]);
/** Headers whose presence can reveal a tool and whose value is secret. */
const MASKED = new Set([
  "csrf-token",
  "x-amz-security-token",
  "x-api-key",
  "x-auth-token",
  "x-csrf-token",
  "x-xsrf-token",
]);
const MASK = "…";

/** @param raw alternating names and values, as in Node's `rawHeaders` */
export function recordHeaders(raw: readonly string[], limits: HeaderLimits): RecordedHeaders {
  const list: (readonly [string, string])[] = [];
  let bytes = 0;
  let dropped = 0;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    const value = cleanValue(name, raw[i + 1] ?? "");
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
 * The `Retry-After` of a response (RFC 9110, section 10.2.3): seconds, or a date in GMT.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from `now`, 0 or more; undefined without a valid header
 */
export function retryAfterMs(
  { headers }: { readonly headers: readonly (readonly [string, string])[] },
  now: number,
): number | undefined {
  const value = headerOf(headers, "retry-after");
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // The parser would read "1.5" as a day in January.
  const until = value.endsWith(" GMT") ? Date.parse(value) - now : Number.NaN;
  return Number.isFinite(until) ? Math.max(0, until) : undefined;
}

function cleanValue(name: string, value: string): string {
  const printable = value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, " ").trim();
  if (MASKED.has(name)) return MASK;
  return name === "set-cookie" ? maskCookie(printable) : printable;
}

/** Keeps the name and attributes of a cookie, which identify its origin, and masks its value. */
function maskCookie(cookie: string): string {
  const [pair = "", ...attributes] = cookie.split(";");
  const equals = pair.indexOf("=");
  // A cookie without an equals sign is all value, with an empty name.
  const name = equals < 0 ? "" : pair.slice(0, equals).trim();
  return [`${name}=${MASK}`, ...attributes.map((attribute) => attribute.trim())].join("; ");
}

export interface ExchangeLimits extends HeaderLimits {
  /** Milliseconds until the head of the response, including connecting. */
  readonly firstByteMs: number;
  /** Milliseconds for the whole exchange. */
  readonly exchangeMs: number;
  /** Maximum of received bytes, before decoding. */
  readonly rawBytes: number;
}

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Maximum of decompressed bytes. */
  readonly maxBytes: number;
  /** As in {@link HttpOptions}. */
  readonly reserve: (bytes: number) => number;
  readonly binary: boolean;
}

/** An open connection and the path of the request line. */
export interface Connection {
  readonly socket: Socket;
  readonly path: string;
}

/**
 * Sends one request over a connection that `open` makes and reads the response.
 *
 * Uses `node:http` because Bun's `fetch` joins and reorders repeated headers, fails at 257 headers, follows the proxy
 * environment variables, and opens sockets itself.
 *
 * Rejects only when `signal` aborts; every other outcome is a status.
 */
export async function exchange(
  outgoing: OutgoingRequest,
  open: (signal: AbortSignal) => Promise<Connection>,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<HttpExchange> {
  signal.throwIfAborted();
  const clock = new AbortController();
  const stopListening = onAbort(signal, () => clock.abort(signal.reason));
  const whole = setTimeout(() => clock.abort(new TimeLimit(limits.exchangeMs)), limits.exchangeMs);
  const head = setTimeout(() => clock.abort(new TimeLimit(limits.firstByteMs)), limits.firstByteMs);
  let socket: Socket | undefined;
  try {
    const connection = await open(clock.signal);
    socket = connection.socket;
    const response = await send(outgoing, connection, limits, clock.signal);
    clearTimeout(head);
    return await receive(outgoing, response, limits, clock.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeLimit) return unanswered(outgoing, "timeout", error.message, "timeout");
    if (error instanceof DOMException && error.name === "TimeoutError")
      return unanswered(outgoing, "timeout", "no address of the host accepted the connection in time", "timeout");
    return unanswered(outgoing, "failed", describeError(error), faultOf(error));
  } finally {
    clearTimeout(whole);
    clearTimeout(head);
    stopListening();
    socket?.destroy();
  }
}

/** An exchange without a response. */
export function unanswered(
  { url, method }: { readonly url: URL | string; readonly method: "GET" | "POST" },
  status: Exclude<LookupStatus, "ok">,
  detail: string,
  fault?: HttpFault,
): HttpExchange {
  const place = { method, url: String(url).slice(0, 8_192) };
  return { ...place, status, code: 0, headers: [], body: "", detail, ...(fault === undefined ? {} : { fault }) };
}

class TimeLimit extends Error {
  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`);
  }
}

/** Sends the request over the one socket whose address was checked. */
export class OneSocket extends Agent {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ keepAlive: false });
    this.#socket = socket;
  }

  override createConnection(): Socket {
    return this.#socket;
  }
}

function send(
  outgoing: OutgoingRequest,
  connection: Connection,
  limits: HeaderLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      agent: new OneSocket(connection.socket),
      method: outgoing.method,
      path: connection.path,
      headers: outgoing.headers,
      // Headers over the limit are dropped with a note; only four times the limit ends the exchange.
      maxHeaderSize: limits.headerBytes * 4,
      // Many servers violate the grammar. With one response per connection, response smuggling has no target.
      insecureHTTPParser: true,
    });
    // It may have aborted at the moment in which the connection opened.
    const stopListening = onAbort(signal, () => {
      sent.destroy();
      reject(signal.reason);
    });
    sent.once("close", () => {
      stopListening();
      reject(new Error("the connection was closed before an answer"));
    });
    sent.on("error", reject);
    sent.once("response", resolve);
    sent.once("upgrade", () => reject(new Error("the server requires another protocol")));
    if (!signal.aborted) sent.end(outgoing.body);
  });
}

async function receive(
  outgoing: OutgoingRequest,
  response: IncomingMessage,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<HttpExchange> {
  const code = response.statusCode ?? 0;
  const { list: headers, dropped } = recordHeaders(response.rawHeaders, limits);
  const base = { method: outgoing.method, url: outgoing.url.href, status: "ok" as const, code, headers };
  const notes = dropped > 0 ? [`${dropped} headers over the limit were dropped`] : [];
  // The body of a redirect is unused and would count against the limits of the scan.
  if (code >= 300 && code < 400) return { ...base, body: "", ...noted(notes) };

  const coding = headers.flatMap(([name, value]) => (name === "content-encoding" ? value : [])).join(",");
  const { maxBytes, reserve } = outgoing;
  const content = outgoing.binary ? createBinaryCollector() : createTextCollector(headerOf(headers, "content-type"));
  const sizes = { maxBytes, reserve, rawBytes: limits.rawBytes };
  const body = await readBody(response, coding, sizes, content.add, signal);
  if (body.detail !== undefined) notes.push(body.detail);
  if (!body.complete && body.size === 0) {
    if (signal.aborted) throw signal.reason;
    return unanswered(outgoing, "failed", notes.join("; "), "connection_failed");
  }
  return {
    ...base,
    ...content.end(),
    ...(body.complete ? {} : { truncated: true }),
    ...noted(notes),
  };
}

function noted(notes: readonly string[]): { detail?: string } {
  return notes.length > 0 ? { detail: notes.join("; ") } : {};
}

const TLS_ERROR = /CERT|ALTNAME|VERIFY|ISSUER|SIGNATURE|SSL|TLS|EPROTO/;

function faultOf(error: unknown): HttpFault {
  const code = errorCode(error);
  if (code.startsWith("HPE_")) return "not_http";
  if (TLS_ERROR.test(code)) return "tls";
  return code === "ECONNREFUSED" ? "connection_refused" : "connection_failed";
}

/** An error as a clause. Uses codes and texts of this program only: a message of the runtime may contain anything. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "the exchange failed";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) return error.message.slice(0, 200);
  if (code.startsWith("HPE_")) return `the answer is not valid HTTP (${code})`;
  if (/CERT|ALTNAME|VERIFY|ISSUER|SIGNATURE/.test(code)) return `the certificate is not valid (${code})`;
  return `the connection failed (${code})`;
}

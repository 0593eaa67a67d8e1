import type { Role } from "../core/roles.ts";
import { HttpRefusal } from "./problems.ts";

/** What is left of a monthly limit. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Length of the current month in UTC. */
  readonly windowSeconds: number;
  /** Seconds until the next month begins. */
  readonly resetSeconds: number;
}

/** The session of the console through which a request to the operator's API came. */
export interface SessionCaller {
  /** Public id of the session. */
  readonly session: string;
  /** Null for a session that was opened with the operator token. */
  readonly operatorId: string | null;
  readonly name: string;
  readonly role: Role;
}

/** What is known about a request while it is answered. */
export interface RequestContext {
  readonly id: string;
  /** The client's address; behind trusted proxies, the one that they report. */
  readonly client: string;
  /** Whether the request comes from this machine and was not forwarded. */
  readonly local: boolean;
  /** The route's pattern, for logs and metrics: raw paths would create an unbounded number of metric series. */
  route: string;
  /** The JSON body of a route that has one; the routes' schemas have not checked it. */
  body?: unknown;
  /**
   * Set by the handler alone, when the console forwards the request of a session. Whether a call came by session or by
   * token is decided by this, never by what the request contains.
   */
  session?: SessionCaller | undefined;
  /** Completes the entry of the audit trail with the status of the response. */
  audited?: ((status: number) => Promise<void>) | undefined;
  /** Set once the request's API key is verified; the response then carries the rate-limit headers. */
  quota?: (() => Promise<Quota>) | undefined;
}

/** By the request itself, which Elysia passes unchanged to every hook. */
const contexts = new WeakMap<Request, RequestContext>();

export const remember = (request: Request, context: RequestContext): void => {
  contexts.set(request, context);
};

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error("the request did not come through createHandler");
  return context;
}

/** @param peer the address at the other end of the connection */
export function createContext(request: Request, peer: string, trustProxyHops: number): RequestContext {
  const { headers } = request;
  const forwarded = headers.get("x-forwarded-for");
  const id = headers.get("x-request-id");
  return {
    id: id && SANE_ID.test(id) ? id : Bun.randomUUIDv7(),
    client: clientAddress(peer, forwarded, trustProxyHops),
    local: isLoopback(peer) && forwarded === null && !headers.has("forwarded"),
    route: "none",
  };
}

/** A request id that a client may choose. */
const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The client's address: the connection's, or, behind `hops` trusted proxies, the address that the outermost one saw.
 * Entries further left in `X-Forwarded-For` are written by the client and cannot be trusted.
 */
export function clientAddress(peer: string, forwarded: string | null, hops: number): string {
  if (hops === 0) return peer;
  // Trusted proxies append: a client that sends a long header must not push their entries out.
  const chain = [...(forwarded ?? "").slice(-2_000).split(","), peer].map((part) => part.trim()).filter(Boolean);
  return withoutPort(chain[Math.max(0, chain.length - 1 - hops)] ?? peer);
}

/** Some proxies add the port, with which every connection would count as another client. */
const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address;

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

/** Bodies have a few hundred bytes; a batch of ten queries stays below 20 kB. */
const MAX_BODY_BYTES = 64 * 1024;

interface Upload {
  readonly maxBytes: number;
  /** Media types besides JSON; absent for JSON only. */
  readonly types?: RegExp;
  readonly words?: string;
}

/** 100,000 rows of 160 bytes. */
export const MAX_LIST_BYTES = 16 * 1024 ** 2;

/** A page of 8 MiB as base64 has 10.7 MiB. */
export const MAX_PAGE_BODY_BYTES = 12 * 1024 ** 2;

/** Paths that take files. */
const UPLOADS: Readonly<Record<string, Upload>> = {
  "/v1/enrich/batches": {
    maxBytes: MAX_LIST_BYTES,
    types: /^(?:application\/(?:x-)?(?:ndjson|jsonl|json-lines)|text\/(?:csv|plain))\s{0,3}(?:;|$)/i,
    words: "application/json, application/x-ndjson or text/csv",
  },
  "/v1/casestudies/read": { maxBytes: MAX_PAGE_BODY_BYTES },
};

const HAS_BODY = new Set(["POST", "PUT", "PATCH"]);

/**
 * Refuses a body that is too large or not JSON, and a client that does not accept the type of the response.
 *
 * @throws HttpRefusal 413, 415 or 406
 */
export function guardRequest(request: Request, path: string): void {
  const upload = UPLOADS[path];
  const length = Number(request.headers.get("content-length") ?? "0");
  const maxBytes = upload?.maxBytes ?? MAX_BODY_BYTES;
  if (length > maxBytes) throw tooLarge(maxBytes);
  const hasBody = length > 0 || request.headers.has("transfer-encoding");
  if (hasBody && HAS_BODY.has(request.method)) {
    const type = request.headers.get("content-type") ?? "";
    if (!isJson(type) && !upload?.types?.test(type))
      throw new HttpRefusal("request.media_type", `Send the body as ${upload?.words ?? "application/json"}.`);
  }
  if (!path.startsWith("/v1/")) return;
  const wanted = typesOfAnswer(path, new URL(request.url).searchParams.get("format"));
  if (!wanted.some((type) => accepts(request.headers.get("accept"), type))) {
    throw new HttpRefusal("request.not_acceptable", `This path returns ${wanted.join(" or ")}; list it in Accept.`);
  }
}

/** The first of the types that a request accepts, best first where it names them; the first type without a preference. */
export function preferredType<Type extends string>(request: Request, types: readonly [Type, ...Type[]]): Type {
  const header = request.headers.get("accept")?.slice(0, 2_000) ?? "";
  for (const range of header.split(",")) {
    const named = types.find((type) => range.split(";")[0]?.trim().toLowerCase() === type);
    if (named !== undefined && accepts(range, named)) return named;
  }
  return types.find((type) => accepts(header, type)) ?? types[0];
}

/** Whether a media type is JSON, also with a suffix as in `application/merge-patch+json`. */
export const isJson = (type: string): boolean => /^application\/(?:[\w.+-]{1,60}\+)?json\s{0,3}(?:;|$)/i.test(type);

/** The types of a brief by the word of `format`. */
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  markdown: "text/markdown",
  html: "text/html",
};

/** The types that a path of the API returns; `format` chooses one. */
function typesOfAnswer(path: string, format: string | null): readonly string[] {
  if (/^\/v1\/prospects\/[^/]+\/brief$/.test(path)) {
    const chosen = format === null ? undefined : DOCUMENT_TYPES[format];
    return chosen === undefined ? Object.values(DOCUMENT_TYPES) : [chosen];
  }
  return [typeOfAnswer(path, format)];
}

/** `format` is how a request asks for a table as a file. */
function typeOfAnswer(path: string, format: string | null): string {
  if (path.startsWith("/v1/enrich-stream/")) return "text/event-stream";
  if (format === "csv") return "text/csv";
  if (format === "ndjson") return "application/x-ndjson";
  return format === "parquet" ? "application/vnd.apache.parquet" : "application/json";
}

/** `parse` of a route with a JSON body. The name is only for the OpenAPI document: the function always parses first. */
export const jsonBody: [(asked: { request: Request; route: string }) => Promise<unknown>, "json"] = [
  async ({ request, route }) => {
    const context = contextOf(request);
    context.route = route;
    context.body = await readJsonBody(request);
    return context.body;
  },
  "json",
];

/**
 * Reads a JSON body. The declared length is not trusted.
 *
 * @throws HttpRefusal 413 or 400
 */
export async function readJsonBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const chunks = await Array.fromAsync(readBody(request, maxBytes));
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)), convertible);
  } catch {
    throw new HttpRefusal("request.not_json", "The body must be one JSON value in UTF-8.");
  }
}

/** The bytes of a body. The declared length is not trusted. @throws HttpRefusal 413 */
export async function* readBody(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/**
 * Elysia puts a refused value into the text of its error, which throws for an object with a field `toString`. A symbol
 * takes precedence over that field, and no schema sees it.
 */
function convertible(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty(value, Symbol.toPrimitive, { value: () => "(an object)" });
}

/**
 * Refuses a repeated query parameter: one of the two would be ignored.
 *
 * @throws HttpRefusal 422
 */
export function refuseRepeated(request: Request): void {
  const names = [...new URL(request.url).searchParams.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  const detail = "Give this parameter only once.";
  throw new HttpRefusal("request.invalid", `Correct /${repeated}: ${detail}`, {
    problems: [{ pointer: `/${repeated}`, detail }],
  });
}

/**
 * The request as the router can read it. HEAD becomes GET. Elysia searches the path after the eleventh character of the
 * URL, so it needs a host of four characters or more, and Bun's URL has no host when the header is missing or invalid.
 */
export function routable(request: Request): Request {
  const { method, url, headers, body, signal } = request;
  if (method !== "HEAD" && /^https?:\/\/[^/]{4}/.test(url)) return request;
  const target = url.replace(/^https?:\/\/[^/]{0,300}/, "");
  return new Request(`http://casefile.invalid${target}`, {
    method: method === "HEAD" ? "GET" : method,
    headers,
    signal,
    ...(body ? { body } : {}),
  });
}

const tooLarge = (maxBytes: number) =>
  new HttpRefusal(
    "request.too_large",
    `The body may have at most ${maxBytes > MAX_BODY_BYTES ? `${maxBytes / 1024 ** 2} MiB` : "64 KiB"}.`,
  );

/** RFC 9110, section 12.5.1; of the weights only `q=0` counts. */
function accepts(header: string | null, wanted: string): boolean {
  if (header === null || header.trim() === "") return true;
  const [family] = wanted.split("/");
  return header
    .slice(0, 2_000)
    .split(",")
    .some((item) => {
      const [range = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      if (parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))) return false;
      return range === "*/*" || range === `${family}/*` || range === wanted;
    });
}

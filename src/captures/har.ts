import { recordHeaders } from "../net/web/headers.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import type { HttpExchange, ObservedRequest, Snapshot } from "../vocabulary/snapshot.ts";
import { plainText } from "./plain-text.ts";
import { boundedBody, HEADER_LIMITS, snapshotOf } from "./snapshot-of.ts";

/** A browser leaves parts out, and a stranger may put anything in. */
type Part<Keys extends string> = { readonly [Key in Keys]?: unknown } | null | undefined;
type Loose = Part<"text" | "mimeType" | "encoding">;
type HarEntry =
  | {
      readonly request?: Part<"url" | "method">;
      readonly response?: { readonly status?: unknown; readonly headers?: unknown; readonly content?: Loose } | null;
      readonly startedDateTime?: unknown;
    }
  | null
  | undefined;

const MAX_ENTRIES = 5_000;

/** Whether parsed JSON is a browser's HTTP archive. */
export function isHar(document: unknown): document is { log: { entries: readonly HarEntry[] } } {
  return (
    typeof document === "object" &&
    document !== null &&
    "log" in document &&
    typeof document.log === "object" &&
    document.log !== null &&
    "entries" in document.log &&
    Array.isArray(document.log.entries)
  );
}

/** The address of the first document that the browser asked for. */
export function harStart(har: { log: { entries: readonly HarEntry[] } }): string | undefined {
  const urls = har.log.entries.slice(0, MAX_ENTRIES).map((entry) => entry?.request?.url);
  return urls.find((url): url is string => typeof url === "string" && /^https?:\/\//.test(url));
}

/**
 * Reads a HAR file: the company's own responses become exchanges, every request a signal of what its pages load.
 *
 * @param domain whose recording it is
 */
export function readHar(har: { log: { entries: readonly HarEntry[] } }, domain: string, capturedAt: string): Snapshot {
  const http = new Map<string, HttpExchange>();
  const requests = new Map<string, ObservedRequest>();
  let began: string | undefined;
  for (const entry of har.log.entries.slice(0, MAX_ENTRIES)) {
    const url = URL.parse(plainText(entry?.request?.url).slice(0, 8_192));
    // Encoding may lengthen an address beyond what a snapshot holds.
    if (!entry || !url || !/^https?:$/.test(url.protocol) || url.href.length > 8_192) continue;
    if (typeof entry.startedDateTime === "string") began ??= entry.startedDateTime;
    const headers = headersOf(entry.response?.headers);
    const own = belongsTo(url.hostname, domain);
    if (!requests.has(url.href)) requests.set(url.href, { url: url.href, cookies: cookieNames(headers) });
    if (own && !http.has(url.href)) http.set(url.href, exchangeOf(url.href, entry, headers));
  }
  const time = began === undefined ? Number.NaN : Date.parse(began);
  return snapshotOf(domain, "har", Number.isNaN(time) ? capturedAt : new Date(time).toISOString(), {
    http: [...http.values()],
    requests: [...requests.values()],
  });
}

function exchangeOf(url: string, entry: HarEntry, headers: readonly (readonly [string, string])[]): HttpExchange {
  const content = entry?.response?.content;
  const text = plainText(content?.text);
  const code = Number(plainText(entry?.response?.status));
  // A browser writes 0 for a request that it gave up.
  const answered = Number.isInteger(code) && code > 0 && code < 1_000;
  const base64 = content?.encoding === "base64";
  const isText = /text|json|javascript|xml/i.test(plainText(content?.mimeType));
  return {
    method: entry?.request?.method === "POST" ? "POST" : "GET",
    url,
    status: answered ? "ok" : "failed",
    code: answered ? code : 0,
    headers,
    ...boundedBody(base64 && isText ? Buffer.from(text, "base64").toString("utf8") : text),
    ...(base64 && !isText ? { encoding: "base64" as const } : {}),
  };
}

function headersOf(raw: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(raw)) return [];
  const pairs = raw.slice(0, HEADER_LIMITS.headerCount).flatMap((header) => {
    const name = plainText(header?.name);
    // Browsers join repeated headers with line breaks; names with a colon are the protocol's own.
    const values = plainText(header?.value).split("\n", 100);
    return name.startsWith(":") ? [] : values.flatMap((value) => [name, value]);
  });
  return recordHeaders(pairs, HEADER_LIMITS).list;
}

const cookieNames = (headers: readonly (readonly [string, string])[]) =>
  headers
    .flatMap(([name, value]) => (name === "set-cookie" ? [(value.split("=")[0] ?? "").trim().slice(0, 1_000)] : []))
    .filter(Boolean)
    .slice(0, 200);

import { parseInstant } from "../../core/dates.ts";
import { belongsTo } from "../../core/domain.ts";
import { type HeaderLimits, recordHeaders } from "../../net/exchange.ts";
import type { HttpExchange, ObservedRequest, Snapshot } from "../../net/snapshot.ts";
import { redactKeyed } from "../redaction.ts";

/** A scalar of untrusted JSON or YAML as text; `""` for lists and objects, whose `toString` may throw. */
export function plainText(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}

/** The same limit as in a live visit. */
const MAX_BODY = 3 * 1024 * 1024;
export const HEADER_LIMITS: HeaderLimits = { headerCount: 200, headerBytes: 64 * 1024 };

export const boundedBody = (text: string): { readonly body: string; readonly truncated?: true } =>
  text.length > MAX_BODY ? { body: text.slice(0, MAX_BODY), truncated: true } : { body: text };

/** A snapshot with these parts and nothing else. */
export function snapshotOf(domain: string, origin: string, capturedAt: string, parts: Partial<Snapshot>): Snapshot {
  return {
    format: "casefile-snapshot",
    version: 1,
    domain,
    captured_at: capturedAt,
    origin,
    dns: [],
    http: [],
    certificates: [],
    requests: [],
    zone: false,
    ...parts,
  };
}

/** Browsers omit parts, and untrusted files contain anything. */
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

/** Whether parsed JSON is an HTTP archive (HAR). */
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

/** The URL of the first request. */
export function harStart(har: { log: { entries: readonly HarEntry[] } }): string | undefined {
  const urls = har.log.entries.slice(0, MAX_ENTRIES).map((entry) => entry?.request?.url);
  return urls.find((url): url is string => typeof url === "string" && /^https?:\/\//.test(url));
}

/**
 * Reads a HAR file: responses of the company's hosts become exchanges, and every request is listed.
 *
 * @param domain the company's domain
 */
export function readHar(har: { log: { entries: readonly HarEntry[] } }, domain: string, capturedAt: string): Snapshot {
  const http = new Map<string, HttpExchange>();
  const requests = new Map<string, ObservedRequest>();
  let began: string | undefined;
  for (const entry of har.log.entries.slice(0, MAX_ENTRIES)) {
    const url = URL.parse(plainText(entry?.request?.url).slice(0, 8_192));
    // URL encoding may lengthen an address beyond the limit of a snapshot.
    if (!entry || !url || !/^https?:$/.test(url.protocol) || url.href.length > 8_192) continue;
    if (typeof entry.startedDateTime === "string") began ??= entry.startedDateTime;
    const headers = headersOf(entry.response?.headers);
    // The requests are those of the visitor who recorded the file.
    const address = redactKeyed(url.href);
    if (!requests.has(address)) requests.set(address, { url: address, cookies: cookieNames(headers) });
    if (belongsTo(url.hostname, domain) && !http.has(address)) http.set(address, exchangeOf(address, entry, headers));
  }
  return snapshotOf(domain, "har", parseInstant(began) ?? capturedAt, {
    http: [...http.values()],
    requests: [...requests.values()],
  });
}

function exchangeOf(url: string, entry: HarEntry, headers: readonly (readonly [string, string])[]): HttpExchange {
  const content = entry?.response?.content;
  const text = plainText(content?.text);
  const code = Number(plainText(entry?.response?.status));
  // Browsers write 0 for an aborted request.
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
    // Browsers join repeated headers with line breaks; names with a colon are HTTP/2 pseudo-headers.
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

const CANONICAL = /<link[^>]{0,300}?\brel=["']?canonical["']?[^>]{0,300}?>/i;
const OG_URL = /<meta[^>]{0,300}?\bproperty=["']og:url["'][^>]{0,500}?>/i;
const ADDRESS = /\b(?:href|content)=["']?(https?:\/\/[^"'\s>]{4,2000})/i;

/** Written by browsers when they save a page. */
const SAVED_FROM = /<!-- saved from url=\(\d{1,5}\)(https?:\/\/[^\s>]{4,2000})/;
const ALTERNATE = /<link[^>]{0,300}?\brel=["']?alternate["']?[^>]{0,300}?>/i;

/** The address of a saved page from the browser's comment, the canonical link, `og:url`, or an alternate link. */
export function pageAddress(html: string): string | undefined {
  const head = html.slice(0, 256 * 1024);
  const saved = SAVED_FROM.exec(head)?.[1];
  if (saved) return saved;
  for (const tag of [CANONICAL.exec(head)?.[0], OG_URL.exec(head)?.[0], ALTERNATE.exec(head)?.[0]]) {
    const address = tag && ADDRESS.exec(tag)?.[1];
    if (address) return address.replace(/&amp;/g, "&");
  }
  return undefined;
}

/** Reads a saved HTML page. */
export function readPage(html: string, url: string, domain: string, capturedAt: string): Snapshot {
  return snapshotOf(domain, "page", capturedAt, {
    http: [
      { method: "GET", url, status: "ok", code: 200, headers: [["content-type", "text/html"]], ...boundedBody(html) },
    ],
  });
}

/** Reads a raw HTTP response: status line, headers, an empty line, body. */
export function readResponse(text: string, url: string, domain: string, capturedAt: string): Snapshot {
  const gap = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, gap?.index ?? text.length).split(/\r?\n/);
  const pairs = head.slice(1, HEADER_LIMITS.headerCount + 1).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0 ? [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] : [];
  });
  const exchange: HttpExchange = {
    method: "GET",
    url,
    status: "ok",
    code: Number(/^HTTP\/[\d.]{1,4} (\d{3})/.exec(head[0] ?? "")?.[1] ?? 200),
    headers: recordHeaders(pairs, HEADER_LIMITS).list,
    ...boundedBody(gap ? text.slice(gap.index + gap[0].length) : ""),
  };
  return snapshotOf(domain, "response", capturedAt, { http: [exchange] });
}

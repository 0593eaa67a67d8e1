import { belongsTo } from "../vocabulary/domain.ts";
import type { HttpExchange, ObservedRequest, Snapshot } from "../vocabulary/snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

interface HarEntry {
  readonly request?: { readonly url?: unknown; readonly method?: unknown };
  readonly response?: {
    readonly status?: unknown;
    readonly headers?: unknown;
    readonly content?: { readonly text?: unknown; readonly mimeType?: unknown; readonly encoding?: unknown };
  };
  readonly startedDateTime?: unknown;
}

const MAX_ENTRIES = 5_000;
const MAX_BODY = 3 * 1024 * 1024;

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
  const urls = har.log.entries.slice(0, MAX_ENTRIES).map((entry) => entry.request?.url);
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
    const url = URL.parse(String(entry.request?.url ?? "").slice(0, 8_192));
    if (!url || !/^https?:$/.test(url.protocol)) continue;
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

function exchangeOf(url: string, entry: HarEntry, headers: (readonly [string, string])[]): HttpExchange {
  const content = entry.response?.content;
  const text = typeof content?.text === "string" ? content.text : "";
  const code = Number(entry.response?.status) || 0;
  const base64 = content?.encoding === "base64";
  return {
    method: entry.request?.method === "POST" ? "POST" : "GET",
    url,
    // A browser writes 0 for a request that it gave up.
    status: code > 0 ? "ok" : "failed",
    code,
    headers,
    body: (base64 && isText(content?.mimeType) ? decoded(text) : text).slice(0, MAX_BODY),
    ...(base64 && !isText(content?.mimeType) ? { encoding: "base64" as const } : {}),
  };
}

function headersOf(raw: unknown): (readonly [string, string])[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, 200).flatMap((header) => {
    const name = String(header?.name ?? "").toLowerCase();
    const values = String(header?.value ?? "").split("\n");
    // Browsers join repeated headers with line breaks.
    return name.startsWith(":")
      ? []
      : values.map(
          (value) => [name, (name === "set-cookie" ? value.replace(/=[^;]*/, "=…") : value).slice(0, 8_192)] as const,
        );
  });
}

const cookieNames = (headers: (readonly [string, string])[]) =>
  headers
    .flatMap(([name, value]) => (name === "set-cookie" ? [value.split("=")[0]?.trim() ?? ""] : []))
    .filter(Boolean);
const isText = (mime: unknown) => /text|json|javascript|xml/i.test(String(mime ?? ""));
const decoded = (text: string) => Buffer.from(text, "base64").toString("utf8");

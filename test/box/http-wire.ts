import type { PageFields } from "./company.ts";

/** A request as it came; the body is not kept. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case; of repeated ones the last. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of head and body together. */
  readonly length: number;
}

const LONGEST_HEAD = 65_536;

/** Reads the first request (HTTP/1.1, with Content-Length at most): undefined while it is not whole, null when it is no HTTP. */
export function parseRequest(bytes: Buffer): Request | null | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return bytes.length > LONGEST_HEAD ? null : undefined;
  const [start = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const [, method, target] = /^([A-Z]{1,10}) (\/\S*) HTTP\/1\.[01]$/.exec(start) ?? [];
  if (method === undefined || target === undefined) return null;
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const length = end + 4 + Number(headers["content-length"] ?? 0);
  return bytes.length < length ? undefined : { method, target, headers, length };
}

/** The headers of a page in order, names in lower case, with its type unless it names one. */
export function pageHeaders(page: PageFields): [string, string][] {
  const own = Object.entries(page.headers ?? {}).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each): [string, string] => [name.toLowerCase(), each]),
  );
  if (!own.some(([name]) => name === "content-type")) {
    own.unshift(["content-type", page.json === undefined ? "text/html; charset=utf-8" : "application/json"]);
  }
  return page.redirect === undefined ? own : [...own, ["location", page.redirect]];
}

export const pageStatus = (page: PageFields): number => page.status ?? (page.redirect === undefined ? 200 : 302);

export const pageBody = (page: PageFields): string | Uint8Array =>
  page.json === undefined ? (page.body ?? "") : JSON.stringify(page.json);

/** A response head up to and with its empty line. */
export function head(status: number, headers: readonly (readonly [string, string])[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${PHRASES[status] ?? "Status"}\r\n${lines.join("")}\r\n`, "latin1");
}

const PHRASES: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

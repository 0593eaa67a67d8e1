/** Response headers as they are recorded: names in lower case, in order, repeated as they came, without secrets. */
export interface RecordedHeaders {
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

import robotsParser from "robots-parser";
import type { NetworkClient } from "../../net/client.ts";
import { cutOff, headerOf, retryAfterMs } from "../../net/exchange.ts";
import type { Policy } from "../../net/policy.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import { hostOf, isPdf, sameSite } from "./address.ts";

/** How much of a stranger's site one crawl takes. */
export interface CrawlLimits {
  /** Pages that are read; robots.txt, sitemaps and feeds do not count. */
  readonly maxPages: number;
  /** Bytes of all bodies, unpacked. */
  readonly maxBytes: number;
  /** Milliseconds between two requests to one host. */
  readonly perHostMs: number;
  /** Links that are followed one after the other, from the listing on. */
  readonly maxDepth: number;
  /** Milliseconds for the whole. */
  readonly deadlineMs: number;
}

const MIB = 1_048_576;

export const CRAWL_LIMITS: CrawlLimits = {
  maxPages: 500,
  maxBytes: 512 * MIB,
  perHostMs: 1_000,
  maxDepth: 2,
  deadlineMs: 3_600_000,
};

const PAGE_BYTES = 3 * MIB;
const PDF_BYTES = 8 * MIB;
/** Listing pages that are read, whatever the page budget. */
export const MAX_LISTINGS = 50;
/** Addresses that one crawl keeps in mind. */
export const MAX_CANDIDATES = 20_000;

/** Why a crawl came to its end before it was complete. */
export type EarlyEnd = "pages" | "bytes" | "time" | "robots" | "unreachable";

/** Ends a crawl gently: what was found by then counts. */
export class CrawlEnded extends Error {
  constructor(readonly ended: EarlyEnd) {
    super(`the crawl ended: ${ended}`);
  }
}

/** What a site's robots.txt lets us do. */

interface RobotsRules {
  allows(url: string): boolean;
  /** Why it does not allow what it does not allow. */
  readonly refusal: string;
  /** Seconds that the site asks to be left between requests, at most {@link MAX_DELAY_SECONDS}; null when it asks none. */
  readonly delaySeconds: number | null;
  /** As they were written. */
  readonly sitemaps: readonly string[];
}

const MAX_ROBOTS_BYTES = 524_288;
const MAX_DELAY_SECONDS = 30;
/** The parser's time grows with the rules, their length and, where they hold stars, with the address's length. */
const MAX_RULES = 5_000;
const MAX_STARRED = 500;
const MAX_RULE = 500;
const MAX_STARS = 10;

export const FORBIDDEN = "robots.txt forbids it";
const ALL_ALLOWED: RobotsRules = { allows: () => true, refusal: FORBIDDEN, delaySeconds: null, sitemaps: [] };

/** Rules of a site that cannot tell them. */
function noneAllowed(refusal: string): RobotsRules {
  return { allows: () => false, refusal, delaySeconds: null, sitemaps: [] };
}

/**
 * @param url of the robots.txt that was asked for; its rules hold for that scheme, host and port
 * @param token the name by which rules call us, without a version
 */
export function parseRobots(url: string, text: string, token: string): RobotsRules {
  // A site that answers everything with its start page has no rules.
  if (/^\s{0,100}</.test(text)) return ALL_ALLOWED;
  const rules = robotsParser(url, bounded(text));
  const delay = rules.getCrawlDelay(token);
  const answers = new Map<string, boolean>();
  return {
    refusal: FORBIDDEN,
    allows(address) {
      const known = answers.get(address);
      if (known !== undefined) return known;
      const allowed = rules.isAllowed(address, token) ?? true;
      answers.set(address, allowed);
      return allowed;
    },
    delaySeconds: delay !== undefined && delay > 0 ? Math.min(delay, MAX_DELAY_SECONDS) : null,
    sitemaps: rules.getSitemaps().slice(0, 50),
  };
}

/** The text without what would keep the parser busy: rules beyond the caps count for nothing. */
function bounded(text: string): string {
  let rules = 0;
  let starred = 0;
  const lines = text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/);
  const kept = lines.flatMap((line) => {
    const short = line.split("#", 1)[0]?.trim() ?? "";
    if (!/^(?:dis)?allow\s{0,20}:/i.test(short)) return short === "" ? [] : [short.slice(0, 2_000)];
    const rule = short.replace(/\*+/g, "*");
    const stars = rule.split("*").length - 1;
    rules += 1;
    if (stars > 0) starred += 1;
    const tooCostly = stars > 0 && (starred > MAX_STARRED || stars > MAX_STARS);
    const tooMuch = tooCostly || rules > MAX_RULES || rule.length > MAX_RULE;
    return tooMuch ? [] : [rule];
  });
  return kept.join("\n");
}

/** Asks a site for its pages as a guest does: by its robots.txt, one request after the other, within the limits. */

export interface PoliteFetcherParts {
  readonly http: NetworkClient["http"];
  /** Judges addresses before they are asked for; the door judges them again. */
  readonly policy?: Pick<Policy, "refusal"> | undefined;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Our name in robots.txt, without a version. */
  readonly userAgentToken: string;
}

interface Condition {
  readonly etag: string | null;
  /** As the server wrote it, or as an ISO 8601 instant. */
  readonly last_modified: string | null;
}

export interface Answer {
  readonly status: "ok";
  /** After redirects. */
  readonly url: string;
  /** Code of the redirect that led to `url`; null when there was none. */
  readonly redirect: number | null;
  readonly bytes: Uint8Array;
  /** `Content-Type`, or "". */
  readonly type: string;
  readonly headers: HttpExchange["headers"];
  /** The body was longer than the cap. */
  readonly truncated: boolean;
}

/** What came of a request: an answer, or why there is none. */
type Asked =
  | Answer
  | { readonly status: "unchanged" }
  | { readonly status: "gone"; readonly code: number }
  | { readonly status: "refused"; readonly reason: string };

type Purpose = "page" | "list" | "data";

export interface PoliteFetcher {
  /** @throws CrawlEnded when a limit is reached or the site stopped answering; rejects when the signal aborts */
  ask(url: string, purpose: Purpose, condition?: Condition): Promise<Asked>;
  rulesOf(url: string): Promise<RobotsRules>;
  /** What was noted since the last call. */
  takeNotes(): string[];
  readonly pages: number;
  readonly bytes: number;
  /** Milliseconds since the crawl began. */
  elapsed(): number;
}

const ACCEPTS: Readonly<Record<Purpose, string>> = {
  page: "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
  list: "application/xml,text/xml,application/rss+xml,application/atom+xml,*/*;q=0.5",
  data: "application/json,text/html;q=0.5,*/*;q=0.1",
};
const LOGIN = /\/(?:log-?in|sign-?in|sso|oauth2?|auth|wp-login\.php|account\/login|session\/new|saml)(?:[/?.]|$)/i;
const MAX_RETRY_MS = 60_000;
const RETRY_MS = 5_000;
/** Requests in a row without any answer, after which the site counts as down. */
const MAX_SILENT = 5;

export function createPoliteFetcher(
  parts: PoliteFetcherParts,
  limits: CrawlLimits,
  site: string,
  signal: AbortSignal,
): PoliteFetcher {
  const start = parts.now();
  const lastAsked = new Map<string, number>();
  const rulesByOrigin = new Map<string, RobotsRules>();
  const notes: string[] = [];
  let pages = 0;
  let bytes = 0;
  let silent = 0;
  const elapsed = () => parts.now() - start;

  /** Leaves the host in peace for as long as it is due. */
  async function pace(url: string, atLeast = 0): Promise<void> {
    signal.throwIfAborted();
    const { host, origin } = new URL(url);
    const gap = Math.max(limits.perHostMs, (rulesByOrigin.get(origin)?.delaySeconds ?? 0) * 1_000);
    const last = lastAsked.get(host);
    const wait = Math.max(atLeast, last === undefined ? 0 : last + gap - parts.now());
    if (elapsed() + Math.max(0, wait) >= limits.deadlineMs) throw new CrawlEnded("time");
    if (wait > 0) await parts.sleep(wait, signal);
    signal.throwIfAborted();
  }

  async function send(url: string, accept: string, maxBytes: number, condition?: Condition, atLeast = 0) {
    await pace(url, atLeast);
    const room = limits.maxBytes - bytes;
    if (room <= 0) throw new CrawlEnded("bytes");
    const cap = Math.min(maxBytes, room);
    const { hops, final } = await parts.http(
      url,
      { accept, maxBytes: cap, binary: true, ...conditionHeaders(condition) },
      signal,
    );
    const body = final.encoding === "base64" ? Buffer.from(final.body, "base64") : Buffer.from(final.body);
    bytes += body.length;
    for (const hop of hops) lastAsked.set(URL.parse(hop.url)?.host ?? "", parts.now());
    if (final.truncated && cap < maxBytes && body.length >= cap) throw new CrawlEnded("bytes");
    return { final, body, redirect: hops.length > 1 ? hops[0].code : null };
  }

  /** Asks once more when the site was busy or silent. */
  async function sendPatiently(url: string, accept: string, maxBytes: number, condition?: Condition) {
    const first = await send(url, accept, maxBytes, condition);
    if (!isPassing(first.final)) {
      silent = 0;
      return first;
    }
    const wished = retryAfterMs(first.final, Date.now()) ?? RETRY_MS;
    const second = await send(url, accept, maxBytes, condition, Math.min(wished, MAX_RETRY_MS));
    silent = isPassing(second.final) ? silent + 1 : 0;
    if (silent >= MAX_SILENT) throw new CrawlEnded("unreachable");
    return second;
  }

  async function rulesOf(url: string): Promise<RobotsRules> {
    const { origin } = new URL(url);
    const known = rulesByOrigin.get(origin);
    if (known) return known;
    const address = `${origin}/robots.txt`;
    const { final, body } = await sendPatiently(address, "text/plain,*/*;q=0.5", MAX_ROBOTS_BYTES);
    const read = readRules(address, final, body.toString("utf8"));
    rulesByOrigin.set(origin, read);
    return read;
  }

  function readRules(address: string, final: HttpExchange, text: string): RobotsRules {
    const { host } = new URL(address);
    if (final.status === "ok" && final.code >= 200 && final.code < 300) {
      const read = parseRobots(address, text, parts.userAgentToken);
      if (read.delaySeconds === MAX_DELAY_SECONDS)
        notes.push(`${host} asks for long pauses between requests; ${MAX_DELAY_SECONDS} seconds are kept.`);
      return read;
    }
    if (final.status === "ok" && final.code >= 400 && final.code < 500 && final.code !== 429) return ALL_ALLOWED;
    if (final.status === "refused") return noneAllowed(`forbidden address: ${final.detail ?? "it may not be reached"}`);
    notes.push(`The robots.txt of ${host} cannot be read now, so nothing on it is read.`);
    return noneAllowed("robots.txt cannot be read now");
  }

  async function ask(url: string, purpose: Purpose, condition?: Condition): Promise<Asked> {
    const refuse = (reason: string): Asked => ({ status: "refused", reason });
    const forbidden = parts.policy?.refusal(url) ?? null;
    if (forbidden !== null) return refuse(`forbidden address: ${forbidden}`);
    const rules = await rulesOf(url);
    if (!rules.allows(url)) return refuse(rules.refusal);
    if (purpose === "page") {
      if (pages >= limits.maxPages) throw new CrawlEnded("pages");
      pages += 1;
    }
    const cap = purpose === "page" && !isPdf(url) ? PAGE_BYTES : PDF_BYTES;
    let sent = await sendPatiently(url, ACCEPTS[purpose], cap, condition);
    if (sent.final.truncated && cap < PDF_BYTES && looksLikePdf(sent.body))
      sent = await sendPatiently(url, ACCEPTS[purpose], PDF_BYTES);
    const { final, body, redirect } = sent;
    const { status, code } = final;
    if (status === "refused") return refuse(`forbidden address: ${final.detail ?? "it may not be reached"}`);
    if (!sameSite(final.url, site)) return refuse(`redirects to another site, ${hostOf(final.url)}`);
    if (status !== "ok") return refuse(status === "timeout" ? "no answer in time" : "no answer");
    const finalRules = await rulesOf(final.url);
    if (!finalRules.allows(final.url)) return refuse(finalRules.refusal);
    if (LOGIN.test(final.url) && !LOGIN.test(url)) return refuse("behind a login");
    if (code === 304) return condition ? { status: "unchanged" } : refuse("no content (304)");
    if (code === 404 || code === 410) return { status: "gone", code };
    if (code === 401 || code === 407) return refuse(`behind a login (${code})`);
    if (code === 403) return refuse("the site refuses it (403)");
    if (code >= 300)
      return refuse(code >= 400 ? `the site answers ${code}` : `a redirect that leads nowhere (${code})`);
    if (cutOff(final)) return refuse("the answer broke off");
    return {
      status: "ok",
      url: final.url,
      redirect,
      bytes: body,
      type: headerOf(final.headers, "content-type") ?? "",
      headers: final.headers,
      truncated: final.truncated ?? false,
    };
  }

  return {
    ask,
    rulesOf,
    takeNotes: () => notes.splice(0),
    elapsed,
    get pages() {
      return pages;
    },
    get bytes() {
      return bytes;
    },
  };
}

export function looksLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
}

/** Busy or silent for a moment, perhaps. */
function isPassing({ status, code }: HttpExchange): boolean {
  if (status === "timeout" || status === "failed") return true;
  return status === "ok" && [429, 502, 503, 504].includes(code);
}

function conditionHeaders(condition: Condition | undefined) {
  const { etag, last_modified: since } = condition ?? { etag: null, last_modified: null };
  const at = since === null ? Number.NaN : Date.parse(since);
  return {
    ...(etag === null ? {} : { ifNoneMatch: etag }),
    ...(Number.isNaN(at) ? {} : { ifModifiedSince: new Date(at).toUTCString() }),
  };
}

import { hostOfUrl } from "../../core/domain.ts";
import type { NetworkClient } from "../../net/client.ts";
import { cutOff, headerOf, retryAfterMs } from "../../net/exchange.ts";
import type { Policy } from "../../net/policy.ts";
import {
  ALL_ALLOWED,
  MAX_DELAY_SECONDS,
  MAX_ROBOTS_BYTES,
  noneAllowed,
  parseRobots,
  type RobotsRefusal,
  type RobotsRules,
} from "../../net/robots.ts";
import { HTTP_FAULTS, type HttpExchange } from "../../net/snapshot.ts";
import { isPdf, sameSite } from "./address.ts";
import type { CrawlLimits, EarlyEnd, KnownPage, Unreadable, UnreadableCode } from "./types.ts";

/** Requests a site's pages politely: by its robots.txt, one request at a time, within the limits of the crawl. */

const PAGE_BYTES = 3 * 1_048_576;
const PDF_BYTES = 8 * 1_048_576;
const ACCEPT = {
  page: "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
  list: "application/xml,text/xml,application/rss+xml,application/atom+xml,*/*;q=0.5",
  data: "application/json,text/html;q=0.5,*/*;q=0.1",
};
const LOGIN = /\/(?:log-?in|sign-?in|sso|oauth2?|auth|wp-login\.php|account\/login|session\/new|saml)(?:[/?.]|$)/i;
const MAX_RETRY_MS = 60_000;
const RETRY_MS = 5_000;
/** Consecutive requests without an answer after which the site counts as unreachable. */
const MAX_UNANSWERED = 5;

/** Ends a crawl early; what it found by then counts. */
export class CrawlEnded extends Error {
  constructor(
    readonly ended: EarlyEnd,
    readonly unreadable: Unreadable | null = null,
  ) {
    super(`the crawl ended: ${ended}`);
  }
}

export interface PoliteFetcherParts {
  readonly http: NetworkClient["http"];
  /** Checked before a request; the network client checks again. */
  readonly policy?: Pick<Policy, "refusal"> | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Takes the host's next turn among all nodes: resolves with the milliseconds until it. Without it, crawls of one host
   * on several nodes do not know of each other.
   */
  readonly takeTurn?: ((host: string, gapMs: number) => Promise<number>) | undefined;
  /** Our name in robots.txt, without a version. */
  readonly userAgentToken: string;
}

export interface PageResponse {
  readonly status: "ok";
  /** After redirects. */
  readonly url: string;
  /** Status code of the redirect that led to `url`; null when there was none. */
  readonly redirect: number | null;
  readonly bytes: Uint8Array;
  /** `Content-Type`, or "". */
  readonly type: string;
  readonly headers: HttpExchange["headers"];
  /** The body was longer than the limit. */
  readonly truncated: boolean;
}

export type FetchFailure =
  | { readonly status: "unchanged" }
  | { readonly status: "gone"; readonly code: number }
  | ({ readonly status: "refused" } & Unreadable);

export interface PoliteFetcher {
  /**
   * @param purpose only pages count against the limit of pages
   * @param known makes the request conditional
   * @throws CrawlEnded when a limit is reached or the site stopped answering; rejects when the signal aborts
   */
  fetch(url: string, purpose: keyof typeof ACCEPT, known?: KnownPage): Promise<PageResponse | FetchFailure>;
  rulesOf(url: string): Promise<RobotsRules>;
  /** The notes since the last call. */
  takeNotes(): string[];
  readonly pages: number;
  readonly bytes: number;
  /** Milliseconds since the crawl began. */
  elapsed(): number;
}

export function createPoliteFetcher(
  parts: PoliteFetcherParts,
  limits: CrawlLimits,
  site: string,
  signal: AbortSignal,
): PoliteFetcher {
  const start = parts.now();
  const lastRequestAt = new Map<string, number>();
  const rulesByOrigin = new Map<string, RobotsRules>();
  const notes: string[] = [];
  let pages = 0;
  let bytes = 0;
  let unanswered = 0;
  const elapsed = () => parts.now() - start;

  /** Waits until the host may be asked again. */
  async function waitForHost(url: string, atLeast: number): Promise<void> {
    signal.throwIfAborted();
    const { host, origin } = new URL(url);
    const gap = Math.max(limits.perHostMs, (rulesByOrigin.get(origin)?.delaySeconds ?? 0) * 1_000);
    const last = lastRequestAt.get(host);
    const ownWait = Math.max(atLeast, last === undefined ? 0 : last + gap - parts.now());
    const wait = Math.max(ownWait, (await parts.takeTurn?.(host, gap)) ?? 0);
    if (elapsed() + Math.max(0, wait) >= limits.deadlineMs) throw new CrawlEnded("time");
    if (wait > 0) await parts.sleep(wait, signal);
    signal.throwIfAborted();
  }

  async function request(url: string, accept: string, maxBytes: number, known?: KnownPage, atLeast = 0) {
    await waitForHost(url, atLeast);
    const room = limits.maxBytes - bytes;
    if (room <= 0) throw new CrawlEnded("bytes");
    const cap = Math.min(maxBytes, room);
    const options = { accept, maxBytes: cap, binary: true, ...conditionsOf(known) };
    const { hops, final } = await parts.http(url, options, signal);
    const body = Buffer.from(final.body, final.encoding === "base64" ? "base64" : "utf8");
    bytes += body.length;
    for (const hop of hops) lastRequestAt.set(URL.parse(hop.url)?.host ?? "", parts.now());
    if (final.truncated && cap < maxBytes && body.length >= cap) throw new CrawlEnded("bytes");
    return { final, body, redirect: hops.length > 1 ? hops[0].code : null };
  }

  /** Retries once when the site is busy or does not answer. */
  async function requestWithRetry(url: string, accept: string, maxBytes: number, known?: KnownPage) {
    const first = await request(url, accept, maxBytes, known);
    if (!isTemporary(first.final)) {
      unanswered = 0;
      return first;
    }
    const delay = Math.min(retryAfterMs(first.final, Date.now()) ?? RETRY_MS, MAX_RETRY_MS);
    const second = await request(url, accept, maxBytes, known, delay);
    unanswered = isTemporary(second.final) ? unanswered + 1 : 0;
    if (unanswered >= MAX_UNANSWERED) throw new CrawlEnded("unreachable", unreadableOf(second.final));
    return second;
  }

  async function rulesOf(url: string): Promise<RobotsRules> {
    const { origin } = new URL(url);
    const known = rulesByOrigin.get(origin);
    if (known) return known;
    const address = `${origin}/robots.txt`;
    const { final, body } = await requestWithRetry(address, "text/plain,*/*;q=0.5", MAX_ROBOTS_BYTES);
    const rules = readRules(address, final, body.toString("utf8"));
    rulesByOrigin.set(origin, rules);
    return rules;
  }

  function readRules(address: string, final: HttpExchange, text: string): RobotsRules {
    const { host } = new URL(address);
    const { status, code } = final;
    if (status === "ok" && code >= 200 && code < 300) {
      const rules = parseRobots(address, text, parts.userAgentToken);
      if (rules.delaySeconds === MAX_DELAY_SECONDS)
        notes.push(
          `${host} asks for long pauses between requests; Casefile waits ${MAX_DELAY_SECONDS} seconds at most.`,
        );
      return rules;
    }
    if (status === "ok" && code >= 400 && code < 500 && code !== 429) return ALL_ALLOWED;
    const unreadable = unreadableOf(final);
    if (status === "refused") return noneAllowed(unreadable);
    notes.push(`Cannot read the robots.txt of ${host} (${unreadable.reason}), so its pages are skipped.`);
    const reason = status === "ok" ? `cannot read robots.txt: ${unreadable.reason}` : unreadable.reason;
    return noneAllowed({ code: unreadable.code, reason });
  }

  async function fetch(
    url: string,
    purpose: keyof typeof ACCEPT,
    known?: KnownPage,
  ): Promise<PageResponse | FetchFailure> {
    const refuse = (code: UnreadableCode, reason: string): FetchFailure => ({ status: "refused", code, reason });
    const forbidden = parts.policy?.refusal(url) ?? null;
    if (forbidden !== null) return refuse("forbidden", `forbidden address: ${forbidden}`);
    const rules = await rulesOf(url);
    if (!rules.allows(url)) return { status: "refused", ...rules.refusal };
    if (purpose === "page") {
      if (pages >= limits.maxPages) throw new CrawlEnded("pages");
      pages += 1;
    }
    const cap = purpose === "page" && !isPdf(url) ? PAGE_BYTES : PDF_BYTES;
    let response = await requestWithRetry(url, ACCEPT[purpose], cap, known);
    if (response.final.truncated && cap < PDF_BYTES && looksLikePdf(response.body))
      response = await requestWithRetry(url, ACCEPT[purpose], PDF_BYTES);
    const { final, body, redirect } = response;
    const { status, code } = final;
    if (status === "refused") return { status, ...unreadableOf(final) };
    if (!sameSite(final.url, site)) return refuse("redirect", `redirects to another site, ${hostOfUrl(final.url)}`);
    if (status !== "ok") return { status: "refused", ...unreadableOf(final) };
    const finalRules = await rulesOf(final.url);
    if (!finalRules.allows(final.url)) return { status: "refused", ...finalRules.refusal };
    if (LOGIN.test(final.url) && !LOGIN.test(url)) return refuse("login", "behind a login");
    if (code === 304) return known ? { status: "unchanged" } : refuse("http", "no content (304)");
    if (code === 404 || code === 410) return { status: "gone", code };
    if (code === 401 || code === 407) return refuse("login", `behind a login (${code})`);
    if (code === 403) return refuse("http", "the site refuses it (403)");
    if (code >= 400) return { status: "refused", ...unreadableOf(final) };
    if (code >= 300) return refuse("http", `an unresolved redirect (${code})`);
    if (cutOff(final)) return refuse("incomplete", "the response is incomplete");
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
    fetch,
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

/** Why an exchange without a usable response cannot be read. The address that was refused is named only to the operator. */
function unreadableOf({
  status,
  code,
  detail,
  fault,
}: Pick<HttpExchange, "status" | "code" | "detail" | "fault">): RobotsRefusal {
  if (status === "ok") return { code: "http", reason: `the site answers ${code}` };
  const known = fault ?? (status === "timeout" ? "timeout" : status === "refused" ? "forbidden" : "connection_failed");
  const reason = known === "forbidden" && detail !== undefined ? `forbidden address: ${detail}` : HTTP_FAULTS[known];
  return { code: known, reason };
}

/** Why a page was not read. */
export function failureOf(failure: FetchFailure): Unreadable {
  if (failure.status === "gone") return { code: "not_found", reason: `not found (${failure.code})` };
  return failure.status === "refused" ? failure : { code: "http", reason: "unchanged" };
}

/** One phrase for a note or a skipped page. */
export const describeFailure = (failure: FetchFailure): string => failureOf(failure).reason;

export function looksLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
}

function isTemporary({ status, code }: HttpExchange): boolean {
  return status === "timeout" || status === "failed" || (status === "ok" && [429, 502, 503, 504].includes(code));
}

function conditionsOf(known: KnownPage | undefined) {
  const since = Date.parse(known?.last_modified ?? "");
  return {
    ifNoneMatch: known?.etag || undefined,
    ifModifiedSince: Number.isNaN(since) ? undefined : new Date(since).toUTCString(),
  };
}

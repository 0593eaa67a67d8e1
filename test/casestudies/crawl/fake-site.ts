import { type CrawlOptions, createCrawler } from "../../../src/casestudies/crawl/crawler.ts";
import type { CrawlEvent, CrawlSummary } from "../../../src/casestudies/crawl/types.ts";
import type { NetworkClient } from "../../../src/net/client.ts";
import type { HttpOptions } from "../../../src/net/exchange.ts";
import type { HttpExchange } from "../../../src/net/snapshot.ts";

/** The response of an address: HTML, or its parts. */
export type Reply =
  | string
  | {
      readonly code?: number;
      readonly body?: string | Uint8Array;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly location?: string;
      readonly status?: HttpExchange["status"];
    };
export type Replies = Readonly<Record<string, Reply | ((options: HttpOptions) => Reply)>>;

export interface FakeSite {
  readonly http: NetworkClient["http"];
  /** Requested addresses in order, without redirects. */
  readonly asked: string[];
  readonly times: number[];
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_HOPS = 6;

/** A site in memory: other addresses answer 404. Its clock advances with each sleep, and by 10 ms a request. */
export function fakeSite(replies: Replies): FakeSite {
  const asked: string[] = [];
  const times: number[] = [];
  let clock = 0;
  const answer = (url: string, options: HttpOptions): HttpExchange => {
    const reply = replies[url];
    const given =
      typeof reply === "function" ? reply(options) : (reply ?? { code: 404, body: "<h1>Nothing here</h1>" });
    const {
      code = 200,
      body = "",
      type = "text/html; charset=utf-8",
      headers = {},
      location,
      status = "ok",
    } = typeof given === "string" ? { body: given } : given;
    const bytes = Buffer.from(body);
    const cap = options.maxBytes ?? Number.POSITIVE_INFINITY;
    const headersOfReply = { "content-type": type, ...headers, ...(location === undefined ? {} : { location }) };
    if (status !== "ok")
      return { method: "GET", url, status, code: 0, headers: [], body: "", detail: "as the test says" };
    return {
      method: "GET",
      url,
      status,
      code: location === undefined ? code : code === 200 ? 302 : code,
      headers: Object.entries(headersOfReply),
      body: bytes.subarray(0, cap).toString("base64"),
      encoding: "base64",
      ...(bytes.length > cap ? { truncated: true, detail: "the body is longer than the limit" } : {}),
    };
  };
  return {
    asked,
    times,
    now: () => clock,
    sleep: async (ms) => {
      clock += ms;
    },
    async http(url, options, signal) {
      signal.throwIfAborted();
      asked.push(url);
      times.push(clock);
      clock += 10;
      const hops: [HttpExchange, ...HttpExchange[]] = [answer(url, options)];
      for (let last = hops[0]; hops.length < MAX_HOPS; last = hops[hops.length - 1] ?? last) {
        const location = last.headers.find(([name]) => name === "location")?.[1];
        if (location === undefined || last.code === 304) break;
        hops.push(answer(new URL(location, last.url).href, options));
      }
      return { hops, final: hops[hops.length - 1] ?? hops[0] };
    },
  };
}

export interface Crawled {
  readonly events: CrawlEvent[];
  readonly summary: CrawlSummary;
  readonly site: FakeSite;
  /** Addresses of the case studies. */
  readonly found: string[];
  /** From address to reason. */
  readonly skipped: Readonly<Record<string, string>>;
  readonly notes: string[];
}

export async function crawl(
  replies: Replies,
  options: Partial<CrawlOptions> & { readonly url: string },
): Promise<Crawled> {
  const site = fakeSite(replies);
  const crawler = createCrawler({ ...site, userAgentToken: "Casefile" });
  const events: CrawlEvent[] = [];
  const stream = crawler.crawl({ signal: new AbortController().signal, ...options });
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) events.push(next.value);
  return {
    events,
    summary: next.value,
    site,
    found: events.flatMap((event) => (event.type === "page" ? event.page.url : [])),
    skipped: Object.fromEntries(
      events.flatMap((event) => (event.type === "skipped" ? [[event.url, event.reason]] : [])),
    ),
    notes: events.flatMap((event) => (event.type === "note" ? event.text : [])),
  };
}

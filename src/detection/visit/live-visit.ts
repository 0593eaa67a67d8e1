import type { DataSources } from "../../core/data-sources.ts";
import type { Domain } from "../../core/domain.ts";
import { noCertificate } from "../../net/certificate.ts";
import { followRedirects, type NetworkClient } from "../../net/client.ts";
import { cutOff, type HttpAnswer, type HttpOptions, unanswered } from "../../net/exchange.ts";
import type { BrowserAnswer, CertificateAnswer, DnsAnswer, HttpExchange, Snapshot } from "../../net/snapshot.ts";
import { createRobotsCheck, ROBOTS_FILE, type RobotsMode } from "./robots.ts";
import type { Visit } from "./visit.ts";

/** Limits of one visit; further lookups are answered `refused`. */
export interface VisitBudget {
  readonly dnsQuestions: number;
  /** Includes redirects. */
  readonly httpExchanges: number;
  /** Sum over all bodies, decompressed. */
  readonly bodyBytes: number;
}

export const VISIT_BUDGET: VisitBudget = { dnsQuestions: 600, httpExchanges: 150, bodyBytes: 24 * 1_048_576 };

export interface LiveVisit extends Visit {
  /** Every answer so far, in a stable order, without those that the budget refused. */
  snapshot(origin: string, capturedAt: string): Snapshot;
}

const OVER_BUDGET = "the scan has used up its limit of requests";

/** Visits a company over the network. */
export function liveVisit(
  domain: Domain,
  network: Pick<NetworkClient, "dns" | "http" | "certificate" | "browse">,
  sources: DataSources,
  signal: AbortSignal,
  budget: VisitBudget = VISIT_BUDGET,
  robotsMode: RobotsMode = "ignore",
): LiveVisit {
  const dns = createCache<DnsAnswer>();
  const http = createCache<HttpAnswer>();
  const certificates = createCache<CertificateAnswer>();
  const { browse } = network;
  let loaded: Promise<BrowserAnswer> | undefined;
  let browser: BrowserAnswer | undefined;
  let questions = 0;
  let requests = 0;
  let bytes = 0;

  /** Bodies are read at the same time: each piece is counted before it is kept. */
  function reserve(wanted: number): number {
    const granted = Math.min(wanted, budget.bodyBytes - bytes);
    bytes += granted;
    return granted;
  }

  async function exchange(url: string, options: HttpOptions): Promise<HttpExchange> {
    requests += 1;
    const { final } = await network.http(url, { ...options, reserve, follow: false }, signal);
    return final;
  }

  /** By their requests: most home pages are also what another address of the company redirects to. */
  const exchanges = new Map<string, Promise<HttpExchange>>();

  /** The exchange of a request that was sent before and answered completely; otherwise sends it. */
  async function sharedExchange(url: string, options: HttpOptions): Promise<HttpExchange> {
    const key = requestKey(url, options);
    const known = exchanges.get(key);
    if (known) {
      const answered = await known;
      if (answered.status === "ok" && cutOff(answered) === undefined) return answered;
    }
    const sent = exchange(url, options);
    exchanges.set(key, sent);
    return await sent;
  }

  async function fetchPage(url: string, given: HttpOptions): Promise<HttpAnswer> {
    const options = { ...given, robots: robotsOf(url) };
    const first = await sharedExchange(url, options);
    if (options.follow === false) return { hops: [first], final: first };
    const { ifNoneMatch: _tag, ifModifiedSince: _since, authorization: _key, headers: _own, ...plain } = options;
    return await followRedirects(first, (next, method, hops) => {
      // Some sites answer the same request otherwise the second time.
      const isRepeated = hops.some((hop) => hop.url === next && hop.method === method);
      return (isRepeated ? exchange : sharedExchange)(next, { ...plain, method });
    });
  }

  const visit: LiveVisit = {
    domain,
    signal,
    sources,
    known: { isRecorded: false, lacks: [], names: [], pages: [], requests: [] },

    async dns(name, type) {
      signal.throwIfAborted();
      const plain = name.trim().toLowerCase().replace(/\.$/, "");
      const key = `${plain} ${type}`;
      if (!dns.has(key) && questions >= budget.dnsQuestions)
        return { name: plain, type, status: "refused", records: [], detail: OVER_BUDGET };
      return dns.get(key, () => {
        questions += 1;
        return network.dns(plain, type, signal);
      });
    },

    async http(url, options = {}) {
      signal.throwIfAborted();
      const { method = "GET" } = options;
      const key = requestKey(url, options);
      if (!http.has(key) && (requests >= budget.httpExchanges || bytes >= budget.bodyBytes)) {
        const final = unanswered({ url, method }, "refused", OVER_BUDGET);
        return { hops: [final], final };
      }
      return http.get(key, () => fetchPage(url, options));
    },

    async certificate(host) {
      signal.throwIfAborted();
      const plain = host.toLowerCase();
      if (!certificates.has(plain) && certificates.size >= budget.httpExchanges)
        return noCertificate(plain, "refused", OVER_BUDGET);
      return certificates.get(plain, () => network.certificate(plain, signal));
    },

    /** One page per visit: the first that is requested. */
    browse:
      browse &&
      (async (url) => {
        signal.throwIfAborted();
        loaded ??= browse(url, signal, robotsMode === "obey" ? robotsOf(url) : undefined).then(
          (answer) => (browser = answer),
        );
        return loaded;
      }),

    snapshot: (origin, capturedAt) => ({
      format: "casefile-snapshot",
      version: 1,
      domain: domain.name,
      captured_at: capturedAt,
      origin,
      dns: dns.answers((answer) => `${answer.name} ${answer.type}`),
      http: exchangesOf(http.answers(({ final }) => `${final.url} ${final.method}`)),
      certificates: certificates.answers(({ host }) => host),
      requests: [],
      zone: false,
      ...(browser ? { browser } : {}),
    }),
  };
  const robotsOf = createRobotsCheck(domain, robotsMode, (url) => visit.http(url, ROBOTS_FILE));
  return visit;
}

/** What distinguishes a request from the others of a visit. */
function requestKey(url: string, { method = "GET", body = "", accept, maxBytes, binary = false }: HttpOptions): string {
  return [url, method, method === "GET" ? "" : body, accept ?? "", maxBytes ?? "", binary].join("\n");
}

interface LookupCache<T> {
  readonly size: number;
  has(key: string): boolean;
  /** Caches the promise, so that concurrent callers share one lookup. */
  get(key: string, lookup: () => Promise<T>): Promise<T>;
  /** The answers so far, sorted by key. */
  answers(key: (answer: T) => string): T[];
}

export function createCache<T>(): LookupCache<T> {
  const lookups = new Map<string, Promise<T>>();
  const answered: T[] = [];
  return {
    get size() {
      return lookups.size;
    },
    has: (key) => lookups.has(key),
    get(key, lookup) {
      const known = lookups.get(key);
      if (known) return known;
      const answer = lookup().then((value) => {
        answered.push(value);
        return value;
      });
      lookups.set(key, answer);
      return answer;
    },
    answers: (key) =>
      answered
        .map((value) => [key(value), value] as const)
        .sort(byKey)
        .map(([, value]) => value),
  };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One exchange per method and URL: an answered one is preferred, then the one with the longest body. */
function exchangesOf(answers: readonly HttpAnswer[]): HttpExchange[] {
  const best = new Map<string, HttpExchange>();
  for (const exchange of answers.flatMap(({ hops }) => hops)) {
    const key = `${exchange.url} ${exchange.method}`;
    const known = best.get(key);
    if (!known || rank(exchange) > rank(known)) best.set(key, exchange);
  }
  return [...best].sort(byKey).map(([, exchange]) => exchange);
}

function rank(exchange: HttpExchange): number {
  return exchange.status === "ok" ? 1 + exchange.body.length : 0;
}

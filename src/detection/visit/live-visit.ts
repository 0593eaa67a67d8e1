import type { Domain } from "../../core/domain.ts";
import { noCertificate } from "../../net/certificate.ts";
import type { NetworkClient } from "../../net/client.ts";
import { type HttpAnswer, type HttpOptions, unanswered } from "../../net/exchange.ts";
import type { CertificateAnswer, DnsAnswer, HttpExchange, Snapshot } from "../../net/snapshot.ts";
import type { DataSources, Visit } from "./visit.ts";

/** What one visit may cost the company and us; beyond it every new ask is answered `refused`. */
export interface VisitBudget {
  readonly dnsQuestions: number;
  /** Redirects count too. */
  readonly httpExchanges: number;
  /** Sum over all bodies, decompressed. */
  readonly bodyBytes: number;
}

export const VISIT_BUDGET: VisitBudget = { dnsQuestions: 600, httpExchanges: 150, bodyBytes: 40 * 1_048_576 };

export interface LiveVisit extends Visit {
  /** Everything that was answered so far, in a stable order. What the budget refused is left out. */
  snapshot(origin: string, capturedAt: string): Snapshot;
}

const SPENT = "the visit's budget is spent";

/** Looks at a company over the network. Each thing is fetched once, however many ask. */
export function liveVisit(
  domain: Domain,
  door: Pick<NetworkClient, "dns" | "http" | "certificate">,
  sources: DataSources,
  signal: AbortSignal,
  budget: VisitBudget = VISIT_BUDGET,
): LiveVisit {
  const dns = createMemory<DnsAnswer>();
  const http = createMemory<HttpAnswer>();
  const certificates = createMemory<CertificateAnswer>();
  let questions = 0;
  let requests = 0;
  let bytes = 0;

  async function fetchPage(url: string, options: HttpOptions): Promise<HttpAnswer> {
    requests += 1;
    const left = budget.bodyBytes - bytes;
    const answer = await door.http(url, { ...options, maxBytes: Math.min(options.maxBytes ?? left, left) }, signal);
    requests += answer.hops.length - 1;
    bytes += answer.hops.reduce((sum, hop) => sum + hop.body.length, 0);
    return answer;
  }

  return {
    domain,
    signal,
    sources,
    known: { names: [], pages: [], requests: [] },

    async dns(name, type) {
      signal.throwIfAborted();
      const plain = name.trim().toLowerCase().replace(/\.$/, "");
      const key = `${plain} ${type}`;
      if (!dns.has(key) && questions >= budget.dnsQuestions)
        return { name: plain, type, status: "refused", records: [], detail: SPENT };
      return dns.once(key, () => {
        questions += 1;
        return door.dns(plain, type, signal);
      });
    },

    async http(url, options = {}) {
      signal.throwIfAborted();
      const { method = "GET", body = "", accept = "", maxBytes = "", binary = false } = options;
      const key = [url, method, body, accept, maxBytes, binary].join("\n");
      if (!http.has(key) && (requests >= budget.httpExchanges || bytes >= budget.bodyBytes)) {
        const final = unanswered({ url, method }, "refused", SPENT);
        return { hops: [final], final };
      }
      return http.once(key, () => fetchPage(url, options));
    },

    async certificate(host) {
      signal.throwIfAborted();
      const plain = host.toLowerCase();
      if (!certificates.has(plain) && certificates.size >= budget.httpExchanges)
        return noCertificate(plain, "refused", SPENT);
      return certificates.once(plain, () => door.certificate(plain, signal));
    },

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
    }),
  };
}

interface Memory<T> {
  readonly size: number;
  has(key: string): boolean;
  /** The promise is remembered, so that two who ask at once share one look-up. */
  once(key: string, fetch: () => Promise<T>): Promise<T>;
  /** What was answered by now, ordered by key. */
  answers(key: (answer: T) => string): T[];
}

function createMemory<T>(): Memory<T> {
  const asked = new Map<string, Promise<T>>();
  const answered: T[] = [];
  return {
    get size() {
      return asked.size;
    },
    has: (key) => asked.has(key),
    once(key, fetch) {
      const known = asked.get(key);
      if (known) return known;
      const answer = fetch().then((value) => {
        answered.push(value);
        return value;
      });
      asked.set(key, answer);
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

/** One exchange for each method and URL: an answered one before another, the longer body before a shorter one. */
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

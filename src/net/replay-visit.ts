import { belongsTo, recordedDomain } from "../vocabulary/domain.ts";
import type { CertificateAnswer, HttpExchange, Snapshot } from "../vocabulary/snapshot.ts";
import { nothing } from "./certificate.ts";
import { followRedirects } from "./redirect.ts";
import { recordedDns } from "./replay-dns.ts";
import { type HttpAnswer, type HttpOptions, type OutsideSources, PUBLIC_SOURCES, type Visit } from "./visit.ts";
import { decodeText } from "./web/charset.ts";
import { unanswered } from "./web/exchange.ts";
import { headerOf } from "./web/headers.ts";

const MAX_KNOWN = 5_000;
const UNRECORDED = "the recording does not have it";

/**
 * Looks at a company in a recording instead of the network. What nobody asked before is answered `unrecorded`.
 *
 * @param signal ends the visit; a replay that is never called off needs none
 */
export function replayVisit(
  snapshot: Snapshot,
  sources: OutsideSources = PUBLIC_SOURCES,
  signal: AbortSignal = new AbortController().signal,
): Visit {
  const dns = recordedDns(snapshot);
  const exchanges = indexExchanges(snapshot.http);
  const certificates = new Map<string, CertificateAnswer>(snapshot.certificates.map((each) => [each.host, each]));

  return {
    domain: recordedDomain(snapshot.domain),
    signal,
    sources,
    known: {
      names: dns.names.slice(0, MAX_KNOWN),
      pages: pagesOf(snapshot).slice(0, MAX_KNOWN),
      requests: snapshot.requests,
    },

    async dns(name, type) {
      signal.throwIfAborted();
      return dns.answer(name, type);
    },

    async http(url, options = {}) {
      signal.throwIfAborted();
      return walk(url, options, exchanges);
    },

    async certificate(host) {
      signal.throwIfAborted();
      const name = host.toLowerCase();
      return certificates.get(name) ?? nothing(name, "unrecorded", UNRECORDED);
    },
  };
}

type Exchanges = ReadonlyMap<string, HttpExchange>;

function indexExchanges(exchanges: readonly HttpExchange[]): Exchanges {
  const index = new Map<string, HttpExchange>();
  for (const exchange of exchanges) {
    const key = `${exchange.method} ${normalise(exchange.url)}`;
    if (!index.has(key)) index.set(key, exchange);
  }
  return index;
}

async function walk(start: string, options: HttpOptions, exchanges: Exchanges): Promise<HttpAnswer> {
  const first = fit(find(start, options.method ?? "GET", exchanges, []), options);
  return followRedirects(first, (url, method, passed) => fit(find(url, method, exchanges, passed), options));
}

/**
 * The exchange of that very URL, else that of the other scheme or with the other ending: people save pages under
 * whichever address they typed. A near match that was passed already would lead in circles.
 */
function find(url: string, method: "GET" | "POST", exchanges: Exchanges, passed: readonly HttpExchange[]) {
  const [exact, ...near] = variants(normalise(url));
  const hit =
    exchanges.get(`${method} ${exact}`) ??
    near
      .map((each) => exchanges.get(`${method} ${each}`))
      .find((each) => each && !passed.some(({ url }) => url === each.url));
  return hit ?? unanswered({ url, method }, "unrecorded", UNRECORDED);
}

function variants(url: string): string[] {
  const swapped = url.startsWith("https:") ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
  return [url, swapped, toggled(url), toggled(swapped)];
}

function toggled(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.pathname = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : `${url.pathname}/`;
  return url.href;
}

function normalise(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = "";
  return url.href;
}

/** The recorded body in the form and within the length that is asked for now. */
function fit(exchange: HttpExchange, { binary = false, maxBytes }: HttpOptions): HttpExchange {
  if (exchange.body === "") return exchange;
  const { encoding, ...rest } = exchange;
  if (binary) {
    return encoding ? exchange : { ...rest, body: Buffer.from(exchange.body).toString("base64"), encoding: "base64" };
  }
  const body = encoding
    ? decodeText(Buffer.from(exchange.body, "base64"), headerOf(exchange.headers, "content-type"))
    : exchange.body;
  if (maxBytes === undefined || body.length <= maxBytes) return encoding ? { ...rest, body } : exchange;
  return { ...rest, body: body.slice(0, maxBytes), truncated: true };
}

/** Recorded pages of the company beside its home page, which is asked for anyway. */
function pagesOf({ domain, http }: Snapshot): string[] {
  const pages = http.flatMap((exchange) => {
    const url = URL.parse(exchange.url);
    const isPage = exchange.status === "ok" && exchange.code === 200 && exchange.method === "GET" && !exchange.encoding;
    if (!url || !isPage || !belongsTo(url.hostname, domain)) return [];
    if (!/^text\/html\b/i.test(headerOf(exchange.headers, "content-type") ?? "")) return [];
    const isHome = url.pathname === "/" && url.search === "" && [domain, `www.${domain}`].includes(url.hostname);
    return isHome ? [] : normalise(exchange.url);
  });
  return [...new Set(pages)];
}

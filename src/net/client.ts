import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { createKeyedSemaphore, createSemaphore } from "../core/async.ts";
import { createBrowser } from "./browser.ts";
import { type CertificateSettings, noCertificate, readCertificate } from "./certificate.ts";
import {
  createTrust,
  dialFirst,
  dialProxy,
  dialTunnel,
  proxyCredentials,
  resolveAllowedAddresses,
  startTls,
  withoutBrackets,
} from "./dial.ts";
import {
  type Connection,
  type ExchangeLimits,
  exchange,
  type HttpAnswer,
  type HttpOptions,
  headerOf,
  type OutgoingRequest,
  unanswered,
} from "./exchange.ts";
import type { OptOuts } from "./opt-outs.ts";
import { createPolicy, type Policy, type PolicySettings } from "./policy.ts";
import type { RequestSigner } from "./request-signer.ts";
import { createResolver, RESOLVER_DEFAULTS, type Resolver, systemServers } from "./resolver.ts";
import {
  type BrowserAnswer,
  type CertificateAnswer,
  type DnsAnswer,
  HTTP_FAULTS,
  type HttpExchange,
  type RecordType,
} from "./snapshot.ts";

const MAX_REDIRECTS = 5;

/** Follows the redirects of a first exchange. The `detail` of the last one says why when following stopped early. */
export async function followRedirects(
  first: HttpExchange,
  request: (url: string, method: "GET" | "POST", hops: readonly HttpExchange[]) => HttpExchange | Promise<HttpExchange>,
): Promise<HttpAnswer> {
  const hops: [HttpExchange, ...HttpExchange[]] = [first];
  for (let final = first; ; ) {
    const next = redirectOf(final);
    if (next === "none") return { hops, final };
    if (next === "invalid" || hops.length > MAX_REDIRECTS) {
      const why = next === "invalid" ? "the Location is not a URL" : `more than ${MAX_REDIRECTS} redirects`;
      final = withNote(final, why);
      hops[hops.length - 1] = final;
      return { hops, final };
    }
    final = await request(next.url, next.method, hops);
    hops.push(final);
  }
}

/** Adds a note, unless a recorded exchange already has it. */
function withNote(exchange: HttpExchange, note: string): HttpExchange {
  const { detail } = exchange;
  if (detail?.includes(note)) return exchange;
  return { ...exchange, detail: detail === undefined ? note : `${detail}; ${note}` };
}

/**
 * The request that an exchange redirects to, `none`, or `invalid` for a Location that is not a URL. 307 and 308 keep the
 * method; after the others a POST becomes a GET, as in browsers.
 */
function redirectOf(exchange: HttpExchange): { url: string; method: "GET" | "POST" } | "none" | "invalid" {
  if (exchange.status !== "ok" || ![301, 302, 303, 307, 308].includes(exchange.code)) return "none";
  const location = headerOf(exchange.headers, "location");
  if (location === undefined) return "none";
  const url = URL.parse(location, exchange.url);
  if (!url) return "invalid";
  url.hash = "";
  return { url: url.href, method: exchange.code === 307 || exchange.code === 308 ? exchange.method : "GET" };
}

interface HttpSettings extends ExchangeLimits {
  /** Maximum and default of `HttpOptions.maxBytes`. */
  readonly pageBytes: number;
  /** Open connections per host name and in total. */
  readonly connectionsPerHost: number;
  readonly connections: number;
  readonly userAgent: string;
  /**
   * `http[s]://[user:password@]host[:port]`, or null to connect directly. A proxy resolves names itself and has to block
   * internal addresses: only literal addresses in URLs are checked here.
   */
  readonly proxy: string | null;
  /** From the port of a URL to the port to connect to. Not used with a proxy. */
  readonly connectPorts: ReadonlyMap<number, number>;
  /** Hosts to which nothing is sent, not even a DNS query. */
  readonly optOuts?: OptOuts | undefined;
  /** Signs each request. */
  readonly signer?: Pick<RequestSigner, "headersFor"> | undefined;
}

interface HttpClient {
  /**
   * Requests a URL and follows redirects, checking every hop against the policy. Rejects only when `signal` aborts or the
   * client was closed. A response of any code is `ok`; `refused` is a request that the policy forbids.
   */
  request(url: string, options: HttpOptions, signal: AbortSignal): Promise<HttpAnswer>;
  close(): void;
}

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

export function createHttp(
  settings: HttpSettings,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  trust: SecureContext | undefined,
): HttpClient {
  const total = createSemaphore(settings.connections);
  const perHost = createKeyedSemaphore(settings.connectionsPerHost);
  const closing = new AbortController();
  const proxy = settings.proxy === null ? null : new URL(settings.proxy);

  async function send(
    outgoing: OutgoingRequest,
    robots: HttpOptions["robots"],
    signal: AbortSignal,
  ): Promise<HttpExchange> {
    const refusal = policy.refusal(outgoing.url);
    if (refusal !== null) return unanswered(outgoing, "refused", refusal, "forbidden");
    if ((await settings.optOuts?.match(withoutBrackets(outgoing.url.hostname))) !== undefined)
      return unanswered(outgoing, "refused", HTTP_FAULTS.opted_out, "opted_out");
    const forbidden = await robots?.(outgoing.url);
    if (forbidden) return unanswered(outgoing, "refused", forbidden, "robots");
    const releaseHost = await perHost(outgoing.url.host, signal);
    try {
      const releaseTotal = await total.acquire(signal);
      try {
        return proxy ? await proxied(outgoing, proxy, signal) : await direct(outgoing, signal);
      } finally {
        releaseTotal();
      }
    } finally {
      releaseHost();
    }
  }

  async function direct(outgoing: OutgoingRequest, signal: AbortSignal): Promise<HttpExchange> {
    const { url } = outgoing;
    const resolved = await resolveAllowedAddresses(url.hostname, policy, resolver, signal);
    if ("status" in resolved) return unanswered(outgoing, resolved.status, resolved.detail, resolved.fault);
    const urlPort = portOf(url);
    const port = settings.connectPorts.get(urlPort) ?? urlPort;
    const open = async (limit: AbortSignal): Promise<Connection> => {
      const socket = await dialFirst(resolved.addresses, port, settings.firstByteMs, limit);
      return { socket: await withTls(url, socket, limit), path: pathOf(url) };
    };
    return exchange(outgoing, open, settings, signal);
  }

  async function proxied(outgoing: OutgoingRequest, via: URL, signal: AbortSignal): Promise<HttpExchange> {
    const { url } = outgoing;
    if (url.protocol === "https:") {
      const open = async (limit: AbortSignal): Promise<Connection> => {
        const socket = await dialTunnel(via, `${url.hostname}:${portOf(url)}`, trust, limit);
        return { socket: await withTls(url, socket, limit), path: pathOf(url) };
      };
      return exchange(outgoing, open, settings, signal);
    }
    const credentials = proxyCredentials(via);
    const headers = credentials ? { ...outgoing.headers, "Proxy-Authorization": credentials } : outgoing.headers;
    const open = async (limit: AbortSignal) => ({ socket: await dialProxy(via, trust, limit), path: url.href });
    return exchange({ ...outgoing, headers }, open, settings, signal);
  }

  async function withTls(url: URL, socket: Socket, signal: AbortSignal): Promise<Socket> {
    if (url.protocol !== "https:") return socket;
    return startTls(socket, { host: withoutBrackets(url.hostname), trust, verify: true }, signal);
  }

  function buildRequest(url: URL, method: "GET" | "POST", options: HttpOptions): OutgoingRequest {
    const body = method === "POST" ? (options.body ?? "") : undefined;
    const headers: Record<string, string> = {
      Host: url.host,
      "User-Agent": settings.userAgent,
      Accept: options.accept ?? ACCEPT,
      "Accept-Encoding": "gzip, deflate, br, zstd",
      "Accept-Language": "en, *;q=0.5",
      ...safeHeader("If-None-Match", options.ifNoneMatch),
      ...safeHeader("If-Modified-Since", options.ifModifiedSince),
      ...safeHeader("Authorization", options.authorization),
      ...options.headers,
      ...settings.signer?.headersFor(url),
    };
    if (body !== undefined) {
      headers["Content-Type"] = options.type ?? "application/json";
      headers["Content-Length"] = String(Buffer.byteLength(body));
    }
    const maxBytes = Math.max(1, Math.min(options.maxBytes ?? settings.pageBytes, settings.pageBytes));
    const { reserve = (bytes: number) => bytes, binary = false } = options;
    return { url, method, headers, body, maxBytes, reserve, binary };
  }

  return {
    async request(address, options, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      either.throwIfAborted();
      const method = options.method ?? "GET";
      const start = URL.parse(address);
      if (!start) {
        const refused = unanswered({ url: address, method }, "refused", "not a URL", "forbidden");
        return { hops: [refused], final: refused };
      }
      start.hash = "";
      const first = await send(buildRequest(start, method, options), options.robots, either);
      if (options.follow === false) return { hops: [first], final: first };
      const { ifNoneMatch: _tag, ifModifiedSince: _since, authorization: _key, headers: _own, ...plain } = options;
      return followRedirects(first, (url, next) =>
        send(buildRequest(new URL(url), next, plain), options.robots, either),
      );
    },
    close() {
      closing.abort(new DOMException("The client was closed.", "AbortError"));
    },
  };
}

/** A value that another server chose: one that a header cannot hold is dropped, and the whole page is requested. */
function safeHeader(name: string, value: string | undefined): Record<string, string> {
  return value !== undefined && /^[\x21-\x7e][\x20-\x7e]{0,1023}$/.test(value) ? { [name]: value } : {};
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

function pathOf(url: URL): string {
  return url.pathname + url.search;
}

/**
 * @param robots as in {@link HttpOptions}, for the page and for everything that it loads
 */
export type Browse = (url: string, signal: AbortSignal, robots?: HttpOptions["robots"]) => Promise<BrowserAnswer>;

/** All network access of the process. Methods reject only when their signal aborts or the client was closed. */
export interface NetworkClient {
  /** For checking a URL that will be fetched later. */
  readonly policy: Policy;
  dns(name: string, type: RecordType, signal: AbortSignal): Promise<DnsAnswer>;
  /** Whether any DNS server responds. */
  dnsReachable(signal: AbortSignal): Promise<boolean>;
  http(url: string, options: HttpOptions, signal: AbortSignal): Promise<HttpAnswer>;
  certificate(host: string, signal: AbortSignal): Promise<CertificateAnswer>;
  /** Loads a page in the configured browser; null without one. */
  readonly browse: Browse | null;
  /** Aborts everything in flight. */
  close(): void;
}

export interface NetworkSettings extends PolicySettings, HttpSettings, CertificateSettings {
  /** `ip`, `ip:port` or `[v6]:port`; null for the resolvers of this machine. */
  readonly dnsServers: readonly string[] | null;
  /** Milliseconds per attempt at one DNS server. */
  readonly dnsTimeoutMs: number;
  /** Rounds over all DNS servers. */
  readonly dnsTries: number;
  /** Maximum time in seconds that DNS records are cached, whatever their TTL. */
  readonly dnsCacheSeconds: number;
  /** Seconds for which "no such name" and "no such record" are cached. */
  readonly dnsNegativeCacheSeconds: number;
  /** DNS questions in flight at a time. */
  readonly dnsConcurrent: number;
  /** Address of a browser that speaks the Chrome DevTools Protocol, or null. It may be on any host: the user chose it. */
  readonly browserUrl: string | null;
  /** PEM text of certificate authorities to trust in addition to the default ones, or null. */
  readonly extraCa: string | null;
}

const MIB = 1_048_576;

export const NETWORK_DEFAULTS: NetworkSettings = {
  dnsServers: null,
  dnsTimeoutMs: RESOLVER_DEFAULTS.timeoutMs,
  dnsTries: RESOLVER_DEFAULTS.tries,
  dnsCacheSeconds: RESOLVER_DEFAULTS.cacheSeconds,
  dnsNegativeCacheSeconds: RESOLVER_DEFAULTS.negativeCacheSeconds,
  dnsConcurrent: RESOLVER_DEFAULTS.maxConcurrent,
  allowCidrs: [],
  extraPorts: [],
  connectPorts: new Map(),
  proxy: null,
  browserUrl: null,
  extraCa: null,
  userAgent: "Casefile",
  connections: 32,
  connectionsPerHost: 4,
  firstByteMs: 5_000,
  exchangeMs: 8_000,
  certificateMs: 5_000,
  pageBytes: 3 * MIB,
  rawBytes: 8 * MIB,
  headerCount: 200,
  headerBytes: 65_536,
};

/**
 * The `User-Agent`: `Casefile/1.2.0 (+PAGE; +CONTACT)`.
 *
 * @param page of the product, if it has one
 * @param contact URL or email address of the operator, for site owners
 */
export function userAgent(version: string, page: string | null, contact: string | null): string {
  const known = [page, contact].flatMap((text) => (text ? [`+${text}`] : [])).join("; ");
  // A header holds printable ASCII only; another character would make every request fail.
  const name = `Casefile/${version}${known && ` (${known})`}`;
  return name.replace(/[^\x20-\x7e]/g, "").slice(0, 300);
}

/**
 * @param clock monotonic milliseconds, for the DNS cache
 * @throws Failure `config.invalid` for an allowed block that is not a CIDR block
 */
export function openNetworkClient(settings: NetworkSettings, clock?: () => number): NetworkClient {
  const policy = createPolicy(settings);
  const resolver = createResolver(
    {
      servers: settings.dnsServers ?? systemServers(),
      timeoutMs: settings.dnsTimeoutMs,
      tries: settings.dnsTries,
      cacheSeconds: settings.dnsCacheSeconds,
      negativeCacheSeconds: settings.dnsNegativeCacheSeconds,
      maxConcurrent: settings.dnsConcurrent,
    },
    clock,
  );
  const trust = createTrust(settings.extraCa);
  const client = createHttp(settings, policy, resolver, trust);
  const handshakes = createSemaphore(settings.connections);
  const closing = new AbortController();
  const isOptedOut = async (host: string) => (await settings.optOuts?.match(host)) !== undefined;

  return {
    policy,
    async dns(name, type, signal) {
      if (await isOptedOut(name)) return { name, type, status: "refused", records: [], detail: HTTP_FAULTS.opted_out };
      return await resolver.lookup(name, type, signal);
    },
    dnsReachable: (signal) => resolver.reachable(signal),
    http: (url, options, signal) => client.request(url, options, signal),
    browse: settings.browserUrl === null ? null : createBrowser(settings.browserUrl, { http: client.request }),
    async certificate(host, signal) {
      if (await isOptedOut(host)) return noCertificate(host, "refused", HTTP_FAULTS.opted_out);
      const either = AbortSignal.any([signal, closing.signal]);
      return await readCertificate(host, settings, policy, resolver, trust, handshakes, either);
    },
    close() {
      client.close();
      closing.abort(new DOMException("The network client was closed.", "AbortError"));
      resolver.close();
    },
  };
}

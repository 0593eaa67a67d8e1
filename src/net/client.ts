import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { createKeyedSemaphore, createSemaphore } from "../core/async.ts";
import { type CertificateSettings, readCertificate } from "./certificate.ts";
import { createTrust, dialFirst, dialProxy, dialTunnel, proxyCredentials, secure } from "./dial.ts";
import {
  type ExchangeLimits,
  exchange,
  type HttpAnswer,
  type HttpOptions,
  headerOf,
  type Line,
  type Outgoing,
  unanswered,
} from "./exchange.ts";
import { createPolicy, type Policy, type PolicySettings } from "./policy.ts";
import { createResolver, RESOLVER_DEFAULTS, type Resolver, systemServers } from "./resolver.ts";
import type { CertificateAnswer, DnsAnswer, HttpExchange, RecordType } from "./snapshot.ts";

/** Addresses that a socket may be opened to, in the order of trying; or why there is none. */
type Location =
  | { readonly addresses: readonly [string, ...string[]] }
  | { readonly status: "failed" | "timeout" | "refused"; readonly detail: string };

/** How many addresses of one host are tried before it counts as down. */
const MAX_ADDRESSES = 3;

/**
 * Looks a host up once and vets what comes back. Whoever connects must use these addresses and not the name:
 * a second look-up could answer with another one.
 */
export async function resolveAllowedAddresses(
  host: string,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  signal: AbortSignal,
): Promise<Location> {
  const literal = host.replace(/^\[|\]$/g, "");
  if (isIP(literal) !== 0) return choose([literal], policy) ?? refused(literal);
  const answers = await Promise.all([resolver.lookup(host, "A", signal), resolver.lookup(host, "AAAA", signal)]);
  // IPv4 first: a host without an IPv6 route is common, one without IPv4 is not.
  const found = answers.flatMap((answer) =>
    answer.records.flatMap(({ type, value }) => (type === "A" || type === "AAAA" ? value : [])),
  );
  const [first] = found;
  if (first !== undefined) return choose(found, policy) ?? refused(first);
  return unresolved(host, answers);
}

function choose(found: readonly string[], policy: Policy): Location | undefined {
  const [first, ...rest] = found.filter((ip) => policy.addressAllowed(ip));
  return first === undefined ? undefined : { addresses: [first, ...rest.slice(0, MAX_ADDRESSES - 1)] };
}

function refused(ip: string): Location {
  return { status: "refused", detail: `the address ${ip} is not allowed` };
}

function unresolved(host: string, answers: readonly DnsAnswer[]): Location {
  const open = answers.find(({ status }) => status === "timeout") ?? answers.find(({ status }) => status === "failed");
  const detail = open?.detail ?? `${host.slice(0, 253)} has no address`;
  return { status: open?.status === "timeout" ? "timeout" : "failed", detail };
}

/** Redirects that are followed after the first request. */
const MAX_REDIRECTS = 5;

/** Goes on from a first exchange until one leads nowhere; the last says why when it is not an end of its own. */
export async function followRedirects(
  first: HttpExchange,
  ask: (url: string, method: "GET" | "POST", passed: readonly HttpExchange[]) => HttpExchange | Promise<HttpExchange>,
): Promise<HttpAnswer> {
  const hops: [HttpExchange, ...HttpExchange[]] = [first];
  for (let final = first; ; ) {
    const next = redirectOf(final);
    if (next === "none") return { hops, final };
    if (next === "broken" || hops.length > MAX_REDIRECTS) {
      const why = next === "broken" ? "the Location is not a URL" : `more than ${MAX_REDIRECTS} redirects`;
      final = withNote(final, why);
      hops[hops.length - 1] = final;
      return { hops, final };
    }
    final = await ask(next.url, next.method, hops);
    hops.push(final);
  }
}

/** A recorded exchange may carry the note already. */
function withNote(exchange: HttpExchange, note: string): HttpExchange {
  const { detail } = exchange;
  if (detail?.includes(note)) return exchange;
  return { ...exchange, detail: detail === undefined ? note : `${detail}; ${note}` };
}

/**
 * Where an exchange leads to: the next request, `none` when it is an end, or `broken` when its Location is no URL.
 * 307 and 308 keep the method; after the others a POST becomes a GET, as in every browser.
 */
function redirectOf(exchange: HttpExchange): { url: string; method: "GET" | "POST" } | "none" | "broken" {
  if (exchange.status !== "ok" || ![301, 302, 303, 307, 308].includes(exchange.code)) return "none";
  const location = headerOf(exchange.headers, "location");
  if (location === undefined) return "none";
  const url = URL.parse(location, exchange.url);
  if (!url) return "broken";
  url.hash = "";
  return { url: url.href, method: exchange.code === 307 || exchange.code === 308 ? exchange.method : "GET" };
}

interface HttpSettings extends ExchangeLimits {
  /** Cap on the decompressed bytes of one body, and the default of `HttpOptions.maxBytes`. */
  readonly pageBytes: number;
  /** Connections at a time to one host name, and in all. */
  readonly connectionsPerHost: number;
  readonly connections: number;
  readonly userAgent: string;
  /**
   * `http[s]://[user:password@]host[:port]`, or null to connect directly. The proxy then resolves names and is what keeps
   * us from internal addresses: only literal addresses in URLs are still vetted here.
   */
  readonly proxy: string | null;
  /** From the port that a URL says to the port that is connected to. Not used with a proxy. */
  readonly connectPorts: ReadonlyMap<number, number>;
}

interface HttpClient {
  /**
   * Asks for a URL and follows redirects, each hop vetted anew. Rejects only when `signal` aborts or the client was
   * closed. A response of any code is `ok`; `refused` is what the guard kept us from.
   */
  ask(url: string, options: HttpOptions, signal: AbortSignal): Promise<HttpAnswer>;
  close(): void;
}

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

export function createHttp(
  settings: HttpSettings,
  policy: Policy,
  resolver: Pick<Resolver, "lookup">,
  trust: SecureContext | undefined,
): HttpClient {
  const everywhere = createSemaphore(settings.connections);
  const perHost = createKeyedSemaphore(settings.connectionsPerHost);
  const closing = new AbortController();
  const proxy = settings.proxy === null ? null : new URL(settings.proxy);

  async function hop(outgoing: Outgoing, signal: AbortSignal): Promise<HttpExchange> {
    const refusal = policy.refusal(outgoing.url);
    if (refusal !== null) return unanswered(outgoing, "refused", refusal);
    const leaveHost = await perHost(outgoing.url.host, signal);
    try {
      const leaveAll = await everywhere.acquire(signal);
      try {
        return proxy ? await proxied(outgoing, proxy, signal) : await direct(outgoing, signal);
      } finally {
        leaveAll();
      }
    } finally {
      leaveHost();
    }
  }

  async function direct(outgoing: Outgoing, signal: AbortSignal): Promise<HttpExchange> {
    const { url } = outgoing;
    const place = await resolveAllowedAddresses(url.hostname, policy, resolver, signal);
    if ("status" in place) return unanswered(outgoing, place.status, place.detail);
    const named = portOf(url);
    const port = settings.connectPorts.get(named) ?? named;
    const open = async (limit: AbortSignal): Promise<Line> => {
      const socket = await dialFirst(place.addresses, port, settings.firstByteMs, limit);
      return { socket: await wrap(url, socket, limit), path: pathOf(url) };
    };
    return exchange(outgoing, open, settings, signal);
  }

  async function proxied(outgoing: Outgoing, through: URL, signal: AbortSignal): Promise<HttpExchange> {
    const { url } = outgoing;
    if (url.protocol === "https:") {
      const open = async (limit: AbortSignal): Promise<Line> => {
        const socket = await dialTunnel(through, `${url.hostname}:${portOf(url)}`, trust, limit);
        return { socket: await wrap(url, socket, limit), path: pathOf(url) };
      };
      return exchange(outgoing, open, settings, signal);
    }
    const credentials = proxyCredentials(through);
    const headers = credentials ? { ...outgoing.headers, "Proxy-Authorization": credentials } : outgoing.headers;
    const open = async (limit: AbortSignal) => ({ socket: await dialProxy(through, trust, limit), path: url.href });
    return exchange({ ...outgoing, headers }, open, settings, signal);
  }

  async function wrap(url: URL, socket: Line["socket"], signal: AbortSignal): Promise<Line["socket"]> {
    if (url.protocol !== "https:") return socket;
    return secure(socket, { host: url.hostname.replace(/^\[|\]$/g, ""), trust, verify: true }, signal);
  }

  function compose(url: URL, method: "GET" | "POST", options: HttpOptions): Outgoing {
    const body = method === "POST" ? (options.body ?? "") : undefined;
    const headers: Record<string, string> = {
      Host: url.host,
      "User-Agent": settings.userAgent,
      Accept: options.accept ?? ACCEPT,
      "Accept-Encoding": "gzip, deflate, br, zstd",
      "Accept-Language": "en, *;q=0.5",
      ...validator("If-None-Match", options.ifNoneMatch),
      ...validator("If-Modified-Since", options.ifModifiedSince),
      ...validator("Authorization", options.authorization),
      ...options.headers,
    };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      headers["Content-Length"] = String(Buffer.byteLength(body));
    }
    const maxBytes = Math.max(1, Math.min(options.maxBytes ?? settings.pageBytes, settings.pageBytes));
    return { url, method, headers, body, maxBytes, binary: options.binary ?? false };
  }

  return {
    async ask(address, options, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      either.throwIfAborted();
      const method = options.method ?? "GET";
      const start = URL.parse(address);
      if (!start) {
        const lost = unanswered({ url: address, method }, "refused", "not a URL");
        return { hops: [lost], final: lost };
      }
      start.hash = "";
      const first = await hop(compose(start, method, options), either);
      if (options.follow === false) return { hops: [first], final: first };
      const { ifNoneMatch: _tag, ifModifiedSince: _since, authorization: _key, headers: _own, ...plain } = options;
      return followRedirects(first, (url, next) => hop(compose(new URL(url), next, plain), either));
    },
    close() {
      closing.abort(new DOMException("The client was closed.", "AbortError"));
    },
  };
}

/** A stranger's server made it: what no header may hold is left out, and the page is then asked for whole. */
function validator(name: string, value: string | undefined): Record<string, string> {
  return value !== undefined && /^[\x21-\x7e][\x20-\x7e]{0,1023}$/.test(value) ? { [name]: value } : {};
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

function pathOf(url: URL): string {
  return url.pathname + url.search;
}

/** The only way out of the process. Methods reject only when their signal aborts or the door was closed. */
export interface NetworkClient {
  /** What may be reached; for input that names a URL to be fetched later. */
  readonly policy: Policy;
  dns(name: string, type: RecordType, signal: AbortSignal): Promise<DnsAnswer>;
  /** Whether any DNS server answers at all. */
  dnsReachable(signal: AbortSignal): Promise<boolean>;
  http(url: string, options: HttpOptions, signal: AbortSignal): Promise<HttpAnswer>;
  certificate(host: string, signal: AbortSignal): Promise<CertificateAnswer>;
  /** Ends everything under way. */
  close(): void;
}

export interface NetworkSettings extends PolicySettings, HttpSettings, CertificateSettings {
  /** `ip`, `ip:port` or `[v6]:port`; null takes the resolvers of this machine. */
  readonly dnsServers: readonly string[] | null;
  /** Milliseconds that one DNS server has for one try. */
  readonly dnsTimeoutMs: number;
  /** Rounds over all DNS servers. */
  readonly dnsTries: number;
  /** Longest time in seconds that DNS records are kept, whatever their TTL says. */
  readonly dnsCacheSeconds: number;
  /** Seconds for which "no such name" and "no such record" are kept. */
  readonly dnsNegativeCacheSeconds: number;
  /** DNS questions that may be open at a time. */
  readonly dnsConcurrent: number;
  /** PEM text of authorities to trust beside the usual ones, or null. */
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

/** The name under which we ask: `Casefile/1.2.0 (+CONTACT)`. `contact` is a URL or an address for site owners. */
export function userAgent(version: string, contact: string | null): string {
  // A header takes printable ASCII only; a stray character would make every request fail.
  const name = `Casefile/${version}${contact ? ` (+${contact})` : ""}`;
  return name.replace(/[^\x20-\x7e]/g, "").slice(0, 300);
}

/**
 * @param clock milliseconds that only go forward; ages the DNS cache
 * @throws Failure `config.invalid` when an allowed block is no CIDR
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

  return {
    policy,
    dns: (name, type, signal) => resolver.lookup(name, type, signal),
    dnsReachable: (signal) => resolver.reachable(signal),
    http: (url, options, signal) => client.ask(url, options, signal),
    certificate(host, signal) {
      const either = AbortSignal.any([signal, closing.signal]);
      return readCertificate(host, settings, policy, resolver, trust, handshakes, either);
    },
    close() {
      client.close();
      closing.abort(new DOMException("The door was closed.", "AbortError"));
      resolver.close();
    },
  };
}

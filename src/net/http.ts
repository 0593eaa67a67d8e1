import type { SecureContext } from "node:tls";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { createGate, createGates } from "./gate.ts";
import { locate } from "./locate.ts";
import type { Policy } from "./policy.ts";
import { followRedirects } from "./redirect.ts";
import type { Resolver } from "./resolver.ts";
import type { HttpAnswer, HttpOptions } from "./visit.ts";
import { dialFirst, dialProxy, dialTunnel, proxyCredentials, secure } from "./web/dial.ts";
import { type ExchangeLimits, exchange, type Line, type Outgoing, unanswered } from "./web/exchange.ts";

export interface HttpSettings extends ExchangeLimits {
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

export interface HttpClient {
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
  const everywhere = createGate(settings.connections);
  const perHost = createGates(settings.connectionsPerHost);
  const closing = new AbortController();
  const proxy = settings.proxy === null ? null : new URL(settings.proxy);

  async function hop(outgoing: Outgoing, signal: AbortSignal): Promise<HttpExchange> {
    const refusal = policy.refusal(outgoing.url);
    if (refusal !== null) return unanswered(outgoing, "refused", refusal);
    const leaveHost = await perHost(outgoing.url.host, signal);
    try {
      const leaveAll = await everywhere.enter(signal);
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
    const place = await locate(url.hostname, policy, resolver, signal);
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

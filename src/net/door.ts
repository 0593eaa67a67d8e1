import type { CertificateAnswer, DnsAnswer, RecordType } from "../vocabulary/snapshot.ts";
import { type CertificateSettings, readCertificate } from "./certificate.ts";
import { systemServers } from "./dns/servers.ts";
import { createGate } from "./gate.ts";
import { createHttp, type HttpSettings } from "./http.ts";
import { createPolicy, type Policy, type PolicySettings } from "./policy.ts";
import { createResolver, RESOLVER_DEFAULTS } from "./resolver.ts";
import type { HttpAnswer, HttpOptions } from "./visit.ts";
import { createTrust } from "./web/dial.ts";

/** The only way out of the process. Methods reject only when their signal aborts or the door was closed. */
export interface Door {
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

export interface DoorSettings extends PolicySettings, HttpSettings, CertificateSettings {
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

export const DOOR_DEFAULTS: DoorSettings = {
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
export function openDoor(settings: DoorSettings, clock?: () => number): Door {
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
  const handshakes = createGate(settings.connections);
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

import { getServers } from "node:dns";
import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSemaphore, createSingleFlight, raceAbort } from "../core/async.ts";
import { normaliseDnsName, type Question } from "./dns-message.ts";
import { createDnsTransport, type Reply, type ServerAddress } from "./dns-transport.ts";
import { isLoopbackName, LOOPBACK } from "./policy.ts";
import type { DnsAnswer, DnsRecord, RecordType } from "./snapshot.ts";

const CACHE_ENTRIES = 10_000;

interface AnswerCache {
  find(key: string): DnsAnswer | undefined;
  keep(key: string, answer: DnsAnswer): void;
}

/** A cache of the latest answers. Failures are not kept, so the next caller tries again. */
function createAnswerCache(settings: ResolverSettings, clock: () => number): AnswerCache {
  const entries = new Map<string, { readonly answer: DnsAnswer; readonly until: number }>();

  function lifetime({ status, records }: DnsAnswer): number {
    if (status !== "ok" && status !== "nxdomain") return 0;
    if (status === "nxdomain" || records.length === 0) return settings.negativeCacheSeconds;
    return Math.min(settings.cacheSeconds, ...records.map((record) => record.ttl ?? 0));
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // To move it to the end of the map would cost ten times as much.
      if (entry.until > clock()) return entry.answer;
      entries.delete(key);
      return undefined;
    },
    keep(key, answer) {
      const seconds = lifetime(answer);
      if (seconds <= 0) return;
      entries.delete(key);
      entries.set(key, { answer, until: clock() + seconds * 1_000 });
      for (const oldest of entries.keys()) {
        if (entries.size <= CACHE_ENTRIES) break;
        entries.delete(oldest);
      }
    },
  };
}

/** Parses `ip`, `ip:port` or `[v6]:port`; undefined for anything else. */
export function parseServer(text: string): ServerAddress | undefined {
  const trimmed = text.trim();
  if (isIP(trimmed) !== 0) return { ip: trimmed, port: 53 };
  const match = /^(?:\[([^\]]{2,60})\]|([\d.]{7,15})):(\d{1,5})$/.exec(trimmed);
  const ip = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3]);
  return isIP(ip) !== 0 && port > 0 && port < 65_536 ? { ip, port } : undefined;
}

/** Up to three resolvers of this machine: the name servers of `/etc/resolv.conf`, else those of the runtime. */
export function systemServers(file = "/etc/resolv.conf"): string[] {
  const listed = readIfThere(file)
    .split("\n")
    .flatMap((line) => /^\s*nameserver\s+(\S{2,60})/.exec(line)?.[1] ?? [])
    .filter((ip) => isIP(ip) !== 0);
  return (listed.length > 0 ? listed : getServers()).slice(0, 3);
}

/** Windows and minimal containers have no such file. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export interface ResolverSettings {
  /** Recursive resolvers, `ip`, `ip:port` or `[v6]:port`, in the order in which they are tried. */
  readonly servers: readonly string[];
  /** Milliseconds per attempt at one server. */
  readonly timeoutMs: number;
  /** Rounds over all servers. */
  readonly tries: number;
  /** Maximum time in seconds that records are cached, whatever their TTL. */
  readonly cacheSeconds: number;
  /** Seconds for which "no such name" and "no such record" are cached. */
  readonly negativeCacheSeconds: number;
  /** Questions in flight at a time. */
  readonly maxConcurrent: number;
}

export const RESOLVER_DEFAULTS: Omit<ResolverSettings, "servers"> = {
  timeoutMs: 1_500,
  tries: 2,
  cacheSeconds: 300,
  negativeCacheSeconds: 60,
  maxConcurrent: 64,
};

export interface Resolver {
  /**
   * Looks up records of one type. Rejects only when `signal` aborts or the resolver was closed; the status of the answer
   * reports everything else: `ok` (also for no records), `nxdomain`, `failed`, `timeout`.
   */
  lookup(name: string, type: RecordType, signal: AbortSignal): Promise<DnsAnswer>;
  /** Whether any server responds. Rejects only when `signal` aborts. */
  reachable(signal: AbortSignal): Promise<boolean>;
  /** Aborts every lookup in flight. */
  close(): void;
}

/**
 * Types whose answers show that a name does not exist, and so has no alias either (RFC 2308, section 5): most names that a
 * scan guesses. Not those of addresses: some servers deny existing names when they are asked for one (RFC 4074, section 4.2).
 */
const DENIED_BY: readonly RecordType[] = ["TXT", "MX"];

/** With a record, an alias leads to a name that does not exist. */
const denies = (answer: DnsAnswer | undefined): boolean => answer?.status === "nxdomain" && answer.records.length === 0;

const MAX_CHAIN = 8;
const RCODES = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];
const NOERROR = 0;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** @param clock monotonic milliseconds */
export function createResolver(settings: ResolverSettings, clock: () => number = () => performance.now()): Resolver {
  const servers = settings.servers.flatMap((text) => parseServer(text) ?? []);
  const cache = createAnswerCache(settings, clock);
  const flights = createSingleFlight<DnsAnswer>();
  const semaphore = createSemaphore(settings.maxConcurrent);
  const closing = new AbortController();
  const transport = createDnsTransport();
  // The server that answered last is asked first, so that a dead server costs its timeout once and not per lookup.
  let preferred = 0;

  async function ask(question: Question, signal: AbortSignal): Promise<Reply> {
    let last: Reply = "error";
    const settled = new Set<ServerAddress>();
    for (let round = 0; round < settings.tries; round += 1) {
      const first = preferred;
      for (let i = 0; i < servers.length; i += 1) {
        const at = (first + i) % servers.length;
        const server = servers[at];
        if (!server || settled.has(server)) continue;
        const reply = await transport.query(server, question, settings.timeoutMs, signal);
        if (typeof reply === "object") {
          preferred = at;
          if (reply.rcode === NOERROR || reply.rcode === NXDOMAIN) return reply;
          // The server refused; it will not answer otherwise in the next round.
          settled.add(server);
        }
        // An error response of one server says more than a timeout of another.
        if (typeof reply === "object" || typeof last !== "object") last = reply;
      }
    }
    return last;
  }

  async function resolve(question: Question, signal: AbortSignal): Promise<DnsAnswer> {
    const release = await semaphore.acquire(signal);
    try {
      return describe(question, await ask(question, signal));
    } finally {
      release();
    }
  }

  return {
    async lookup(name, type, signal) {
      closing.signal.throwIfAborted();
      const plain = normaliseDnsName(name);
      if (plain === undefined) return empty(name.slice(0, 253), type, "failed", "not a DNS name");
      if (isLoopbackName(plain)) return loopback(plain, type);
      if (servers.length === 0) return empty(plain, type, "failed", "no DNS server is configured");
      const key = `${type} ${plain}`;
      const cached = cache.find(key);
      if (cached) return cached;
      if (type === "CNAME" && DENIED_BY.some((other) => denies(cache.find(`${other} ${plain}`))))
        return { name: plain, type, status: "nxdomain", records: [] };
      const answer = await flights.join(key, signal, (shared) => resolve({ name: plain, type }, shared));
      cache.keep(key, answer);
      return answer;
    },

    async reachable(signal) {
      if (servers.length === 0) return false;
      const both = AbortSignal.any([signal, closing.signal]);
      const reply = await ask({ name: "", type: "NS" }, both);
      return typeof reply === "object" && reply.rcode !== SERVFAIL;
    },

    close() {
      const reason = new DOMException("The resolver was closed.", "AbortError");
      closing.abort(reason);
      flights.cancel(reason);
    },
  };
}

function describe({ name, type }: Question, reply: Reply): DnsAnswer {
  if (reply === "timeout") return empty(name, type, "timeout", "no DNS server answered in time");
  if (reply === "error") return empty(name, type, "failed", "no DNS server could be reached");
  if (reply.rcode !== NOERROR && reply.rcode !== NXDOMAIN)
    return empty(name, type, "failed", `the DNS server answered ${RCODES[reply.rcode] ?? `RCODE ${reply.rcode}`}`);
  const records = followAliases(name, type, reply.answers);
  return { name, type, status: reply.rcode === NXDOMAIN ? "nxdomain" : "ok", records };
}

/**
 * The records that answer the question: the chain of CNAMEs that starts at its name, then the records of the type at the
 * end of the chain. Other records in the response are not trusted.
 */
function followAliases(name: string, type: RecordType, answers: readonly DnsRecord[]): DnsRecord[] {
  const chain: DnsRecord[] = [];
  let owner = name;
  while (type !== "CNAME" && chain.length < MAX_CHAIN) {
    const alias = answers.find((record) => record.type === "CNAME" && record.name === owner);
    if (!alias || chain.includes(alias)) break;
    chain.push(alias);
    owner = alias.value;
  }
  return [...chain, ...answers.filter((record) => record.type === type && record.name === owner)];
}

/** Names of this machine are never looked up (RFC 6761, section 6.3). */
function loopback(name: string, type: RecordType): DnsAnswer {
  const value = type === "A" ? LOOPBACK[0] : type === "AAAA" ? LOOPBACK[1] : undefined;
  return { name, type, status: "ok", records: value === undefined ? [] : [{ name, type, value }] };
}

function empty(name: string, type: RecordType, status: DnsAnswer["status"], detail: string): DnsAnswer {
  return { name, type, status, records: [], detail };
}

/**
 * Resolves names as other programs of this machine do, including the hosts file and container names. Only for hosts that
 * the operator has configured.
 */
export function createSystemResolver(timeoutMs: number): Pick<Resolver, "lookup"> {
  return {
    async lookup(name, type, signal) {
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const found = await raceAbort(lookup(name, { all: true, family: type === "AAAA" ? 6 : 4 }), limit);
        return answer(
          name,
          type,
          "ok",
          found.map(({ address }) => address),
        );
      } catch {
        signal.throwIfAborted();
        return answer(name, type, limit.aborted ? "timeout" : "nxdomain", []);
      }
    },
  };
}

function answer(name: string, type: RecordType, status: DnsAnswer["status"], found: readonly string[]): DnsAnswer {
  return { name, type, status, records: found.map((value) => ({ name, type, value })) };
}

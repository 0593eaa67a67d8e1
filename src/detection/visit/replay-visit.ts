import { type DataSources, PUBLIC_SOURCES } from "../../core/data-sources.ts";
import { belongsTo, hostOfUrl, recordedDomain } from "../../core/domain.ts";
import { noCertificate } from "../../net/certificate.ts";
import { followRedirects } from "../../net/client.ts";
import { decodeText, type HttpAnswer, type HttpOptions, headerOf, unanswered } from "../../net/exchange.ts";
import type {
  CertificateAnswer,
  DnsAnswer,
  DnsRecord,
  HttpExchange,
  RecordType,
  Snapshot,
} from "../../net/snapshot.ts";
import { isHomePage } from "./bot-wall.ts";
import type { Part, Visit } from "./visit.ts";

interface RecordedDns {
  /** For a recorded zone: every name of the domain with a record. Otherwise empty, because lookups do not list names. */
  readonly names: readonly string[];
  answer(name: string, type: RecordType): DnsAnswer;
}

const MAX_CHAIN = 8;

/** Answers DNS lookups from a snapshot, as a resolver that has only the recorded records. */
function recordedDns(snapshot: Snapshot): RecordedDns {
  const exact = new Map<string, DnsAnswer>();
  const aliases = new Map<string, DnsRecord>();
  const dates = new Map<DnsRecord, string>();
  for (const answer of snapshot.dns) {
    const key = `${plain(answer.name)} ${answer.type}`;
    const known = exact.get(key);
    exact.set(key, known ? merge(known, answer) : answer);
    for (const record of answer.records) {
      if (record.type !== "CNAME" || aliases.has(plain(record.name))) continue;
      aliases.set(plain(record.name), record);
      if (answer.at !== undefined) dates.set(record, answer.at);
    }
  }
  const names = snapshot.zone ? namesOf(snapshot) : new Set<string>();
  const branches = withParents(names, snapshot.domain);

  function chainFrom(name: string): DnsRecord[] {
    const chain: DnsRecord[] = [];
    for (let owner = name; chain.length < MAX_CHAIN; ) {
      const alias = aliases.get(owner);
      if (!alias || chain.includes(alias)) break;
      chain.push(alias);
      owner = plain(alias.value);
    }
    return chain;
  }

  return {
    names: [...names],
    answer(query, type) {
      const name = plain(query);
      const recorded = exact.get(`${name} ${type}`);
      if (recorded) return recorded;
      const chain = chainFrom(name);
      const [first] = chain;
      const at = first && dates.get(first);
      const dated = at === undefined ? {} : { at };
      if (first && type === "CNAME") return { name, type, status: "ok", records: [first], ...dated };
      if (first) {
        const end = exact.get(`${plain(chain.at(-1)?.value ?? "")} ${type}`);
        return { name, type, status: "ok", records: [...chain, ...(end?.records ?? [])], ...dated };
      }
      if (!snapshot.zone || !belongsTo(name, snapshot.domain) || isOfHost(name, type, snapshot.domain))
        return { name, type, status: "unrecorded", records: [], detail: UNRECORDED };
      return { name, type, status: branches.has(name) ? "ok" : "nxdomain", records: [] };
    },
  };
}

/**
 * Whether records are the DNS provider's own: NS and SOA of the domain itself. Zones that are kept as configuration, such as
 * octoDNS's, leave them out, so that a zone without them says nothing about them.
 */
export const isOfHost = (name: string, type: string, domain: string): boolean =>
  (type === "NS" || type === "SOA") && name === domain;

/** A record list may contain several answers for one name and type. */
function merge(known: DnsAnswer, more: DnsAnswer): DnsAnswer {
  if (known.status !== "ok" || more.status !== "ok") return known.status === "ok" ? known : more;
  return { ...known, records: [...known.records, ...more.records] };
}

function namesOf({ dns, domain }: Snapshot): Set<string> {
  const owners = dns.flatMap(({ name, status, records }) =>
    status === "ok" && records.length > 0 ? [name, ...records.map((record) => record.name)] : [],
  );
  return new Set(owners.map(plain).filter((name) => belongsTo(name, domain)));
}

/** The parents of an existing name exist too, even without records. */
function withParents(names: ReadonlySet<string>, domain: string): Set<string> {
  const all = new Set([...names, domain]);
  for (const name of names) {
    for (let rest = name; belongsTo(rest, domain) && rest !== domain; rest = rest.slice(rest.indexOf(".") + 1))
      all.add(rest);
  }
  return all;
}

/** Lower case, no trailing dot. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

const MAX_KNOWN = 5_000;
const UNRECORDED = "not in the recording";

/** Replays a recording without network access. A lookup that was not recorded is answered `unrecorded`. */
export function replayVisit(
  snapshot: Snapshot,
  sources: DataSources = PUBLIC_SOURCES,
  signal: AbortSignal = new AbortController().signal,
): Visit {
  const dns = recordedDns(snapshot);
  const exchanges = indexExchanges(snapshot.http);
  const { browser } = snapshot;
  const certificates = new Map<string, CertificateAnswer>(snapshot.certificates.map((each) => [each.host, each]));

  return {
    domain: recordedDomain(snapshot.domain),
    signal,
    sources,
    known: {
      isRecorded: true,
      lacks: partsLackedBy(snapshot),
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
      return replay(url, options, exchanges);
    },

    browse: browser === undefined ? null : async () => browser,

    async certificate(host) {
      signal.throwIfAborted();
      const name = host.toLowerCase();
      return certificates.get(name) ?? noCertificate(name, "unrecorded", UNRECORDED);
    },
  };
}

function partsLackedBy({ domain, dns, http, certificates }: Snapshot): Part[] {
  const hosts = http.map(({ url }) => hostOfUrl(url));
  const has: Readonly<Record<Part, boolean>> = {
    dns: dns.length > 0,
    certificates: certificates.length > 0,
    elsewhere: hosts.some((host) => !belongsTo(host, domain)),
    files: http.some(({ url }, at) => belongsTo(hosts[at] ?? "", domain) && !isHomePage(url)),
  };
  return PARTS.filter((part) => !has[part]);
}

const PARTS: readonly Part[] = ["dns", "certificates", "elsewhere", "files"];

interface Exchanges {
  /** By method and address. */
  readonly exact: ReadonlyMap<string, HttpExchange>;
  /** Addresses without what {@link variants} change: most of what a scan asks for was not recorded. */
  readonly near: ReadonlySet<string>;
}

function indexExchanges(exchanges: readonly HttpExchange[]): Exchanges {
  const exact = new Map<string, HttpExchange>();
  const near = new Set<string>();
  for (const exchange of exchanges) {
    const url = normalise(exchange.url);
    const key = `${exchange.method} ${url}`;
    if (!exact.has(key)) exact.set(key, exchange);
    near.add(withoutVariants(url));
  }
  return { exact, near };
}

/** The host, and the path and query without slashes, without a port that is the usual one of a scheme. */
const withoutVariants = (url: string): string =>
  url
    .slice(url.indexOf(":"))
    .replace(/:(?:80|443)(?=[/?]|$)/, "")
    .replaceAll("/", "");

async function replay(start: string, options: HttpOptions, exchanges: Exchanges): Promise<HttpAnswer> {
  const first = fit(find(start, options.method ?? "GET", exchanges, []), options);
  return followRedirects(first, (url, method, passed) => fit(find(url, method, exchanges, passed), options));
}

/**
 * The exchange of this URL, else of the URL with the other scheme or with or without a trailing slash, because people
 * save pages under the address that they typed. A variant that was already passed would cause a redirect loop.
 */
function find(url: string, method: "GET" | "POST", exchanges: Exchanges, passed: readonly HttpExchange[]) {
  const exact = normalise(url);
  const near = exchanges.near.has(withoutVariants(exact)) ? variants(exact) : [];
  const hit =
    exchanges.exact.get(`${method} ${exact}`) ??
    near
      .map((each) => exchanges.exact.get(`${method} ${each}`))
      .find((each) => each && !passed.some(({ url }) => url === each.url));
  return hit ?? unanswered({ url, method }, "unrecorded", UNRECORDED);
}

function variants(url: string): string[] {
  const swapped = url.startsWith("https:") ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
  return [swapped, withSlashToggled(url), withSlashToggled(swapped)];
}

function withSlashToggled(text: string): string {
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

/** The recorded body in the requested encoding and length. */
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

/** Recorded pages of the company without its home page, which every replay requests. */
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

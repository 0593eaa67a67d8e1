import type { RecordType } from "../../src/net/snapshot.ts";

/**
 * The content of the box: companies with their DNS and pages, the external services of a scan, and faults.
 * Plain data, so that a test reads as a description. Host names may be written in any letter case.
 */
export interface World {
  readonly companies?: readonly Company[];
  /** Any other host: `"boards-api.greenhouse.io": { "/v1/boards/brightpine/jobs": { json: … } }`. */
  readonly services?: Readonly<Record<string, Pages>>;
  /** Any other DNS name, written in full: `"1.0.0.127.origin.asn.test": { TXT: "64500 | …" }`. */
  readonly zone?: Readonly<Record<string, Records>>;
  readonly faults?: readonly Fault[];
}

export interface Company {
  readonly domain: string;
  /** By name below the domain: `""` is the apex, `"*"` a wildcard, `"_dmarc"`, `"status"`. */
  readonly records?: Readonly<Record<string, Records>>;
  /**
   * By path. `/about` is the apex, `www/about` a name below the domain, `www.brightpine.test/about` the same in full.
   * The path may have a query; without one it answers for every query. A path that ends in `*` answers for all below.
   * A host with a page and without a configured address answers A with the box's address.
   */
  readonly pages?: Pages;
  /** Presented by every host of the company. Without it each host has a certificate for its name. */
  readonly certificate?: CertificateDescription;
  /** What port 80 does; the default is to send every request to https. */
  readonly plain?: "redirect" | "same";
}

export type Pages = Readonly<Record<string, Page>>;

/** One page; a string is an HTML body. */
export type Page = string | PageFields;

export interface PageFields {
  readonly body?: string | Uint8Array;
  /** Sent as JSON in place of `body`. */
  readonly json?: unknown;
  readonly status?: number;
  /** Names in any case; a list repeats the header. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Value of `Location`; the status is 302 unless given. */
  readonly redirect?: string;
  readonly delayMs?: number;
}

/**
 * Records of one name in zone-file order: `MX: "10 mx.example"`, `CAA: '0 issue "ca.example"'`,
 * `SRV: "1 10 443 host"`, `SOA: "ns.example admin.example"`; TXT strings without quotes, of any length.
 */
export type Records = { readonly [T in RecordType]?: string | readonly string[] } & { readonly delayMs?: number };

export interface CertificateDescription {
  readonly names: readonly string[];
  /** Organisation of the issuing authority, which is made for it; its common name is `ORGANISATION R1`. */
  readonly issuer?: string;
  /** The default is a year around now. */
  readonly from?: Date;
  readonly to?: Date;
}

/**
 * What a web host does wrong.
 * - `hang`          takes the request and never answers
 * - `refuse`        nothing listens at the host's address
 * - `drip`          sends the body one byte every 200 ms
 * - `reset`         breaks the connection inside the body
 * - `garbage`       answers with bytes that are no HTTP
 * - `endless`       never ends the body
 * - `bomb`          half a megabyte of gzip that unpacks to 512 MiB
 * - `header-flood`  sends 5000 headers
 * - `slow-tls`      accepts the connection and never answers the TLS hello
 * - `no-tls`        ends the connection at the TLS hello, as a host that serves http only
 */
export type WebFault =
  | "hang"
  | "refuse"
  | "drip"
  | "reset"
  | "garbage"
  | "endless"
  | "bomb"
  | "header-flood"
  | "slow-tls"
  | "no-tls";

/**
 * What DNS does wrong for a name.
 * - `hang`      never answers
 * - `servfail`, `refused`  answers with that code
 * - `garbage`   answers with bytes that are no DNS message
 * - `truncate`  sends an empty truncated answer over UDP; TCP answers in full
 * - `rebind`    gives the true address once and `second` ever after
 * - `wrong-id`  answers as somebody who guesses would: with another message's id
 * - `loop`      the name is an alias of an alias of itself
 */
export type DnsFault = "hang" | "servfail" | "refused" | "garbage" | "truncate" | "rebind" | "wrong-id" | "loop";

export type Fault =
  /** `path` limits it to one path; `refuse`, `slow-tls` and `no-tls` are for the whole host. */
  | { readonly host: string; readonly fault: WebFault; readonly path?: string }
  /** `name` may be `*.domain` for all names below, or `*`. The default of `second` is 169.254.169.254. */
  | { readonly name: string; readonly fault: DnsFault; readonly type?: RecordType; readonly second?: string };

/** Pages by host, then by path. */
export type Sites = ReadonlyMap<string, ReadonlyMap<string, Page>>;

/** All hosts that have pages, companies' and services'. */
export function sitesOf(world: World): Sites {
  const sites = new Map<string, Map<string, Page>>();
  const add = (host: string, path: string, page: Page) => {
    const site = sites.get(host) ?? new Map<string, Page>();
    sites.set(host, site.set(path, page));
  };
  for (const company of world.companies ?? []) {
    for (const [key, page] of Object.entries(company.pages ?? {})) {
      const slash = key.indexOf("/");
      if (slash < 0) throw new Error(`The page key "${key}" has no path; write "${key}/".`);
      add(fullName(key.slice(0, slash), company.domain), key.slice(slash), page);
    }
  }
  for (const [host, pages] of Object.entries(world.services ?? {})) {
    for (const [path, page] of Object.entries(pages)) add(host.toLowerCase(), path, page);
  }
  return sites;
}

/** The page for a request target (path and query), or undefined when the host or the path is not described. */
export function findPage(sites: Sites, host: string, target: string): Page | undefined {
  const site = sites.get(host) ?? sites.get(`*.${host.slice(host.indexOf(".") + 1)}`);
  if (!site) return undefined;
  const path = target.split("?", 1)[0] ?? target;
  const below = [...site.keys()].filter((key) => key.endsWith("*") && target.startsWith(key.slice(0, -1)));
  const longest = below.sort((a, b) => b.length - a.length)[0];
  return site.get(target) ?? site.get(path) ?? (longest === undefined ? undefined : site.get(longest));
}

/** Of each world, which may have 100,000. */
const companiesByDomain = new WeakMap<World, ReadonlyMap<string, Company>>();

/** The company that a host belongs to. */
export function companyOf(world: World, host: string): Company | undefined {
  const companies =
    companiesByDomain.get(world) ??
    new Map(world.companies?.map((company) => [company.domain.toLowerCase(), company] as const).toReversed());
  companiesByDomain.set(world, companies);
  for (let name = host; name !== ""; name = name.includes(".") ? name.slice(name.indexOf(".") + 1) : "") {
    const company = companies.get(name);
    if (company) return company;
  }
  return undefined;
}

/** `""` and `www` become `brightpine.test` and `www.brightpine.test`; a full name stays. Lower case. */
export function fullName(name: string, domain: string): string {
  const [low, below] = [name.toLowerCase(), domain.toLowerCase()];
  if (low === "" || low === below) return below;
  return low.endsWith(`.${below}`) ? low : `${low}.${below}`;
}

/** Merges several worlds; a host or name in two has the entries of both, and the later one wins. */
export function together(...worlds: readonly World[]): World {
  return {
    companies: worlds.flatMap((world) => world.companies ?? []),
    services: merged(worlds.map((world) => world.services ?? {})),
    zone: merged(worlds.map((world) => world.zone ?? {})),
    faults: worlds.flatMap((world) => world.faults ?? []),
  };
}

function merged<T extends object>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const all: Record<string, T> = {};
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) all[key] = { ...all[key], ...value };
  return all;
}

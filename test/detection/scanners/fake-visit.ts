import type { DataSources } from "../../../src/core/data-sources.ts";
import type { Known, Visit } from "../../../src/detection/visit/visit.ts";
import type { HttpAnswer, HttpOptions } from "../../../src/net/exchange.ts";
import type {
  BrowserAnswer,
  CertificateAnswer,
  DnsAnswer,
  DnsRecord,
  HttpExchange,
  RecordType,
} from "../../../src/net/snapshot.ts";

/** The responses of the invented company's servers. Anything else does not exist. */
export interface Facts {
  readonly domain?: string;
  /**
   * `"acme.example MX": ["10 mx.vendor.test"]`. A string is read in the order of {@link DnsRecord} (`issue ca.test` for
   * CAA); `*.acme.example CNAME` is a wildcard; CNAMEs are followed as a resolver does.
   */
  readonly dns?: Readonly<Record<string, readonly (string | DnsRecord)[]>>;
  /** By URL, `POST URL` for a POST. A string is a body answered with 200. A 3xx with a location is followed. */
  readonly http?: Readonly<Record<string, string | FakeResponse>>;
  /** What a browser loads, whatever the address; without it there is no browser. */
  readonly browser?: BrowserAnswer;
  readonly certificates?: Readonly<Record<string, Partial<CertificateAnswer>>>;
  readonly known?: Partial<Known>;
  /** Everything is switched off unless given. */
  readonly sources?: Partial<DataSources>;
}

export interface FakeResponse {
  readonly status?: HttpExchange["status"];
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string;
  readonly encoding?: "base64";
  readonly truncated?: boolean;
}

export interface FakeVisit extends Visit {
  /** Every question in order: `acme.example MX`, `GET https://acme.example/`, `CERT acme.example`. */
  readonly asked: string[];
}

export const NO_SOURCES: DataSources = {
  asnZone: null,
  asn6Zone: null,
  certificateLogs: [],
  microsoftRealm: null,
  tenantLookups: [],
  tagManager: null,
  jobBoards: {
    greenhouse: null,
    lever: null,
    ashby: null,
    workable: null,
    smartrecruiters: null,
    recruitee: null,
    teamtailor: null,
    personio: null,
  },
};

/** A visit from memory: unknown names answer `nxdomain`, unknown URLs and certificates `failed`. */
export function fakeVisit(facts: Facts = {}): FakeVisit {
  const name = facts.domain ?? "acme.example";
  const asked: string[] = [];
  const responses = new Map(Object.entries(facts.http ?? {}).map(([key, value]) => [httpKey(key), value]));
  return {
    domain: { name, label: name.split(".")[0] ?? name },
    signal: new AbortController().signal,
    sources: { ...NO_SOURCES, ...facts.sources },
    known: { isRecorded: false, lacks: [], names: [], pages: [], requests: [], ...facts.known },
    asked,
    async dns(question, type) {
      asked.push(`${question} ${type}`);
      return resolve(facts.dns ?? {}, question, type);
    },
    async http(url, options) {
      asked.push(`${options?.method ?? "GET"} ${url}`);
      return follow(responses, url, options);
    },
    browse: facts.browser === undefined ? null : async () => facts.browser as BrowserAnswer,
    async certificate(host) {
      asked.push(`CERT ${host}`);
      const found = facts.certificates?.[host];
      const none = { issuer: null, subject: "", names: [], valid_from: null, valid_to: null };
      return found ? { host, status: "ok", ...none, ...found } : { host, status: "failed", ...none };
    },
  };
}

function resolve(zone: NonNullable<Facts["dns"]>, question: string, type: RecordType): DnsAnswer {
  const records: DnsRecord[] = [];
  let name = question.toLowerCase();
  for (let hop = 0; hop < 8; hop++) {
    const owner = ownerOf(zone, name);
    const found = owner ? (zone[`${owner} ${type}`] ?? []).map((entry) => asRecord(entry, name, type)) : [];
    const alias = owner && type !== "CNAME" && found.length === 0 ? zone[`${owner} CNAME`]?.[0] : undefined;
    records.push(...found);
    if (alias === undefined)
      return { name: question, type, status: owner || records.length > 0 ? "ok" : "nxdomain", records };
    const record = asRecord(alias, name, "CNAME");
    records.push(record);
    name = record.value;
  }
  return { name: question, type, status: "failed", records };
}

/** The name that has the records for `name`: itself, an ancestor's wildcard, or undefined when it does not exist. */
function ownerOf(zone: NonNullable<Facts["dns"]>, name: string): string | undefined {
  const owners = Object.keys(zone).map((key) => key.slice(0, key.lastIndexOf(" ")));
  if (owners.some((owner) => owner === name || owner.endsWith(`.${name}`))) return name;
  const labels = name.split(".");
  return labels.map((_, at) => `*.${labels.slice(at + 1).join(".")}`).find((wildcard) => owners.includes(wildcard));
}

function asRecord(entry: string | DnsRecord, name: string, type: RecordType): DnsRecord {
  if (typeof entry !== "string") return entry;
  const [first = "", ...rest] = entry.split(" ");
  if (type === "MX" || type === "SRV") return { name, type, priority: Number(first), value: rest.join(" ") };
  if (type === "CAA") return { name, type, tag: first, value: rest.join(" ") };
  return { name, type, value: entry };
}

function follow(responses: ReadonlyMap<string, string | FakeResponse>, url: string, options?: HttpOptions): HttpAnswer {
  const method = options?.method ?? "GET";
  const first = exchange(responses, method, url, options);
  const hops: [HttpExchange, ...HttpExchange[]] = [first];
  let final = first;
  while (final.code >= 300 && final.code < 400 && hops.length <= 5) {
    const location = final.headers.find(([name]) => name === "location")?.[1];
    const next = location === undefined ? null : URL.parse(location, final.url);
    if (!next) break;
    final = exchange(responses, "GET", next.href, options);
    hops.push(final);
  }
  return { hops, final };
}

function exchange(
  responses: ReadonlyMap<string, string | FakeResponse>,
  method: "GET" | "POST",
  url: string,
  options?: HttpOptions,
): HttpExchange {
  const href = URL.parse(url)?.href ?? url;
  const found = responses.get(method === "POST" ? `POST ${href}` : href);
  if (found === undefined) return { method, url: href, status: "failed", code: 0, headers: [], body: "" };
  const response = typeof found === "string" ? { body: found } : found;
  const { headers = [], body = "", status = "ok", code = status === "ok" ? 200 : 0, ...rest } = response;
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const binary = options?.binary === true && rest.encoding === undefined;
  return {
    method,
    url: href,
    status,
    code,
    headers: pairs.map(([key, value]): readonly [string, string] => [key.toLowerCase(), value]),
    body: binary ? Buffer.from(body).toString("base64") : body.slice(0, options?.maxBytes ?? 3 * 1_048_576),
    ...(binary ? { encoding: "base64" as const } : {}),
    ...rest,
  };
}

function httpKey(key: string): string {
  const [method, url] = key.startsWith("POST ") ? ["POST ", key.slice(5)] : ["", key];
  return `${method}${URL.parse(url)?.href ?? url}`;
}

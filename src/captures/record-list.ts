import { recordHeaders } from "../net/web/headers.ts";
import type { CertificateAnswer, DnsRecord, HttpExchange, RecordType, Snapshot } from "../vocabulary/snapshot.ts";
import { answersOf, hostName, ownerName, recordOf } from "./dns-records.ts";
import { boundedBody, HEADER_LIMITS, snapshotOf } from "./snapshot-of.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is a list of a domain's records, as {@link readRecordList} reads it. */
export function isRecordList(document: unknown): document is Fields & { readonly domain: string } {
  return (
    typeof document === "object" &&
    document !== null &&
    "domain" in document &&
    typeof document.domain === "string" &&
    ["mx", "ns", "txt", "spf", "cname"].some((key) => key in document)
  );
}

/**
 * Reads a domain's records as JSON: `{domain, captured?, mx?, ns?, txt?, caa?, soa?, spf?, dmarc?, cname_www?}` with
 * strings or lists of strings, `dkim` and `cname` as objects from name to target (a DKIM target of `TXT` is a key
 * published in place), `headers` from host to header fields, `csp_DIRECTIVE` as `{host, value}`, `server` and `via` of the home page, `cert_issuer`,
 * `san`, and `robots` as disallowed paths.
 *
 * @param domain what the list's own \`domain\` was read as
 */
export function readRecordList(list: Fields, domain: string, capturedAt: string): Snapshot {
  const records: DnsRecord[] = [];
  const add = (label: string, type: RecordType, values: readonly string[]) => {
    for (const value of values) {
      const record = recordOf(ownerName(label, domain), type, value);
      if (record) records.push(record);
    }
  };
  add("@", "MX", texts(list.mx));
  add("@", "NS", texts(list.ns));
  add("@", "TXT", texts(list.txt));
  add(
    "@",
    "TXT",
    texts(list.spf).filter((spf) => !texts(list.txt).includes(spf)),
  );
  add("@", "SOA", texts(list.soa));
  add("@", "CAA", texts(list.caa));
  add("_dmarc", "TXT", texts(list.dmarc));
  add("www", "CNAME", texts(list.cname_www));
  for (const [label, target] of pairs(list.cname)) add(label, "CNAME", [target]);
  for (const [label, target] of pairs(list.dkim)) {
    // The list says that a key stands there, not which; an empty one would say that it was withdrawn.
    if (target === "TXT") add(label, "TXT", ["v=DKIM1; p=published"]);
    else add(label, "CNAME", [target]);
  }
  return snapshotOf(domain, "records", dayOf(list.captured) ?? capturedAt, {
    dns: answersOf(records),
    http: exchangesOf(list, domain),
    certificates: certificatesOf(list, domain),
    zone: true,
  });
}

/** More hosts than a list ever tells of. */
const MAX_HOSTS = 500;

function exchangesOf(list: Fields, domain: string): HttpExchange[] {
  const exchange = (url: string, pairs: readonly string[], body = ""): HttpExchange => ({
    method: "GET",
    url,
    status: "ok",
    code: 200,
    headers: recordHeaders(pairs, HEADER_LIMITS).list,
    ...boundedBody(body),
  });
  const hosts = new Map<string, string[]>();
  const home = [
    ...texts(list.server).flatMap((value) => ["server", value]),
    ...texts(list.via).flatMap((value) => ["via", value]),
  ];
  if (home.length > 0) hosts.set(domain, home);
  for (const [host, fields] of isFields(list.headers) ? Object.entries(list.headers) : []) {
    const name = hostName(host);
    const headers = pairs(fields).flatMap(([field, value]) => headersOf(field, value));
    if (hosts.size < MAX_HOSTS || hosts.has(name)) hosts.set(name, [...(hosts.get(name) ?? []), ...headers]);
  }
  for (const [key, policy] of Object.entries(list)) {
    const directive = /^csp_([a-z_]{1,30})$/.exec(key)?.[1]?.replaceAll("_", "-");
    if (!directive || !isFields(policy) || typeof policy.value !== "string") continue;
    const name = typeof policy.host === "string" ? hostName(policy.host) : domain;
    if (hosts.size >= MAX_HOSTS && !hosts.has(name)) continue;
    const header = ["content-security-policy", `${directive} ${policy.value}`];
    hosts.set(name, [...(hosts.get(name) ?? []), ...header]);
  }
  const robots = texts(list.robots).map((path) => `Disallow: ${path}`);
  return [
    ...[...hosts].map(([host, headers]) => exchange(`https://${host}/`, ["content-type", "text/html", ...headers])),
    ...(robots.length > 0
      ? [
          exchange(
            `https://${domain}/robots.txt`,
            ["content-type", "text/plain"],
            `User-agent: *\n${robots.join("\n")}\n`,
          ),
        ]
      : []),
  ];
}

/** Cookie names given as a list stand for one `set-cookie` each. */
function headersOf(name: string, value: string): readonly string[] {
  if (name.toLowerCase() !== "set-cookie") return [name, value];
  return value.split(",").flatMap((cookie) => [name, `${cookie.trim().split("=")[0]}=`]);
}

function certificatesOf(list: Fields, domain: string): CertificateAnswer[] {
  const [issuer] = texts(list.cert_issuer);
  const names = texts(list.san).map(hostName).slice(0, 500);
  if (issuer === undefined && names.length === 0) return [];
  const [organisation = "", name = ""] = (issuer ?? "").split(" / ");
  return [
    {
      host: domain,
      status: "ok",
      issuer: issuer === undefined ? null : { organisation: organisation.slice(0, 1_000), name: name.slice(0, 1_000) },
      subject: domain,
      names,
      valid_from: null,
      valid_to: null,
    },
  ];
}

const dayOf = (value: unknown): string | undefined => {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string").slice(0, 2_000);
const pairs = (value: unknown): [string, string][] =>
  isFields(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        typeof item === "string" ? [[key, item] as [string, string]] : [],
      )
    : [];

import { parseInstant } from "../../core/dates.ts";
import { recordHeaders } from "../../net/exchange.ts";
import {
  type CertificateAnswer,
  type DnsAnswer,
  type DnsRecord,
  type HttpExchange,
  RECORD_TYPES,
  type RecordType,
  type Snapshot,
} from "../../net/snapshot.ts";
import { boundedBody, HEADER_LIMITS, plainText, snapshotOf } from "./web.ts";

/** More records than any company publishes; a longer list is cut. */
const MAX_RECORDS = 20_000;
/** Per name and type, as in a resolver's answer. */
const MAX_ANSWER = 1_000;
const MAX_TXT = 8_192;

/** Groups records by owner and type into a resolver's answers. */
export function answersOf(records: readonly DnsRecord[]): DnsAnswer[] {
  const answers = new Map<string, DnsAnswer & { records: DnsRecord[] }>();
  for (const record of records.slice(0, MAX_RECORDS)) {
    const key = `${record.name} ${record.type}`;
    const known = answers.get(key);
    if (known) {
      if (known.records.length < MAX_ANSWER) known.records.push(record);
    } else answers.set(key, { name: record.name, type: record.type, status: "ok", records: [record] });
  }
  return [...answers.values()];
}

/** Lower case, punycode where possible, no trailing dot, at most 253 characters. */
export function hostName(text: string): string {
  const name = text.trim().toLowerCase().replace(/\.$/, "").slice(0, 253);
  return /[^\x00-\x7f]/.test(name) ? (URL.parse(`http://${name}`)?.hostname ?? name) : name;
}

/** `""` and `@` are the origin; a name without a trailing dot is relative to it. */
function ownerName(label: string, origin: string): string {
  const text = label.trim().toLowerCase();
  if (text === "" || text === "@") return origin;
  if (text.endsWith(".")) return hostName(text);
  return hostName(`${text}.${origin}`);
}

/** ALIAS and ANAME are CNAMEs that the name server resolves. */
export function recordType(text: string): RecordType | undefined {
  const type = text.toUpperCase().replace(/^.{0,40}\//, "");
  if (type === "ALIAS" || type === "ANAME") return "CNAME";
  return RECORD_TYPES.find((known) => known === type);
}

const HOSTED: ReadonlySet<RecordType> = new Set(["CNAME", "NS", "PTR"]);

/**
 * One record from its data in zone-file order (`10 mx.example.`); undefined when the data does not fit the type.
 * Quoted strings of a TXT record are joined and unescaped.
 */
export function recordOf(name: string, type: RecordType, data: string): DnsRecord | undefined {
  const text = data.trim().slice(0, 16_384);
  if (text === "") return undefined;
  const fields = text.split(/\s+/);
  if (HOSTED.has(type)) return { name, type, value: hostName(fields[0] ?? "") };
  if (type === "TXT") return { name, type, value: txtValue(text) };
  if (type === "MX") {
    const [first = "", second] = fields;
    return second === undefined
      ? { name, type, value: hostName(first) }
      : { name, type, value: hostName(second), priority: preference(first) };
  }
  if (type === "SRV") {
    const target = fields[3] ?? fields.at(-1) ?? "";
    return { name, type, value: hostName(target), priority: preference(fields[0] ?? "") };
  }
  if (type === "CAA") {
    const value = text.replace(/^\d{1,3}\s{1,5}/, "");
    const space = value.search(/\s/);
    return space < 0
      ? { name, type, tag: "issue", value: hostName(value) }
      : { name, type, tag: value.slice(0, Math.min(space, 100)), value: txtValue(value.slice(space)) };
  }
  if (type === "SOA") return { name, type, value: `${hostName(fields[0] ?? "")} ${hostName(fields[1] ?? "")}`.trim() };
  return { name, type, value: fields[0] ?? "" };
}

/** A 16-bit number; 0 for anything else. */
function preference(text: string): number {
  const number = Number.parseInt(text, 10);
  return number >= 0 && number <= 65_535 ? number : 0;
}

function txtValue(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return trimmed.replace(/\\;/g, ";").slice(0, MAX_TXT);
  let value = "";
  let quoted = false;
  // One pass, because a regex that backtracks over quotes could be made to stall.
  for (let at = 0; at < trimmed.length && value.length < MAX_TXT; at++) {
    const escaped = trimmed[at] === "\\" ? trimmed[at + 1] : undefined;
    if (escaped !== undefined) {
      at += 1;
      if (quoted) value += /[";\\]/.test(escaped) ? escaped : `\\${escaped}`;
    } else if (trimmed[at] === '"') quoted = !quoted;
    else if (quoted) value += trimmed[at];
  }
  return value.slice(0, MAX_TXT);
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is a record list, see {@link readRecordList}. */
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
 * Reads a record list in JSON: `{domain, captured?, mx?, ns?, txt?, caa?, soa?, spf?, dmarc?, cname_www?}` with strings
 * or lists of strings, `dkim` and `cname` as objects from name to target (a DKIM target of `TXT` is a published key),
 * `headers` from host to header fields, `csp_DIRECTIVE` as `{host, value}`, `server` and `via` of the home page,
 * `cert_issuer`, `san`, and `robots` as disallowed paths.
 *
 * @param domain the parsed `domain` of the list
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
  add("@", "TXT", [...new Set([...texts(list.txt), ...texts(list.spf)])]);
  add("@", "SOA", texts(list.soa));
  add("@", "CAA", texts(list.caa));
  add("_dmarc", "TXT", texts(list.dmarc));
  add("www", "CNAME", texts(list.cname_www));
  for (const [label, target] of pairs(list.cname)) add(label, "CNAME", [target]);
  for (const [label, target] of pairs(list.dkim)) {
    // The list does not contain the key, and an empty one would mean that it was revoked.
    if (target === "TXT") add(label, "TXT", ["v=DKIM1; p=published"]);
    else add(label, "CNAME", [target]);
  }
  return snapshotOf(domain, "records", instantOf(list.captured) ?? capturedAt, {
    dns: answersOf(records),
    http: exchangesOf(list, domain),
    certificates: certificatesOf(list, domain),
    zone: true,
  });
}

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
  /** In place: a list may have a hundred thousand fields of one host. */
  const headersAt = (name: string): string[] | undefined => {
    const known = hosts.get(name);
    if (known !== undefined || hosts.size >= MAX_HOSTS) return known;
    const headers: string[] = [];
    hosts.set(name, headers);
    return headers;
  };
  for (const [host, fields] of isFields(list.headers) ? Object.entries(list.headers) : []) {
    const headers = headersAt(hostName(host));
    if (headers === undefined) continue;
    for (const [field, value] of pairs(fields)) for (const part of headersOf(field, value)) headers.push(part);
  }
  for (const [key, policy] of Object.entries(list)) {
    const directive = /^csp_([a-z_]{1,30})$/.exec(key)?.[1]?.replaceAll("_", "-");
    if (!directive || !isFields(policy) || typeof policy.value !== "string") continue;
    headersAt(typeof policy.host === "string" ? hostName(policy.host) : domain)?.push(
      "content-security-policy",
      `${directive} ${policy.value}`,
    );
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

/** A list of cookie names becomes one `set-cookie` each. */
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

const instantOf = (value: unknown) => parseInstant(typeof value === "string" ? value : undefined);
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

const CLASS = /^(IN|CH|HS)$/i;
const MAX_LINES = 100_000;

/**
 * Reads a zone file or the output of `dig`: owner, optional TTL and class, type, data. Supports `$ORIGIN`, `@`, omitted
 * owners, and records over several lines in parentheses; record types that detection does not use are skipped.
 *
 * @param origin the zone's name, for relative owners
 */
export function readZoneText(text: string, origin: string): DnsRecord[] {
  const records: DnsRecord[] = [];
  let zone = origin;
  let owner = origin;
  for (const line of logicalLines(text)) {
    const directive = /^\$ORIGIN\s{1,9}(\S{1,254})/i.exec(line);
    if (directive) zone = ownerName(directive[1] ?? "", zone);
    if (line.startsWith("$")) continue;
    const fields = line.trim().split(/\s+/);
    let next = 0;
    if (/^\S/.test(line)) owner = ownerName(fields[next++] ?? "", zone);
    while (next < fields.length && (/^\d{1,10}[smhdw]?$/i.test(fields[next]!) || CLASS.test(fields[next]!))) next += 1;
    const type = recordType(fields[next] ?? "");
    if (!type) continue;
    const data = rest(line.trim(), next + 1);
    const record = recordOf(owner, type, absolute(type, data, zone));
    if (record) records.push(record);
  }
  return records;
}

/** The text after the first `count` fields, with its white space. */
function rest(line: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) {
    while (at < line.length && !/\s/.test(line[at]!)) at += 1;
    while (at < line.length && /\s/.test(line[at]!)) at += 1;
  }
  return line.slice(at);
}

/** In a zone file, a host without a trailing dot is relative to the origin; `dig` always writes the dot. */
function absolute(type: string, data: string, origin: string): string {
  if (!/^(CNAME|NS|PTR|MX|SRV)$/.test(type) || data.endsWith(".")) return data;
  const fields = data.trim().split(/\s+/);
  const host = fields.pop() ?? "";
  return host.includes(".") ? data : [...fields, ownerName(host, origin)].join(" ");
}

/** Removes comments and joins lines in parentheses, except inside quotes. */
function* logicalLines(text: string): Generator<string> {
  let open = "";
  let depth = 0;
  for (const raw of text.split(/\r?\n/, MAX_LINES)) {
    const line = plainLine(raw.slice(0, 16_384));
    depth = Math.max(0, depth + line.opened);
    open += open === "" ? line.text : ` ${line.text.trim()}`;
    if (depth > 0 && open.length < 65_536) continue;
    const whole = open;
    open = "";
    depth = 0;
    if (whole.trim() !== "") yield whole;
  }
  // An unclosed parenthesis ends with the file.
  if (open.trim() !== "") yield open;
}

/** A line without its comment, with spaces for parentheses, and the change of the depth. */
function plainLine(line: string): { readonly text: string; readonly opened: number } {
  let text = "";
  let opened = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (letter === "\\") {
      text += letter + (line[at + 1] ?? "");
      at += 1;
    } else if (letter === '"') {
      quoted = !quoted;
      text += letter;
    } else if (quoted) text += letter;
    else if (letter === ";") break;
    else if (letter === "(" || letter === ")") {
      opened += letter === "(" ? 1 : -1;
      text += " ";
    } else text += letter;
  }
  return { text, opened };
}

/**
 * Reads an octoDNS zone: label → record or list of records, each `{type, value | values}`, where a value is a string
 * or an object of the type's own fields.
 */
export function readZoneYaml(zone: Readonly<Record<string, unknown>>, origin: string): DnsRecord[] {
  const records: DnsRecord[] = [];
  for (const [label, raw] of Object.entries(zone)) {
    const owner = ownerName(label, origin);
    for (const item of toArray(raw)) {
      const type = isObject(item) ? recordType(plainText(item.type)) : undefined;
      if (!isObject(item) || !type) continue;
      for (const value of [...toArray(item.value), ...toArray(item.values)]) {
        // YAML aliases let a short file expand to more records than fit into memory.
        if (records.length >= MAX_RECORDS) return records;
        const record = recordOf(owner, type, dataOf(type, value));
        if (record) records.push(record);
      }
    }
  }
  return records;
}

/** Whether a parsed YAML document is an octoDNS zone. */
export function isZoneYaml(document: unknown): document is Readonly<Record<string, unknown>> {
  return (
    isObject(document) &&
    Object.values(document).some((raw) => toArray(raw).some((item) => isObject(item) && typeof item.type === "string"))
  );
}

function dataOf(type: RecordType, value: unknown): string {
  if (!isObject(value)) return quoted(type, plainText(value));
  const field = (...names: string[]) => plainText(names.map((name) => value[name]).find((item) => item !== undefined));
  if (type === "MX") return `${field("preference", "priority") || "0"} ${field("exchange", "value")}`;
  if (type === "SRV") return `${field("priority")} ${field("weight")} ${field("port")} ${field("target")}`;
  if (type === "CAA") return `${field("flags") || "0"} ${field("tag") || "issue"} ${field("value")}`;
  return field("name", "value", "target");
}

/** octoDNS escapes semicolons and does not quote; a TXT value is the whole string. */
const quoted = (type: RecordType, value: string) =>
  type === "TXT" && !value.startsWith('"') ? value.replace(/\\;/g, ";") : value;

const toArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

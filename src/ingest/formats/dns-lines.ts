import { parseInstant } from "../../core/dates.ts";
import { field } from "../../core/json.ts";
import { answersOf, hostName, recordOf, recordType } from "../../detection/captures/dns.ts";
import { plainText, snapshotOf } from "../../detection/captures/web.ts";
import type { DnsAnswer, DnsRecord, RecordType } from "../../net/snapshot.ts";
import { type Outcome, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";

const MAX_ANSWERS = 1_000;

const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).slice(0, MAX_ANSWERS);
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Statuses of resolvers that are answers; anything else, such as a timeout, says nothing about the company. */
const NO_NAME = /^NXDOMAIN$/i;
const NO_ERROR = /^(?:NOERROR|)$/i;

/** Dates as seconds or as text. */
export const dateOf = (value: unknown): string | undefined => {
  if (typeof value === "number" && value > 0 && value < 1e11) return new Date(value * 1_000).toISOString();
  return parseInstant(typeof value === "string" ? value : undefined);
};

interface Lookup {
  readonly name: string;
  /** The type that was asked for, where the line says so. */
  readonly type: RecordType | undefined;
  readonly status: string;
  readonly records: readonly DnsRecord[];
  readonly at: string | undefined;
}

/** One snapshot for the lookups of one name. */
function outcomeOf(origin: string, lookups: readonly Lookup[], context: FormatContext): Outcome {
  const name = lookups[0]?.name ?? "";
  const domain = context.companyOf(name);
  if (domain === undefined) return skipped("no_company");
  const answers = lookups.flatMap(({ name, type, status, records }): readonly DnsAnswer[] => {
    if (NO_NAME.test(status)) return [{ name, type: type ?? "A", status: "nxdomain", records: [] }];
    if (!NO_ERROR.test(status)) return [];
    if (records.length === 0) return type ? [{ name, type, status: "ok", records: [] }] : [];
    // A resolver answers with the aliases that it followed.
    if (type && records.some((record) => record.name !== name)) return [{ name, type, status: "ok", records }];
    return answersOf(records);
  });
  if (answers.length === 0) return skipped("not_ok");
  const at =
    lookups
      .flatMap((lookup) => lookup.at ?? [])
      .toSorted()
      .at(-1) ?? context.capturedAt;
  return { kind: "recording", snapshot: snapshotOf(domain, origin, at, { dns: answers }) };
}

const typeOf = (value: unknown) => recordType(plainText(value));

/** A record of an answer; fields are those of zdns and massdns. */
function answerRecord(answer: unknown): DnsRecord | undefined {
  const type = typeOf(field(answer, "type"));
  const name = hostName(plainText(field(answer, "name")));
  if (!type || name === "") return undefined;
  const of = (...names: readonly string[]) =>
    plainText(names.map((each) => field(answer, each)).find((value) => value !== undefined));
  const data = of("answer", "data");
  const preference = of("preference");
  if (type === "MX" && preference !== "") return recordOf(name, type, `${preference} ${data}`);
  if (type === "SRV" && data === "")
    return recordOf(name, type, `${of("priority")} ${of("weight")} ${of("port")} ${of("target")}`);
  if (type === "CAA" && data === "") return recordOf(name, type, `${of("flag")} ${of("tag")} ${of("value")}`);
  if (type === "CAA" && of("tag") !== "") return recordOf(name, type, `0 ${of("tag")} ${of("value")}`);
  if (type === "SOA" && of("ns") !== "") return recordOf(name, type, `${of("ns")} ${of("mbox")}`);
  return recordOf(name, type, data);
}

const recordsOf = (answers: unknown): DnsRecord[] => listOf(answers).flatMap((answer) => answerRecord(answer) ?? []);

export const isZdns = (line: object): boolean =>
  "name" in line &&
  (("results" in line && isObject(line.results)) || ("data" in line && "status" in line && !("type" in line)));

/** `{"name", "results": {"MX": {"status", "timestamp", "data": {"answers"}}}}`; version 1 has one result in the line itself. */
export function readZdns(line: object, context: FormatContext): Outcome {
  const name = hostName(plainText(field(line, "name")));
  const results = field(line, "results");
  const entries: readonly (readonly [string, unknown])[] = isObject(results) ? Object.entries(results) : [["", line]];
  const lookups = entries.slice(0, 50).map(([module, result]): Lookup => {
    const data = field(result, "data");
    const records = recordsOf(field(data, "answers"));
    for (const exchange of listOf(field(data, "exchanges"))) {
      const record = answerRecord({
        type: "MX",
        answer: field(exchange, "name"),
        name,
        preference: field(exchange, "preference") ?? 0,
      });
      if (record) records.push(record);
    }
    for (const [key, type] of [
      ["ipv4_addresses", "A"],
      ["ipv6_addresses", "AAAA"],
    ] as const)
      for (const address of listOf(field(data, key)))
        records.push({ name, type, value: plainText(address).slice(0, 100) });
    for (const [key, owner] of [
      ["spf", name],
      ["dmarc", `_dmarc.${name}`],
    ] as const) {
      const value = plainText(field(data, key));
      const record = value === "" ? undefined : recordOf(owner, "TXT", value);
      if (record) records.push(record);
    }
    const asked = typeOf(module.replace(/LOOKUP$/i, ""));
    return {
      name,
      type: asked,
      status: plainText(field(result, "status")),
      records,
      at: dateOf(field(result, "timestamp") ?? field(line, "timestamp")),
    };
  });
  return outcomeOf("zdns", lookups, context);
}

export const isMassdns = (line: object): boolean =>
  "name" in line && "type" in line && ("data" in line || "rx_ts" in line || "error" in line);

/** `{"name": "acme.com.", "type": "MX", "status", "rx_ts", "data": {"answers"}}` */
export function readMassdns(line: object, context: FormatContext): Outcome {
  const name = hostName(plainText(field(line, "name")));
  const nanoseconds = Number(field(line, "rx_ts"));
  const lookup = {
    name,
    type: typeOf(field(line, "type")),
    status: plainText(field(line, "status")) || (field(line, "error") === undefined ? "" : "ERROR"),
    records: recordsOf(field(field(line, "data"), "answers")),
    at: nanoseconds > 1e15 ? dateOf(nanoseconds / 1e9) : undefined,
  };
  return outcomeOf("massdns", [lookup], context);
}

const DNSX_TYPES = ["a", "aaaa", "cname", "mx", "ns", "txt", "srv", "ptr", "caa"] as const;

export const isDnsx = (line: object): boolean =>
  "host" in line && ("resolver" in line || "status_code" in line) && !("url" in line) && !("probe_status" in line);

/** `{"host", "status_code", "timestamp", "a": [], "mx": [], …}` */
export function readDnsx(line: object, context: FormatContext): Outcome {
  const name = hostName(plainText(field(line, "host")));
  const status = plainText(field(line, "status_code"));
  const at = dateOf(field(line, "timestamp"));
  const lookups = DNSX_TYPES.flatMap((key): readonly Lookup[] => {
    const values = listOf(field(line, key));
    const type = typeOf(key);
    if (!type || (values.length === 0 && !NO_NAME.test(status))) return [];
    const records = values.flatMap((value) => recordOf(name, type, plainText(value)) ?? []);
    return [{ name, type, status, records, at }];
  });
  const soa = listOf(field(line, "soa")).flatMap((each) => {
    const [ns, mbox] = [plainText(field(each, "ns")), plainText(field(each, "mbox"))];
    return recordOf(name, "SOA", `${ns} ${mbox}`) ?? [];
  });
  const all = soa.length > 0 ? [...lookups, { name, type: "SOA" as const, status, records: soa, at }] : lookups;
  return all.length === 0 ? skipped("no_data") : outcomeOf("dnsx", all, context);
}

/** `acme.com. MX 10 mx.acme.com.`, with optional TTL and class, as massdns, dig and zone transfers write it. */
const RECORD_LINE =
  /^([a-z0-9_*-][a-z0-9_.*-]{0,252})\.[ \t]{1,20}(?:\d{1,10}[ \t]{1,20})?(?:(?:IN|in)[ \t]{1,20})?([A-Za-z]{1,10})[ \t]{1,20}(\S.{0,16384})$/i;
/** `acme.com [MX] [mx.acme.com]`, as dnsx writes it. */
const BRACKET_LINE = /^([a-z0-9_-][a-z0-9_.-]{2,252}) \[([A-Z]{1,10})\] \[(.{1,16384})\]$/i;

/** A record in a line of text; undefined when the line is none. */
export function recordLine(text: string): { readonly origin: string; readonly record: DnsRecord | null } | undefined {
  const line = RECORD_LINE.exec(text);
  const bracket = line ? null : BRACKET_LINE.exec(text);
  const [, name = "", type = "", data = ""] = line ?? bracket ?? [];
  if (
    name === "" ||
    !/^(?:A|AAAA|CNAME|MX|TXT|NS|SOA|CAA|SRV|PTR|DS|DNSKEY|RRSIG|NSEC3?|NSEC3PARAM|HTTPS|SVCB|TLSA|HINFO|SPF)$/i.test(
      type,
    )
  )
    return undefined;
  const known = recordType(type);
  const record = known ? recordOf(hostName(name), known, data) : undefined;
  return { origin: bracket ? "dnsx" : "massdns", record: record ?? null };
}

export function readRecordLine(text: string, context: FormatContext): Outcome | undefined {
  const found = recordLine(text);
  if (!found) return undefined;
  const { origin, record } = found;
  if (record === null) return skipped("no_data");
  const lookup = { name: record.name, type: record.type, status: "NOERROR", records: [record], at: undefined };
  return outcomeOf(origin, [lookup], context);
}

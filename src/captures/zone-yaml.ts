import type { DnsRecord, RecordType } from "../vocabulary/snapshot.ts";
import { MAX_RECORDS, ownerName, recordOf, recordType } from "./dns-records.ts";
import { plainText } from "./plain-text.ts";

/**
 * Reads an octoDNS zone: label → record or list of records, each `{type, value | values}`, where a value is a string
 * or an object of the type's own fields.
 */
export function readZoneYaml(zone: Readonly<Record<string, unknown>>, origin: string): DnsRecord[] {
  const records: DnsRecord[] = [];
  for (const [label, raw] of Object.entries(zone)) {
    const owner = ownerName(label, origin);
    for (const item of listed(raw)) {
      const type = isObject(item) ? recordType(plainText(item.type)) : undefined;
      if (!isObject(item) || !type) continue;
      for (const value of [...listed(item.value), ...listed(item.values)]) {
        // References let a short file stand for more records than memory holds.
        if (records.length >= MAX_RECORDS) return records;
        const record = recordOf(owner, type, dataOf(type, value));
        if (record) records.push(record);
      }
    }
  }
  return records;
}

/** Whether a parsed YAML document has the shape of such a zone. */
export function isZoneYaml(document: unknown): document is Readonly<Record<string, unknown>> {
  return (
    isObject(document) &&
    Object.values(document).some((raw) => listed(raw).some((item) => isObject(item) && typeof item.type === "string"))
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

/** octoDNS escapes semicolons and leaves quotes to be written; a TXT value stands for the whole string. */
const quoted = (type: RecordType, value: string) =>
  type === "TXT" && !value.startsWith('"') ? value.replace(/\\;/g, ";") : value;

const listed = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

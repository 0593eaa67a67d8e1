import type { DnsAnswer, DnsRecord, RecordType } from "../vocabulary/snapshot.ts";
import { RECORD_TYPES } from "../vocabulary/snapshot.ts";

/** More records than any company publishes; a longer list is cut. */
export const MAX_RECORDS = 20_000;
/** Of one name and type; a resolver's answer holds no more. */
const MAX_ANSWER = 1_000;
const MAX_TXT = 8_192;

/** Groups records by owner and type into the answers that a resolver would have given. */
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

/** ASCII where it can be written so, lower case, no trailing dot, no more than a name may be. */
export function hostName(text: string): string {
  const name = text.trim().toLowerCase().replace(/\.$/, "").slice(0, 253);
  return /[^\x00-\x7f]/.test(name) ? (URL.parse(`http://${name}`)?.hostname ?? name) : name;
}

/** `""` and `@` are the origin itself; what does not end in a dot lies under it. */
export function ownerName(label: string, origin: string): string {
  const text = label.trim().toLowerCase();
  if (text === "" || text === "@") return origin;
  if (text.endsWith(".")) return hostName(text);
  return hostName(`${text}.${origin}`);
}

/** ALIAS and its kin are CNAMEs that the name server follows itself: where they point says the same. */
export function recordType(text: string): RecordType | undefined {
  const type = text.toUpperCase().replace(/^.{0,40}\//, "");
  if (type === "ALIAS" || type === "ANAME") return "CNAME";
  return RECORD_TYPES.find((known) => known === type);
}

const HOSTED: ReadonlySet<RecordType> = new Set(["CNAME", "NS", "PTR"]);

/**
 * One record from its data in zone-file order (`10 mx.example.`); undefined when the data does not fit the type.
 * Quoted strings of a TXT record are joined, escapes opened.
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

/** A number of 16 bits; what is none counts as 0. */
function preference(text: string): number {
  const number = Number.parseInt(text, 10);
  return number >= 0 && number <= 65_535 ? number : 0;
}

function txtValue(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return trimmed.replace(/\\;/g, ";").slice(0, MAX_TXT);
  let value = "";
  let quoted = false;
  // One pass: an expression that tries every quote as a start could be made to stall.
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

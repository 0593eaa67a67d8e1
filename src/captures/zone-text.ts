import type { DnsRecord } from "../vocabulary/snapshot.ts";
import { ownerName, recordOf, recordType } from "./dns-records.ts";

const CLASS = /^(IN|CH|HS)$/i;
const MAX_LINES = 100_000;

/**
 * Reads a zone file or what `dig` prints: owner, optional TTL and class, type, data. `$ORIGIN`, `@`, an owner left
 * out and records over several lines in parentheses are understood; types that detection does not use are passed by.
 *
 * @param origin the zone's name, for owners that are relative to it
 */
export function readZoneText(text: string, origin: string): DnsRecord[] {
  const records: DnsRecord[] = [];
  let zone = origin;
  let owner = origin;
  for (const line of logicalLines(text)) {
    const directive = /^\$ORIGIN\s{1,9}(\S{1,254})/i.exec(line);
    if (directive) zone = ownerName(directive[1] ?? "", origin);
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

/** What follows the first `count` fields, with its own white space. */
function rest(line: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) {
    while (at < line.length && !/\s/.test(line[at]!)) at += 1;
    while (at < line.length && /\s/.test(line[at]!)) at += 1;
  }
  return line.slice(at);
}

/** Host data without its dot lies under the origin in a zone file; `dig` always writes the dot. */
function absolute(type: string, data: string, origin: string): string {
  if (!/^(CNAME|NS|PTR|MX|SRV)$/.test(type) || data.endsWith(".")) return data;
  const host = /(\S+)$/.exec(data)?.[1] ?? "";
  return host.includes(".") ? data : data.replace(/\S+$/, ownerName(host, origin));
}

/** Comments cut (not inside quotes), parentheses joined. */
function* logicalLines(text: string): Generator<string> {
  let open = "";
  let depth = 0;
  for (const raw of text.split(/\r?\n/).slice(0, MAX_LINES)) {
    const line = uncommented(raw.slice(0, 16_384));
    const bare = line.replace(/"(?:[^"\\]|\\.){0,4096}"/g, "");
    depth = Math.max(0, depth + (bare.match(/\(/g)?.length ?? 0) - (bare.match(/\)/g)?.length ?? 0));
    open += open === "" ? line : ` ${line.trim()}`;
    if (depth > 0 && open.length < 65_536) continue;
    const whole = open.replace(/[()](?=(?:[^"]*"[^"]*")*[^"]*$)/g, " ");
    open = "";
    depth = 0;
    if (whole.trim() !== "") yield whole;
  }
}

function uncommented(line: string): string {
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === '"') quoted = !quoted;
    else if (line[at] === ";" && !quoted) return line.slice(0, at);
  }
  return line;
}

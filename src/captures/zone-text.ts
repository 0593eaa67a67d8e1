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
  const fields = data.trim().split(/\s+/);
  const host = fields.pop() ?? "";
  return host.includes(".") ? data : [...fields, ownerName(host, origin)].join(" ");
}

/** Comments cut and parentheses joined, neither inside quotes. */
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
  // A parenthesis that is never closed ends with the file.
  if (open.trim() !== "") yield open;
}

/** A line without its comment, with blanks for parentheses, and by how many these change the depth. */
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

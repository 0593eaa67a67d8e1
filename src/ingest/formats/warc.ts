import { parseInstant } from "../../core/dates.ts";
import { answersOf, readZoneText } from "../../detection/captures/dns.ts";
import { snapshotOf } from "../../detection/captures/web.ts";
import { type ByteWindow, indexOfBytes, latin1 } from "../byte-window.ts";
import { readMember, startOfGzip } from "../gzip.ts";
import { type Outcome, refused, type Step, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";
import { exchangeOf, readMessage } from "./http-message.ts";
import { isWat, readWat } from "./wat.ts";

const MAX_HEAD = 65_536;
/** A longer record is passed over: a page is cut at 3 MiB anyway. */
export const MAX_RECORD = 16 * 1_048_576;
const MAX_MEMBER = MAX_RECORD + MAX_HEAD;
/** Compressed bytes that are tried for one member. */
const MEMBER_BYTES = 24 * 1_048_576;
const FIRST_TRY = 262_144;
/** As in the window of a plain file. */
const SEARCH = 1_048_576;
const MAGIC = "WARC/";
/** Records that a single member may contain. */
const RECORDS_PER_MEMBER = 10_000;

/** Reads plain WARC records until `end`, a position in the stream. A record that starts before it is read to its end. */
export async function* readWarc(window: ByteWindow, end: number, context: FormatContext): AsyncGenerator<Step> {
  if (window.offset > 0 && !(await isAtRecord(window))) await toNextRecord(window);
  while (window.offset < end) {
    const start = window.offset;
    await window.fill(MAX_HEAD);
    if (window.bytes.length === 0) return;
    const record = headOf(window.bytes);
    if (record === undefined) {
      yield { start, end: await toNextRecord(window, 1), outcomes: [refused("corrupt")] };
      continue;
    }
    const outcomes: Outcome[] = [];
    const size = record.start + record.length;
    if (record.length > MAX_RECORD) {
      // A length that points behind the file, or into another record, is a lie.
      const whole = await window.skip(size);
      const outcome = !whole ? "cut" : (await isAtEnd(window)) ? "too_large" : "length";
      if (outcome === "length") await toNextRecord(window);
      outcomes.push(refused(outcome));
    } else if (await window.fill(size + 4)) {
      const content = window.bytes.subarray(0, size);
      const after = latin1(window.bytes.subarray(size, size + 4));
      if (after === "\r\n\r\n") {
        outcomes.push(readRecord(record, content.subarray(record.start), context));
        window.take(size + 4);
      } else {
        outcomes.push(refused("length"));
        await toNextRecord(window, 1);
      }
    } else {
      const isWhole = window.bytes.length >= size;
      const next = indexOfBytes(window.bytes, `\n${MAGIC}`, 1);
      outcomes.push(
        isWhole
          ? readRecord(record, window.bytes.subarray(record.start, size), context)
          : refused(next < 0 ? "cut" : "length"),
      );
      if (isWhole || next < 0) window.take(window.bytes.length);
      else window.take(next + 1);
    }
    yield { start, end: window.offset, outcomes };
  }
}

async function isAtRecord(window: ByteWindow): Promise<boolean> {
  await window.fill(MAGIC.length);
  return latin1(window.bytes.subarray(0, MAGIC.length)) === MAGIC;
}

async function isAtEnd(window: ByteWindow): Promise<boolean> {
  await window.fill(4);
  const after = latin1(window.bytes.subarray(0, 4));
  if (after === "\r\n\r\n") window.take(4);
  return after === "\r\n\r\n" || after === "";
}

/** Moves to the next start of a record, `least` bytes or more away. @returns its position */
async function toNextRecord(window: ByteWindow, least = 0): Promise<number> {
  window.take(Math.min(least, window.bytes.length));
  while (true) {
    await window.fill(SEARCH);
    const at = indexOfBytes(window.bytes, `\n${MAGIC}`);
    if (at >= 0) {
      window.take(at + 1);
      return window.offset;
    }
    window.take(window.ended ? window.bytes.length : Math.max(0, window.bytes.length - MAGIC.length));
    if (window.ended) return window.offset;
  }
}

/** Reads WARC records that are gzip members of their own, of members that start before `end`. */
export async function* readWarcMembers(window: ByteWindow, end: number, context: FormatContext): AsyncGenerator<Step> {
  if (window.offset > 0) await toNextMember(window, 0);
  while (window.offset < end) {
    const start = window.offset;
    await window.fill(1);
    if (window.bytes.length === 0) return;
    const outcomes = await readNextMember(window, context);
    yield { start, end: window.offset, outcomes };
  }
}

async function readNextMember(window: ByteWindow, context: FormatContext): Promise<Outcome[]> {
  for (let wanted = FIRST_TRY; ; wanted = Math.min(wanted * 4, MEMBER_BYTES)) {
    const isFull = await window.fill(wanted);
    const member = readMember(window.bytes, MAX_MEMBER);
    if (member.kind === "member") {
      if (member.intact) {
        const outcomes = recordsOf(member.content, context);
        window.take(member.size);
        return outcomes;
      }
      // A member that is cut may seem to end inside the next one.
      await toNextMember(window, 1);
      return [refused("corrupt")];
    }
    if (member.kind === "incomplete" && isFull && wanted < MEMBER_BYTES) continue;
    const start = window.offset;
    await toNextMember(window, 1);
    if (member.kind === "corrupt") return [refused("corrupt")];
    if (member.kind === "incomplete") return [refused(window.bytes.length === 0 ? "cut" : "corrupt")];
    return [refused((window.offset - start) * BOMB_RATIO < MAX_MEMBER ? "bomb" : "too_large")];
  }
}

const BOMB_RATIO = 200;

/** Moves to the next member that starts with a WARC record. */
async function toNextMember(window: ByteWindow, least: number): Promise<void> {
  window.take(Math.min(least, window.bytes.length));
  while (true) {
    await window.fill(SEARCH);
    const at = indexOfBytes(window.bytes, "\x1f\x8b\x08");
    if (at < 0) {
      window.take(window.ended ? window.bytes.length : Math.max(0, window.bytes.length - 2));
      if (window.ended) return;
      continue;
    }
    window.take(at);
    await window.fill(1_024);
    if (latin1(startOf(window.bytes)).startsWith(MAGIC)) return;
    window.take(1);
  }
}

/** The first decompressed bytes of a member. */
function startOf(bytes: Uint8Array): Uint8Array {
  return startOfGzip(bytes.subarray(0, 1_024));
}

/** The records of one decompressed member; usually one. */
function recordsOf(content: Uint8Array, context: FormatContext): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < content.length && outcomes.length < RECORDS_PER_MEMBER; ) {
    const rest = content.subarray(at);
    const record = headOf(rest);
    if (record === undefined) {
      outcomes.push(refused("corrupt"));
      break;
    }
    const size = record.start + record.length;
    const after = latin1(rest.subarray(size, size + 4));
    const isLast = size >= rest.length || after === "\r\n\r\n";
    if (size > rest.length) outcomes.push(refused("cut"));
    else if (!isLast) outcomes.push(refused("length"));
    else outcomes.push(readRecord(record, rest.subarray(record.start, size), context));
    if (!isLast) break;
    at += size + 4;
  }
  return outcomes;
}

interface RecordHead {
  readonly fields: ReadonlyMap<string, string>;
  /** Where the content starts, and how many bytes it has. */
  readonly start: number;
  readonly length: number;
}

/** Undefined when no record starts here. */
function headOf(bytes: Uint8Array): RecordHead | undefined {
  const text = latin1(bytes.subarray(0, MAX_HEAD));
  if (!/^WARC\/\d\.\d{1,2}\r?\n/.test(text)) return undefined;
  const gap = /\r?\n\r?\n/.exec(text);
  if (!gap) return undefined;
  const fields = new Map<string, string>();
  for (const line of text.slice(0, gap.index).split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const length = fields.get("content-length") ?? "";
  if (!/^\d{1,15}$/.test(length)) return undefined;
  return { fields, start: gap.index + gap[0].length, length: Number(length) };
}

function readRecord({ fields }: RecordHead, content: Uint8Array, context: FormatContext): Outcome {
  const type = fields.get("warc-type")?.toLowerCase();
  const capturedAt = parseInstant(fields.get("warc-date")) ?? context.capturedAt;
  const media = fields.get("content-type") ?? "";
  // Some writers put the address in angle brackets.
  const address = (fields.get("warc-target-uri") ?? "").replace(/^<|>$/g, "").slice(0, 8_192);
  if (type === "metadata" && isWat(media, content)) return readWat(content, capturedAt, context);
  if (type !== "response" && type !== "resource") return skipped("other_record");
  if (/^dns:/i.test(address)) return dnsRecord(content, capturedAt, context);
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 8_192) return skipped("no_company");
  const domain = context.companyOf(url.hostname);
  if (domain === undefined) return skipped("no_company");
  const exchange =
    type === "response" ? readMessage(content, url.href) : exchangeOf(url.href, 200, ["content-type", media], content);
  if ("skipped" in exchange) return skipped(exchange.skipped);
  if ("refused" in exchange) return refused(exchange.refused);
  return { kind: "recording", snapshot: snapshotOf(domain, "warc", capturedAt, { http: [exchange] }) };
}

/** The answer of a crawler's resolver: a date, then lines of a zone file. */
function dnsRecord(content: Uint8Array, capturedAt: string, { companyOf }: FormatContext): Outcome {
  const records = readZoneText(latin1(content.subarray(0, 65_536)), "");
  const domain = companyOf(records[0]?.name ?? "");
  if (domain === undefined) return skipped(records.length === 0 ? "no_data" : "no_company");
  return { kind: "recording", snapshot: snapshotOf(domain, "dns", capturedAt, { dns: answersOf(records) }) };
}

/** Moves behind the record at the start of the window. */
export const passRecord = async (window: ByteWindow): Promise<void> => void (await toNextRecord(window, 1));

/** Moves behind the member at the start of the window. */
export const passMember = (window: ByteWindow): Promise<void> => toNextMember(window, 1);

import { siteOf } from "../../core/domain.ts";
import { parseJson } from "../../core/json.ts";
import { latin1 } from "../byte-window.ts";
import { isGzip, memberHeader, readMember, startOfGzip } from "../gzip.ts";
import { recordLine } from "./dns-lines.ts";
import { jsonLineReader } from "./lines.ts";
import { MAX_RECORD } from "./warc.ts";

/** `document` is read as a whole; the others record by record. */
export type Format = "warc" | "lines" | "document";

export interface Recognised {
  readonly format: Format;
  /** `members`: each record is a gzip member, so that reading can start at any of them. */
  readonly compression: "none" | "members" | "stream";
}

/** Bytes at the start of a file by which its format is recognised. */
export const HEAD = 1_048_576;

/** The format of a file by its first bytes; undefined for none that is known. */
export function recognise(head: Uint8Array): Recognised | undefined {
  if (!isGzip(head)) {
    const format = formatOf(head);
    return format && { format, compression: "none" };
  }
  if (memberHeader(head) === undefined) return undefined;
  const format = formatOf(startOfGzip(head));
  if (format === undefined) return undefined;
  if (format !== "warc") return { format, compression: "stream" };
  const first = readMember(head, MAX_RECORD);
  const isMembers = first.kind === "member" && isWholeRecord(first.content);
  return { format, compression: isMembers ? "members" : "stream" };
}

/** Whether a file has nothing but white space. */
export const isEmpty = (head: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*$/.test(latin1(isGzip(head) ? startOfGzip(head) : head));

/** Whether the content is one record and the empty lines after it. */
function isWholeRecord(content: Uint8Array): boolean {
  const head = /^WARC\/[\s\S]{0,65536}?\r\n\r\n/.exec(latin1(content.subarray(0, 65_536)))?.[0] ?? "";
  const length = Number(/^content-length:[ \t]*(\d{1,15})/im.exec(head)?.[1]);
  return content.length - head.length - length <= 4;
}

function formatOf(head: Uint8Array): Format | undefined {
  const text = latin1(head).replace(/^\xef\xbb\xbf/, "");
  if (text.startsWith("WARC/")) return "warc";
  const start = text.trimStart();
  if (start === "" || start.slice(0, 2_000).includes("\0")) return undefined;
  if (start.startsWith("{")) return isJsonLines(start) ? "lines" : "document";
  if (/^(?:\[|<|HTTP\/\d)/.test(start)) return "document";
  return areRecordLines(start) ? "lines" : "document";
}

function isJsonLines(text: string): boolean {
  const end = text.indexOf("\n");
  const first = parseJson(end < 0 ? text : text.slice(0, end));
  if (first !== undefined) return jsonLineReader(first) !== undefined;
  // A line that is longer than the start of the file, and one that is damaged.
  if (end < 0)
    return /^\{"(?:timestamp|url|host|name|port|input)":/.test(text) && /"(?:url|host|name|input)":"/.test(text);
  const second = parseJson(text.slice(end + 1).split("\n", 1)[0] ?? "");
  return second !== undefined && jsonLineReader(second) !== undefined;
}

const LINES_READ = 200;

/**
 * Whether a text has a record in each line, of several companies. One of a single company may be a complete zone, which is
 * read as a whole.
 */
function areRecordLines(text: string): boolean {
  // The last line may be cut.
  const lines = text.slice(0, 262_144).split("\n", LINES_READ);
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const written = whole.map((line) => line.trim()).filter((line) => line !== "" && !/^[;#]/.test(line));
  const found = written.flatMap((line) => recordLine(line) ?? []);
  if (found.length === 0 || found.length < written.length * 0.8) return false;
  if (found.some(({ origin }) => origin === "dnsx")) return true;
  const sites = new Set(
    found.flatMap(({ record }) => (record ? siteOf(record.name.replace(/^(?:_[^.]{1,60}\.)+/, "")) : [])),
  );
  return sites.size > 1;
}

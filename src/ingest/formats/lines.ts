import { parseJson } from "../../core/json.ts";
import type { ByteWindow } from "../byte-window.ts";
import { type Outcome, refused, type Step, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";
import { isDnsx, isMassdns, isZdns, readDnsx, readMassdns, readRecordLine, readZdns } from "./dns-lines.ts";
import { isHttpx, isTlsx, readHttpx, readTlsx } from "./probe-lines.ts";

/** A page with its headers, escaped as JSON, is shorter. */
const MAX_LINE = 8 * 1_048_576;
const CHUNK = 262_144;
const LINE_FEED = 10;

/** In this order: a line of httpx also has the fields of others. */
const JSON_LINES: readonly (readonly [
  is: (line: object) => boolean,
  read: (line: object, context: FormatContext) => Outcome,
])[] = [
  [isHttpx, readHttpx],
  [isTlsx, readTlsx],
  [isZdns, readZdns],
  [isMassdns, readMassdns],
  [isDnsx, readDnsx],
];

/** The reader of a parsed line of zdns, massdns, dnsx, httpx or tlsx. */
export const jsonLineReader = (line: unknown) =>
  typeof line === "object" && line !== null ? JSON_LINES.find(([is]) => is(line))?.[1] : undefined;

/** Reads lines that start before `end`, a position in the stream. */
export async function* readLines(window: ByteWindow, end: number, context: FormatContext): AsyncGenerator<Step> {
  while (window.offset < end) {
    const start = window.offset;
    const line = await nextLine(window);
    if (line === undefined) return;
    const outcome = line === "too long" ? refused("line_too_long") : readLine(line.text, context);
    yield { start, end: window.offset, outcomes: outcome ? [outcome] : [] };
  }
}

/** Moves behind the next line feed. */
export async function passLine(window: ByteWindow): Promise<void> {
  await nextLine(window);
}

/** Undefined at the end of the stream. */
async function nextLine(window: ByteWindow): Promise<{ readonly text: string } | "too long" | undefined> {
  for (let searched = 0, wanted = CHUNK; ; wanted = Math.min(wanted * 2, MAX_LINE + CHUNK)) {
    await window.fill(wanted);
    const { bytes } = window;
    if (bytes.length === 0) return undefined;
    const at = bytes.indexOf(LINE_FEED, searched);
    if (at >= 0 || window.ended) {
      const length = at < 0 ? bytes.length : at;
      const text = length > MAX_LINE ? undefined : decoder.decode(bytes.subarray(0, length));
      window.take(at < 0 ? length : at + 1);
      return text === undefined ? "too long" : { text };
    }
    searched = bytes.length;
    if (searched <= MAX_LINE) continue;
    while (!window.ended) {
      window.take(window.bytes.length);
      await window.fill(CHUNK);
      const feed = window.bytes.indexOf(LINE_FEED);
      if (feed >= 0) {
        window.take(feed + 1);
        return "too long";
      }
    }
    window.take(window.bytes.length);
    return "too long";
  }
}

const decoder = new TextDecoder();

/** Undefined for an empty line or a comment, which is no record. */
function readLine(line: string, context: FormatContext): Outcome | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith(";") || text.startsWith("#")) return undefined;
  if (!text.startsWith("{")) return readRecordLine(text, context) ?? refused("corrupt");
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return refused("corrupt");
  const read = jsonLineReader(value);
  return read ? read(value, context) : skipped("no_data");
}

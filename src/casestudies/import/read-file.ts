import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { type CsvError, parse } from "csv-parse";
import type { LeftOut } from "../fields.ts";

/** Far past a hundred thousand records; a small file that unpacks to more is meant to fill a disk. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;

/** Why a file could not be read to its end; what came before counts. */
class UnreadableFile extends Error {}

/**
 * The bytes of a file, unpacked when its first bytes say gzip or zstd, without a UTF-8 mark at the start. Pulls only as
 * fast as it is read.
 *
 * @throws UnreadableFile when the packing is broken or what it holds is over {@link MAX_FILE_BYTES}
 */
async function* unpacked(source: AsyncIterable<Uint8Array>, maxBytes = MAX_FILE_BYTES): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await takeHead(chunks);
  const whole = resumed(head, chunks);
  const unpack = unpackerFor(head);
  let bytes = 0;
  for await (const chunk of withoutMark(unpack === null ? whole : throughUnpacker(whole, unpack))) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UnreadableFile("The file holds too much; divide it into smaller ones.");
    yield chunk;
  }
}

const HEAD = 4;

async function takeHead(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const head: Uint8Array[] = [];
  for (let length = 0; length < HEAD; ) {
    const next = await chunks.next();
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(head);
}

async function* resumed(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

function unpackerFor(head: Buffer) {
  if (head[0] === 0x1f && head[1] === 0x8b) return createGunzip();
  if (head.length >= HEAD && head.readUInt32LE(0) === 0xfd2fb528) return createZstdDecompress();
  return null;
}

async function* throughUnpacker(
  packed: AsyncIterable<Uint8Array>,
  unpack: NonNullable<ReturnType<typeof unpackerFor>>,
): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const done = pipeline(Readable.from(packed), unpack, out).catch((error: unknown) => error);
  try {
    for await (const chunk of out) yield chunk;
  } catch {
    throw new UnreadableFile("The file's compression is broken or ends too early.");
  } finally {
    out.destroy();
  }
  if ((await done) instanceof Error) throw new UnreadableFile("The file's compression is broken or ends too early.");
}

async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const mark = [0xef, 0xbb, 0xbf];
  let pending: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    if (pending === null) {
      yield chunk;
      continue;
    }
    const start: Uint8Array = Buffer.concat([pending, chunk]);
    if (start.length < mark.length && mark.slice(0, start.length).every((byte, at) => start[at] === byte)) {
      pending = start;
      continue;
    }
    pending = null;
    yield mark.every((byte, at) => start[at] === byte) ? start.subarray(mark.length) : start;
  }
  if (pending !== null && pending.length > 0) yield pending;
}

const MAX_LINE_BYTES = 2 * 1024 ** 2;
const NEWLINE = 10;

/** One record for each line that is not blank. A line that is too long or no JSON is a fault of its own. */
async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { line, bytes } of splitLines(chunks)) {
    if (bytes === null) yield { line, fault: "The line is longer than 2 MiB." };
    else {
      const record = parseLine(line, bytes, decoder);
      if (record !== null) yield record;
    }
  }
}

function parseLine(line: number, bytes: Uint8Array, decoder: TextDecoder): FileRecord | null {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { line, fault: "The line is not UTF-8." };
  }
  if (text.trim() === "") return null;
  try {
    return { line, raw: JSON.parse(text) };
  } catch {
    return { line, fault: "The line is no JSON; each record stands on one line." };
  }
}

/** Lines with their number from 1; `bytes` is null for one over {@link MAX_LINE_BYTES}, whose bytes are never kept. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>) {
  let parts: Uint8Array[] = [];
  let length = 0;
  let line = 1;
  const take = () => {
    const bytes = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { line: line++, bytes };
  };
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

const MAX_COLUMNS = 200;
const SURPLUS = "No column has a name there; put quotes around a cell that has the delimiter in it.";

/**
 * One record for each row below the head, as an object of the head's names. The delimiter is the comma, semicolon or
 * tab that stands most often in the head. A row that cannot be read is a fault of its own.
 *
 * @param head the first bytes of the file, with the first line if it is not longer than they are
 */
async function* csvRows(chunks: AsyncIterable<Uint8Array>, head: Uint8Array): AsyncGenerator<FileRecord> {
  const faults: FileRecord[] = [];
  const parser = parse({
    delimiter: delimiterOf(head),
    info: true,
    max_record_size: MAX_LINE_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      faults.push({ line: lineOf(error), fault: faultOf(error) });
      return undefined;
    },
  });
  const source = Readable.from(chunks);
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let names: string[] | null = null;
  // The parser counts CR LF inside a cell as two lines.
  let surplus = 0;
  try {
    for await (const row of parser) {
      yield* faults.splice(0);
      const { cells, lines } = readRow(row);
      const text = cells.join("");
      const counted = text.match(/[\r\n]/g)?.length ?? 0;
      const line = lines - counted - surplus;
      surplus += counted - (text.match(/\n/g)?.length ?? 0);
      if (names === null) names = cells.slice(0, MAX_COLUMNS);
      else yield rowRecord(names, cells, line);
    }
  } finally {
    source.destroy();
  }
  yield* faults;
}

function rowRecord(names: readonly string[], cells: readonly string[], line: number): FileRecord {
  if (cells.some((cell) => cell.includes("\uFFFD")))
    return { line, fault: "The row is not UTF-8; save the file as UTF-8." };
  const raw = Object.fromEntries(names.map((name, at) => [name, unguarded(cells[at] ?? "")]));
  const surplus = cells.slice(names.length).some((cell) => cell.trim() !== "");
  return surplus ? { line, raw, leftOut: { field: `column ${names.length + 1}`, reason: SURPLUS } } : { line, raw };
}

/** The parser's own type for a row does not tell what `info` adds. */
function readRow(row: unknown): { cells: string[]; lines: number } {
  const record: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "record") : null;
  const info: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "info") : null;
  const lines: unknown = typeof info === "object" && info !== null ? Reflect.get(info, "lines") : 0;
  return { cells: Array.isArray(record) ? record.map(String) : [], lines: typeof lines === "number" ? lines : 0 };
}

function lineOf(error: CsvError | undefined): number {
  const line: unknown = error?.lines;
  return typeof line === "number" ? line : 0;
}

function faultOf(error: CsvError | undefined): string {
  if (error?.code === "CSV_MAX_RECORD_SIZE") return "The row is longer than 2 MiB; perhaps a quote is never closed.";
  if (error?.code === "CSV_QUOTE_NOT_CLOSED") return "A quote in this row is never closed.";
  return "The row is no CSV: a quote stands where none may be.";
}

function delimiterOf(head: Uint8Array): string {
  const first = new TextDecoder().decode(head).split("\n", 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).mark;
}

/** What a spreadsheet would run as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** One cell as CSV has it; a text that a spreadsheet would run is guarded by an apostrophe, which import takes off. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const unguarded = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** A record of a file with the line, from 1, on which it starts, and what of it is not in `raw`; or what is wrong there. */
export type FileRecord =
  | { readonly line: number; readonly raw: unknown; readonly leftOut?: LeftOut }
  | { readonly line: number; readonly fault: string };

const HEAD_BYTES = 65_536;

/**
 * Reads a file of case studies as it streams: JSON lines or CSV (by content, then by the ending of its name), packed by
 * gzip or zstd or not. Never throws for what is in the file: a broken one ends with a fault.
 *
 * @param name of the file, when it has one
 */
export async function* readFileRecords(
  source: AsyncIterable<Uint8Array>,
  name = "",
  maxBytes?: number,
): AsyncGenerator<FileRecord> {
  let line = 1;
  try {
    for await (const record of recordsOf(unpacked(source, maxBytes), name)) {
      line = record.line;
      yield record;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    yield { line, fault: error.message };
  }
}

async function* recordsOf(bytes: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<FileRecord> {
  const { head, whole } = await peek(bytes);
  const first = new TextDecoder().decode(head.subarray(0, 1_024)).trimStart()[0];
  if (first === undefined && head.length < 1_024) return;
  if (first === "[") {
    await bytes.return(undefined);
    yield { line: 1, fault: "The file is one JSON array; give one record on each line instead." };
  } else if (isArchive(head)) {
    await bytes.return(undefined);
    yield { line: 1, fault: "The file is a spreadsheet or another zip archive; save the sheet as CSV." };
  } else if (first === "{" || /\.(jsonl?|ndjson)(\.(gz|zst))?$/i.test(name)) yield* jsonLines(whole);
  else yield* csvRows(whole, head);
}

/** A zip archive, which spreadsheets are. */
const isArchive = (head: Uint8Array) => head.length >= 4 && Buffer.from(head.subarray(0, 4)).equals(ZIP);
const ZIP = Buffer.from([0x50, 0x4b, 3, 4]);

/** The first bytes, read ahead, and the whole with them in it. */
async function peek(bytes: AsyncGenerator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const next = await bytes.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  const head: Uint8Array = Buffer.concat(parts);
  async function* whole() {
    yield head;
    yield* bytes;
  }
  return { head: head.subarray(0, HEAD_BYTES), whole: whole() };
}

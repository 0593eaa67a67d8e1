import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { type CsvError, parse } from "csv-parse";
import { restoreCell } from "../core/csv.ts";

/** A record of a file with the number of its first line, from 1; or what is wrong at that line. */
export type FileRecord =
  | {
      readonly line: number;
      readonly raw: unknown;
      /** A value of the record that could not be put into `raw`. */
      readonly ignored?: { readonly field: string; readonly reason: string };
    }
  | {
      readonly line: number;
      readonly fault: string;
      /** The rest of the file cannot be read. */
      readonly isEnd?: true;
    };

/** How the rows of a CSV file are read. */
export interface CsvReading {
  /**
   * The names of the columns, from the first row. `isHeader` false makes the first row a record too. By default it has the
   * names.
   */
  readonly namesOf?: (first: readonly string[]) => { readonly names: readonly string[]; readonly isHeader: boolean };
  /** Skip lines that start with `#`. */
  readonly comments?: boolean;
  /** A longer line ends the file. By default a row of more than 2 MiB is a fault. */
  readonly maxLineBytes?: number;
  /** Read lines that are not UTF-8 as Windows-1252, in which spreadsheets save. Needs `maxLineBytes`. */
  readonly windows1252?: boolean;
  /** More empty lines and comments end the file. */
  readonly maxSkippedLines?: number;
}

/** Limit on the decompressed size: far more than 100,000 records. A compressed file that exceeds it is an attack. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;
const MAX_LINE_BYTES = 2 * 1024 ** 2;
/** Bytes that are read ahead to detect the format and the delimiter. */
const HEAD_BYTES = 65_536;

/**
 * Reads the records of a file as a stream: JSON Lines or CSV (detected by content, then by file extension), plain
 * or compressed with gzip or zstd. Never throws for the content of a file; a broken file ends with a fault.
 *
 * @param name the file's name, if it has one
 */
export async function* readFileRecords(
  source: AsyncIterable<Uint8Array>,
  name = "",
  { maxBytes = MAX_FILE_BYTES, ...csv }: CsvReading & { readonly maxBytes?: number } = {},
): AsyncGenerator<FileRecord> {
  let line = 1;
  try {
    for await (const record of parseRecords(asUtf8(decompress(source, maxBytes)), name, csv)) {
      line = record.line;
      yield record;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    yield { line: error.line ?? line, fault: error.message, isEnd: true };
  }
}

/** The rest of a file cannot be read; the records before it count. */
class UnreadableFile extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

async function* parseRecords(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  csv: CsvReading,
): AsyncGenerator<FileRecord> {
  const { head, whole, close } = await peek(bytes, HEAD_BYTES);
  const first = new TextDecoder().decode(head.subarray(0, 1_024)).trimStart()[0];
  if (first === undefined && head.length < 1_024) return;
  if (first === "[") {
    await close();
    yield { line: 1, fault: "The file is one JSON array. Put each record on its own line instead." };
  } else if (startsWith(head, ZIP)) {
    await close();
    yield { line: 1, fault: "The file is a spreadsheet or another zip archive. Save the sheet as CSV." };
  } else if (first === "{" || /\.(jsonl?|ndjson)(\.(gz|zst))?$/i.test(name))
    yield* parseJsonLines(paced(withoutBom(whole()), csv));
  else {
    const lines = paced(withoutBom(whole()), csv);
    yield* parseCsv(csv.windows1252 ? fromWindows1252(lines) : lines, head, csv);
  }
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const ZIP = [0x50, 0x4b, 3, 4];
const UTF8_BOM = [0xef, 0xbb, 0xbf];

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte);

/** Reads at least `size` bytes ahead, if there are as many. `whole` streams everything, those bytes included. */
async function peek(source: AsyncIterable<Uint8Array>, size: number) {
  const chunks = source[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  for (let length = 0; length < size; ) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  const head: Uint8Array = Buffer.concat(parts);
  const close = async () => void (await chunks.return?.());
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await close();
    }
  }
  return { head: head.subarray(0, size), whole, close };
}

/** @throws UnreadableFile when the compression is broken or the content exceeds `maxBytes` */
async function* decompress(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(source, ZSTD.length);
  const decompressor = startsWith(head, GZIP) ? createGunzip() : startsWith(head, ZSTD) ? createZstdDecompress() : null;
  let bytes = 0;
  for await (const chunk of decompressor === null ? whole() : through(whole(), decompressor)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UnreadableFile("The file is too large. Split it into smaller files.");
    yield chunk;
  }
}

async function* through(
  source: AsyncIterable<Uint8Array>,
  decompressor: ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>,
): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const done = pipeline(Readable.from(source), decompressor, out).catch((error: unknown) => error);
  try {
    for await (const chunk of out) yield chunk;
  } catch {
    throw new UnreadableFile(BROKEN_COMPRESSION);
  } finally {
    out.destroy();
  }
  if ((await done) instanceof Error) throw new UnreadableFile(BROKEN_COMPRESSION);
}

const BROKEN_COMPRESSION = "The file's compression is broken or ends too early.";

/** A spreadsheet saves "Unicode text" as UTF-16, which starts with a byte order mark. */
async function* asUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(source, 2);
  const encoding = startsWith(head, [0xff, 0xfe]) ? "utf-16le" : startsWith(head, [0xfe, 0xff]) ? "utf-16be" : null;
  if (encoding === null) {
    yield* whole();
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of whole()) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Requires that the byte order mark is within the first chunk, which `peek` guarantees. */
async function* withoutBom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst && startsWith(chunk, UTF8_BOM) ? chunk.subarray(UTF8_BOM.length) : chunk;
    isFirst = false;
  }
}

/** The same lines in UTF-8. @param chunks with lines of limited length */
async function* fromWindows1252(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const windows = new TextDecoder("windows-1252");
  const isUtf8 = (bytes: Uint8Array) => {
    try {
      utf8.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const converted = (bytes: Uint8Array) => (isUtf8(bytes) ? bytes : Buffer.from(windows.decode(bytes)));
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (isUtf8(whole)) {
      yield whole;
      continue;
    }
    for (let start = 0; start < end; ) {
      const next = whole.indexOf(NEWLINE, start) + 1;
      yield converted(whole.subarray(start, next));
      start = next;
    }
  }
  if (rest.length > 0) yield converted(rest);
}

/** Bytes that are parsed before other requests have their turn: a few milliseconds. */
const SLICE_BYTES = 16_384;

/**
 * The same bytes in small slices, with a turn of the event loop after each: one chunk may have millions of short lines.
 *
 * @throws UnreadableFile for a line or a number of skipped lines over the limit
 */
async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes = Number.POSITIVE_INFINITY, maxSkippedLines = Number.POSITIVE_INFINITY }: CsvReading,
): AsyncGenerator<Uint8Array> {
  let line = 1;
  let length = 0;
  let skipped = 0;
  let unpaused = 0;
  const check = (slice: Uint8Array) => {
    for (let start = 0; start < slice.length; ) {
      const first = slice[start];
      if (length === 0 && (first === HASH || first === NEWLINE || first === RETURN)) skipped += 1;
      const newline = slice.indexOf(NEWLINE, start);
      length += (newline < 0 ? slice.length : newline) - start;
      if (length > maxLineBytes) throw new UnreadableFile(`The line is longer than ${maxLineBytes / 1_024} KiB.`, line);
      if (skipped > maxSkippedLines)
        throw new UnreadableFile(`The file has more than ${maxSkippedLines} empty lines and comments.`, line);
      if (newline < 0) return;
      length = 0;
      line += 1;
      start = newline + 1;
    }
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      check(slice);
      yield slice;
      unpaused += slice.length;
      if (unpaused < SLICE_BYTES) continue;
      unpaused = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}

/** One record for each line that is not blank. A line that is too long or is not JSON is a fault. */
async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { line, bytes } of splitLines(chunks)) {
    const record = bytes === null ? { line, fault: "The line is longer than 2 MiB." } : parseLine(line, bytes, decoder);
    if (record !== null) yield record;
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
    return { line, fault: "The line is not valid JSON. Put each record on one line." };
  }
}

const NEWLINE = 10;
const RETURN = 13;
const HASH = 35;

/** Lines with their number from 1. `bytes` is null for a line over {@link MAX_LINE_BYTES}, which is not kept in memory. */
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
const EXTRA_CELL = "This column has no header. Put quotes around cells that contain the delimiter.";

/**
 * One record for each row below the header row, as an object with the headers as names. The delimiter is the most
 * frequent of comma, semicolon and tab in the header row, or that of a line `sep=;` above it, as Excel writes. A row that
 * cannot be parsed is a fault.
 */
async function* parseCsv(
  chunks: AsyncIterable<Uint8Array>,
  head: Uint8Array,
  { namesOf = (first) => ({ names: first, isHeader: true }), comments = false }: CsvReading,
): AsyncGenerator<FileRecord> {
  const faults: FileRecord[] = [];
  const { delimiter, hasDelimiterLine } = delimiterOf(head, comments);
  const parser = parse({
    delimiter,
    ...(comments ? { comment: "#", comment_no_infix: true } : {}),
    info: true,
    max_record_size: MAX_LINE_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      const line: unknown = error?.lines;
      faults.push({ line: typeof line === "number" ? line : 0, fault: csvFault(error) });
      return undefined;
    },
  });
  const source = Readable.from(chunks);
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let names: readonly string[] | null = null;
  let isDelimiterLine = hasDelimiterLine;
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
      if (isDelimiterLine) {
        isDelimiterLine = false;
        continue;
      }
      if (names === null) {
        const first = namesOf(cells.slice(0, MAX_COLUMNS));
        names = first.names;
        if (first.isHeader) continue;
      }
      yield rowRecord(names, cells, line);
    }
  } finally {
    source.destroy();
  }
  yield* faults;
}

function rowRecord(names: readonly string[], cells: readonly string[], line: number): FileRecord {
  if (cells.some((cell) => cell.includes("\uFFFD")))
    return { line, fault: "The row is not UTF-8. Save the file as UTF-8." };
  const raw = Object.fromEntries(names.map((name, at) => [name, restoreCell(cells[at] ?? "")]));
  const hasExtra = cells.slice(names.length).some((cell) => cell.trim() !== "");
  return hasExtra ? { line, raw, ignored: { field: `column ${names.length + 1}`, reason: EXTRA_CELL } } : { line, raw };
}

/** The parser's type for a row does not include what the option `info` adds. */
function readRow(row: unknown): { cells: string[]; lines: number } {
  const record: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "record") : null;
  const info: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "info") : null;
  const lines: unknown = typeof info === "object" && info !== null ? Reflect.get(info, "lines") : 0;
  return { cells: Array.isArray(record) ? record.map(String) : [], lines: typeof lines === "number" ? lines : 0 };
}

function csvFault(error: CsvError | undefined): string {
  if (error?.code === "CSV_MAX_RECORD_SIZE") return "The row is longer than 2 MiB. A quote may not be closed.";
  if (error?.code === "CSV_QUOTE_NOT_CLOSED") return "A quote in this row is not closed.";
  return "The row is not valid CSV: a quote is in the wrong place.";
}

const DELIMITERS = [",", ";", "\t"];

/** Of equally frequent delimiters, the one that is as frequent in the second line. */
function delimiterOf(head: Uint8Array, comments: boolean) {
  const lines = new TextDecoder()
    .decode(head)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !(comments && line.startsWith("#")));
  const stated = /^"?sep=([,;\t])"?$/.exec(lines[0] ?? "")?.[1];
  if (stated !== undefined) return { delimiter: stated, hasDelimiterLine: true };
  const [first = "", second = ""] = lines.map((line) => line.replace(/"(?:[^"]|"")*"/g, ""));
  const count = (line: string, mark: string) => line.split(mark).length;
  const rank = (mark: string) => count(first, mark) + (count(first, mark) === count(second, mark) ? 0.5 : 0);
  const delimiter = DELIMITERS.reduce((best, mark) => (rank(mark) > rank(best) ? mark : best));
  return { delimiter, hasDelimiterLine: false };
}

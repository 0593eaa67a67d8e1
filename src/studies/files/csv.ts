import { Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import type { FileRecord } from "./file-records.ts";
import { MAX_LINE_BYTES } from "./json-lines.ts";

const MAX_COLUMNS = 200;
const SURPLUS = "No column has a name there; put quotes around a cell that has the delimiter in it.";

/**
 * One record for each row below the head, as an object of the head's names. The delimiter is the comma, semicolon or
 * tab that stands most often in the head. A row that cannot be read is a fault of its own.
 *
 * @param head the first bytes of the file, with the first line if it is not longer than they are
 */
export async function* csvRows(chunks: AsyncIterable<Uint8Array>, head: Uint8Array): AsyncGenerator<FileRecord> {
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

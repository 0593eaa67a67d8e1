import { Failure } from "../core/errors.ts";
import { readFileRecords } from "../tabular/read-records.ts";
import type { ListEntry } from "./types.ts";

export const MAX_ROWS = 100_000;
const MAX_COLUMNS = 50;
const MAX_NAME = 100;
/** Rows of a JSON list that are searched for the names of fields. */
const NAMED_ROWS = 100;
const MAX_CELL = 2_000;
/** Characters of a domain as given; a longer text is no domain. */
const MAX_INPUT = 2_048;
/** Bytes that are searched for the end of the first line. */
const HEAD_BYTES = 16_384;

/** Names of the column with the domain, in order of preference. Case, spaces and underscores are ignored. */
const DOMAIN_COLUMNS = ["domain", "companydomain", "website", "companywebsite", "url", "homepage", "host", "site"];

/** A cell that is a domain, so that the line is no header. */
const DOMAIN = /^(?:https?:\/\/)?[^\s/,;@"]+\.[\p{L}][\p{L}\p{N}-]+\.?(?:[/:?#].*)?$/u;

/**
 * Reads a list of domains as a stream: one per line, CSV with or without a header, or JSON lines. The domain is in the
 * column `column`, else in one with a usual name, else in the first; the other columns are kept. Lines that start with
 * `#` and empty lines are skipped. A row that cannot be read has a `fault`.
 *
 * @throws Failure `batch.invalid` when there are more than 100,000 rows, or no column has the name `column`
 */
export async function* readList(
  source: AsyncIterable<Uint8Array>,
  { name = "", column }: { readonly name?: string; readonly column?: string | undefined } = {},
): AsyncGenerator<ListEntry> {
  let rows = 0;
  let chosen: string | undefined;
  for await (const record of readFileRecords(withHeader(source), name)) {
    let entry: ListEntry;
    if ("fault" in record) entry = { input: "", fault: `Line ${record.line}: ${record.fault}` };
    else {
      const cells = cellsOf(record.raw);
      if (cells !== undefined) chosen ??= chooseColumn(Object.keys(cells), column);
      entry = cells === undefined ? { input: textOf(record.raw) } : entryOf(cells, chosen ?? "");
      if (entry.input.startsWith("#") || (entry.input === "" && entry.cells === undefined)) continue;
    }
    yield entry;
    rows += 1;
    if (rows > MAX_ROWS) throw tooMany();
  }
}

const tooMany = () =>
  new Failure("batch.invalid", "A list may have at most 100,000 rows; split it into several batches.");

/** The entries of a list that was sent as JSON. @throws Failure `batch.invalid` */
export function entriesOf(values: readonly unknown[], column?: string): ListEntry[] {
  if (values.length > MAX_ROWS) throw tooMany();
  const all = values.map(cellsOf);
  const names = all.slice(0, NAMED_ROWS).flatMap((cells) => Object.keys(cells ?? {}));
  const chosen = names.length === 0 ? "" : chooseColumn([...new Set(names)], column);
  return all.map((cells, at) => (cells === undefined ? { input: textOf(values[at]) } : entryOf(cells, chosen)));
}

/** Undefined for a row that is only a domain. */
function cellsOf(raw: unknown): Record<string, string> | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  return Object.fromEntries(
    Object.entries(raw)
      .slice(0, MAX_COLUMNS)
      .map(([name, value]) => [name.trim().slice(0, MAX_NAME), textOf(value)]),
  );
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).trim().slice(0, MAX_INPUT + 1);
};

function chooseColumn(names: readonly string[], wanted: string | undefined): string {
  const normalise = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");
  const find = (name: string) => names.find((each) => normalise(each) === normalise(name));
  if (wanted !== undefined) {
    const found = find(wanted);
    if (found !== undefined) return found;
    throw new Failure(
      "batch.invalid",
      `No column has the name "${wanted.slice(0, MAX_NAME)}": the list has ${names.join(", ") || "no columns"}.`,
    );
  }
  return DOMAIN_COLUMNS.map(find).find((name) => name !== undefined) ?? names[0] ?? "domain";
}

function entryOf(cells: Readonly<Record<string, string>>, column: string): ListEntry {
  const input = (cells[column] ?? "").replace(/^\ufeff/, "");
  const others = Object.entries(cells)
    .filter(([name, cell]) => name !== column && cell !== "")
    .map(([name, cell]) => [name, cell.slice(0, MAX_CELL)]);
  return others.length === 0 ? { input } : { input, cells: Object.fromEntries(others) };
}

/** Adds a header line to a list whose first line has a domain or a comment. */
async function* withHeader(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    chunks.push(chunk);
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES && !hasContentLine(head)) continue;
    yield* headed(head);
    head = undefined;
  }
  if (head !== undefined) yield* headed(head);
}

const hasContentLine = (head: Buffer) => /[^\s#][^\n]*\n/.test(head.toString());

function* headed(head: Buffer): Generator<Uint8Array> {
  const lines = head
    .toString()
    .replace(/^\ufeff/, "")
    .split("\n");
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"))?.trim() ?? "";
  const cells = first.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const at = cells.findIndex((cell) => DOMAIN.test(cell));
  if (!first.startsWith("{") && !first.startsWith("[") && (at >= 0 || lines[0]?.startsWith("#"))) {
    const delimiter = /[,;\t]/.exec(first)?.[0] ?? ",";
    const names = cells.map((_, index) => (index === Math.max(at, 0) ? "domain" : `column_${index + 1}`));
    if (at >= 0 || cells.length === 1) yield Buffer.from(`${names.join(delimiter)}\n`);
  }
  yield head;
}

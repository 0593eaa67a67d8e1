import { Failure } from "../core/errors.ts";
import { type FileRecord, readFileRecords } from "../tabular/read-records.ts";
import type { ListEntry } from "./types.ts";

export const MAX_ROWS = 100_000;
export const MAX_COLUMNS = 50;
const MAX_LINE_BYTES = 65_536;
const MAX_NAME = 100;
/** Rows that are searched for the column with the domains. */
const SAMPLE_ROWS = 100;
const MAX_CELL = 2_000;
/** Characters of a domain as given; a longer text is no domain. */
const MAX_INPUT = 2_048;
/** Names of the column with the domain, in order of preference. Case, spaces and underscores are ignored. */
const DOMAIN_COLUMNS = ["domain", "companydomain", "website", "companywebsite", "url", "homepage", "host", "site"];

/** A cell that is a domain. */
const DOMAIN = /^(?:https?:\/\/)?[^\s/,;@"]+\.[\p{L}][\p{L}\p{N}-]+\.?(?:[/:?#].*)?$/u;

/**
 * Reads a list of domains as a stream: one per line, CSV with or without a header, or JSON lines. The domain is in the
 * column `column`, else in one with a usual name, else in the one with the most domains; the other columns are kept. Lines
 * that start with `#` and empty lines are skipped. Lines of CSV that are not UTF-8 are read as Windows-1252. A row that cannot be read has a `fault`.
 *
 * @throws Failure `batch.invalid` when there are more than 100,000 rows, a line is too long, the
 *   file is damaged, or no column has the name `column`
 */
export async function* readList(
  source: AsyncIterable<Uint8Array>,
  { name = "", column }: { readonly name?: string; readonly column?: string | undefined } = {},
): AsyncGenerator<ListEntry> {
  let rows = 0;
  let chosen: string | undefined;
  const sample: FileRecord[] = [];
  const take = function* (records: readonly FileRecord[]): Generator<ListEntry> {
    for (const record of records) {
      // What follows is not known: without it the list would be another one.
      if ("fault" in record && record.isEnd) throw new Failure("batch.invalid", `Line ${record.line}: ${record.fault}`);
      const entry =
        "fault" in record ? { input: "", fault: `Line ${record.line}: ${record.fault}` } : entryOf(record.raw, chosen);
      if (!("fault" in record) && (entry.input.startsWith("#") || (entry.input === "" && entry.cells === undefined)))
        continue;
      yield entry;
      rows += 1;
      if (rows > MAX_ROWS) throw tooMany();
    }
  };
  const choose = () => {
    const raws = sample.flatMap((record) => ("fault" in record ? [] : [record.raw]));
    chosen = chooseColumn(raws, column);
    return take(sample.splice(0));
  };
  let isChosen = false;
  for await (const record of readFileRecords(source, name, READING)) {
    if (isChosen) yield* take([record]);
    else if (sample.push(record) === SAMPLE_ROWS) {
      isChosen = true;
      yield* choose();
    }
  }
  if (!isChosen) yield* choose();
}

const READING = {
  namesOf: (first: readonly string[]) => namesOf(first),
  comments: true,
  maxLineBytes: MAX_LINE_BYTES,
  windows1252: true,
  maxSkippedLines: MAX_ROWS,
};

/** The names of a file's columns. A first row with a domain is no header. */
function namesOf(first: readonly string[]) {
  const at = first.findIndex((cell) => DOMAIN.test(cell.trim()));
  if (at >= 0)
    return { names: first.map((_, index) => (index === at ? "domain" : `column_${index + 1}`)), isHeader: false };
  const names: string[] = [];
  for (const [index, cell] of first.entries()) {
    const given = cell.trim();
    names.push(given === "" || names.includes(given) ? `column_${index + 1}` : given);
  }
  return { names, isHeader: true };
}

const tooMany = () =>
  new Failure("batch.invalid", "A list may have at most 100,000 rows; split it into several batches.");

/** The entries of a list that was sent as JSON. @throws Failure `batch.invalid` */
export function entriesOf(values: readonly unknown[], column?: string): ListEntry[] {
  if (values.length > MAX_ROWS) throw tooMany();
  const chosen = chooseColumn(values.slice(0, SAMPLE_ROWS), column);
  return values.map((value) => entryOf(value, chosen));
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

/**
 * The column with the domain: the wanted one; else one with a usual name; else the one with the most domains; else the first.
 * A column with a usual name and no domain is passed over. Undefined for rows without columns.
 *
 * @throws Failure `batch.invalid` when no column has the wanted name
 */
function chooseColumn(rows: readonly unknown[], wanted: string | undefined): string | undefined {
  const domains = new Map<string, number>();
  for (const row of rows)
    for (const [name, cell] of Object.entries(cellsOf(row) ?? {}))
      domains.set(name, (domains.get(name) ?? 0) + (DOMAIN.test(cell) ? 1 : 0));
  const names = [...domains.keys()];
  if (names.length === 0) return undefined;
  const normalise = (name: string) => name.toLowerCase().replace(/[\s_-]/g, "");
  const find = (name: string) => names.find((each) => normalise(each) === normalise(name));
  if (wanted !== undefined) {
    const found = find(wanted);
    if (found !== undefined) return found;
    throw new Failure(
      "batch.invalid",
      `No column has the name "${wanted.slice(0, MAX_NAME)}": the list has ${names.join(", ")}.`,
    );
  }
  const usual = DOMAIN_COLUMNS.map(find).filter((name) => name !== undefined);
  const count = (name: string) => domains.get(name) ?? 0;
  const most = names.reduce((best, name) => (count(name) > count(best) ? name : best));
  return usual.find((name) => count(name) > 0) ?? (count(most) > 0 ? most : (usual[0] ?? most));
}

function entryOf(raw: unknown, column = "domain"): ListEntry {
  const cells = cellsOf(raw);
  if (cells === undefined) return { input: textOf(raw) };
  const input = Object.hasOwn(cells, column) ? (cells[column] ?? "") : "";
  const others = Object.entries(cells)
    .filter(([name, cell]) => name !== column && cell !== "")
    .map(([name, cell]) => [name, cell.slice(0, MAX_CELL)]);
  return others.length === 0 ? { input, column } : { input, column, cells: Object.fromEntries(others) };
}

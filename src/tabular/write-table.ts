import { csvCell, listText } from "../core/csv.ts";
import { writeParquet } from "./parquet.ts";
import { type Cell, type Column, type Rows, TABLE_TYPES, type TableFormat } from "./table.ts";

/**
 * Writes rows in a format as they arrive. Memory is bounded: the next rows are read when the consumer takes the next bytes.
 *
 * @param columns the order of the cells; names are unique
 */
export function writeTable(format: TableFormat, columns: readonly Column[], rows: Rows): AsyncGenerator<Uint8Array> {
  if (format === "parquet") return writeParquet(columns, rows);
  return inBlocks(format === "csv" ? csvLines(columns, rows) : jsonLines(columns, rows));
}

/** A table as a download, see {@link streamResponse}. */
export function tableResponse(
  { format, filename, columns, rows }: TableDownload,
  onError: (error: unknown) => void,
): Response {
  return streamResponse({ format, filename }, writeTable(format, columns, rows), onError);
}

/**
 * A download that is written while the client reads it.
 *
 * @param filename without its ending
 * @param onError receives what breaks the download after its status was sent; the client then sees a broken connection
 */
export function streamResponse(
  { format, filename }: Pick<TableDownload, "format" | "filename">,
  bytes: AsyncGenerator<Uint8Array>,
  onError: (error: unknown) => void,
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await bytes.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": TABLE_TYPES[format],
      "content-disposition": `attachment; filename="${filename}.${format}"`,
      "cache-control": "no-store",
    },
  });
}

interface TableDownload {
  readonly format: TableFormat;
  readonly filename: string;
  readonly columns: readonly Column[];
  readonly rows: Rows;
}

async function* jsonLines(columns: readonly Column[], rows: Rows): AsyncGenerator<string> {
  for await (const row of rows)
    yield `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])))}\n`;
}

async function* csvLines(columns: readonly Column[], rows: Rows): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => csvCell(name)).join(",")}\r\n`;
  for await (const row of rows) yield `${columns.map(({ name }) => cellText(row[name] ?? null)).join(",")}\r\n`;
}

/** A number is no formula, also if it is negative. */
const cellText = (cell: Cell): string => {
  if (cell === null) return "";
  if (typeof cell === "string") return csvCell(cell);
  return typeof cell === "object" ? csvCell(listText(cell)) : String(cell);
};

/** Characters that are sent at once. */
const BLOCK = 65_536;

/** Lines as UTF-8 in blocks. */
export async function* inBlocks(lines: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let block = "";
  for await (const line of lines) {
    block += line;
    if (block.length < BLOCK) continue;
    yield encoder.encode(block);
    block = "";
  }
  if (block !== "") yield encoder.encode(block);
}

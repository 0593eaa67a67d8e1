import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { Cell, Column, ColumnType, Row, Rows } from "./table.ts";

/** A row group is kept in memory until it is complete: at most this many rows, and about as many characters of text. */
const GROUP_ROWS = 10_000;
const GROUP_CHARACTERS = 4 * 1024 ** 2;

/** Writes Apache Parquet, one row group at a time. */
export async function* writeParquet(columns: readonly Column[], rows: Rows): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const root: SchemaElement = { name: "root", num_children: columns.length };
  const file = new ParquetWriter({
    writer: bytes,
    schema: [root, ...columns.flatMap(schemaOf)],
    createdBy: "casefile",
  });
  const take = () => {
    // The writer keeps its position in the file in `offset`; `index` is the position in the buffer.
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    return written;
  };
  const writeGroup = (group: readonly Row[]) => {
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: group.map((row) => encoded(type, row[name] ?? null)),
      offsetIndex: false,
    }));
    file.write({ columnData, rowGroupSize: GROUP_ROWS });
    return take();
  };

  let group: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    group.push(row);
    for (const { name } of columns) characters += sizeOf(row[name]);
    if (group.length < GROUP_ROWS && characters < GROUP_CHARACTERS) continue;
    yield writeGroup(group);
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield writeGroup(group);
  file.finish();
  yield take();
}

const sizeOf = (cell: Cell | undefined): number => {
  if (typeof cell === "string") return cell.length;
  return Array.isArray(cell) ? cell.reduce((sum, text) => sum + text.length, 0) : 8;
};

const encoded = (type: ColumnType, cell: Cell): unknown => {
  if (cell === null) return null;
  if (type === "integer") return BigInt(Math.trunc(Number(cell)));
  if (type === "instant") return new Date(String(cell));
  return cell;
};

function schemaOf({ name, type }: Column): SchemaElement[] {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  switch (type) {
    case "text":
      return [{ ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" }];
    case "integer":
      return [{ ...optional, type: "INT64" }];
    case "number":
      return [{ ...optional, type: "DOUBLE" }];
    case "boolean":
      return [{ ...optional, type: "BOOLEAN" }];
    case "instant":
      return [{ ...optional, type: "INT64", converted_type: "TIMESTAMP_MILLIS" }];
    case "list":
      return [
        { ...optional, num_children: 1, converted_type: "LIST" },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { name: "element", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
      ];
  }
}

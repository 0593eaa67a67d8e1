/** Formats of exported tables. */
export const TABLE_FORMATS = ["ndjson", "csv", "parquet"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = {
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/**
 * What the cells of a column hold; every cell may be null.
 *
 * `integer` is a safe integer, `instant` an ISO 8601 timestamp, `list` an array of texts. CSV separates the texts of a
 * list by `; ` or has a JSON array (`listText` decides), Parquet has a timestamp in milliseconds and a list of strings.
 */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "instant" | "list";

export interface Column<Name extends string = string> {
  readonly name: Name;
  readonly type: ColumnType;
}

export type Cell = string | number | boolean | readonly string[] | null;

/** The cells by the name of their column. A missing cell is null. */
export type Row = Readonly<Record<string, Cell | undefined>>;

export type Rows = AsyncIterable<Row> | Iterable<Row>;

export interface Column {
  readonly title: string;
  /** The column that is cut when the table is too wide; the last one by default. */
  readonly yields?: boolean;
}

const GAP = "  ";
const LEAST = 8;

/** Lays rows out in columns that fit `width` characters; the yielding column is cut with an ellipsis. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const yielding = Math.max(
    0,
    columns.findIndex((column) => column.yields) >= 0
      ? columns.findIndex((column) => column.yields)
      : columns.length - 1,
  );
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => plain(row[index]).length)),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1);
  if (total > width) widths[yielding] = Math.max(LEAST, (widths[yielding] ?? 0) - (total - width));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => fit(plain(cell), widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  return [
    line(columns.map((column) => column.title)),
    ...rows.map((row) => line(columns.map((_, index) => row[index] ?? ""))),
  ].join("\n");
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width);
}

/** What strangers wrote must not steer the terminal. */
export const plain = (text: string | undefined): string => (text ?? "").replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");

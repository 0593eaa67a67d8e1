export interface Column {
  readonly title: string;
  /** The column that is cut when the table is too wide; the last one by default. */
  readonly yields?: boolean;
}

const GAP = "  ";
const LEAST = 8;

/** Lays rows out in columns that fit `width` characters; the yielding column is cut with an ellipsis. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const chosen = columns.findIndex((column) => column.yields);
  const yielding = Math.max(0, chosen < 0 ? columns.length - 1 : chosen);
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => widthOf(plain(row[index])))),
  );
  const over = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1) - width;
  const cut = (index: number) => {
    widths[index] = Math.max(LEAST, (widths[index] ?? 0) - Math.max(0, over()));
  };
  cut(yielding);
  // On a narrow terminal one column cannot make room alone: the widest of the others help.
  for (const index of widths.map((_, place) => place).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))) {
    if (over() > 0 && (widths[index] ?? 0) > LEAST) cut(index);
  }
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

/** Columns on a terminal: a Chinese sign takes two, an accent none. */
const widthOf = (text: string) => Bun.stringWidth(text);

function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text + " ".repeat(width - widthOf(text));
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, width * 4))) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…${" ".repeat(Math.max(0, width - 1 - widthOf(kept)))}`;
}

/** Control characters, and signs that turn the direction of a line or end it. */
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What strangers wrote must not steer the terminal. */
export const plain = (text: string | undefined): string => (text ?? "").replace(STEERING, " ");

/** JSON for a terminal: the same document, with what could steer it written as escapes. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

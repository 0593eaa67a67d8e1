import { CONTROLS } from "../core/csv.ts";

interface Column {
  readonly title: string;
  /** This column is cut when the table is too wide; the last one by default. */
  readonly yields?: boolean;
}

const GAP = "  ";
const MIN_WIDTH = 8;

/** Formats rows as a table of at most `width` characters; the column that `yields` is cut with an ellipsis. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string {
  const chosen = columns.findIndex((column) => column.yields);
  const yielding = Math.max(0, chosen < 0 ? columns.length - 1 : chosen);
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => widthOf(plain(row[index])))),
  );
  const over = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1) - width;
  const cut = (index: number) => {
    widths[index] = Math.max(MIN_WIDTH, (widths[index] ?? 0) - Math.max(0, over()));
  };
  cut(yielding);
  // On a narrow terminal cutting one column is not enough: the widest others are cut too.
  for (const index of widths.map((_, place) => place).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))) {
    if (over() > 0 && (widths[index] ?? 0) > MIN_WIDTH) cut(index);
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

/** Width in terminal cells: a Chinese character has two, a combining accent none. */
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

/** Removes characters with which text from outside could control the terminal. */
export const plain = (text: string | undefined): string => (text ?? "").replace(CONTROLS, " ");

/** JSON with the characters that could control a terminal written as escapes. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Names and values, one pair per line; pairs without a value are omitted. */
export function details(pairs: readonly (readonly [name: string, value: string | null | undefined])[]): string {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${plain(value ?? "")}`).join("\n");
}

/** `2026-05-04T12:00:00.000Z` → `2026-05-04 12:00`. */
export const minuteOf = (instant: string): string => instant.slice(0, 16).replace("T", " ");

/** A duration in a readable unit: `12 ms`, `3.4 s`. */
export function durationOf(seconds: number): string {
  const ms = Math.max(1, Math.round(seconds * 1_000));
  return ms < 1_000 ? `${ms} ms` : `${seconds.toFixed(1)} s`;
}

/** A size in a readable unit: `83 kB`, `23.0 MB`. */
export function sizeOf(bytes: number): string {
  const kB = Math.ceil(bytes / 1_000);
  return kB < 1_000 ? `${kB} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The lines of a text of at most so many columns, indented by three blanks. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ +/)) {
    if (line !== "" && Bun.stringWidth(`${line} ${word}`) > Math.max(20, width)) {
      lines.push(`   ${line}`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, `   ${line}`];
}

/**
 * Text that a spreadsheet would run as a formula. Some spreadsheets pass over white space and characters without a shape, and
 * read full-width and small signs as plain ones.
 */
const FORMULA = /^'*(?:[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r])/u;

/** Control characters, bidirectional controls and line separators. */
export const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/**
 * What a terminal or an editor would obey when it shows the file. Tabs and line breaks are text of a cell; a carriage return
 * without a line feed returns to the start of the line.
 */
const OBEYED = new RegExp(`(?![\\t\\n]|\\r\\n)${CONTROLS.source}`, "g");

/**
 * A CSV cell (RFC 4180), with blanks in the place of control characters. An apostrophe protects text that a spreadsheet would run as a formula; {@link restoreCell} removes it.
 * Separators of other kinds are quoted too: a spreadsheet may split at semicolons or tabs.
 */
export function csvCell(text: string): string {
  const plain = text.replace(OBEYED, " ");
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** The text of a cell without the apostrophe that {@link csvCell} added. */
export const restoreCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

/** What separates the texts of a list in a cell that people write. */
const LIST_SEPARATOR = /[;|\n]/;

/**
 * A list of texts for one cell, separated by `; `. Where that would be read as another list, as of a sentence with a
 * semicolon, it is a JSON array.
 */
export function listText(texts: readonly string[]): string {
  const isAmbiguous =
    texts.some((text) => LIST_SEPARATOR.test(text) || /^\s|\s$|^$/.test(text)) ||
    texts[0]?.startsWith("[") ||
    (texts.length === 1 && texts[0]?.includes(","));
  return isAmbiguous ? JSON.stringify(texts) : texts.join("; ");
}

/**
 * The texts of a cell that is no JSON array: separated by semicolons, vertical bars or line breaks, or else by `separator`.
 */
export const splitList = (text: string, separator?: string): string[] =>
  text.split(separator === undefined || LIST_SEPARATOR.test(text) ? LIST_SEPARATOR : separator);

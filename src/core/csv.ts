/** Text that a spreadsheet would run as a formula. Some spreadsheets pass over white space, and read full-width signs as plain ones. */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r])/;

/**
 * A CSV cell (RFC 4180). An apostrophe protects text that a spreadsheet would run as a formula; {@link restoreCell} removes it.
 * Separators of other kinds are quoted too: a spreadsheet may split at semicolons or tabs.
 */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** The text of a cell without the apostrophe that {@link csvCell} added. */
export const restoreCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;

import { type Sizes, textOf } from "../html/measure.ts";
import type { Element } from "../html/tree.ts";
import { escapeInline } from "./blocks.ts";

const MAX_ROWS = 200;
const MAX_COLUMNS = 20;
const MAX_CELL = 300;

/**
 * A table as lines: a Markdown table when it has a head, `name: value` where it has two columns, or else its cells with
 * semicolons between. A table that lays out a page has no lines; its cells are to be read one by one.
 */
export function readTable(
  table: Element,
  sizes: Sizes,
  dropped: ReadonlySet<Element>,
): { lines: string[]; cells: Element[] } {
  const rows = rowsOf(table, dropped).map((row) => row.slice(0, MAX_COLUMNS));
  const cells = rows.flat();
  const isLayout =
    rows.every((row) => row.length < 2) ||
    cells.some((cell) => (sizes.get(cell)?.text ?? 0) > MAX_CELL || (sizes.get(cell)?.headings ?? 0) > 0);
  if (isLayout) return { lines: [], cells };
  const texts = rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => textOf(cell, MAX_CELL * 2)));
  const hasHead = texts.length > 1 && (rows[0]?.every(({ name }) => name === "th") ?? false);
  if (!hasHead)
    return {
      lines: texts.map((row) =>
        row.length === 2 && row[0] ? row.join(": ") : row.filter((text) => text !== "").join("; "),
      ),
      cells: [],
    };
  const columns = Math.max(...texts.map((row) => row.length));
  const lines = texts.map((row) => `| ${row.map((text) => escapeInline(text.replaceAll("|", "/"))).join(" | ")} |`);
  return { lines: [[lines[0], `|${" --- |".repeat(columns)}`, ...lines.slice(1)].join("\n")], cells: [] };
}

/** Rows with their cells; those of a table inside a cell belong to it. */
export function rowsOf(table: Element, dropped: ReadonlySet<Element>): Element[][] {
  const rows: Element[][] = [];
  for (const child of table.children) {
    if (typeof child === "string" || dropped.has(child)) continue;
    if (/^(tbody|thead|tfoot)$/.test(child.name)) rows.push(...rowsOf(child, dropped));
    else if (child.name === "tr") {
      const cells = child.children.filter(
        (cell): cell is Element => typeof cell !== "string" && /^t[dh]$/.test(cell.name) && !dropped.has(cell),
      );
      // What stands in a row outside every cell is read all the same.
      rows.push(cells.length > 0 ? cells : [child]);
    }
  }
  return rows;
}

import { expect, test } from "bun:test";
import { csvCell, restoreCell } from "../../src/core/csv.ts";

test.each([
  ["=1+1", "'=1+1"],
  [" =1+1", "' =1+1"],
  ["\n=1+1", `"'\n=1+1"`],
  ["\u00a0@x", "'\u00a0@x"],
  ["＝1+1", "'＝1+1"],
  ["'=1", "''=1"],
  ["\t1", `"'\t1"`],
  ["a;=1+1", '"a;=1+1"'],
  ["a\t=1+1", '"a\t=1+1"'],
  ["plain text", "plain text"],
])("the cell %j is written as %j and read again", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
  expect(restoreCell(cell.replace(/^"|"$/g, ""))).toBe(text);
});

import { expect, test } from "bun:test";
import { csvCell, listText, restoreCell, splitList } from "../../src/core/csv.ts";

test.each([
  ["=1+1", "'=1+1"],
  [" =1+1", "' =1+1"],
  ["\n=1+1", `"'\n=1+1"`],
  ["\u00a0@x", "'\u00a0@x"],
  ["＝1+1", "'＝1+1"],
  ["\u200b=1+1", "'\u200b=1+1"],
  ["\u2060\u200d\ufeff+1", "'\u2060\u200d\ufeff+1"],
  ["\u00ad@x", "'\u00ad@x"],
  [" \u3164\ufe0f-1", "' \u3164\ufe0f-1"],
  ["\u{e0001}\u200c＋1", "'\u{e0001}\u200c＋1"],
  ["﹦1+1", "'﹦1+1"],
  ["\u200bplain text", "\u200bplain text"],
  ["'=1", "''=1"],
  ["\t1", `"'\t1"`],
  ["a;=1+1", '"a;=1+1"'],
  ["a\t=1+1", '"a\t=1+1"'],
  ["plain text", "plain text"],
])("the cell %j is written as %j and read again", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
  expect(restoreCell(cell.replace(/^"|"$/g, ""))).toBe(text);
});

test.each([
  [["A", "B, C"], "A; B, C"],
  [["Costs fell; sales rose", "B"], '["Costs fell; sales rose","B"]'],
  [["a | b"], '["a | b"]'],
  [["a, b"], '["a, b"]'],
  [["[1]", "b"], '["[1]","b"]'],
  [[], ""],
])("the list %j is written as %j", (texts, cell) => {
  expect(listText(texts)).toBe(cell);
});

test("a text without a separator of lists is split at another one", () => {
  expect(splitList("a, b", ",")).toEqual(["a", " b"]);
  expect(splitList("a, b; c", ",")).toEqual(["a, b", " c"]);
  expect(splitList("a, b")).toEqual(["a, b"]);
});

import { expect, test } from "bun:test";
import { editDistance, findClosest, normaliseName } from "../../src/core/text.ts";

test.each([
  ["kitten", "sitting", 3],
  ["form", "from", 1],
  ["same", "same", 0],
  ["one", "seventeen", 4],
])("the edit distance of %p and %p is %d, at most 4", (from, to, distance) => {
  expect(editDistance(from, to, 3)).toBe(distance);
});

test.each([
  ["port", "server.port"],
  ["data-dir", "data_dir"],
  ["colour", undefined],
])("the name closest to %p is %p", (typed, closest) => {
  expect(findClosest(typed, ["data_dir", "server.port"])).toBe(closest);
});

test("names compare without case, accents, width and white space", () => {
  expect(normaliseName("  Ｃafé \n NOIR ")).toBe("cafe noir");
});

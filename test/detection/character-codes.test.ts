import { expect, test } from "bun:test";
import { codesOf } from "../../src/detection/character-codes.ts";

const MEBIBYTE = 1_048_576;

test("the codes of a text are those of its characters, whatever was read before", () => {
  for (const text of [
    "harbour",
    "harbour",
    "harbors",
    "",
    "Ünïcödé 😀",
    "a".repeat(3 * MEBIBYTE),
    "b".repeat(MEBIBYTE),
    "line",
    "line",
  ])
    expect(String.fromCharCode(...codesOf(text).slice(0, text.length).slice(0, 20))).toBe(text.slice(0, 20));
});

test("the memory of a long text is not kept", () => {
  const long = codesOf("a".repeat(3 * MEBIBYTE));
  expect(codesOf("b").byteLength).toBeLessThanOrEqual(4 * MEBIBYTE);
  expect(long[3 * MEBIBYTE - 1]).toBe(97);
});

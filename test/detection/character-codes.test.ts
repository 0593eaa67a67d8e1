import { expect, test } from "bun:test";
import { codesOf, isSpace } from "../../src/detection/character-codes.ts";

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

test("white space is what the expressions take for it", () => {
  for (let code = 0; code < 65_536; code++) expect(isSpace(code)).toBe(/\s/.test(String.fromCharCode(code)));
});

import { expect, test } from "bun:test";
import { generateKey, hashOf, isWellFormed, randomText } from "../../src/accounts/service.ts";

test("a key is cf_live_, 32 characters and a checksum of 6, and is unique", () => {
  const keys = Array.from({ length: 500 }, generateKey);
  for (const key of keys) {
    expect(key).toMatch(/^cf_live_[0-9A-Za-z]{38}$/);
    expect(isWellFormed(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(500);
});

test("the checksum is the CRC-32 of the random part in base 62", () => {
  expect(isWellFormed(`cf_live_${"0".repeat(32)}2wjyrI`)).toBe(true);
});

test("a key with any one wrong character is invalid", () => {
  const key = generateKey();
  for (let at = 0; at < key.length; at++) {
    const wrong = key[at] === "x" ? "y" : "x";
    expect(isWellFormed(key.slice(0, at) + wrong + key.slice(at + 1))).toBe(false);
  }
});

test.each([
  "",
  "cf_live_",
  "x".repeat(100_000),
  `${generateKey()}\n`,
  ` ${generateKey()}`,
  generateKey().toUpperCase(),
])("%p is not a key", (text) => {
  expect(isWellFormed(text)).toBe(false);
});

test("all characters are equally likely", () => {
  const counts = new Map<string, number>();
  for (const character of randomText(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
});

test("a secret is stored as its SHA-256 hash", () => {
  expect(hashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

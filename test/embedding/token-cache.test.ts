import { expect, test } from "bun:test";
import { createTokenCache } from "../../src/embedding/token-cache.ts";

function opened(maxBytes?: number) {
  const encoded: string[] = [];
  const cache = createTokenCache((text) => {
    encoded.push(text);
    return [text.length];
  }, maxBytes);
  /** Asks as an encoder does: first without texts, then with those that are missing. */
  const ask = (numbers: readonly number[], collection = "a") => {
    const first = cache({ collection, numbers, texts: new Map() });
    const missing = "missing" in first ? first.missing : [];
    const texts = new Map(missing.map((number) => [number, "x".repeat(number)]));
    const found = missing.length > 0 ? cache({ collection, numbers, texts }) : first;
    return { missing, tokens: "tokens" in found ? found.tokens.map((tokens) => [...tokens]) : undefined };
  };
  return { cache, encoded, ask };
}

test("asks for texts that it does not have, and encodes each once", () => {
  const { ask, encoded } = opened();
  expect(ask([1, 2])).toEqual({ missing: [1, 2], tokens: [[1], [2]] });
  expect(ask([3, 2])).toEqual({ missing: [3], tokens: [[3], [2]] });
  expect(encoded).toEqual(["x", "xx", "xxx"]);
});

test("keeps the last used ones within the limit", () => {
  // Each takes 2 bytes and 120 of its array.
  const { ask } = opened(2 * 122);
  ask([1, 2]);
  ask([1]);
  ask([3]);
  expect(ask([1, 3]).missing).toEqual([]);
  expect(ask([2]).missing).toEqual([2]);
});

test("returns all tokens of a request that alone exceeds the limit", () => {
  const { ask } = opened(122);
  expect(ask([1, 2, 3]).tokens).toEqual([[1], [2], [3]]);
  expect(ask([1, 2, 3]).tokens).toEqual([[1], [2], [3]]);
});

test("knows nothing of another collection", () => {
  const { ask } = opened();
  ask([1]);
  expect(ask([1], "b").missing).toEqual([1]);
});

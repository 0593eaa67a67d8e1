import { describe, expect, test } from "bun:test";
import { createCollectionStatistics } from "../../src/embedding/interaction.ts";

const texts = (count: number, tokens: readonly number[]) => Array.from({ length: count }, () => tokens);

describe("the rarity of a token", () => {
  test("is that of the model's training texts until texts were counted", () => {
    const collection = createCollectionStatistics();
    expect(collection.rarity(7, 0)).toBeCloseTo(Math.log(1 + 100.5 / 0.5), 10);
    expect(collection.rarity(7, 0.5)).toBeCloseTo(Math.log(2), 10);
  });

  test("is within a tenth of BM25's for many texts", () => {
    const collection = createCollectionStatistics();
    collection.count([...texts(900, [1]), ...texts(9_100, [2])]);
    expect(collection.rarity(1, 0)).toBeCloseTo(Math.log(1 + (10_000 - 900 + 0.5) / 900.5), 1);
  });

  test("counts a text once for any number of occurrences", () => {
    const [once, often] = [createCollectionStatistics(), createCollectionStatistics()];
    once.count(texts(10, [1]));
    often.count(texts(10, [1, 1, 1]));
    expect(often.rarity(1, 0)).toBe(once.rarity(1, 0));
  });

  test("is that of the last counted texts", () => {
    const collection = createCollectionStatistics();
    collection.count(texts(500, [1]));
    const common = collection.rarity(1, 0);
    collection.count(texts(500, [2]));
    expect(collection.rarity(1, 0)).toBeGreaterThan(common + 1);
  });
});

describe("the mean length of a text", () => {
  test("is that of a passage until texts were counted", () => {
    expect(createCollectionStatistics().meanLength).toBe(180);
  });

  test("is exact to within a few tokens for many texts, with duplicates counted", () => {
    const collection = createCollectionStatistics();
    collection.count(texts(9_900, [1, 1, 1, 1, 2, 3, 4, 5, 6, 7]));
    expect(collection.meanLength).toBeCloseTo((9_900 * 10 + 100 * 180) / 10_000, 10);
    collection.count([]);
    expect(collection.meanLength).toBe(180);
  });
});

import { describe, expect, test } from "bun:test";
import { createRarity } from "../../src/embed/rarity.ts";

const texts = (count: number, tokens: readonly number[]) => Array.from({ length: count }, () => tokens);

describe("the rarity of a token", () => {
  test("is that of the model's own texts as long as nothing was counted", () => {
    const rarity = createRarity();
    expect(rarity.of(7, 0)).toBeCloseTo(Math.log(1 + 100.5 / 0.5), 10);
    expect(rarity.of(7, 0.5)).toBeCloseTo(Math.log(2), 10);
  });

  test("is, of many texts, that of BM25 to within a tenth", () => {
    const rarity = createRarity();
    rarity.count([...texts(900, [1]), ...texts(9_100, [2])]);
    expect(rarity.of(1, 0)).toBeCloseTo(Math.log(1 + (10_000 - 900 + 0.5) / 900.5), 1);
  });

  test("counts a text once, however often it says the token", () => {
    const [once, often] = [createRarity(), createRarity()];
    once.count(texts(10, [1]));
    often.count(texts(10, [1, 1, 1]));
    expect(often.of(1, 0)).toBe(once.of(1, 0));
  });

  test("is that of the last texts that were counted", () => {
    const rarity = createRarity();
    rarity.count(texts(500, [1]));
    const common = rarity.of(1, 0);
    rarity.count(texts(500, [2]));
    expect(rarity.of(1, 0)).toBeGreaterThan(common + 1);
  });
});

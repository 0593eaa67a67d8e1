import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bestOfBoth, type FoundPassage, fuse } from "../../../src/casestudies/search/ranking.ts";

const side = (found: readonly FoundPassage[], weight = 0.5) => ({ found, weight, further: [0.1, 0.05] });
const even = (keyword: readonly FoundPassage[], semantic: readonly FoundPassage[]) =>
  fuse([side(keyword), side(semantic)]);
const found = (study: string, passage: number, score: number): FoundPassage => ({ study, passage, score });
const order = (ranked: readonly { study: string }[]) => ranked.map(({ study }) => study);

describe("fusion", () => {
  test("results of both sides rank above equally good results of one side", () => {
    const keyword = [found("both", 1, 9), found("words", 2, 9), found("tail", 3, 1)];
    const semantic = [found("both", 1, 0.8), found("meaning", 4, 0.8), found("tail", 3, 0.1)];
    expect(order(even(keyword, semantic))[0]).toBe("both");
  });

  test("a clear winner of one side counts for more than its rank", () => {
    const keyword = [found("clear", 1, 30), found("second", 2, 5), found("third", 3, 4.9)];
    const semantic = [found("second", 2, 0.5), found("clear", 1, 0.49), found("third", 3, 0.1)];
    expect(order(even(keyword, semantic))).toEqual(["clear", "second", "third"]);
  });

  test("further passages raise a case study slightly, and never above a better one", () => {
    const one = [
      found("single", 1, 8),
      found("many", 2, 7.9),
      found("many", 3, 7.9),
      found("many", 4, 7.9),
      found("low", 5, 1),
    ];
    expect(order(even(one, []))[0]).toBe("many");
    const two = [
      found("single", 1, 8),
      found("many", 2, 5),
      found("many", 3, 5),
      found("many", 4, 5),
      found("low", 5, 1),
    ];
    expect(order(even(two, []))[0]).toBe("single");
  });

  test("the passage shown for a case study is the one with the highest score", () => {
    const keyword = [found("a", 1, 3), found("b", 2, 1)];
    const semantic = [found("a", 7, 0.9), found("b", 2, 0.1)];
    const [first] = fuse([side(keyword, 0.2), side(semantic, 0.8)]);
    expect(first).toMatchObject({ study: "a", passage: 7 });
  });

  test("one side alone, one candidate, and no candidates are ranked too", () => {
    expect(even([], [])).toEqual([]);
    expect(order(even([found("only", 1, 2)], []))).toEqual(["only"]);
    expect(fuse([{ found: [found("only", 1, 2)], weight: 1, further: [] }])[0]?.score).toBe(1);
  });

  test("the best of both sides are merged, those of both first, up to the limit", () => {
    const keyword = [found("a", 1, 30), found("b", 2, 20), found("c", 3, 1)];
    const semantic = [found("d", 4, 0.9), found("b", 2, 0.8), found("e", 5, 0.1)];
    expect(bestOfBoth(keyword, semantic, 3).map(({ passage }) => passage)).toEqual([2, 1, 4]);
    expect(bestOfBoth(keyword, semantic, 9)).toHaveLength(5);
    expect(bestOfBoth([], [], 9)).toEqual([]);
  });

  test("equal scores have a deterministic order", () => {
    const list = [found("b", 1, 1), found("a", 2, 1), found("c", 3, 1)];
    expect(order(even(list, []))).toEqual(["a", "b", "c"]);
    expect(order(even(list.toReversed(), []))).toEqual(["a", "b", "c"]);
  });

  test("scores are between 0 and 1, sorted, with one per case study, for any input", () => {
    const passage = fc.record({
      study: fc.constantFrom("a", "b", "c", "d"),
      passage: fc.nat(20),
      score: fc.double({ min: -5, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 30 }), fc.array(passage, { maxLength: 30 }), (keyword, semantic) => {
        const ranked = even(keyword, semantic);
        expect(new Set(order(ranked)).size).toBe(ranked.length);
        for (const [at, { score }] of ranked.entries()) {
          expect(score).toBeWithin(0, 1.0000001);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? 1);
        }
      }),
    );
  });
});

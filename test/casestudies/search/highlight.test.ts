import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { passageMarker, queryTerms, termFinder } from "../../../src/casestudies/search/highlight.ts";
import { story } from "../examples.ts";

const matchedPassage = (query: string, text: string) => passageMarker(query)(text);

const marked = (query: string, text: string) => {
  const found = matchedPassage(query, text);
  return found.highlights.map(([start, end]) => found.text.slice(start, end));
};

describe("terms of a query", () => {
  test.each([
    ["How did a port reduce its shipping costs?", ["port", "reduc", "ship", "cost"]],
    ["costs COST costing", ["cost"]],
    ["who is it for", ["who", "is", "it", "for"]],
    ["e-commerce in 2024", ["commerc", "2024"]],
    ["", []],
    ["?!", []],
  ])("of %p are %p", (query, terms) => {
    expect(queryTerms(query)).toEqual(terms);
  });
});

test("a term is found in every word with its stem, whatever its first letter", () => {
  const words = story(400, 7).match(/\p{L}+/gu) ?? [];
  const strange = ["Émigré", "ſtop", "\u212Aelvin", "ﬁsh", "yes", "ying", "sky", "ies", "İstanbul", "2024", "字体"];
  for (const word of [...new Set(words), ...strange]) {
    const stems = queryTerms(word);
    expect(termFinder(stems)(`Zoo ${word}, ${word}`)).toEqual({
      terms: [4, 6 + word.length].map((start) => ({ stem: stems[0] ?? "", start, end: start + word.length })),
      words: 3,
    });
  }
});

describe("the matched sentences", () => {
  const text =
    "The port was founded long ago. Its harbour is deep. Costs for cranes were reduced by half. Nobody noticed. The end.";

  test("are those with most of the query's terms, and no more than necessary", () => {
    expect(matchedPassage("reducing crane costs", text).text).toBe("Costs for cranes were reduced by half.");
  });

  test("mark the terms in every form", () => {
    expect(marked("reducing crane costs", text)).toEqual(["Costs", "cranes", "reduced"]);
  });

  test("are up to three in a row when the terms are spread out", () => {
    expect(matchedPassage("deep harbour with crane costs", text).text).toBe(
      "Its harbour is deep. Costs for cranes were reduced by half.",
    );
  });

  test("are the first ones when no word matches", () => {
    expect(matchedPassage("zebra", text)).toEqual({
      text: "The port was founded long ago. Its harbour is deep. Costs for cranes were reduced by half.",
      highlights: [],
    });
  });

  test("that are too long are cut around the terms", () => {
    const long = `${"deep water ".repeat(60)}the capstan turned ${"and the tide rose ".repeat(60)}`;
    const found = matchedPassage("capstan", long);
    expect(found.text).toMatch(/^….*capstan turned.*…$/);
    expect(found.text.length).toBeLessThanOrEqual(400);
  });

  test("are bounded, are part of the passage, and have ordered marks without overlaps", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.oneof(
          fc.string(),
          fc.nat(999).map((seed) => story(120, seed)),
        ),
        (query, passage) => {
          const found = matchedPassage(`${query} harbour`, passage);
          expect(found.text.length).toBeLessThanOrEqual(400);
          let last = 0;
          for (const [start, end] of found.highlights) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(found.text.length);
        },
      ),
    );
  });
});

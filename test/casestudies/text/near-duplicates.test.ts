import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { differingBits, fingerprintOf, NEAR_BITS } from "../../../src/casestudies/text/near-duplicates.ts";
import { story } from "../examples.ts";

const HERE = "https://quayline.example/a";
const THERE = "https://quayline.example/b";

describe("a fingerprint", () => {
  test("is the same in every version", () => {
    expect(fingerprintOf(story(200), HERE)).toBe("c9511a3cae2bf7ec");
  });

  test("does not change with case, punctuation, Markdown or the address", () => {
    fc.assert(
      fc.property(fc.nat(9_999), (seed) => {
        const text = story(150, seed);
        const other = `## ${text.toUpperCase().replace(/\. /g, "!\n\n**").replace(/ /g, "  ")}`;
        expect(fingerprintOf(other, THERE)).toBe(fingerprintOf(text, HERE));
      }),
    );
  });

  test("of a text with one changed word in 1,500 is near in nine of ten cases", () => {
    const near = Array.from({ length: 100 }, (_, seed) => {
      const words = story(1_500, seed).split(" ");
      words[seed * 14] = "capstan";
      return differingBits(fingerprintOf(words.join(" "), THERE), fingerprintOf(story(1_500, seed), HERE));
    }).filter((bits) => bits <= NEAR_BITS);
    expect(near.length).toBeGreaterThanOrEqual(90);
  });

  test("of another text is not near", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9_999), { minLength: 2, maxLength: 2 }), ([one = 0, two = 1]) => {
        const bits = differingBits(fingerprintOf(story(150, one), HERE), fingerprintOf(story(150, two), HERE));
        expect(bits).toBeGreaterThan(NEAR_BITS);
      }),
    );
  });

  test.each(["", "!!!", "Case study", "東京"])("of the short text %p depends on the address", (text) => {
    expect(differingBits(fingerprintOf(text, HERE), fingerprintOf(text, "https://tugmate.example/z"))).toBeGreaterThan(
      NEAR_BITS,
    );
    expect(fingerprintOf(text, HERE)).toMatch(/^[0-9a-f]{16}$/);
  });
});

test.each([
  ["0000000000000000", "ffffffffffffffff", 64],
  ["0000000000000001", "0000000000000003", 1],
  ["f00000000000000f", "000000000000000f", 4],
])("%p and %p differ in %p bits", (left, right, bits) => {
  expect(differingBits(left, right)).toBe(bits);
});

test("a text of ASCII has the fingerprint that it has with other spaces, which another expression reads", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZ09 -.\n'~"), maxLength: 300 }), (text) => {
      expect(fingerprintOf(text.replaceAll(" ", "\u00a0"), "/a")).toBe(fingerprintOf(text, "/a"));
    }),
  );
});

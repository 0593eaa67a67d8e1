import { describe, expect, test } from "bun:test";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { openTokenizer } from "../../src/embedding/tokenizer.ts";

const json = await Bun.file("models/casefile-static/tokenizer.json").text();
const parsed = JSON.parse(json);
const dressed = {
  ...parsed,
  added_tokens: [...parsed.added_tokens, { ...parsed.added_tokens[0], id: 2, content: "[CLS]" }],
  post_processor: {
    type: "TemplateProcessing",
    single: [{ SpecialToken: { id: "[CLS]" } }, { Sequence: { id: "A" } }, { SpecialToken: { id: "[UNK]" } }],
    pair: [],
    special_tokens: {
      "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
      "[UNK]": { id: "[UNK]", ids: [1], tokens: ["[UNK]"] },
    },
  },
};
const spaces = ["\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff", "\v", "\f", "\r\n", "\t"];
const piece = fc.oneof(
  fc.constantFrom(
    "Kubernetes",
    "naïve",
    "e\u0301",
    "[PAD]",
    "[CLS]",
    "don't",
    "北京",
    "it--self",
    "(Kafka),",
    "[PAD],",
    ...spaces,
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom(" ", " ", "  "),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));

describe("the token ids of a text", () => {
  for (const [name, file] of [
    ["no special tokens", parsed],
    ["special tokens around it", dressed],
  ] as const) {
    test(`equal those of the library for the whole text, with ${name}`, () => {
      const whole = new Tokenizer(file, {});
      const tokens = openTokenizer(JSON.stringify(file), 512);
      fc.assert(
        fc.property(text, (one) => {
          expect(tokens.encode(one)).toEqual(whole.encode(one).ids);
          expect(tokens.count(one)).toBe(whole.encode(one, { add_special_tokens: false }).ids.length);
        }),
        { numRuns: 500 },
      );
    });
  }

  test("are truncated and keep the special tokens", () => {
    const [first, ...rest] = openTokenizer(JSON.stringify(dressed), 5).encode("one two three four five six");
    expect([first, rest.length, rest.at(-1)]).toEqual([2, 4, 1]);
  });

  test("equal those of the whole text where a token spans words", () => {
    const joined = { ...parsed, added_tokens: [{ ...parsed.added_tokens[0], content: "new york" }] };
    expect(openTokenizer(JSON.stringify(joined), 512).encode("new york")).toEqual(
      new Tokenizer(joined, {}).encode("new york").ids,
    );
  });
});

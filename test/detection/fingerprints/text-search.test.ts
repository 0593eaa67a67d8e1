import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  createTextSearch,
  MAX_OCCURRENCES,
  occursIn,
  type Pattern,
  type PatternMode,
} from "../../../src/detection/fingerprints/text-search.ts";
import { processorMs } from "../../processor-time.ts";

const pattern = (text: string, mode: PatternMode = "contains"): Pattern<string> => ({ text, mode, entry: text });
const placesIn = (text: string, ...patterns: Pattern<string>[]) =>
  createTextSearch(patterns)(text).map(({ entry, at }) => [entry, at] as const);
const occurs = (text: string, wanted: Pattern<string>) => placesIn(text, wanted).length > 0;

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const BESIDE = {
  contains: /^(?!)/,
  global: /[A-Za-z0-9_$À-ÖØ-öø-ɏ]/,
  word: /[A-Za-z0-9À-ÖØ-öø-ɏ]/,
  token: /\S/,
};

/** The same answer by trying every pattern at every place. */
function naive(text: string, patterns: readonly Pattern<string>[]): string[] {
  return patterns.flatMap((wanted, index) => {
    const places: number[] = [];
    for (let at = 0; at + wanted.text.length <= text.length; at++) {
      const part = text.slice(at, at + wanted.text.length);
      const same = wanted.mode === "contains" ? lower(part) === lower(wanted.text) : part === wanted.text;
      const beside = [text.slice(Math.max(0, at - 1), at), text.slice(at + wanted.text.length)[0] ?? ""];
      if (same && beside.every((letter) => !BESIDE[wanted.mode].test(letter))) places.push(at);
    }
    return places.slice(0, MAX_OCCURRENCES).map((at) => `${index}@${at}`);
  });
}

describe("a search", () => {
  test("finds what a naive search finds", () => {
    // Few letters, so that patterns overlap, repeat and share grams; the last share their low byte with `a` and `A`.
    const letters = fc.constantFrom("a", "b", "A", "B", "_", ".", " ", "š", "é", "š", "ѡ", "Ł");
    const words = (min: number, max: number) => fc.string({ unit: letters, minLength: min, maxLength: max });
    const patterns = fc.array(
      fc.record({ text: words(4, 7), mode: fc.constantFrom<PatternMode[]>("contains", "global", "word") }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(patterns, words(0, 120), words(4, 7), (some, text, extra) => {
        const wanted = [...some, { text: extra, mode: "contains" as const }].map((one, index) => ({
          ...one,
          entry: String(index),
        }));
        const planted = wanted.reduce(
          (all, one, index) => (index % 2 ? `${all} ${one.text}` : `${all}${one.text}`),
          text,
        );
        const found = createTextSearch(wanted)(planted).map(({ entry, at }) => `${entry}@${at}`);
        expect(found.sort()).toEqual(naive(planted, wanted).sort());
      }),
      { numRuns: 500 },
    );
  });

  test("finds whole tokens, and the beginning of one that ends with a separator", () => {
    const among = (names: string, text: string) => occurs(names, pattern(text, "token"));
    expect(among("wide mega-menu x", "mega-menu")).toBe(true);
    expect(among("#mega-menu", "mega-menu")).toBe(true);
    expect(among("mega-menu-wrap x-mega-menu ##mega-menu mega-menu#", "mega-menu")).toBe(false);
    expect(among("x\tadvads-close", "advads-")).toBe(true);
    expect(among("xadvads-close x-advads-close", "advads-")).toBe(false);
  });

  test("finds patterns that overlap, contain each other, or are equal", () => {
    const found = placesIn("xabcdefx", pattern("abcd"), pattern("cdef"), pattern("abcdef"), pattern("abcd"));
    expect(found.map(([text, at]) => `${text}@${at}`).sort()).toEqual(["abcd@1", "abcd@1", "abcdef@1", "cdef@3"]);
  });

  test("finds a pattern at the start and the end of the text", () => {
    expect(placesIn("abcd--abcd", pattern("abcd"))).toEqual([
      ["abcd", 0],
      ["abcd", 6],
    ]);
  });

  test("reports a pattern that fills the text at most as often as the limit", () => {
    expect(placesIn("abcd ".repeat(1_000), pattern("abcd"))).toHaveLength(MAX_OCCURRENCES);
  });

  test("finds nothing without patterns or in an empty text", () => {
    expect(createTextSearch([])("abcd")).toEqual([]);
    expect(placesIn("", pattern("abcd"))).toEqual([]);
  });

  test("refuses a pattern that is shorter than a gram", () => {
    expect(() => createTextSearch([pattern("abc")])).toThrow(RangeError);
  });

  test("scans a mebibyte for thousands of patterns in well under a second", () => {
    const patterns = Array.from({ length: 3_000 }, (_, index) => pattern(`vendor-${index}.widget`));
    const search = createTextSearch(patterns);
    const text = `${"the quick brown fox jumps over vendor- and .widget; ".repeat(20_165)}vendor-2999.widget`;
    expect(text.length).toBeGreaterThan(1024 * 1024 - 100);
    const began = processorMs();
    expect(search(text).map(({ entry }) => entry)).toEqual(["vendor-2999.widget"]);
    expect(processorMs() - began).toBeLessThan(500);
  });
});

describe("contains", () => {
  test.each([
    ["ignores the case of ASCII letters", "… WIDGET.Boot()", "widget.boot", true],
    ["keeps the case of other letters apart", "WÉDGET", "wédget", false],
    ["finds other letters as they are", "a wédget", "wédget", true],
    ["tells apart letters that share their low byte", "wšdget", "wadget", false],
    ["looks inside words", "mywidgets", "widget", true],
  ])("%s", (_, text, wanted, expected) => {
    expect(occurs(text, pattern(wanted))).toBe(expected);
  });
});

describe("a global", () => {
  test.each([
    ["window.Widget.boot()", true],
    ["Widget", true],
    ["(Widget||{})", true],
    ['window["Widget"]=1', true],
    ["MyWidget=1", false],
    ["Widgets=1", false],
    ["_Widget=1", false],
    ["Widget$=1", false],
    ["Widget2=1", false],
    ["widget=1", false],
  ])("in %s: %p", (text, expected) => {
    expect(occurs(text, pattern("Widget", "global"))).toBe(expected);
  });

  test("may be a member chain", () => {
    expect(occurs("a=_wgt.push(1)", pattern("_wgt.push", "global"))).toBe(true);
    expect(occurs("a=my_wgt.push(1)", pattern("_wgt.push", "global"))).toBe(false);
  });
});

describe("a word", () => {
  test.each([
    ["We use Widget.", true],
    ["Widget-based work", true],
    ["a_Widget_b", true],
    ["我们使用Widget管理", true],
    ["Widgets are ours", false],
    ["Widgetüren", false],
    ["éWidget", false],
    ["a widget is a small thing", false],
    ["WIDGET", false],
  ])("in %s: %p", (text, expected) => {
    expect(occurs(text, pattern("Widget", "word"))).toBe(expected);
  });
});

test("one pattern in a short text is found by the same rules", () => {
  expect(occursIn("MyWidget Widget", "Widget", "word")).toBe(true);
  expect(occursIn("MyWidget", "Widget", "word")).toBe(false);
  expect(occursIn("MYWIDGET", "widget", "contains")).toBe(true);
  expect(occursIn("Widg", "Widget", "contains")).toBe(false);
});

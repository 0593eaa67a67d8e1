import { expect, test } from "bun:test";
import fc from "fast-check";
import { faceRows, fontFacesIn } from "../../../src/detection/self-naming/font-faces.ts";
import { wordMarksIn, wordRows } from "../../../src/detection/self-naming/word-marks.ts";
import type { SignalKind } from "../../../src/detection/signals.ts";
import { type PageReader, readPage } from "../../../src/html/page-reader.ts";

const nothing = () => undefined;
const IGNORING: PageReader = {
  element: nothing,
  script: nothing,
  style: nothing,
  conditional: nothing,
  merged: nothing,
  data: nothing,
  late: nothing,
};
/** What the reader of a page keeps for this search. */
const customOf = (html: string) => readPage(html, IGNORING).custom;
const namesIn = (kind: SignalKind, text: string) => wordMarksIn(kind, text).map(({ name }) => name);

test("each word is found where it belongs", () => {
  for (const { name, words } of wordRows())
    for (const written of words) {
      const word = written.replace("?", "").replace("*", "x");
      const texts: readonly [SignalKind, string][] = word.startsWith("--")
        ? [
            ["html.style", `:root{color:red;${word}:1px}`],
            ["html.custom", customOf(`<div style="color:red;${word}:1px">`)],
          ]
        : word.startsWith("<")
          ? [["html.custom", customOf(`<div><${word.slice(1).toUpperCase()} id="a">`)]]
          : word.endsWith("=")
            ? [["html.custom", customOf(`<div class='a' ${word}"b">`)]]
            : [["html.data", `{"a":{"${word}":{}}}`]];
      for (const [kind, text] of texts)
        expect([word, namesIn(kind, text)]).toEqual([word, expect.arrayContaining([name])]);
    }
});

test("a word inside another, in a text or in the value of an attribute is none", () => {
  expect(namesIn("html.inline", "redehydrated_superjsonish = trpcStates")).toEqual([]);
  expect(namesIn("html.custom", '<p class="x-show= <ion-app"><b title=\'hx v-if="a"\'>')).toEqual([]);
  expect(namesIn("html.style", ".a--mantine-b{color:red}/*<!--mantine-x-->*/")).toEqual([]);
});

test("custom properties of a style attribute count", () => {
  expect(namesIn("html.custom", '<div style="--radix-popper-transform-origin:1px" v-if="a">')).toEqual([
    "Radix UI",
    "Vue.js",
  ]);
});

test("any text is read to its end", () => {
  const parts = ["<", ">", '"', "'", "=", " ", "/", "a", "style", "--", "--un-x", "<mat-a", "x-show", "é", ":"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (all) => {
      for (const kind of ["html.custom", "html.style", "html.inline"] as const) wordMarksIn(kind, all.join(""));
    }),
    { numRuns: 2_000 },
  );
  for (const text of ["<a ".repeat(50_000), "<a b='".repeat(50_000), "--".repeat(100_000), "<".repeat(50_000)])
    for (const kind of ["html.custom", "html.style", "html.inline"] as const)
      expect(wordMarksIn(kind, text)).toEqual([]);
});

test("a font counts with a file of its own", () => {
  const found = (style: string) => fontFacesIn(style).map(({ name }) => name);
  for (const { name, families } of faceRows())
    for (const family of families)
      expect(found(`@font-face{font-family:"${family.toUpperCase()}";src:url(/a.woff2)}`)).toEqual([name]);
  expect(found("@font-face { src: url('/fonts/roboto.woff2') ; font-family : Roboto }")).toEqual(["Roboto"]);
  expect(found("@font-face{font-family:Roboto;src:local(Roboto)}")).toEqual([]);
  expect(found("@font-face{font-family:Roboto;src:url(https://fonts.gstatic.com/s/roboto/v1/a.woff2)}")).toEqual([]);
  expect(found("body{font-family:Roboto}")).toEqual([]);
});

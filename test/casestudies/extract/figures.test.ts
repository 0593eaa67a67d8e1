import { expect, test } from "bun:test";
import { isFigure } from "../../../src/casestudies/extract/markdown.ts";
import { inMain, read, STORY } from "./read.ts";

test.each([
  "60%",
  "3x",
  "3.2×",
  "$1.2M",
  "€ 4 million",
  "<5 min",
  "10,000+",
  "24/7",
  "2–3x",
  "2 → 1",
  "up to 40 %",
  "-30%",
  "9 days",
  "45 Min.",
  "1.200.000",
  "3 倍",
])("%p is a figure", (text) => expect(isFigure(text)).toBe(true));

test.each([
  "2024",
  "01",
  "60% lower cost",
  "Step 2",
  "v1.2",
  "A4",
  "",
  "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
  "—",
])("%p is not a figure", (text) => expect(isFigure(text)).toBe(false));

const textOf = async (html: string) =>
  (await read(inMain(`<h1>T</h1>${STORY}<section>${html}</section>`))).markdown.split("\n\n").slice(2);

test.each([
  ["a number and its label", '<div class="stat"><b>60%</b><span>lower cost</span></div>', ["60% lower cost"]],
  ["a label and its number", "<div><span>Lower cost</span><b>60%</b></div>", ["Lower cost: 60%"]],
  ["a heading and a paragraph", "<div><h3>4 min</h3><p>first response</p></div>", ["4 min first response"]],
  [
    "a row without boxes",
    "<div><b>60%</b><span>lower cost</span><b>3x</b><span>faster</span></div>",
    ["60% lower cost", "3x faster"],
  ],
  [
    "items of a list",
    "<ul><li><b>60%</b><span>lower cost</span></li><li><b>3x</b> faster</li></ul>",
    ["60% lower cost", "3x faster"],
  ],
  [
    "boxes in boxes",
    "<div><div><div><div>60<span>%</span></div></div><div><p>lower cost</p></div></div></div>",
    ["60% lower cost"],
  ],
  ["terms", "<dl><dt>60%</dt><dd>lower cost</dd><dt>saved</dt><dd>$1M</dd></dl>", ["60% lower cost", "saved: $1M"]],
])("%s: one line each", async (_, html, expected) => {
  expect(await textOf(html)).toEqual(expected);
});

test("a heading with a year above a paragraph is a heading", async () => {
  expect(await textOf("<div><h3>2023</h3><p>They opened a second yard.</p></div>")).toEqual([
    "### 2023",
    "They opened a second yard.",
  ]);
});

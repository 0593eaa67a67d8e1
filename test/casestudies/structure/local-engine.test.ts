import { describe, expect, test } from "bun:test";
import { createLocalEngine } from "../../../src/casestudies/structure/local-engine.ts";
import type { PageText } from "../../../src/casestudies/types.ts";
import { tools } from "../examples.ts";

const engine = createLocalEngine({ ...tools, toolNames: [] });
const vendor = { name: "Quayline", slug: "quayline", domain: "quayline.example" };
const page = (changes: Partial<PageText> = {}): PageText => ({
  url: "https://quayline.example/stories/brackwater",
  canonical: null,
  title: "How Brackwater cut waiting time",
  site_name: "Quayline",
  description: null,
  language: "en",
  published_at: "2025-03-04",
  published_from: "json-ld",
  markdown: `Brackwater runs the largest port on the northern coast of the country.

## Challenge

Planners booked every crane by hand, which was slow and led to many mistakes.

## Solution

Brackwater adopted Quayline and moved its planning to one shared calendar.

## Results

Waiting time fell from six hours to 40 minutes.

> We moved every crane in a night, and nobody on the quay noticed a thing.
>
> — Ada Quill, CTO, Brackwater`,
  images: [],
  links: [],
  labels: [],
  json_ld: [],
  ...changes,
});

test("a page becomes a case study with provenance for every field", async () => {
  const { fields, provenance, fallback } = await engine.structure(page(), vendor);
  expect(fields).toMatchObject({
    title: "How Brackwater cut waiting time",
    challenge: "Planners booked every crane by hand, which was slow and led to many mistakes.",
    solution: "Brackwater adopted Quayline and moved its planning to one shared calendar.",
    outcomes: [
      {
        metric: "time",
        value: 40,
        unit: "minutes",
        direction: "decrease",
        text: "Waiting time fell from six hours to 40 minutes.",
      },
    ],
    quote: { person: "Ada Quill", role: "CTO" },
    published_at: "2025-03-04",
    language: "en",
  });
  expect(fields.summary).toContain("Waiting time fell");
  expect(fallback).toBeNull();
  const outcome = provenance.find(({ pointer }) => pointer === "/outcomes/0");
  expect(outcome).toMatchObject({ engine: "local", sentence: "Waiting time fell from six hours to 40 minutes." });
  for (const { confidence } of provenance) expect(confidence >= 0 && confidence <= 1).toBe(true);
  for (const pointer of ["/title", "/summary", "/challenge", "/solution", "/quote", "/published_at"])
    expect(provenance.map((each) => each.pointer)).toContain(pointer);
});

test("an empty page has no fields but its URL as the title", async () => {
  const { fields } = await engine.structure(
    page({ title: null, markdown: "", published_at: null, published_from: null, language: null }),
    vendor,
  );
  expect(fields).toMatchObject({
    title: "https://quayline.example/stories/brackwater",
    summary: null,
    challenge: null,
    solution: null,
    outcomes: [],
    quote: null,
    published_at: null,
  });
});

test("an aborted signal ends it", async () => {
  expect(engine.structure(page(), vendor, AbortSignal.abort())).rejects.toThrow();
});

describe("hostile text", () => {
  const LENGTH = 100_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
  const pieces = [
    "1",
    "1 ",
    "1,",
    "1.",
    "1-",
    "1/",
    "9:",
    "$",
    "$1",
    "%",
    "1%",
    "10 % to ",
    "from 1 to ",
    "one hundred ",
    "million ",
    "half a ",
    "a ",
    "twice ",
    '"',
    '" ',
    "“",
    "”",
    "“a",
    "> ",
    "> >",
    ">\n",
    "— ",
    "- ",
    "(",
    "[",
    "](",
    "[a](",
    "{",
    "`",
    "```\n",
    "~~~\n",
    "#",
    "# ",
    "#\n",
    "|",
    "|-",
    "|-|\n",
    "<pre>",
    "<",
    "&",
    "*",
    "_",
    "says ",
    "A B ",
    "A, ",
    "É ",
    "a.b.",
    "Dr. ",
    "0:0:",
    "\u0000",
    "\ud800",
    "𝟙",
    "１",
    "\u202e",
    "\n",
    "\r\n",
    " ",
    "\t",
    ": ",
    "x",
    "5x ",
    "than ",
    "used to take 1 hour now ",
    "a: b\n",
    "reduced by 5% ",
  ];

  test("of one repeated piece never throws and is processed in time", async () => {
    for (const piece of pieces) {
      const text = fill(piece);
      const { fields } = await engine.structure(page({ markdown: text, title: text, description: text }), vendor);
      expect(fields.title.length).toBeLessThanOrEqual(300);
      expect(fields.outcomes.length).toBeLessThanOrEqual(30);
      for (const { text: sentence } of fields.outcomes) expect(sentence.length).toBeLessThanOrEqual(400);
      expect(fields.quote?.text?.length ?? 0).toBeLessThanOrEqual(600);
    }
  }, 60_000);

  test("of random pieces never throws", async () => {
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    for (let round = 0; round < 200; round++) {
      const markdown = Array.from({ length: 300 }, () => pieces[next(pieces.length)]).join(next(2) === 0 ? " " : "");
      const { fields } = await engine.structure(page({ markdown }), vendor);
      for (const { value } of fields.outcomes) expect(Number.isFinite(value)).toBe(true);
    }
  });
});

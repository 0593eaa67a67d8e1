import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PageText } from "../../../src/casestudies/types.ts";
import { parsePage } from "../../../src/html/tree.ts";
import { read, STORY } from "./read.ts";

/** Checks the limits of every part of a result. */
function expectBounded(page: PageText): void {
  expect(page.markdown.length).toBeLessThanOrEqual(200_000);
  expect(page.images.length).toBeLessThanOrEqual(100);
  expect(page.links.length).toBeLessThanOrEqual(500);
  expect(page.labels.length).toBeLessThanOrEqual(100);
  expect(page.json_ld.length).toBeLessThanOrEqual(50);
  expect(JSON.stringify(page.json_ld).length).toBeLessThanOrEqual(700_000);
  for (const text of [page.title, page.site_name, page.description, page.markdown, JSON.stringify(page)])
    expect(text === null || text.isWellFormed()).toBe(true);
  for (const text of [page.title, page.site_name, page.description])
    expect((text ?? "").length).toBeLessThanOrEqual(1_000);
  for (const { src, alt } of page.images) expect(src.length + alt.length).toBeLessThanOrEqual(2_400);
  for (const { href } of page.links) expect(URL.parse(href)?.protocol).toMatch(/^https?:$/);
  for (const { name, value } of page.labels) expect((name ?? "").length + value.length).toBeLessThanOrEqual(220);
  if (page.published_at !== null) expect(new Date(page.published_at).toISOString()).toStartWith(page.published_at);
}

const TAGS =
  "html head body main article section div p h1 h2 h3 ul ol li dl dt dd table tr td th blockquote figure figcaption cite a img br hr strong b span time pre code nav header footer aside form button script style svg title meta link base template noscript".split(
    " ",
  );
const ATTRIBUTES = [
  "",
  ' class="stat quote testimonial"',
  ' class="related footer cookie"',
  ' hidden=""',
  ' href="/a"',
  ' href="http://[::1"',
  ' src="/a.png" alt="\u{1f600}x"',
  ' datetime="2024-03-05"',
  ' property="article:published_time" content="2024-03-05"',
  ' name="__proto__" content="x"',
  ' rel="canonical tag" href="//x"',
  ' type="application/ld+json"',
  ' lang="en"',
  " a='",
];
const TEXTS = [
  "60%",
  "lower cost",
  "Industry: Retail",
  "Industry",
  "March 5, 2024",
  "\ud800",
  "— Mira Holt",
  "Related stories",
  "Get started",
  '{"@graph":[{"@type":"Article","datePublished":"2024-03-05"}]}',
  "# > - 1. | ``` **",
  "&lt;script&gt;&#xd800;&#0;&bogus;",
  "中文，客户案例。",
  STORY,
];
const piece = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TAGS), fc.constantFrom(...ATTRIBUTES))
    .map(([tag, attributes]) => `<${tag}${attributes}>`),
  fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
);

describe("every result is within its limits, and no page throws", () => {
  test("random tags, attributes and texts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 120 }), async (pieces) => {
        expectBounded(await read(pieces.join("")));
      }),
      { numRuns: 300 },
    );
  });

  test("any characters", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
        expectBounded(await read(text, text));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["100,000 nested divs", `${"<div>".repeat(100_000)}Deep below lies a sentence that is read.`],
    [
      "100,000 nested divs that are closed",
      `${"<div>".repeat(100_000)}Deep below lies a sentence that is read.${"</div>".repeat(100_000)}`,
    ],
    ["nested lists", `${"<ul><li>".repeat(20_000)}Deep below lies a sentence that is read.`],
    ["nested tables", `${"<table><tr><td>".repeat(20_000)}Deep below lies a sentence that is read.`],
    ["nested quotes", `${"<blockquote>".repeat(50_000)}Deep below lies a sentence that is read.`],
  ])("%s are flattened, and their content is read", async (_, html) => {
    const page = await read(html);
    expectBounded(page);
    expect(page.markdown).toContain("Deep below lies a sentence that is read.");
  });

  test.each([
    ["text", "<p>A word. </p>".repeat(40_000)],
    [
      "different paragraphs",
      Array.from({ length: 20_000 }, (_, at) => `<p>Paragraph ${at} says something.</p>`).join(""),
    ],
    ["breaks", "word<br>".repeat(60_000)],
    [
      "pictures, links and labels",
      Array.from(
        { length: 3_000 },
        (_, at) =>
          `<p>words of a text <a href="/${at}">${at}</a><img src="/${at}.png"></p><p>Industry: Field ${at}</p>`,
      ).join(""),
    ],
    ["headings of related stories", "<h2>Related stories</h2>".repeat(20_000)],
    ["dates", `<h1>T</h1>${"<time>March 5, 2024</time>".repeat(20_000)}`],
    ["one long word", `<h1>${"a".repeat(1_000_000)}</h1>`],
    [
      "JSON-LD",
      `<script type="application/ld+json">${JSON.stringify(Array.from({ length: 500 }, () => ({ "@type": "Thing", name: "n".repeat(900) })))}</script>`,
    ],
    ["nested JSON-LD", `<script type="application/ld+json">${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}</script>`],
    ["nine mebibytes", "<p>word ".repeat(1_200_000)],
  ])("a large amount of input: %s", async (_, html) => {
    expectBounded(await read(`<body><main>${html}`));
  });

  test("no element is nested deeper than the limit", () => {
    let depth = 0;
    for (
      let at = parsePage("<div>".repeat(5_000)).children[0];
      at !== undefined && typeof at !== "string";
      at = at.children[0]
    )
      depth += 1;
    expect(depth).toBeLessThanOrEqual(201);
  });
});

test.each([
  ["list items", "<ul><li>a<li>b</ul>", "ul(li(a)li(b))"],
  ["nested lists", "<ul><li>a<ul><li>b</ul><li>c</ul>", "ul(li(a ul(li(b)))li(c))"],
  ["cells and rows", "<table><tr><td>a<td>b<tr><td>c</table>d", "table(tr(td(a)td(b))tr(td(c)))d"],
  ["terms", "<dl><dt>a<dd>b<dt>c</dl>", "dl(dt(a)dd(b)dt(c))"],
  ["paragraphs", "<p>a<p>b<div>c</div>", "p(a)p(b)div(c)"],
  ["stray ends", "<div>a</p></span></b>b</div>", "div(ab)"],
  ["misplaced ends", "<b><i>a</b>b</i>", "b(i(a))b"],
])("an unclosed element is closed as a browser would: %s", (_, html, expected) => {
  const write = (nodes: ReturnType<typeof parsePage>["children"]): string =>
    nodes.map((node) => (typeof node === "string" ? node : `${node.name}(${write(node.children)})`)).join("");
  expect(write(parsePage(html).children).replaceAll("aul", "a ul")).toBe(expected);
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findMeta, parseScriptJson, readHead, typesOf } from "../../src/html/head.ts";
import { readMarkup } from "../../src/html/tokenizer.ts";
import { type Element, parsePage, textOf } from "../../src/html/tree.ts";

const outline = ({ name, children }: Element): unknown => [
  name,
  ...children.map((child) => (typeof child === "string" ? child : outline(child))),
];

test.each([
  ["<ul><li>a<li>b</ul>", ["ul", ["li", "a"], ["li", "b"]]],
  ["<p>a<div>b</div>", ["p", "a"]],
  ["<div>a<svg><text>x</text></svg>b</div>", ["div", "ab"]],
  ["<div>a<svg><use></div>", ["div", "a"]],
  ["<div><noscript></div>x</noscript>a</div>", ["div", "a"]],
  ["<div>R&amp;D<script>if (a < b) c()</script></div>", ["div", "R&D", ["script", "if (a < b) c()"]]],
])("%s becomes %j", (html, expected) => {
  expect(outline(parsePage(html).children[0] as Element)).toEqual(expected as unknown[]);
});

test("text continues after an image or a video that is never closed", () => {
  expect(textOf(parsePage("<div>a<svg><use></div><p>b</p><div><video><source></div><p>c</p>"))).toBe("a b c");
});

test("attributes are decoded, and the first of a name counts", () => {
  const [link] = parsePage(`<a HREF="/?a=1&amp;b=2&copy=3" href=/second title='"&eacute;"'>`).children as Element[];
  expect(link?.attributes).toEqual({ href: "/?a=1&b=2&copy=3", title: '"é"' });
});

test("a closing tag is reported as written, XML names are taken literally", () => {
  const events: string[] = [];
  readMarkup(
    "<item><link/>a&lt;<![CDATA[<b>]]></item></x>",
    {
      open: ({ name, selfClosing }) => events.push(selfClosing ? `${name}/` : name),
      close: (name) => events.push(`/${name}`),
      text: (text) => events.push(`"${text}"`),
    },
    true,
  );
  expect(events).toEqual(["item", "link/", '"a<"', '"<b>"', "/item", "/x"]);
});

test("the head gives meta elements, the base and JSON-LD", () => {
  const head = readHead(
    parsePage(
      `<html lang=de><base href=/de/><title> A  b </title><meta property=OG:Title content=T><meta name=robots content=x>
       <meta name=robots content=y><link rel="x canonical" href=c><script type=application/ld+json>{}</script><script>1</script>`,
    ),
    "https://acme.example/",
  );
  expect(head).toMatchObject({ title: "A b", canonical: "c", base: "https://acme.example/de/", language: "de" });
  expect(head.jsonLd).toEqual(["{}"]);
  expect(head.metas.get("robots")).toEqual(["x", "y"]);
  expect(findMeta(head, "none", "og:title")).toBe("T");
});

describe("JSON in a script", () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ["window.STATE = [1,2];", [1, 2]],
    ['//<![CDATA[\n{"a":[1]}\n//]]>', { a: [1] }],
    ["var x = 1", undefined],
    ["{", undefined],
  ])("%j", (script, value) => {
    expect(parseScriptJson(script)).toEqual(value);
  });
});

test("types lose their vocabulary", () => {
  expect(typesOf({ "@type": ["https://schema.org/Article", "schema:WebPage", 3] })).toEqual(["Article", "WebPage"]);
});

test("no markup throws or nests deeper than 200", () => {
  const depthOf = (element: Element): number =>
    1 + Math.max(0, ...element.children.map((child) => (typeof child === "string" ? 0 : depthOf(child))));
  const piece = fc.constantFrom(
    "<div>",
    "</div>",
    "<svg>",
    "</svg>",
    "<p>",
    "<script>",
    "<tr>",
    "<a href='",
    "&amp",
    ">",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (pieces, times) => {
      expect(depthOf(parsePage(pieces.join("").repeat(times)))).toBeLessThanOrEqual(202);
    }),
  );
});

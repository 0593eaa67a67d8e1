import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressOf, isUnder, keyOf, languageOf, segmentsOf, storyKey } from "../../../src/casestudies/crawl/address.ts";
import { judgeLink, judgePage } from "../../../src/casestudies/crawl/judge.ts";
import {
  addressesIn,
  findMoreAddresses,
  moreAddress,
  readLinkedData,
  readListing,
} from "../../../src/casestudies/crawl/listing.ts";
import { readPageFacts } from "../../../src/casestudies/crawl/page.ts";
import { decompressList, readAddressList } from "../../../src/casestudies/crawl/sitemap.ts";
import { parseScriptJson } from "../../../src/html/head.ts";
import { parseRobots } from "../../../src/net/robots.ts";
import { crawl } from "./fake-site.ts";
import { listing, SITE } from "./invented-pages.ts";

const LIST = `${SITE}/customers`;

/** Runs every reader on a page. */
function readWhole(html: string) {
  const facts = readPageFacts(html, LIST);
  const view = readListing(facts, LIST);
  findMoreAddresses(facts, LIST);
  const data = readLinkedData(facts.jsonLd, LIST);
  const link = judgeLink({ url: `${LIST}/x`, text: html.slice(0, 300), place: "card" }, view);
  return { facts, view, verdict: judgePage(link, facts, data.types, `${LIST}/x`, html.slice(0, 300)) };
}

const PIECES = [
  "<",
  ">",
  "</",
  "/>",
  "<a href=",
  "<a href='/customers/x'>",
  "</a>",
  "<div class=card>",
  "</div>",
  "<p>",
  "<li>",
  "<!--",
  "-->",
  "<script>",
  "<script type=application/ld+json>",
  "</script>",
  '{"@type":"ItemList","itemListElement":[',
  '{"slug":"',
  "]}",
  '"',
  "'",
  "`",
  "<![CDATA[",
  "]]>",
  "<title>",
  "<svg>",
  "<template>",
  "&#x110000;",
  "&amp;",
  "&#0;",
  "\u0000",
  "<base href=//x.example/>",
  "“",
  "4 %",
  "<link rel=next href=?page=2>",
  "<link rel=alternate hreflang=en href=/en>",
  "<meta name=robots content=noindex>",
  "<input type=password>",
  "<loc>",
  "</loc>",
  "<url>",
  "</url>",
  "<sitemap>",
  "<item>",
  "</item>",
  "http://",
  "https://user:x@h/",
  "javascript:x",
  "/../",
  "%",
  "%zz",
];
const soup = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 120 })
  .map((parts) => parts.join(""));

describe("hostile input never throws", () => {
  test("markup", () => {
    fc.assert(
      fc.property(soup, (html) => {
        const { view, verdict } = readWhole(html);
        expect(Number.isFinite(verdict.score)).toBe(true);
        for (const { url } of view.candidates) expect(new URL(url).hostname).toEndWith("palletwise.example");
      }),
      { numRuns: 1_500 },
    );
  });

  test("lists of addresses", () => {
    fc.assert(
      fc.property(soup, (xml) => {
        for (const { url } of readAddressList(xml, SITE).entries) expect(url).toMatch(/^https?:\/\//);
        decompressList(Buffer.from(`\x1f\x8b${xml}`, "latin1"));
      }),
      { numRuns: 1_500 },
    );
  });

  test("JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.string(), (json, broken) => {
        addressesIn(parseScriptJson(json), LIST);
        addressesIn(parseScriptJson(broken), LIST);
        readLinkedData([json, broken], LIST);
      }),
      { numRuns: 1_500 },
    );
  });

  test("addresses", () => {
    const text = fc.oneof(fc.string(), fc.webUrl(), fc.webPath(), soup);
    fc.assert(
      fc.property(text, (href) => {
        const address = addressOf(href, LIST);
        if (address === null) return;
        expect(addressOf(address)).toBe(address);
        expect(keyOf(address)).toBe(keyOf(addressOf(address) ?? ""));
        segmentsOf(address);
        languageOf(address);
        storyKey(address);
        isUnder(address, LIST);
        for (const number of [1, 2]) moreAddress(href, number, LIST);
      }),
      { numRuns: 3_000 },
    );
  });

  test("robots.txt", () => {
    const line = fc.tuple(
      fc.constantFrom("User-agent:", "Disallow:", "Allow:", "Crawl-delay:", "Sitemap:", "#", ""),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const rules = parseRobots(`${SITE}/robots.txt`, lines.map((each) => each.join(" ")).join("\n"), "Casefile");
        expect(typeof rules.allows(LIST)).toBe("boolean");
        expect(rules.delaySeconds === null || rules.delaySeconds <= 30).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("three megabytes of one construct are read quickly", () => {
  test.each([
    ["open elements", "<div>"],
    ["open elements that were never opened", "<div></q>"],
    ["lists in lists", "<ul><li>"],
    ["links", '<a href="/customers/x">x</a>'],
    ["links in links", "<a href=x>"],
    ["attributes", " a=b"],
    ["an attribute without end", '<a href="x'],
    ["comments", "<!--"],
    ["scripts", '<script>"/api/customers?page='],
    ["quotes in a script", "<script>'/'"],
    ["data of its own", '<script type="application/ld+json">{"@graph":['],
    ["brackets", "<script>["],
    ["blanks", " "],
    ["words", "saved "],
    ["digits", "9"],
    ["opening quotation marks", "“"],
    ["headings", "<h2>challenge</h2>"],
    ["references", "&amp;"],
    ["entities", "<entry><link href='x'/>"],
  ])("%s", (_name, piece) => {
    const text = piece.repeat(Math.ceil(3_000_000 / piece.length));
    const { facts, view } = readWhole(`<html><body>${text}`);
    expect(facts.links.length).toBeLessThanOrEqual(2_000);
    expect(view.candidates.length).toBeLessThanOrEqual(6_000);
    expect(readAddressList(text, SITE).entries.length).toBeLessThanOrEqual(50_000);
    expect(parseRobots(`${SITE}/robots.txt`, text, "Casefile").sitemaps.length).toBeLessThanOrEqual(50);
  });
});

test("expensive rules of a robots.txt are ignored", () => {
  const rules = `User-agent: *\n${`Disallow: ${"*a".repeat(250)}$\n`.repeat(1_000)}Disallow: /customers\n`;
  const read = parseRobots(`${SITE}/robots.txt`, rules, "Casefile");
  expect(read.allows(`${SITE}/${"a".repeat(900)}`)).toBe(true);
  expect(read.allows(LIST)).toBe(false);
});

test("a list of very many links stays within the limits", async () => {
  const cards = Array.from({ length: 30_000 }, (_, n) => `/customers/client-${n}`);
  const { summary } = await crawl({ [LIST]: listing(cards) }, { url: LIST, limits: { maxPages: 5 } });
  expect(summary.ended).toBe("pages");
  expect(summary.found).toBeWithin(1_900, 2_001);
});

test("versions that refer to each other in a circle are read once each", async () => {
  const link = (to: string) => `<link rel="alternate" hreflang="en" href="${SITE}/${to}/customers/x">`;
  const ring = ["fr", "es", "it"].map((code, at, all) => [
    `${SITE}/${code}/customers/x`,
    listing([], "", link(all[(at + 1) % 3] ?? "")),
  ]);
  const { summary } = await crawl({ [LIST]: listing(["/fr/customers/x"]), ...Object.fromEntries(ring) }, { url: LIST });
  expect(summary.ended).toBe("complete");
});

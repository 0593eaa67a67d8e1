import { describe, expect, test } from "bun:test";
import { findWrittenDate, parseDate } from "../../../src/core/dates.ts";
import { inMain, read, STORY, URL_OF_PAGE } from "./read.ts";

const publishedOf = async (html: string, url = URL_OF_PAGE) => {
  const { published_at, published_from } = await read(html, url);
  return [published_at, published_from];
};
const story = (extra: string, head = "") => inMain(`<h1>How Pinecrest cut dispatch time</h1>${extra}${STORY}`, head);
const ld = (...objects: object[]) =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@graph": objects })}</script>`;

describe("the date of publication comes from the first of these", () => {
  test.each([
    ["JSON-LD", story("", ld({ "@type": "Article", datePublished: "2024-03-05T23:30:00-08:00" })), "json-ld"],
    ["JSON-LD of the web page", story("", ld({ "@type": ["WebPage"], datePublished: "2024-03-05" })), "json-ld"],
    [
      "the one of several articles that bears the title",
      story(
        "",
        ld(
          { "@type": "BlogPosting", headline: "Alder saves", datePublished: "2026-01-01" },
          { "@type": "BlogPosting", headline: "How Pinecrest cut dispatch time", datePublished: "2024-03-05" },
        ).replace("<script", "<title>How Pinecrest cut dispatch time | Routely</title><script"),
      ),
      "json-ld",
    ],
    ["a meta element", story("", '<meta property="article:published_time" content="2024-03-05T01:00:00Z">'), "meta"],
    ["a meta element with a written date", story("", '<meta name="date" content="5 March 2024">'), "meta"],
    ["a time next to the heading", story('<p>By Mira <time datetime="2024-03-05">last spring</time></p>'), "time"],
    [
      "a time in a link to the page itself",
      story(
        '<span class="posted-on"><a href="/p" rel="bookmark"><time datetime="2024-03-05T10:00:00+01:00">then</time></a></span>',
      ),
      "time",
    ],
    ["a time above the heading", inMain(`<time>March 5, 2024</time><h1>How Pinecrest</h1>${STORY}`), "time"],
    ["a written date", story("<p>March 5, 2024 · 5 min read</p>"), "text"],
    ["a day in German", story("<div>Veröffentlicht am 5. März 2024</div>"), "text"],
    ["a day in Chinese", story("<span>发布时间：2024年3月5日</span>"), "text"],
  ])("%s", async (_, html, from) => {
    expect(await publishedOf(html)).toEqual(["2024-03-05", from]);
  });

  test("the address, if there is nothing else", async () => {
    expect(await publishedOf(story(""), "https://routely.example/stories/2024/03/05/pinecrest")).toEqual([
      "2024-03-05",
      "address",
    ]);
  });

  test("JSON-LD before meta, meta before time, time before text, text before the address", async () => {
    const address = "https://routely.example/2020/01/05/p";
    const extra = '<p>January 4, 2020</p><time datetime="2020-01-03">then</time>';
    const meta = '<meta name="pubdate" content="2020-01-02">';
    const jsonLd = ld({ "@type": "Article", datePublished: "2020-01-01" });
    expect(await publishedOf(story(extra, jsonLd + meta), address)).toEqual(["2020-01-01", "json-ld"]);
    expect(await publishedOf(story(extra, meta), address)).toEqual(["2020-01-02", "meta"]);
    expect(await publishedOf(story(extra), address)).toEqual(["2020-01-03", "time"]);
    expect(await publishedOf(story("<p>January 4, 2020</p>"), address)).toEqual(["2020-01-04", "text"]);
  });
});

describe("the date of publication does not come from", () => {
  test.each([
    ["a copyright year", `${story("")}<footer>© 2019-2026. Updated March 5, 2024</footer>`],
    [
      "a related story",
      story("").replace(
        "</main>",
        '<h2>Related stories</h2><a href="/a"><h3>Alder</h3><time datetime="2024-03-05">x</time></a></main>',
      ),
    ],
    [
      "a day inside a sentence",
      story("<p>On March 5, 2024 a storm closed nine airports, and no truck left the yard before noon.</p>"),
    ],
    ["the date of a change", story('<p>Last updated <time datetime="2024-03-05">March 5, 2024</time></p>')],
    ["a date far below the heading", story(`${STORY.repeat(8)}<p>March 5, 2024</p>`)],
    [
      "several articles of which none is this",
      story(
        "",
        ld({ "@type": "Article", datePublished: "2024-01-01" }, { "@type": "Article", datePublished: "2024-01-02" }),
      ),
    ],
    [
      "several meta elements that disagree",
      story("", '<meta name="date" content="2024-01-01"><meta name="date" content="2024-01-02">'),
    ],
    ["a day and month that could be either", story("<p>03/05/2024</p>")],
    ["a date that does not exist", story("", '<meta name="date" content="2024-02-30">')],
  ])("%s", async (_, html) => {
    expect(await publishedOf(html)).toEqual([null, null]);
  });
});

test.each([
  ["2024-03-05", "2024-03-05"],
  ["2024/3/5", "2024-03-05"],
  ["2024.03.05", "2024-03-05"],
  ["2024年3月5日", "2024-03-05"],
  ["2024년 3월 5일", "2024-03-05"],
  ["March 5th, 2024", "2024-03-05"],
  ["Mar. 5 2024", "2024-03-05"],
  ["Posted on 5 March 2024 by Mira", "2024-03-05"],
  ["5. März 2024", "2024-03-05"],
  ["1er mars 2024", "2024-03-01"],
  ["5 de marzo de 2024", "2024-03-05"],
  ["05-Mar-2024", "2024-03-05"],
  ["25.03.2024", "2024-03-25"],
  ["03.05.2024", "2024-05-03"],
  ["25/03/2024", "2024-03-25"],
  ["3/25/2024", "2024-03-25"],
  ["04/04/2024", "2024-04-04"],
  ["03/04/2024", undefined],
  ["Room 5 Marble 2024", undefined],
  ["2024", undefined],
  ["31 April 2024", undefined],
  ["version 12.2024-03", undefined],
  ["March 5, 1894", undefined],
])("the day in %p is %p", (text, day) => {
  expect(findWrittenDate(text)?.day).toBe(day as string);
});

test.each([
  ["2024-03-05T23:59:59-11:00", "2024-03-05"],
  ["20240305", "2024-03-05"],
  ["Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"],
  ["1709600000", undefined],
  ["", undefined],
])("a machine's %p is %p", (text, day) => {
  expect(parseDate(text)).toBe(day as string);
});

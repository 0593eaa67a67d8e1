import { describe, expect, test } from "bun:test";
import { inMain, read, STORY } from "./read.ts";

const labelsOf = async (html: string, head = "") => (await read(inMain(`<h1>T</h1>${STORY}${html}`, head))).labels;

describe("labels", () => {
  test.each([
    ["one text", "<p>Industry: Retail</p>", [["Industry", "Retail"]]],
    ["bold and plain", "<p><strong>Industry</strong> Retail</p>", [["Industry", "Retail"]]],
    [
      "bold with colon, in lines",
      "<p><b>Region:</b> Nordics<br><b>Agents:</b> 85</p>",
      [
        ["Region", "Nordics"],
        ["Agents", "85"],
      ],
    ],
    [
      "a name with more words",
      "<div><span>Company headquarters</span><span>Leeds</span></div>",
      [["Company headquarters", "Leeds"]],
    ],
    [
      "cells of one kind, of which half are known",
      '<div><p class="f"><b>Industry</b><i>Retail</i></p><p class="f"><b>Customer since</b><i>2021</i></p></div>',
      [
        ["Industry", "Retail"],
        ["Customer since", "2021"],
      ],
    ],
    [
      "headings next to a link to a download",
      "<section><div><h2>Country</h2><p>Australia</p></div><div><h2>Partner</h2><p>Quadrant</p></div><div><h2>Files</h2><a href='/x'>Download PDF</a></div></section>",
      [
        ["Country", "Australia"],
        ["Partner", "Quadrant"],
      ],
    ],
    ["a row of a table", "<table><tr><td>Branche</td><td>Optik</td></tr></table>", [["Branche", "Optik"]]],
    [
      "terms",
      "<dl><dt>Location</dt><dd>Berlin</dd><dt>Fleet</dt><dd>340 trucks</dd></dl>",
      [
        ["Location", "Berlin"],
        ["Fleet", "340 trucks"],
      ],
    ],
    [
      "headings in a column",
      "<div><h4>Industry</h4><p>Retail</p><h4>Location</h4><p>Berlin</p></div>",
      [
        ["Industry", "Retail"],
        ["Location", "Berlin"],
      ],
    ],
    [
      "text and bold in turn",
      "<div>Company &nbsp;<b>Acme</b>&nbsp; Location &nbsp;<b>Oslo, Norway</b></div>",
      [
        ["Company", "Acme"],
        ["Location", "Oslo, Norway"],
      ],
    ],
    [
      "a list of values",
      "<div><div>Products</div><ul><li>Plan</li><li>App</li></ul></div>",
      [
        ["Products", "Plan"],
        ["Products", "App"],
      ],
    ],
    ["Chinese", "<p>行业：零售</p>", [["行业", "零售"]]],
  ])("are read from %s", async (_, html, expected) => {
    expect(await labelsOf(html)).toEqual(expected.map(([name = "", value = ""]) => ({ name, value })));
  });

  test("are read outside the main part too, once each, and are not in the text", async () => {
    const { labels, markdown } = await read(
      `<body><main><h1>T</h1>${STORY}<p>Industry: Retail</p></main><div class="facts"><p>Industry: Retail</p><p>Country: Peru</p></div></body>`,
    );
    expect(labels).toEqual([
      { name: "Industry", value: "Retail" },
      { name: "Country", value: "Peru" },
    ]);
    expect(markdown).not.toContain("Retail");
  });

  test("are not sentences and not headings of the story", async () => {
    const html = `<p>To a <em>topic</em> the program <code>sends messages</code>, and <b>users</b> <i>read them</i>.</p><p><strong>Product:</strong> They looked at nine of them before they chose one.</p><h2>Customer</h2><p>Pinecrest is a haulier that moves chilled food.</p>
      <div><b>Revenue</b><span>60%</span></div>`;
    expect((await labelsOf(html)).filter(({ name }) => name !== "Revenue")).toEqual([]);
  });

  test("come from the metadata of the page", async () => {
    const head = `<meta property="article:section" content="Logistics"><meta property="article:tag" content="routing, trucks"><meta name="keywords" content="routing">
      <script type="application/ld+json">{"@type":"BlogPosting","about":{"@type":"Organization","name":"Pinecrest"},"mentions":["Live Plan"],"articleSection":["Stories"],"keywords":"a, b"}</script>`;
    expect(
      await labelsOf(
        '<p>Filed under <a rel="tag" href="/tags/food">Food</a> by the people who wrote all of this.</p>',
        head,
      ),
    ).toEqual([
      { name: "about", value: "Pinecrest" },
      { name: "mentions", value: "Live Plan" },
      { name: "articleSection", value: "Stories" },
      { name: "keywords", value: "a" },
      { name: "keywords", value: "b" },
      { name: "section", value: "Logistics" },
      { name: "tag", value: "routing" },
      { name: "tag", value: "trucks" },
      { name: "keywords", value: "routing" },
      { name: null, value: "Food" },
    ]);
  });
});

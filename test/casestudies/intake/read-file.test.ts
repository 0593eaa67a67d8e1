import { afterAll, describe, expect, test } from "bun:test";
import { createExtractor } from "../../../src/casestudies/extract/extractor.ts";
import { readSavedPage, vendorOf } from "../../../src/casestudies/intake/read-file.ts";
import { createLocalEngine } from "../../../src/casestudies/structure/local-engine.ts";
import { pdfOf } from "../../box/tidewell/pdf.ts";
import { tools } from "../examples.ts";

const extractor = createExtractor(false);
afterAll(extractor.close);
const context = {
  extractor,
  parseContext: tools,
  engine: createLocalEngine({ ...tools, toolNames: [{ name: "PipeDock", aliases: [] }] }),
};
const URL_OF_PAGE = "https://quayline.example/stories/brackwater";

const read = (content: string | Uint8Array, rest: { name?: string; url?: string; company?: string } = {}) =>
  readSavedPage(context, { bytes: Buffer.from(content), name: "", url: URL_OF_PAGE, ...rest });

const SENTENCES = [
  "Brackwater is a Dutch online retailer that sells garden tools in four countries.",
  "Its engineers run PipeDock in production and release every day instead of once a month.",
  "Since the migration the team at Brackwater answers every customer on the same day, and nobody works at night.",
];
const HTML = `<!-- saved --><!doctype html><html lang="en"><head><title>How Brackwater cut waiting time</title></head>
<body><main><h1>How Brackwater cut waiting time</h1>${SENTENCES.map((text) => `<p>${text}</p>`).join("")}</main></body></html>`;
const MARKDOWN = `# How Brackwater cut waiting time\n\n${SENTENCES.join("\n\n")}`;
const FRONT_MATTER = `---
title: How Brackwater cut waiting time
date: 2024-03-05
tags: [retail, gardens]
---
<!-- written by hand -->

<div>${SENTENCES.join("\n\n")}</div>`;

describe("a saved page", () => {
  test.each([
    ["HTML", HTML],
    ["Markdown", MARKDOWN],
    ["Markdown with front matter", FRONT_MATTER],
    ["PDF", pdfOf("How Brackwater cut waiting time", SENTENCES, "2024-03-05")],
  ])("in %s has its fields with sentence and confidence", async (_, content) => {
    const study = await read(content);
    expect(study).toMatchObject({
      url: URL_OF_PAGE,
      company: { name: "Quayline", slug: "quayline" },
      title: { value: "How Brackwater cut waiting time" },
      client: { value: "Brackwater", domain: null },
      industry: { value: "Retail & E-commerce", slug: "retail" },
      country: { value: "NL", sentence: SENTENCES[0] },
      tools: [{ value: "PipeDock", sentence: SENTENCES[1] }],
      quote: { value: null, sentence: null, confidence: null },
      fallback: null,
    });
    for (const { confidence } of [study.title, study.client, study.industry, study.country, ...study.tools]) {
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  test("in Markdown has the date and the links of its text", async () => {
    expect((await read(FRONT_MATTER)).published_at).toMatchObject({ value: "2024-03-05" });
    const linked = MARKDOWN.replace("Brackwater is", "[Brackwater](https://www.brackwater.example/) is");
    expect((await read(linked)).client).toMatchObject({ value: "Brackwater", domain: "brackwater.example" });
  });

  test.each([
    ["is not YAML", "---\ntitle: [\n---\n"],
    ["is a list", "---\n- a\n---\n"],
    ["never ends", "---\ntitle: a\n"],
    ["nests without end", `---\n${"a: &a [*a, ".repeat(400)}\n---\n`],
  ])("whose front matter %s is read without it", async (_, start) => {
    expect((await read(`${start}${MARKDOWN}`)).client.value).toBe("Brackwater");
  });

  test("takes the name of the file where its content has neither", async () => {
    const fragment = SENTENCES.map((text) => `<p>${text}</p>`).join("\n");
    for (const name of ["", "a.html", "a.md"]) expect((await read(fragment, { name })).country.value, name).toBe("NL");
  });

  test.each([
    ["https://www.acme.co.uk/x", "Acme"],
    ["https://beam.apache.org/x", "Apache Beam"],
    ["https://www.apache.org/x", "Apache"],
    ["https://github.com/acme/x/blob/main/y.md", "Acme"],
    ["https://github.com/", "Github"],
  ])("at %s is by %s", (url, name) => {
    expect(vendorOf(url).name).toBe(name);
  });

  test("has the company that was given", async () => {
    expect((await read(HTML, { company: "Tidewell Works" })).company).toEqual({
      name: "Tidewell Works",
      slug: "tidewell-works",
    });
  });

  test.each([
    ["an address that is none", HTML, "brackwater", /"brackwater" is not the http or https address/],
    ["a page without a story", "<html><body><p>Sign in</p></body></html>", URL_OF_PAGE, /no readable case study/],
    ["an empty file", "", URL_OF_PAGE, /no readable case study/],
    ["a broken PDF", "%PDF-1.7 nothing", URL_OF_PAGE, /no readable case study/],
  ])("is refused for %s", async (_, content, url, message) => {
    await expect(read(content, { url })).rejects.toThrow(message);
  });
});

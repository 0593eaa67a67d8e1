import { expect, test } from "bun:test";
import fc from "fast-check";
import { readText, stripTags } from "../../src/html/page-text.ts";
import { processorMs } from "../processor-time.ts";

test.each([
  ["<p>One</p><p>two  <b>three</b>", "One\ntwo three"],
  ["a<script>if (a < b) c()</script><style>p{}</style><svg><text>x</text></svg>b", "ab"],
  ["<!-- no -->R&amp;D &lt;3 &#x41;&nbsp;b", "R&D <3 A b"],
  ["<noscript><p>no</noscript>yes", "yes"],
  ["", ""],
])("%j becomes %j", (html, text) => {
  expect(stripTags(html)).toBe(text);
});

test("links are absolute and have a text", () => {
  const html = `<a href="/x#y">One <b>two</b></a><a href="https://v.test/" aria-label="Home"></a><a href="mailto:a@b.test">mail</a><a>none</a>`;
  const { links } = readText(html, "https://acme.example/a/");
  expect(links.map(({ url, text }) => ({ url, text }))).toEqual([
    { url: "https://acme.example/x", text: "One two" },
    { url: "https://v.test/", text: "Home" },
  ]);
});

test("text has at most the given length, and no input throws", () => {
  const scrap = fc.oneof(
    fc.constantFrom("<a href=", "<svg>", "</", "<script>", "<title>", "&", "<![CDATA[", "'", ">"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(scrap), (parts) => {
      expect(readText(parts.join(""), "https://acme.example/", 50).text.length).toBeLessThanOrEqual(50);
    }),
  );
});

test("a page of 3 MiB of links is read within two seconds", () => {
  const began = processorMs();
  expect(readText("<a href=/x>y".repeat(260_000), "https://acme.example/").links).toHaveLength(2_000);
  expect(processorMs() - began).toBeLessThan(2_000);
});

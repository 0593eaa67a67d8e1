import { expect, test } from "bun:test";
import { encodedMarkupIn } from "../../../src/detection/scanners/encoded-markup.ts";
import { pageSignals } from "../../../src/detection/scanners/page-signals.ts";
import { processorMs } from "../../processor-time.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const tag = '<script src="https://js.vendor.test/a.js?id=1"></script>';
const frame = '<!-- Vendor --><iframe class="vendor-frame" src="https://frames.vendor.test/?a"></iframe>';

test.each<[string, string[]]>([
  [`<script>var consent = {"optIn":{"vendor":"${base64(tag)}"}};</script>`, [tag]],
  [`<script>var consent = {"optIn":{"vendor":"${base64(frame).replaceAll("/", "\\/")}"}};</script>`, [frame]],
  [`<div data-code='${base64(frame)}'></div><script type="text/template">${base64(tag)}</script>`, [frame, tag]],
  // Once, however often it is there.
  [`<p data-a="${base64(tag)}"></p><p data-b="${base64(tag)}"></p>`, [tag]],
  // Within a paragraph, as editors write it.
  [`<script type="text/template">${base64(`<p>${frame}</p>`)}</script>`, [`<p>${frame}</p>`]],
  // Other data that begins so, and a text without a tag.
  [`<img src="data:image/svg+xml;base64,${base64("<svg><path d='M0 0h1v1z'/></svg>")}">`, []],
  [`<p data-a="${base64("<script").padEnd(80, "A")}"></p>`, []],
  ["<p>PGRpdi</p>", []],
  // What no browser runs.
  [`<textarea>"${base64(tag)}"</textarea>`, []],
  [`<title>"${base64(tag)}"</title>`, []],
  [`<!-- "${base64(tag)}" -->`, []],
  [`<!-- <script>var a = "${base64(tag)}"</script> -->`, []],
  [`<script>/* "${base64(tag)}" */</script>`, []],
  [`<script>\n// a = "${base64(tag)}"\n</script>`, []],
  // What only looks so.
  [`<script><!--\nvar a = "${base64(tag)}"\n//--></script>`, [tag]],
  [`<textarea></textarea><script>b("*/*"); a = "${base64(tag)}"</script>`, [tag]],
  [`<script>b = "https://acme.example/"; a = "${base64(tag)}"</script>`, [tag]],
])("mark-up in base64 is read: %s", (page, texts) => {
  expect(encodedMarkupIn(page)).toEqual(texts);
});

test("its tags, classes and comments are signals of the page", () => {
  const body = `<p data-a="${base64(frame)}" data-b="${base64(tag)}"></p>`;
  const url = "https://www.acme.example/";
  const signals = pageSignals(
    { method: "GET", url, status: "ok", code: 200, headers: [["content-type", "text/html"]], body },
    { name: "acme.example", label: "acme" },
  );
  const valuesOf = (kind: string) => signals.filter((one) => one.kind === kind).map(({ value }) => value);
  expect(valuesOf("html.script")).toEqual(["https://js.vendor.test/a.js?id=1"]);
  expect(valuesOf("html.frame")).toEqual(["https://frames.vendor.test/?a"]);
  expect(valuesOf("html.names")).toEqual(["data-a data-b vendor-frame"]);
  expect(valuesOf("html.markup")[0]).toContain("<!-- Vendor -->");
});

test("a page of nothing but beginnings costs little", () => {
  const hostile = [" PGRpdi".repeat(60_000), ` ${"PGRpdi".repeat(60_000)}`, `"PGRpdi${"A".repeat(400_000)}`];
  const before = processorMs();
  for (const page of hostile) encodedMarkupIn(page);
  expect(processorMs() - before).toBeLessThan(1_000);
});

import { expect, test } from "bun:test";
import { run } from "./fake-host.ts";

const PAGE = `# How Brackwater cut waiting time

Brackwater is a Dutch online retailer that sells garden tools in four countries. Its engineers run PipeDock in
production and release every day instead of once a month. Since the migration the team at Brackwater answers every
customer on the same day, and nobody works at night.`;
const ARGV = ["studies", "read", "-", "--url", "https://quayline.example/stories/brackwater"];
const FIELDS =
  "url company title client industry country summary challenge solution outcomes products tools quote published_at language fallback";

test("studies read prints the fields with their sentences, and opens no data directory", async () => {
  const { code, out, err, opened, left } = await run(ARGV, { files: { "-": PAGE } });
  expect([code, err, left, opened[0]?.inMemory]).toEqual([0, "", 0, true]);
  expect(out).toStartWith(
    "Title    How Brackwater cut waiting time\nAddress  https://quayline.example/stories/brackwater\nCompany  Quayline\n\nclient ",
  );
  expect(out).toMatch(/^client +\d+% +Brackwater\n {20}“/m);
  expect(out).toMatch(/^tool +\d+% +PipeDock\n {20}“Its engineers run PipeDock in production and .* a month\.”$/m);
});

test("studies read --json prints one object with a value, a sentence and a confidence for each field", async () => {
  const { code, out } = await run([...ARGV, "--json"], { files: { "-": PAGE } });
  const study = JSON.parse(out);
  expect([code, Object.keys(study)]).toEqual([0, FIELDS.split(" ")]);
  expect(study.country).toEqual({
    value: "NL",
    sentence: "Brackwater is a Dutch online retailer that sells garden tools in four countries.",
    confidence: expect.any(Number),
  });
  expect(study.tools[0]).toMatchObject({ value: "PipeDock" });
});

test("studies read reports a missing file, address and story", async () => {
  expect(await run(["studies", "read", "a.html", "--url", "https://a.example/"])).toMatchObject({
    code: 2,
    err: "casefile: Cannot read a.html: no such file.\n",
  });
  expect((await run(["studies", "read", "-"], { files: { "-": PAGE } })).code).toBe(2);
  expect(await run([...ARGV, "--json"], { files: { "-": "" } })).toMatchObject({ code: 2, out: "" });
});

test("studies read refuses more than 8 MiB", async () => {
  const { code, err } = await run(ARGV, { files: { "-": "a".repeat(8 * 1_048_576 + 1) } });
  expect([code, err]).toEqual([2, "casefile: The file is larger than 8 MiB.\n"]);
});

test.each([
  ["JSON", JSON.stringify({ story: PAGE.repeat(3) })],
  ["an image", `\u0089PNG\r\n\u001a\n\u0000\u0000${PAGE}`],
])("studies read refuses %s", async (_what, content) => {
  const { code, out, err } = await run(ARGV, { files: { "-": content } });
  expect([code, out, err]).toEqual([2, "", "casefile: The file is not HTML, Markdown or PDF.\n"]);
});

test("studies read takes the front matter of an HTML file as its metadata", async () => {
  const [, story = ""] = PAGE.split("\n\n");
  const page = `---\ntitle: How Brackwater cut waiting time\ndate: 2024-03-05\n---\n<html><body><main><p>${story}</p></main></body></html>`;
  const argv = ["studies", "read", "a.html", "--url", "https://quayline.example/stories/brackwater", "--json"];
  const study = JSON.parse((await run(argv, { files: { "a.html": page } })).out);
  expect([study.title.value, study.published_at.value]).toEqual(["How Brackwater cut waiting time", "2024-03-05"]);
  expect(study.summary.value).not.toContain("---");
});

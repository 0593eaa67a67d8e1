import { expect, test } from "bun:test";
import { createPageTrials } from "../../src/casestudies/intake/read-file.ts";
import { createIntakeService } from "../../src/casestudies/intake/service.ts";
import { createParseContext } from "../../src/casestudies/record.ts";
import { createLocalEngine } from "../../src/casestudies/structure/local-engine.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";
import { remaining } from "./filled.ts";
import { type Asked, jsonOf, open, problemOf } from "./opened.ts";

const PATH = "/v1/casestudies/read";
const URL = "https://quayline.example/stories/brackwater";
const STORY = `Brackwater is a Dutch online retailer that sells garden tools in four countries, also in Malmö. Its engineers run
PipeDock in production and cut waiting time by 40%. Since the migration the team answers every customer on the same day.`;
const MARKDOWN = `# How Brackwater cut waiting time\n\n${STORY}`;
const HTML = `<html><head><meta charset="iso-8859-1"><title>Brackwater</title></head><body><main><p>${STORY}</p></main></body></html>`;
const LIMIT = 1_000;

async function opened() {
  const service = await open();
  const key = await service.key();
  return { ...service, read: (json: unknown, asked: Asked = {}) => service.ask(PATH, { key, json, ...asked }) };
}

test("answers what the command prints, counts as one request and stores nothing", async () => {
  const { app, read } = await opened();
  const answer = await read({ content: MARKDOWN, url: URL, company: "Quayline Works" });
  expect([answer.status, remaining(answer), answer.headers.get("cache-control")]).toEqual([200, LIMIT - 1, "no-store"]);
  const study = await jsonOf(answer);
  const page = { bytes: Buffer.from(MARKDOWN), name: "", url: URL, company: "Quayline Works" };
  expect(JSON.stringify(study)).toBe(JSON.stringify(await app.intake.readSavedPage(page)));
  expect(study).toMatchObject({
    company: { name: "Quayline Works", slug: "quayline-works" },
    client: { value: "Brackwater", sentence: expect.stringContaining("Brackwater") },
    outcomes: [{ value: { noun: "waiting time", value: 40, unit: "%", better: true } }],
    tools: [{ value: "PipeDock", confidence: expect.any(Number) }],
  });
  expect((await app.caseStudies.list({}, {})).total).toBe(0);
  expect((await app.intake.state()).submissions).toEqual({});
});

test("a text is UTF-8 whatever it declares; base64 has the charset of the file", async () => {
  const { read } = await opened();
  const sentenceOf = async (json: object) => (await jsonOf(await read({ url: URL, ...json }))).country.sentence;
  expect(await sentenceOf({ content: HTML })).toContain("Malmö");
  const latin = Buffer.from(HTML, "latin1").toString("base64");
  expect(await sentenceOf({ content: latin, encoding: "base64", name: "page.html" })).toContain("Malmö");
});

test.each<[string, object, string, RegExp]>([
  ["an address that is none", { url: "ftp://quayline.example/" }, "/url", /is not the http or https address/],
  ["a page without a story", { content: "Page not found" }, "/content", /no readable case study/],
  ["an image", { content: "iVBORw0KGgoAAAAA", encoding: "base64" }, "/content", /not HTML, Markdown or PDF/],
  ["JSON", { content: JSON.stringify({ MARKDOWN }) }, "/content", /not HTML, Markdown or PDF/],
  ["base64 that is none", { content: "a page\n", encoding: "base64" }, "/content", /base64 without line breaks/],
  ["a PDF that is none", { content: "JVBERi0xLjcK", encoding: "base64" }, "/content", /no readable case study/],
  ["deep nesting without a story", { content: `<html>${"<div>".repeat(200_000)}` }, "/content", /no readable/],
])("refuses %s by its pointer, and counts nothing", async (_, json, pointer, detail) => {
  const answer = await (await opened()).read({ content: MARKDOWN, url: URL, ...json });
  expect([answer.status, remaining(answer)]).toEqual([422, LIMIT]);
  expect((await problemOf(answer)).errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
});

test("refuses a page of more than 8 MiB and a body of more than 12 MiB", async () => {
  const { read } = await opened();
  const page = await problemOf(await read({ content: "a".repeat(8 * 1_048_576 + 1), url: URL }));
  expect([page.code, page.detail]).toEqual(["request.too_large", "The page is larger than 8 MiB."]);
  const body = await problemOf(await read({ content: "a".repeat(12 * 1_048_576), url: URL }));
  expect([body.code, body.detail]).toEqual(["request.too_large", "The body may have at most 12 MiB."]);
});

test("without a key the body is not read", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_024));
      },
    },
    { highWaterMark: 0 },
  );
  const { ask } = await open();
  const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
  expect((await problemOf(await ask(PATH, { method: "POST", body, headers }))).code).toBe("key.invalid");
  expect(pulled).toBe(0);
});

const parseContext = createParseContext({
  industries: loadBuiltInIndustries(),
  outcomeMetrics: loadBuiltInOutcomeMetrics(),
});
const local = createLocalEngine({ ...parseContext, toolNames: [] });
const page = { bytes: Buffer.from(MARKDOWN), name: "", url: URL };
const noSignal = new AbortController().signal;
const waiting = {
  id: "local",
  structure: (_page: unknown, _vendor: unknown, signal?: AbortSignal) =>
    new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
} as const;
const noExtractor = { extract: async () => Promise.reject(new Error("Markdown needs no process")) };

test("a language model is asked by the command only", async () => {
  const engine = { id: "language-model", structure: () => Promise.reject(new Error("asked")) } as const;
  const intake = createIntakeService({
    ...({} as Parameters<typeof createIntakeService>[0]),
    ...{ client: { http: noExtractor.extract, dns: noExtractor.extract, policy: Object({}) }, extractor: noExtractor },
    ...{ parseContext, engine, localEngine: local },
  });
  expect((await intake.tryPage(page, noSignal)).client.value).toBe("Brackwater");
  await expect(intake.readSavedPage(page)).rejects.toThrow("asked");
});

test("reads two pages at a time, each in bounded time", async () => {
  const read = createPageTrials({ extractor: noExtractor, engine: waiting, parseContext }, 20);
  const client = new AbortController();
  const first = read(page, client.signal);
  const second = read(page, noSignal);
  const overloaded = { code: "service.overloaded", details: { retryAfterSeconds: 5 } };
  await expect(read(page, noSignal)).rejects.toMatchObject(overloaded);
  client.abort(new Error("the client left"));
  await expect(first).rejects.toThrow("the client left");
  await expect(second).rejects.toMatchObject(overloaded);
});

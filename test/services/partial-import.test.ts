import { expect, test } from "bun:test";
import type { Services } from "../../src/compose.ts";
import { openFakeApp } from "./fake-app.ts";

const STORY = {
  title: "A bank leaves its old machine room",
  url: "https://tidewell.example/ledger",
  company: "Tidewell",
  client_name: "Grain Bank",
  client_domain: "grainbank.example",
  industry: "Banking",
  country: "NO",
  summary: "Hosting costs fell by half.",
  outcomes: [{ text: "Hosting costs fell by 50%", metric: "cost", value: 50, unit: "%", direction: "decrease" }],
  products: ["Ledger"],
  tools: ["Kafka"],
  quote: { text: "It just works.", person: "Ada", role: "CTO" },
  published_at: "2026-02-03",
  language: "en",
  licence: "CC-BY-4.0",
  body: "The ledger ran on ageing mainframes. Hosting costs fell by half.",
};
const { title, url, company } = STORY;
const BARE = { title, url, company };

const take = (app: Services, records: readonly object[], replace?: boolean) =>
  app.caseStudies.importFile(
    { name: "stories.jsonl", content: new Blob(records.map((record) => `${JSON.stringify(record)}\n`)).stream() },
    replace === undefined ? {} : { replace },
  );
const csv = (app: Services, text: string) =>
  app.caseStudies.importFile({ name: "stories.csv", content: new Blob([text]).stream() });

async function stored(app: Services) {
  const [study] = (await app.caseStudies.list({})).case_studies;
  if (!study) throw new Error("the case study is not stored");
  const { body } = await app.caseStudies.getDetail(study.id);
  return { ...study, indexed_at: null, body };
}

test("an import over a stored record keeps the fields that the file lacks, and counts them", async () => {
  const app = await openFakeApp({});
  await take(app, [STORY]);
  const before = await stored(app);
  expect(await take(app, [BARE])).toMatchObject({ unchanged: 1, updated: 0, kept_fields: 12, replaced_fields: 0 });
  expect(await csv(app, `title,url,company,summary,outcomes\n"${title}",${url},${company},,\n`)).toMatchObject({
    unchanged: 1,
    kept: { outcomes: 1, summary: 1, body: 1, client: 1 },
  });
  expect(await stored(app)).toEqual(before);
  await app.close();
});

test("a field that the file states replaces the stored one, and is counted", async () => {
  const app = await openFakeApp({});
  await take(app, [STORY]);
  const before = await stored(app);
  const summary = "Hosting costs fell by two thirds.";
  const done = await take(app, [{ ...BARE, summary, country: "SE" }]);
  expect(done).toMatchObject({ updated: 1, kept_fields: 10, replaced_fields: 2, replaced: { summary: 1, country: 1 } });
  expect(await stored(app)).toEqual({ ...before, summary, country: "SE" });
  await app.close();
});

test("with replace, the record is stored as the file has it", async () => {
  const app = await openFakeApp({});
  await take(app, [STORY]);
  expect(await take(app, [BARE], true)).toMatchObject({
    updated: 1,
    kept_fields: 0,
    replaced_fields: 0,
    removed_fields: 12,
  });
  expect(await stored(app)).toMatchObject({
    outcomes: [],
    summary: null,
    client: { name: null, domain: null },
    body: null,
  });
  await app.close();
});

test("the domain of a client is not given to another client", async () => {
  const app = await openFakeApp({});
  await take(app, [STORY]);
  await take(app, [{ ...BARE, client_name: "grain bank" }]);
  expect((await stored(app)).client.domain).toBe("grainbank.example");
  await take(app, [{ ...BARE, client_name: "Sand Bank" }]);
  expect((await stored(app)).client).toEqual({ name: "Sand Bank", domain: null });
  await app.close();
});

test("two records of one file about the same address complete each other", async () => {
  const app = await openFakeApp({});
  const done = await take(app, [
    { ...BARE, id: "one", summary: STORY.summary },
    { ...BARE, id: "two", country: "NO" },
  ]);
  expect(done).toMatchObject({ added: 1, updated: 1, kept: { summary: 1 } });
  expect(await stored(app)).toMatchObject({ summary: STORY.summary, country: "NO" });
  await app.close();
});

test("a corrected field counts as kept with its correction", async () => {
  const app = await openFakeApp({});
  await take(app, [STORY]);
  const { id } = await stored(app);
  await app.caseStudies.correct(id, { country: "DK" });
  expect(await take(app, [BARE])).toMatchObject({ unchanged: 1 });
  expect((await stored(app)).country).toBe("DK");
  await app.close();
});

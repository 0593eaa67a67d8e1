import { describe, expect, test } from "bun:test";
import type { CaseStudyRepository, ResolvedFilter } from "../../src/casestudies/repository.ts";
import { refusalOf } from "../store/examples.ts";
import { companyOf, industryOf, NOW, storeWithClock, studyOf } from "./study-examples.ts";

/** Ids of all pages, and how many pages there were. */
async function allPages(caseStudies: CaseStudyRepository, filter: ResolvedFilter, limit: number) {
  const ids: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await caseStudies.list(filter, cursor === undefined ? { limit } : { limit, cursor });
    ids.push(...page.studies.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
    pages++;
  } while (cursor !== undefined);
  return { ids, pages };
}

describe("a list", () => {
  const dated = [
    ["d", "2024-02-01"],
    ["b", "2024-03-05"],
    ["c", null],
    ["a", "2024-03-05"],
    ["e", null],
  ] as const;
  const studies = dated.map(([id, published_at]) => studyOf({ id, published_at }));

  test.each([1, 2, 3, 5, 100])("is sorted newest first, undated last, also in pages of %d", async (limit) => {
    const { caseStudies } = await storeWithClock();
    await caseStudies.save(studies);
    const { ids, pages } = await allPages(caseStudies, {}, limit);
    expect(ids).toEqual(["a", "b", "d", "c", "e"]);
    expect(pages).toBe(Math.ceil(5 / limit));
  });

  test("returns the total on every page", async () => {
    const { caseStudies } = await storeWithClock();
    await caseStudies.save(studies);
    const first = await caseStudies.list({}, { limit: 2 });
    const second = await caseStudies.list({}, { limit: 2, cursor: first.next_cursor ?? "" });
    expect([first.total, second.total]).toEqual([5, 5]);
  });

  test("neither repeats nor skips entries when one is added between two pages", async () => {
    const { caseStudies } = await storeWithClock();
    await caseStudies.save(studies);
    const first = await caseStudies.list({}, { limit: 2 });
    await caseStudies.save([studyOf({ published_at: "2025-01-01" })]);
    const second = await caseStudies.list({}, { limit: 9, cursor: first.next_cursor ?? "" });
    expect(second.studies.map(({ id }) => id)).toEqual(["d", "c", "e"]);
  });

  test.each([
    ["no base64", "!"],
    ["empty", ""],
    ["no JSON", Buffer.from("[nothing").toString("base64url")],
    ["of another shape", Buffer.from(JSON.stringify(["case studies", 1, 2])).toString("base64url")],
    ["no list", Buffer.from("{}").toString("base64url")],
    ["of another list", Buffer.from(JSON.stringify(["companies", "a", "b"])).toString("base64url")],
    ["too long", "a".repeat(10_000)],
  ])("refuses a cursor that is %s", async (_, cursor) => {
    const { caseStudies } = await storeWithClock();
    expect((await refusalOf(caseStudies.list({}, { limit: 2, cursor }))).code).toBe("cursor.invalid");
  });
});

describe("a filter", () => {
  const studies = [
    studyOf({
      id: "one",
      company: companyOf("alpha"),
      client: { name: "Café Nord", domain: "nord.example" },
      industry: industryOf("Clinics", "healthcare"),
      country: "DE",
      published_at: "2024-01-31",
    }),
    studyOf({
      id: "two",
      company: companyOf("alpha"),
      client: { name: "Bolt", domain: null },
      industry: industryOf("Space  Mining"),
      country: "FR",
      published_at: "2024-02-01",
    }),
    studyOf({ id: "three", company: companyOf("beta"), industry: industryOf("Hospitals", "healthcare") }),
  ];

  test.each<[string, ResolvedFilter, string[]]>([
    ["nothing", {}, ["one", "two", "three"]],
    ["company", { company: "alpha" }, ["one", "two"]],
    ["company in another case", { company: "ALPHA" }, ["one", "two"]],
    ["a company that does not exist", { company: "gamma" }, []],
    ["industry of the taxonomy", { industries: [industryOf("any word", "healthcare")] }, ["one", "three"]],
    ["industry in the source's words", { industries: [industryOf("space mining")] }, ["two"]],
    [
      "industries of a word that stands for two",
      { industries: [industryOf("any word", "healthcare"), industryOf("space mining")] },
      ["one", "three", "two"],
    ],
    ["client's name", { client: "CAFE nord" }, ["one"]],
    ["client's domain", { client: "Nord.Example" }, ["one"]],
    ["no client's name", { client: " " }, []],
    ["country in another case", { country: "fr" }, ["two"]],
    ["first day", { publishedAfter: "2024-01-31" }, ["one", "two"]],
    ["after the first day", { publishedAfter: "2024-02-01" }, ["two"]],
    ["last day", { publishedBefore: "2024-01-31" }, ["one"]],
    ["both days", { publishedAfter: "2024-01-01", publishedBefore: "2024-12-31" }, ["one", "two"]],
    ["several that narrow", { company: "alpha", industries: [industryOf("", "healthcare")], country: "DE" }, ["one"]],
    ["several that leave nothing", { company: "beta", country: "DE" }, []],
  ])("by %s narrows the list, the count, the ids and the passages in the same way", async (_, filter, expected) => {
    const { caseStudies } = await storeWithClock();
    const passages = [{ heading: null, text: "Text." }];
    await caseStudies.save(studies.map((study) => ({ ...study, passages })));
    const page = await caseStudies.list(filter, { limit: 10 });
    expect(page.studies.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(page.total).toBe(expected.length);
    expect(await caseStudies.count(filter)).toBe(expected.length);
    expect([...(await caseStudies.ids(filter))].sort()).toEqual(expected);
    const found = await caseStudies.passages(await caseStudies.passageIds(filter));
    expect(found.map(({ case_study_id }) => case_study_id).sort()).toEqual(expected);
  });
});

describe("passages", () => {
  test("are returned in the requested order, and their numbers are never reused", async () => {
    const { caseStudies } = await storeWithClock();
    const study = studyOf({
      passages: [
        { heading: "A", text: "First." },
        { heading: null, text: "Second." },
      ],
    });
    await caseStudies.save([study]);
    expect((await caseStudies.passages([2, 99, 1])).map(({ text }) => text)).toEqual(["Second.", "First."]);
    await caseStudies.save([{ ...study, title: "Changed" }]);
    expect(await caseStudies.passageIds({})).toEqual([3, 4]);
    await caseStudies.remove([study.id]);
    await caseStudies.save([study]);
    expect(await caseStudies.passageIds({})).toEqual([5, 6]);
  });
});

describe("an export", () => {
  test.each([1, 2, 100])(
    "returns everything in insertion order, %d at a time, during concurrent writes",
    async (size) => {
      const { caseStudies } = await storeWithClock();
      const studies = Array.from({ length: 5 }, () =>
        studyOf({ body: "Body.", licence: "CC0", industry: industryOf("Clinics", "healthcare") }),
      );
      await caseStudies.save(studies);
      const seen: string[] = [];
      for await (const batch of caseStudies.each(0, size)) {
        expect(batch.length).toBeLessThanOrEqual(size);
        seen.push(...batch.map(({ study }) => study.id));
        expect(batch[0]).toMatchObject({ origin: "imported", licence: "CC0", body: "Body.", industry_raw: "Clinics" });
        await caseStudies.save([studies[0] ?? studyOf()]);
      }
      expect(seen).toEqual(studies.map(({ id }) => id));
    },
  );

  test("resumes after a given number", async () => {
    const { caseStudies } = await storeWithClock();
    const studies = [studyOf(), studyOf(), studyOf()];
    await caseStudies.save(studies);
    const batches = await Array.fromAsync(caseStudies.each(1, 10));
    expect(batches.flat().map(({ study }) => study.id)).toEqual(studies.slice(1).map(({ id }) => id));
  });
});

describe("removal", () => {
  test("deletes the parts too, notifies the index and returns the count", async () => {
    const store = await storeWithClock();
    const [gone, stays] = [studyOf({ passages: [{ heading: null, text: "Text." }] }), studyOf()];
    await store.caseStudies.save([gone, stays]);
    expect(await store.caseStudies.remove([gone.id, gone.id, "nothing"])).toBe(1);
    expect(await store.caseStudies.find(gone.id)).toBeUndefined();
    expect(await store.caseStudies.passageIds({})).toEqual([]);
    expect(await store.outbox.pending(10)).toMatchObject([
      { case_study_id: stays.id, action: "upsert", revision: 1 },
      { case_study_id: gone.id, action: "delete", revision: null },
    ]);
  });
});

describe("indexing", () => {
  test("records the embedded revision, which a change resets", async () => {
    const store = await storeWithClock();
    const study = studyOf();
    await store.caseStudies.save([study]);
    await store.caseStudies.markIndexed([{ id: study.id, revision: 1 }], "model-a");
    expect((await store.caseStudies.find(study.id))?.indexed_at).toBe(NOW);
    await store.caseStudies.save([{ ...study, title: "Changed" }]);
    expect((await store.caseStudies.find(study.id))?.indexed_at).toBeNull();
    await store.caseStudies.markIndexed([{ id: study.id, revision: 1 }], "model-a");
    expect((await store.caseStudies.find(study.id))?.indexed_at).toBeNull();
    await store.caseStudies.markIndexed(
      [
        { id: study.id, revision: 2 },
        { id: "nothing", revision: 1 },
      ],
      "model-a",
    );
    expect((await store.caseStudies.find(study.id))?.indexed_at).toBe(NOW);
  });
});

test("stats count companies, case studies and their industries", async () => {
  const store = await storeWithClock();
  expect(await store.stats.read()).toEqual({
    companies: 0,
    case_studies: 0,
    by_origin: { starter: 0, submitted: 0, imported: 0 },
    industries: 0,
    domains_enriched: 0,
    updated_at: null,
  });
  store.after(60);
  await store.caseStudies.save([
    studyOf({ industry: industryOf("Clinics", "healthcare") }),
    studyOf({ industry: industryOf("Hospitals", "healthcare") }),
    studyOf({ industry: industryOf("Space Mining"), company: companyOf("other"), origin: "submitted" }),
    studyOf({ origin: "starter" }),
  ]);
  expect(await store.stats.read()).toMatchObject({
    companies: 2,
    case_studies: 4,
    by_origin: { starter: 1, submitted: 1, imported: 2 },
    industries: 2,
    updated_at: "2026-05-04T12:01:00.000Z",
  });
});

test("industries are counted, and an unknown one under one of its spellings", async () => {
  const { caseStudies } = await storeWithClock();
  await caseStudies.save([
    studyOf({ industry: industryOf("Clinics", "healthcare") }),
    studyOf({ industry: industryOf("space mining") }),
    studyOf({ industry: industryOf("Space Mining") }),
    studyOf({}),
  ]);
  expect(await caseStudies.industries()).toEqual([
    { industry: "Space Mining", slug: null, case_studies: 2 },
    { industry: expect.stringMatching(/^healthcare$/i), slug: "healthcare", case_studies: 1 },
  ]);
});

test("facets count the values of what matches, with every filter", async () => {
  const { caseStudies } = await storeWithClock();
  await caseStudies.save([
    studyOf({ industry: industryOf("Space Mining"), country: "DE", published_at: "2024-03-01" }),
    studyOf({ industry: industryOf("space mining"), country: "DE", published_at: "2023-03-01" }),
    studyOf({ client: { name: "Kestrel Bank", domain: null } }),
    studyOf({ client: { name: "Kestrel bank", domain: "kestrel.example" } }),
  ]);
  const all = await caseStudies.facets({});
  expect(all.vendors.map(({ count }) => count).reduce((sum, each) => sum + each, 0)).toBe(4);
  expect(all.industries).toEqual([{ value: "Space Mining", label: "Space Mining", count: 2 }]);
  expect(all.years.map(({ value }) => value)).toEqual(["2024", "2023"]);
  expect(all.clients).toEqual([{ value: "Kestrel Bank", label: "Kestrel Bank", count: 2 }]);
  const filtered = await caseStudies.facets({
    industries: [industryOf("Space Mining")],
    company: all.vendors[0]?.value,
    country: "DE",
    publishedAfter: "2024-01-01",
  });
  expect(filtered.vendors.map(({ count }) => count)).toEqual([1]);
  expect(filtered.countries).toEqual([{ value: "DE", label: "DE", count: 1 }]);
});

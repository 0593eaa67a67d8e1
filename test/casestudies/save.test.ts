import { describe, expect, test } from "bun:test";
import type { NewCaseStudy } from "../../src/casestudies/types.ts";
import { companyOf, industryOf, NOW, outcomeOf, storeWithClock, studyOf } from "./study-examples.ts";

const FULL = studyOf({
  id: "acme-story",
  title: "How Acme grew",
  url: "https://vendor.example/customers/acme",
  company: companyOf("vendor", { name: "Vendor Ltd", domain: "vendor.example" }),
  client: { name: "Acme", domain: "acme.example" },
  industry: industryOf("Clinics & care", "healthcare"),
  country: "DE",
  summary: "Acme grew.",
  challenge: "Acme was small.",
  solution: "Acme bought.",
  outcomes: [
    outcomeOf("cost", 12.5),
    outcomeOf("speed", null, { unit: null, direction: "increase" }),
    outcomeOf("availability", 1, {
      ...{ unit: "hours", noun: "outage time", kind: "level", from: 8, to: 1, better: true },
      sentence: "Outages fell from 8 hours to 1.",
    }),
    outcomeOf("cost", 7, { kind: "change", better: false }),
  ],
  products: ["Suite", "Größe 字"],
  tools: ["Postgres"],
  quote: { text: "We grew.", person: "Ann", role: null },
  published_at: "2024-03-05",
  language: "en",
  licence: "CC-BY-4.0",
  body: "# Acme\n\nAcme grew.",
  passages: [
    { heading: "Acme", text: "Acme grew." },
    { heading: null, text: "A lot." },
  ],
});

const near = (study: NewCaseStudy, bits: number | bigint): string =>
  (BigInt(`0x${study.fingerprint}`) ^ BigInt(bits)).toString(16).padStart(16, "0");

describe("a record", () => {
  test.each([
    { text: null, person: "Ann", role: "CTO" },
    { text: null, person: null, role: "CTO" },
    { text: "We grew.", person: null, role: null },
  ])("keeps the known parts of a quote: %j", async (quote) => {
    const store = await storeWithClock();
    await store.caseStudies.save([{ ...FULL, quote }]);
    expect((await store.caseStudies.find("acme-story"))?.quote).toEqual(quote);
  });

  test("is returned as given, with the taxonomy's name of its industry", async () => {
    const store = await storeWithClock({ industryNames: new Map([["healthcare", "Healthcare"]]) });
    expect(await store.caseStudies.save([FULL])).toEqual([{ id: "acme-story", outcome: "added", of: null }]);
    const { passages, licence, body, fingerprint, ...shown } = FULL;
    const expected = {
      ...shown,
      company: { name: "Vendor Ltd", slug: "vendor" },
      industry: "Healthcare",
      indexed_at: null,
    };
    expect(await store.caseStudies.find("acme-story")).toEqual(expected);
    const about = {
      title: FULL.title,
      client: FULL.client.name,
      industry: FULL.industry?.raw ?? null,
      summary: FULL.summary,
    };
    expect(await store.caseStudies.passagesOf(["acme-story"])).toEqual([
      { id: 1, case_study_id: "acme-story", position: 0, heading: "Acme", text: "Acme grew.", ...about },
      { id: 2, case_study_id: "acme-story", position: 1, heading: null, text: "A lot.", ...about },
    ]);
  });

  test("shows an unknown industry in the source's words, and one without a name as its slug", async () => {
    const { caseStudies } = await storeWithClock();
    const unknown = studyOf({ industry: industryOf("Space Mining") });
    const unnamed = studyOf({ industry: industryOf("Clinics", "healthcare") });
    await caseStudies.save([unknown, unnamed]);
    const shown = await caseStudies.byIds([unnamed.id, unknown.id]);
    expect(shown.map(({ industry }) => industry)).toEqual(["healthcare", "Space Mining"]);
  });

  test("that does not exist is not found", async () => {
    expect(await (await storeWithClock()).caseStudies.find("nothing")).toBeUndefined();
  });

  test("many are returned in the requested order, without the missing ones", async () => {
    const { caseStudies } = await storeWithClock();
    const studies = Array.from({ length: 5 }, () => studyOf());
    await caseStudies.save(studies);
    const asked = [...studies.map(({ id }) => id).reverse(), "nothing"];
    expect((await caseStudies.byIds(asked)).map(({ id }) => id)).toEqual(asked.slice(0, 5));
  });
});

describe("the same address", () => {
  test("with the same content changes nothing and queues nothing", async () => {
    const store = await storeWithClock();
    await store.caseStudies.save([FULL]);
    store.after(60);
    const again = { ...FULL, id: "another-id", url: FULL.url, origin: "starter" as const };
    expect(await store.caseStudies.save([again])).toEqual([{ id: "acme-story", outcome: "unchanged", of: null }]);
    expect((await store.outbox.pending(10)).map(({ created_at }) => created_at)).toEqual([NOW]);
    expect((await store.stats.read()).updated_at).toBe(NOW);
  });

  test.each<[string, Partial<NewCaseStudy>]>([
    ["spelling of it", { url: "http://www.vendor.example/customers/acme/" }],
    ["title", { title: "Another" }],
    ["client", { client: { name: "Bolt", domain: null } }],
    ["industry", { industry: industryOf("Clinics & care") }],
    ["outcomes", { outcomes: [] }],
    ["reading of an outcome", { outcomes: FULL.outcomes.with(0, outcomeOf("cost", 12.5, { better: false })) }],
    ["quote", { quote: null }],
    ["tools", { tools: [] }],
    ["body", { body: null }],
    ["passages", { passages: [{ heading: null, text: "New." }] }],
    ["company", { company: companyOf("other") }],
    ["licence", { licence: null }],
  ])("with another %s is an update of the same record", async (_, change) => {
    const store = await storeWithClock();
    await store.caseStudies.save([FULL]);
    const changed = { ...FULL, ...change, id: "another-id" };
    expect(await store.caseStudies.save([changed])).toEqual([{ id: "acme-story", outcome: "updated", of: null }]);
    expect(await store.caseStudies.count()).toBe(1);
    expect(await store.caseStudies.find("acme-story")).toMatchObject({
      title: changed.title,
      client: changed.client,
      outcomes: changed.outcomes,
      quote: changed.quote,
      tools: changed.tools,
      company: { slug: changed.company.slug },
    });
    const passages = await store.caseStudies.passagesOf(["acme-story"]);
    expect(passages.map(({ heading, text }) => ({ heading, text }))).toEqual([...changed.passages]);
    expect(await store.outbox.pending(10)).toMatchObject([{ case_study_id: "acme-story", revision: 2 }]);
  });

  test("twice in one batch is added once and then updated", async () => {
    const store = await storeWithClock();
    const outcomes = (await store.caseStudies.save([FULL, FULL, { ...FULL, title: "Later" }])).map(
      (one) => one.outcome,
    );
    expect(outcomes).toEqual(["added", "unchanged", "updated"]);
    expect((await store.caseStudies.find("acme-story"))?.title).toBe("Later");
    expect(await store.caseStudies.passagesOf(["acme-story"])).toHaveLength(2);
    expect(await store.outbox.depth()).toBe(1);
  });

  test("with the text of another case study is still an update", async () => {
    const { caseStudies } = await storeWithClock();
    const other = studyOf();
    await caseStudies.save([FULL, other]);
    const [result] = await caseStudies.save([{ ...other, client: FULL.client, fingerprint: FULL.fingerprint }]);
    expect(result?.outcome).toBe("updated");
  });
});

describe("near-duplicates", () => {
  const first = studyOf({ client: { name: "Acme", domain: null }, fingerprint: "0123456789abcdef" });

  test.each([
    ["no bit", 0],
    ["one bit", 1],
    ["three bits in all parts but the first", 0x0000_0001_0001_0001n],
    ["three bits in all parts but the second", 0x8000_0000_0001_0001n],
    ["three bits in all parts but the third", 0x8000_0001_0000_0001n],
    ["three bits in all parts but the last", 0x8000_0001_0001_0000n],
    ["three bits in one part", 0x7000],
  ])("of one company and client that differ by %s are one", async (_, bits) => {
    const store = await storeWithClock();
    await store.caseStudies.save([first]);
    const copy = studyOf({ client: { name: " ACME ", domain: null }, fingerprint: near(first, bits) });
    expect(await store.caseStudies.save([copy])).toEqual([{ id: copy.id, outcome: "duplicate", of: first.id }]);
    expect(await store.caseStudies.count()).toBe(1);
    expect(await store.outbox.depth()).toBe(1);
  });

  test("are found within one batch, and without a client", async () => {
    const { caseStudies } = await storeWithClock();
    const [one, two] = [studyOf({ fingerprint: first.fingerprint }), studyOf({ fingerprint: first.fingerprint })];
    expect(await caseStudies.save([one, two])).toMatchObject([
      { outcome: "added" },
      { outcome: "duplicate", of: one.id },
    ]);
  });

  test.each<[string, Partial<NewCaseStudy>]>([
    ["four bits", { fingerprint: near(first, 0xf) }],
    ["another company", { company: companyOf("other") }],
    ["another client", { client: { name: "Bolt", domain: null } }],
    ["an unknown client", { client: { name: null, domain: null } }],
  ])("are two when they differ by %s", async (_, difference) => {
    const { caseStudies } = await storeWithClock();
    await caseStudies.save([first]);
    const other = studyOf({ client: first.client, fingerprint: first.fingerprint, ...difference });
    expect(await caseStudies.save([other])).toMatchObject([{ outcome: "added" }]);
  });

  test("are not detected without a text", async () => {
    const { caseStudies } = await storeWithClock();
    const empty = { fingerprint: "0000000000000000" };
    expect(await caseStudies.save([studyOf(empty), studyOf(empty)])).toMatchObject([
      { outcome: "added" },
      { outcome: "added" },
    ]);
  });
});

describe("ids", () => {
  test("an id that another address has gets a suffix, the same in any order", async () => {
    const one = studyOf({ id: "story" });
    const two = studyOf({ id: "story" });
    const { caseStudies } = await storeWithClock();
    const [, second] = await caseStudies.save([one, two]);
    expect(second?.id).toMatch(/^story-[0-9a-f]{8}$/);
    const three = await storeWithClock();
    await three.caseStudies.save([one, studyOf({ id: "story" }), two]);
    expect((await three.caseStudies.find(second?.id ?? ""))?.url).toBe(two.url);
    expect(await caseStudies.save([two])).toMatchObject([{ id: second?.id, outcome: "unchanged" }]);
  });

  test("a suffix that is taken is extended", async () => {
    const two = studyOf({ id: "story" });
    const { caseStudies } = await storeWithClock();
    const [, short] = await caseStudies.save([studyOf({ id: "story" }), two]);
    await caseStudies.remove([short?.id ?? ""]);
    await caseStudies.save([studyOf({ id: short?.id ?? "" })]);
    expect((await caseStudies.save([two]))[0]?.id).toMatch(/^story-[0-9a-f]{64}$/);
  });
});

describe("companies and clients", () => {
  test("known values of a company are kept, and missing ones are added", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const known = companyOf("vendor", { name: "Vendor", domain: "Vendor.example" });
    const other = {
      name: "Vendor Inc",
      domain: "other.example",
      industry: industryOf("Software"),
      logo_url: "https://vendor.example/logo.svg",
    };
    await caseStudies.save([studyOf({ company: known })]);
    await caseStudies.save([
      studyOf({ company: companyOf("vendor", other) }),
      studyOf({ company: companyOf("vendor") }),
    ]);
    expect(await companies.find("vendor")).toEqual({
      name: "Vendor",
      slug: "vendor",
      domain: "vendor.example",
      industry: "Software",
      logo_url: "https://vendor.example/logo.svg",
      total_case_studies: 3,
    });
    expect((await companies.search({ q: "vendro.example", limit: 5 })).total).toBe(1);
  });

  test("a client is one in all spellings of its name, and two when the domains differ", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const clients = [
      { name: "Café Acme", domain: "acme.example" },
      { name: "CAFE  ACME", domain: "ACME.example" },
      { name: "Café Acme", domain: null },
      { name: null, domain: "acme.example" },
    ];
    await caseStudies.save(clients.map((client) => studyOf({ client })));
    expect((await companies.analysis("vendor")).top_clients).toEqual([
      { client: "Café Acme", domain: "acme.example", case_studies: 2 },
      { client: "acme.example", domain: "acme.example", case_studies: 1 },
      { client: "Café Acme", domain: null, case_studies: 1 },
    ]);
  });

  test("a company without case studies is deleted", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const study = studyOf({ company: companyOf("old") });
    await caseStudies.save([study]);
    await caseStudies.save([{ ...study, company: companyOf("new") }]);
    expect((await companies.search({ limit: 5 })).companies.map(({ slug }) => slug)).toEqual(["new"]);
    await caseStudies.remove([study.id]);
    expect((await companies.search({ limit: 5 })).total).toBe(0);
  });
});

describe("a batch", () => {
  test("that fails leaves no partial state", async () => {
    const store = await storeWithClock();
    const bad = studyOf({ fingerprint: "not hex" });
    await expect(store.caseStudies.save([studyOf(), bad])).rejects.toThrow(RangeError);
    expect(await store.stats.read()).toMatchObject({ companies: 0, case_studies: 0, updated_at: null });
    expect(await store.outbox.depth()).toBe(0);
  });

  test("without records does nothing", async () => {
    expect(await (await storeWithClock()).caseStudies.save([])).toEqual([]);
  });

  test("may be thousands, with thousands of parts", async () => {
    const { caseStudies } = await storeWithClock();
    const passages = Array.from({ length: 3 }, (_, index) => ({ heading: null, text: `Part ${index}` }));
    const outcomes = [outcomeOf("cost", 1), outcomeOf("speed", 2)];
    const batch = Array.from({ length: 2_500 }, () => studyOf({ passages, outcomes }));
    expect((await caseStudies.save(batch)).every(({ outcome }) => outcome === "added")).toBe(true);
    const ids = batch.map(({ id }) => id);
    expect(await caseStudies.passagesOf(ids)).toHaveLength(7_500);
    expect((await caseStudies.byIds(ids)).map(({ id }) => id)).toEqual(ids);
  });

  test("and a concurrent one are saved one after the other", async () => {
    const { caseStudies } = await storeWithClock();
    const results = (await Promise.all([caseStudies.save([FULL]), caseStudies.save([FULL])])).flat();
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["added", "unchanged"]);
  });
});

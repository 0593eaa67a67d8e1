import { describe, expect, test } from "bun:test";
import { loadBuiltInIndustries } from "../../src/casestudies/taxonomy/packed.ts";
import { openStore } from "../../src/store.ts";
import { fill, RECORDS } from "../services/study-records.ts";
import { managed } from "./managed.ts";
import { jsonOf, problemOf } from "./opened.ts";

/** With a store that the tests can access. */
async function stored(records: readonly object[]) {
  let seconds = 0;
  const clock = () => new Date(Date.UTC(2026, 4, 4, 12, 0, seconds++));
  const store = await openStore({ dataDir: ":memory:", clock, industryNames: loadBuiltInIndustries().nameBySlug });
  const service = await managed({ store });
  await fill(service.app, records);
  return { ...service, store };
}
const opened = () => stored(RECORDS);
/** One crawled case study, whose previous version is kept. */
const crawled = () => stored([{ ...RECORDS[1], origin: "submitted" }]);

const FUEL = { metric: "cost", value: 18, unit: "%", direction: "decrease", text: "18% lower fuel cost" };
const ONE = "/admin/casestudies/tidewell-brightpine";

describe("a case study and its provenance", () => {
  test("is shown with origin, text, provenance, corrections, versions and page", async () => {
    const { manage, app } = await opened();
    expect(await jsonOf(await manage(ONE))).toEqual({
      study: await app.caseStudies.get("tidewell-brightpine"),
      origin: "imported",
      body: null,
      provenance: [],
      corrections: {},
      versions: [],
      page: null,
    });
  });

  test("its page omits fields that only the store needs", async () => {
    const { manage, app } = await opened();
    const detail = await app.caseStudies.getDetail("tidewell-brightpine");
    const page = {
      ...{ url_key: "tidewell.example/x", site_id: 1, url: "https://tidewell.example/x", state: "gone" as const },
      ...{ reason: "It answers 404.", etag: '"1"', last_modified: null, content_hash: "a1" },
      ...{ case_study_id: "tidewell-brightpine", fetched_at: "2026-05-04T12:00:00.000Z", gone_at: null },
    };
    const shown = await managed({ app: { caseStudies: { getDetail: async () => ({ ...detail, page }) } } });
    expect((await jsonOf(await shown.manage(ONE))).page).toEqual({
      url: "https://tidewell.example/x",
      state: "gone",
      reason: "It answers 404.",
      etag: '"1"',
      last_modified: null,
      content_hash: "a1",
      fetched_at: "2026-05-04T12:00:00.000Z",
      gone_at: null,
    });
    expect((await manage(ONE)).status).toBe(200);
  });

  test("corrected fields name the operator as their source, and the previous version is kept", async () => {
    const { manage, app } = await crawled();
    const before = await app.caseStudies.get("tidewell-brightpine");
    const json = {
      title: "Brightpine ships two days sooner",
      client: { name: "Brightpine AS", domain: null },
      country: null,
      outcomes: [{ metric: "time", value: 2, unit: "days", direction: "decrease", text: "Two days sooner" }],
    };
    const detail = await jsonOf(await manage(ONE, { method: "PATCH", json }));
    expect(detail.study).toMatchObject(json);
    expect(detail.corrections).toEqual(json);
    expect(detail.provenance).toEqual(
      ["/client", "/country", "/outcomes", "/title"].map((pointer) => ({
        pointer,
        engine: "operator",
        sentence: null,
        confidence: 1,
      })),
    );
    expect(detail.versions).toEqual([{ revision: 1, replaced_at: expect.stringMatching(/Z$/), study: before }]);
    expect((await app.caseStudies.get("tidewell-brightpine")).title).toBe("Brightpine ships two days sooner");
  });

  test("a removed correction restores the previous value and its reason", async () => {
    const { manage, app, store } = await crawled();
    const before = await app.caseStudies.getDetail("tidewell-brightpine");
    const told = { pointer: "/title", engine: "local" as const, sentence: "Two days sooner.", confidence: 0.7 };
    // As stored by an earlier release, for a correction that was removed.
    const gone = { pointer: "/industry", engine: "operator" as const, sentence: null, confidence: 1 };
    await store.corrections.saveProvenance("tidewell-brightpine", [gone, told]);
    for (const title of ["First", "Second"]) await manage(ONE, { method: "PATCH", json: { title } });
    await manage(ONE, { method: "PATCH", json: { country: "SE" } });
    const undone = await jsonOf(await manage(`${ONE}/corrections/title`, { method: "DELETE" }));
    expect([undone.study.title, undone.study.country]).toEqual([before.study.title, "SE"]);
    expect(undone.corrections).toEqual({ country: "SE" });
    expect(undone.provenance).toEqual([
      { pointer: "/country", engine: "operator", sentence: null, confidence: 1 },
      told,
    ]);
    const again = await manage(`${ONE}/corrections/title`, { method: "DELETE" });
    expect(await problemOf(again)).toMatchObject({ status: 404, code: "correction.not_found" });
    for (const field of ["constructor", "__proto__"]) {
      expect((await manage(`${ONE}/corrections/${field}`, { method: "DELETE" })).status).toBe(404);
    }
    const nowhere = await manage("/admin/casestudies/nowhere/corrections/title", { method: "DELETE" });
    expect((await problemOf(nowhere)).code).toBe("study.not_found");
  });

  test("a correction to the same value can be removed too", async () => {
    const { manage, app } = await crawled();
    const { title } = await app.caseStudies.get("tidewell-brightpine");
    await manage(ONE, { method: "PATCH", json: { title } });
    const undone = await jsonOf(await manage(`${ONE}/corrections/title`, { method: "DELETE" }));
    expect([undone.study.title, undone.corrections]).toEqual([title, {}]);
  });

  test.each([
    [{ indexed_at: null }, "request.invalid", "/indexed_at"],
    [{ id: "other" }, "request.invalid", "/id"],
    [{ title: 5 }, "request.invalid", "/title"],
    [{ client: { name: "A", domain: null, size: 5 } }, "request.invalid", "/client"],
    [{ quote: { text: "A" } }, "request.invalid", "/quote"],
    [{}, "request.invalid", ""],
    [{ country: "Nowhere" }, "correction.invalid", "/country"],
    [{ published_at: "yesterday" }, "correction.invalid", "/published_at"],
    [{ title: "" }, "correction.invalid", "/title"],
    [{ client: { name: "Brightpine", domain: "no domain" } }, "correction.invalid", "/client/domain"],
    [{ outcomes: [FUEL, { ...FUEL, value: null, text: "" }] }, "correction.invalid", "/outcomes/1"],
    [{ products: ["A", "A"] }, "correction.invalid", "/products"],
  ])("a correction of %p is 422 and changes nothing", async (json, code, pointer) => {
    const { manage, app } = await opened();
    const before = await app.caseStudies.getDetail("tidewell-brightpine");
    const problem = await problemOf(await manage(ONE, { method: "PATCH", json }));
    expect(problem).toMatchObject({ status: 422, code });
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
    expect(await app.caseStudies.getDetail("tidewell-brightpine")).toEqual(before);
  });

  test("a removed one is 404", async () => {
    const { manage } = await opened();
    const answer = await manage(ONE, { method: "DELETE" });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    for (const method of ["GET", "DELETE"]) {
      expect(await problemOf(await manage(ONE, { method }))).toMatchObject({ status: 404, code: "study.not_found" });
    }
    const late = await manage(ONE, { method: "PATCH", json: { title: "A" } });
    expect((await problemOf(late)).code).toBe("study.not_found");
  });
});

describe("the review list", () => {
  const LIST = "/admin/casestudies";

  /** Two case studies with higher and lower confidence, one corrected in its least confident field. */
  async function read() {
    const service = await opened();
    const told = (pointer: string, confidence: number) => ({
      pointer,
      engine: "local" as const,
      sentence: null,
      confidence,
    });
    const { corrections } = service.store;
    await corrections.saveProvenance("tidewell-brightpine", [told("/client/name", 0.3), told("/title", 0.8)]);
    await corrections.saveProvenance("tidewell-northgate", [told("/country", 0.6)]);
    return service;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
  const idsOf = (body: any): string[] => body.case_studies.map(({ id }: { id: string }) => id);

  test("starts with the lowest confidence, and ends with records that were not extracted", async () => {
    const { manage } = await read();
    const body = await jsonOf(await manage(LIST));
    expect(body.total).toBe(RECORDS.length);
    expect(idsOf(body).slice(0, 2)).toEqual(["tidewell-brightpine", "tidewell-northgate"]);
    expect(body.case_studies[0]).toEqual({
      id: "tidewell-brightpine",
      title: expect.any(String),
      url: expect.stringMatching(/^https:/),
      company: { name: expect.any(String), slug: "tidewell" },
      client: expect.objectContaining({ name: expect.any(String) }),
      industry: expect.anything(),
      published_at: expect.anything(),
      origin: "imported",
      least_sure: { pointer: "/client/name", confidence: 0.3 },
      corrected: [],
    });
    expect(body.case_studies.at(-1).least_sure).toBeNull();
  });

  test("a corrected field no longer lowers the confidence", async () => {
    const { manage } = await read();
    const client = { name: "Brightpine AS", domain: null };
    await manage(ONE, { method: "PATCH", json: { client } });
    const body = await jsonOf(await manage(LIST));
    expect(idsOf(body).slice(0, 2)).toEqual(["tidewell-northgate", "tidewell-brightpine"]);
    expect(body.case_studies[1]).toMatchObject({
      least_sure: { pointer: "/title", confidence: 0.8 },
      corrected: ["client"],
    });
    expect(idsOf(await jsonOf(await manage(`${LIST}?corrected=yes`)))).toEqual(["tidewell-brightpine"]);
    expect((await jsonOf(await manage(`${LIST}?corrected=no`))).total).toBe(RECORDS.length - 1);
  });

  test.each(["least-sure", "newest"])("is complete and without duplicates across pages, %s first", async (order) => {
    const { manage } = await read();
    const whole = idsOf(await jsonOf(await manage(`${LIST}?order=${order}`)));
    expect(new Set(whole).size).toBe(RECORDS.length);
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const body = await jsonOf(await manage(`${LIST}?order=${order}&limit=2${cursor}`));
      paged.push(...idsOf(body));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(paged).toEqual(whole);
  });

  test("is filtered by company and industry, and a cursor of the other order is refused", async () => {
    const { manage } = await read();
    const body = await jsonOf(await manage(`${LIST}?company=quayline`));
    expect(new Set(body.case_studies.map(({ company }: { company: { slug: string } }) => company.slug))).toEqual(
      new Set(["quayline"]),
    );
    const banks = await jsonOf(await manage(`${LIST}?industry=banking`));
    expect(banks.total).toBeGreaterThan(0);
    expect(banks.total).toBeLessThan(RECORDS.length);
    const { next_cursor } = await jsonOf(await manage(`${LIST}?limit=1`));
    const other = await manage(`${LIST}?limit=1&order=newest&cursor=${next_cursor}`);
    expect((await problemOf(other)).code).toBe("cursor.invalid");
  });
});

describe("companies", () => {
  test("are corrected, and found under their new slug", async () => {
    const { manage, app } = await opened();
    const json = {
      name: "Tidewell Group",
      slug: "tidewell-group",
      domain: "tidewell-group.example",
      industry: "Banking",
      logo_url: null,
    };
    const answer = await manage("/admin/companies/tidewell", { method: "PATCH", json });
    expect(await jsonOf(answer)).toEqual({ ...json, industry: "Financial Services", total_case_studies: 4 });
    expect((await app.companies.get("tidewell-group")).case_studies).toHaveLength(4);
    expect((await problemOf(await manage("/admin/companies/tidewell", { method: "PATCH", json }))).status).toBe(404);
  });

  test("are listed, searched and shown without a key", async () => {
    const { manage, app } = await opened();
    const body = await jsonOf(await manage("/admin/companies?q=tidwell"));
    expect(body).toEqual({ ...(await app.companies.find({ q: "tidwell" })) });
    expect((await jsonOf(await manage("/admin/companies?limit=1"))).next_cursor).toEqual(expect.any(String));
    const { case_studies: _, ...company } = await app.companies.get("tidewell");
    expect(await jsonOf(await manage("/admin/companies/tidewell"))).toEqual(company);
    expect((await problemOf(await manage("/admin/companies/nobody"))).code).toBe("company.not_found");
  });

  test("cannot take another company's slug, but can be merged with it", async () => {
    const { manage, app } = await opened();
    const taken = await manage("/admin/companies/tidewell", { method: "PATCH", json: { slug: "quayline" } });
    expect(await problemOf(taken)).toMatchObject({ status: 409, code: "company.exists" });
    const answer = await manage("/admin/companies/tidewell/merge", { json: { into: "quayline" } });
    expect(await jsonOf(answer)).toMatchObject({ slug: "quayline", total_case_studies: 6 });
    expect((await app.companies.find({})).total).toBe(2);
  });

  test.each([
    ["tidewell", "nowhere", 404, "company.not_found"],
    ["nowhere", "tidewell", 404, "company.not_found"],
    ["tidewell", "tidewell", 409, "company.exists"],
  ])("a merge of %s into %s is %d", async (from, into, status, code) => {
    const { manage } = await opened();
    const answer = await manage(`/admin/companies/${from}/merge`, { json: { into } });
    expect(await problemOf(answer)).toMatchObject({ status, code });
  });

  test.each([
    [{ slug: "Not a slug" }, "/slug"],
    [{ name: " " }, "/name"],
    [{ name: null }, "/name"],
    [{ domain: "x" }, "/domain"],
    [{ logo_url: "javascript:alert(1)" }, "/logo_url"],
    [{ total_case_studies: 5 }, "/total_case_studies"],
    [{}, ""],
  ])("an edit of %p is 422", async (json, pointer) => {
    const { manage } = await opened();
    const problem = await problemOf(await manage("/admin/companies/tidewell", { method: "PATCH", json }));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });
});

import { describe, expect, test } from "bun:test";
import { fill, RECORDS } from "../study-records.ts";
import { managed } from "./managed.ts";
import { jsonOf, problemOf } from "./opened.ts";

const opened = () => managed({ studies: true });

/** One case study that was crawled: what it said before is kept. */
async function crawled() {
  const service = await managed();
  await fill(service.app, [{ ...RECORDS[1], origin: "submitted" }]);
  return service;
}

const ONE = "/admin/casestudies/tidewell-brightpine";

describe("a case study and what stands behind it", () => {
  test("is shown with origin, text, provenance, corrections, versions and page", async () => {
    const { manage, app } = await opened();
    expect(await jsonOf(await manage(ONE))).toEqual({
      study: await app.getStudy("tidewell-brightpine"),
      origin: "imported",
      body: null,
      provenance: [],
      corrections: {},
      versions: [],
      page: null,
    });
  });

  test("its page is told without what only the store needs", async () => {
    const { manage, app } = await opened();
    const detail = await app.studyDetail("tidewell-brightpine");
    const page = {
      ...{ url_key: "tidewell.example/x", site_id: 1, url: "https://tidewell.example/x", state: "gone" as const },
      ...{ reason: "It answers 404.", etag: '"1"', last_modified: null, content_hash: "a1" },
      ...{ case_study_id: "tidewell-brightpine", fetched_at: "2026-05-04T12:00:00.000Z", gone_at: null },
    };
    Object.assign(app, { studyDetail: async () => ({ ...detail, page }) });
    const shown = await managed({ app: { studyDetail: app.studyDetail } });
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

  test("corrected fields say that the operator told them, and the former version is kept", async () => {
    const { manage, app } = await crawled();
    const before = await app.getStudy("tidewell-brightpine");
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
    expect((await app.getStudy("tidewell-brightpine")).title).toBe("Brightpine ships two days sooner");
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
  ])("a correction of %p is 422 and changes nothing", async (json, code, pointer) => {
    const { manage, app } = await opened();
    const before = await app.studyDetail("tidewell-brightpine");
    const problem = await problemOf(await manage(ONE, { method: "PATCH", json }));
    expect(problem).toMatchObject({ status: 422, code });
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
    expect(await app.studyDetail("tidewell-brightpine")).toEqual(before);
  });

  test("a removed one is gone", async () => {
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
    expect((await app.getCompany("tidewell-group")).case_studies).toHaveLength(4);
    expect((await problemOf(await manage("/admin/companies/tidewell", { method: "PATCH", json }))).status).toBe(404);
  });

  test("cannot take the slug of another one, but be merged with it", async () => {
    const { manage, app } = await opened();
    const taken = await manage("/admin/companies/tidewell", { method: "PATCH", json: { slug: "quayline" } });
    expect(await problemOf(taken)).toMatchObject({ status: 409, code: "company.exists" });
    const answer = await manage("/admin/companies/tidewell/merge", { json: { into: "quayline" } });
    expect(await jsonOf(answer)).toMatchObject({ slug: "quayline", total_case_studies: 6 });
    expect((await app.findCompanies({})).total).toBe(2);
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

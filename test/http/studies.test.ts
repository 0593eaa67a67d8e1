import { describe, expect, test } from "bun:test";
import { completeOutcome } from "../../src/casestudies/types.ts";
import { fill, NEWEST_FIRST, RECORDS } from "../services/study-records.ts";
import { filled, remaining } from "./filled.ts";
import { type Asked, jsonOf, type Opened, problemOf } from "./opened.ts";

const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);
const semantic = ({ get }: Awaited<ReturnType<typeof filled>>, json: unknown) =>
  get("/v1/casestudies/semantic", { json });
const batch = ({ get }: Awaited<ReturnType<typeof filled>>, queries: unknown) =>
  get("/v1/casestudies/batch", { json: { queries } });

/** The public JSON of the record with every fact. */
const NORTHGATE = {
  id: "tidewell-northgate",
  title: "Northgate Savings leaves its mainframe",
  url: "https://tidewell.example/customers/northgate",
  company: { name: "Tidewell", slug: "tidewell" },
  client: { name: "Northgate Savings", domain: "northgate.example" },
  industry: "Financial Services",
  country: "NO",
  summary: "A savings bank moved its ledger from a mainframe to the cloud.",
  challenge: "The mainframe could not keep up with card payments.",
  solution: "The ledger moved table by table over one winter.",
  outcomes: [
    completeOutcome({
      ...{ metric: "cost", value: 42, unit: "%", direction: "decrease", text: "42% lower hosting cost" },
      kind: "change",
    }),
    completeOutcome({
      metric: "latency",
      value: 120,
      unit: "milliseconds",
      direction: "absolute",
      text: "Replies within 120 ms",
      kind: "level",
    }),
  ],
  products: ["Tidewell Ledger"],
  tools: ["PostgreSQL"],
  quote: { text: "We sleep again.", person: "Ida Berg", role: "CTO" },
  published_at: "2024-03-05",
  language: "en",
  indexed_at: "2026-05-04T12:00:00.000Z",
  origin: "imported",
};

/** The public JSON of the record with the fewest facts. */
const UNNAMED = {
  id: "tidewell-unnamed",
  title: "An unnamed brewery counts its barrels",
  url: "https://tidewell.example/customers/brewery",
  company: { name: "Tidewell", slug: "tidewell" },
  client: { name: null, domain: null },
  industry: "Zymurgy",
  country: null,
  summary: "Barrels report where they stand.",
  challenge: null,
  solution: null,
  outcomes: [],
  products: [],
  tools: [],
  quote: null,
  published_at: null,
  language: null,
  indexed_at: "2026-05-04T12:00:00.000Z",
  origin: "imported",
};

describe("GET /v1/casestudies/{id}", () => {
  test("returns the record; unknown fields are null", async () => {
    const { get } = await filled();
    expect(await (await get("/v1/casestudies/tidewell-northgate")).text()).toBe(JSON.stringify(NORTHGATE));
    expect(await (await get("/v1/casestudies/tidewell-unnamed")).text()).toBe(JSON.stringify(UNNAMED));
  });

  test.each(["nothing", "tidewell", "..%2f", "%00", "a".repeat(300)])("%s is 404", async (id) => {
    const { get } = await filled();
    const { request_id, ...problem } = await problemOf(await get(`/v1/casestudies/${id}`));
    expect(problem).toEqual({
      type: "urn:casefile:problem:study.not_found",
      title: "No such case study",
      status: 404,
      detail: expect.stringMatching(/^No case study has the id "[^"]{0,120}"; search or list to find one\.$/),
      code: "study.not_found",
    });
  });

  test("a record that is not yet indexed says so", async () => {
    const { app, get } = await filled();
    const record = { ...RECORDS[3], id: "tidewell-later", url: "https://tidewell.example/later", title: "Later" };
    await app.caseStudies.importFile({
      name: "",
      content: new Blob([JSON.stringify({ ...record, summary: "Later." })]).stream(),
    });
    expect((await jsonOf(await get("/v1/casestudies/tidewell-later"))).indexed_at).toBeNull();
    await app.index.indexNow();
    expect((await jsonOf(await get("/v1/casestudies/tidewell-later"))).indexed_at).toBe("2026-05-04T12:00:00.000Z");
  });
});

describe("GET /v1/casestudies", () => {
  test("lists the records newest first, undated last", async () => {
    const { get } = await filled();
    const body = await jsonOf(await get("/v1/casestudies"));
    expect(Object.keys(body)).toEqual(["case_studies", "total", "next_cursor"]);
    expect(idsOf(body.case_studies)).toEqual(NEWEST_FIRST);
    expect([body.total, body.next_cursor]).toEqual([7, null]);
    expect(body.case_studies[4]).toEqual(NORTHGATE);
    expect(body.case_studies[6]).toEqual(UNNAMED);
  });

  const NORTHGATES = ["tidewell-northgate-cards", "tidewell-northgate"];
  const BANKS = ["tidewell-northgate-cards", "quayline-kestrel", "tidewell-northgate"];
  test.each([
    ["company=quayline", ["quayline-kestrel", "quayline-ostra"]],
    ["company=QuayLine", ["quayline-kestrel", "quayline-ostra"]],
    ["industry=financial-services", BANKS],
    ["industry=Financial%20Services", BANKS],
    ["industry=BANKING", BANKS],
    ["industry=fintech", BANKS],
    ["industry=zymurgy", ["tidewell-unnamed"]],
    ["client=Northgate%20Savings", NORTHGATES],
    ["client=NORTHGATE.example", NORTHGATES],
    ["client=Northgate", []],
    ["country=GB", ["quayline-kestrel", "quarrystone-larkfield"]],
    ["country=gb", ["quayline-kestrel", "quarrystone-larkfield"]],
    ["published_after=2024-06-30", ["tidewell-northgate-cards", "quayline-kestrel"]],
    ["published_before=2024-03-05", ["tidewell-northgate", "quayline-ostra"]],
    ["published_after=2024-03-20&published_before=2024-03-20", ["quarrystone-larkfield", "tidewell-brightpine"]],
    ["published_after=2025-01-01&published_before=2024-01-01", []],
    ["company=tidewell&industry=banking&country=no&published_after=2025-01-01", ["tidewell-northgate-cards"]],
    ["company=quayline&client=northgate.example", []],
    ["tool=postgresql", ["tidewell-northgate"]],
    ["tool=PostgreSQL&country=NO", ["tidewell-northgate"]],
    ["tool=PostgreSQL&country=GB", []],
    ["tool=Postgre", []],
    ["figures=true", ["tidewell-brightpine", "tidewell-northgate", "quayline-ostra"]],
    ["figures=true&tool=postgresql", ["tidewell-northgate"]],
  ])("%s filters", async (query, expected) => {
    const { get } = await filled();
    const body = await jsonOf(await get(`/v1/casestudies?${query}`));
    expect(idsOf(body.case_studies)).toEqual([...expected]);
    expect([body.total, body.next_cursor]).toEqual([expected.length, null]);
  });

  test.each([1, 2, 3, 6, 7, 100])("pages of %d are stable and complete", async (limit) => {
    const { get } = await filled();
    const seen: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const cursor: string = next && `&cursor=${next}`;
      const page = await jsonOf(await get(`/v1/casestudies?limit=${limit}${cursor}`));
      expect(page.total).toBe(7);
      expect(page.case_studies.length).toBeLessThanOrEqual(limit);
      seen.push(...idsOf(page.case_studies));
      next = page.next_cursor;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  test("a page continues where the previous one ended, whatever was added or removed in between", async () => {
    const { app, get } = await filled();
    const first = await jsonOf(await get("/v1/casestudies?limit=3"));
    const newest = { ...RECORDS[5], id: "quayline-newest", url: "https://quayline.example/newest", title: "New" };
    await fill(app, [{ ...newest, summary: "The newest of all.", published_at: "2026-01-01" }]);
    const second = await jsonOf(await get(`/v1/casestudies?limit=100&cursor=${first.next_cursor}`));
    expect(idsOf(second.case_studies)).toEqual(NEWEST_FIRST.slice(3));
    expect(second.total).toBe(8);
  });

  test("has twenty records per page by default", async () => {
    const { app, get } = await filled();
    const many = Array.from({ length: 30 }, (_, number) => ({
      title: `Story ${number}`,
      url: `https://tidewell.example/many/${number}`,
      company: "Tidewell",
      summary: `Plant ${number} of row ${number * 7} counts ${number * 13} bolts.`,
    }));
    await fill(app, many);
    const body = await jsonOf(await get("/v1/casestudies"));
    expect([body.case_studies.length, body.total]).toEqual([20, 37]);
  });

  test.each(["abc", "WyJjb21wYW5pZXMiLCJhIiwiYiJd", "x".repeat(1_000), "%F0%9F%98%80"])(
    "the cursor %s is refused",
    async (cursor) => {
      const { get } = await filled();
      const { code, status, detail } = await problemOf(await get(`/v1/casestudies?cursor=${cursor}`));
      expect([code, status]).toEqual(["cursor.invalid", 422]);
      expect(detail).toContain("next_cursor");
    },
  );

  test.each([
    ["limit=0", "/limit", 'Invalid limit "0": give a whole number from 1 to 100.'],
    ["limit=101", "/limit", 'Invalid limit "101": give a whole number from 1 to 100.'],
    ["limit=2.5", "/limit", 'Invalid limit "2.5": give a whole number from 1 to 100.'],
    ["limit=", "/limit", 'Invalid limit "": give a whole number from 1 to 100.'],
    [
      "published_after=2024-02-31",
      "/published_after",
      'Invalid published_after "2024-02-31": give a date as YYYY-MM-DD.',
    ],
    [
      "published_before=yesterday",
      "/published_before",
      'Invalid published_before "yesterday": give a date as YYYY-MM-DD.',
    ],
    ["tool=", "/tool", 'Invalid tool "": give a non-empty string.'],
    ["figures=yes", "/figures", 'Invalid figures "yes": give one of true, false.'],
    ["country=", "/country", 'Invalid country "": give a non-empty string.'],
    ["company=a&company=b", "/company", "Give this parameter only once."],
    ["compnay=tidewell", "/compnay", 'Unknown field "compnay": did you mean company?'],
    ["query=bank", "/query", expect.any(String)],
  ])("%s is refused", async (query, pointer, detail) => {
    const { get } = await filled();
    const problem = await problemOf(await get(`/v1/casestudies?${query}`));
    expect(problem).toMatchObject({ code: "request.invalid", status: 422 });
    expect(problem.errors?.[0]).toEqual({ pointer, detail });
  });
});

describe("POST /v1/casestudies/semantic", () => {
  test.each([
    [{ mode: "bad" }, "/mode", 'Unknown mode "bad": use hybrid, semantic or keyword.'],
    [{ mode: 7 }, "/mode", "Unknown mode 7: use hybrid, semantic or keyword."],
    [{ mod: "keyword" }, "/mod", 'Unknown field "mod": did you mean mode?'],
  ])("%j names the value and the choices", async (more, pointer, text) => {
    const { status, detail, errors } = await problemOf(await semantic(await filled(), { query: "bank", ...more }));
    expect([status, detail, errors]).toEqual([422, text, [{ pointer, detail: text }]]);
  });

  test("returns records for the trimmed query, each with its score and matching text", async () => {
    const answer = await semantic(await filled(), { query: "  bank that left its mainframe\n", limit: 2 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const body = await jsonOf(answer);
    expect(Object.keys(body)).toEqual(["query", "results"]);
    expect(body.query).toBe("bank that left its mainframe");
    const [first, second, ...more] = body.results;
    expect(first).toEqual({
      ...NORTHGATE,
      score: 0.7656,
      relevance: null,
      probability: null,
      passage: "A savings bank moved its ledger from a mainframe to the cloud.",
      highlights: [
        [10, 14],
        [39, 48],
      ],
    });
    expect([second.id, more]).toEqual(["quayline-kestrel", []]);
  });

  test("returns five results by default, with descending scores from 1 to 0", async () => {
    const service = await filled();
    const { results } = await jsonOf(await semantic(service, { query: "a savings bank" }));
    expect(results).toHaveLength(5);
    const scores: number[] = results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
    expect((await jsonOf(await semantic(service, { query: "a savings bank", limit: 50 }))).results).toHaveLength(7);
    expect((await jsonOf(await semantic(service, { query: "a savings bank", limit: 1 }))).results).toHaveLength(1);
  });

  test.each([
    [{ company: "quayline" }, ["quayline-kestrel", "quayline-ostra"]],
    [{ company: "QUAYLINE" }, ["quayline-kestrel", "quayline-ostra"]],
    [{ industry: "Banking" }, ["quayline-kestrel", "tidewell-northgate", "tidewell-northgate-cards"]],
    [{ industry: "financial-services", company: "tidewell" }, ["tidewell-northgate", "tidewell-northgate-cards"]],
    [{ industry: "ZYMURGY" }, ["tidewell-unnamed"]],
  ])("%p filters before ranking", async (filter, expected) => {
    const service = await filled();
    for (const mode of ["hybrid", "semantic"]) {
      const { results } = await jsonOf(await semantic(service, { query: "savings bank", mode, ...filter }));
      expect(idsOf(results).sort()).toEqual([...expected]);
    }
  });

  test("keyword mode finds only records with the words", async () => {
    const service = await filled();
    const found = async (query: string) =>
      idsOf((await jsonOf(await semantic(service, { query, mode: "keyword" }))).results);
    expect(await found("tablets")).toEqual(["quarrystone-larkfield"]);
    expect(await found("xylophone")).toEqual([]);
  });

  test("a query may have 1,000 characters after trimming, in any script", async () => {
    const service = await filled();
    for (const query of ["a", `${" ".repeat(900)}${"銀".repeat(1_000)}\t\n`, "' OR 1=1; --", "\ud800", "\u0000"]) {
      const answer = await semantic(service, { query });
      expect(answer.status).toBe(200);
      expect((await jsonOf(answer)).query).toBe(query.trim());
    }
  });

  test.each([
    [{}, "request.invalid", "/query"],
    [{ query: 5 }, "request.invalid", "/query"],
    [{ query: "a", limit: 0 }, "request.invalid", "/limit"],
    [{ query: "a", limit: 51 }, "request.invalid", "/limit"],
    [{ query: "a", limit: 1.5 }, "request.invalid", "/limit"],
    [{ query: "a", limit: "5" }, "request.invalid", "/limit"],
    [{ query: "a", limit: null }, "request.invalid", "/limit"],
    [{ query: "a", mode: "fuzzy" }, "request.invalid", "/mode"],
    [{ query: "a", company: "" }, "request.invalid", "/company"],
    [{ query: "a", city: "Leeds" }, "request.invalid", "/city"],
    [["a"], "request.invalid", ""],
  ])("%p is refused, and is not charged", async (json, code, pointer) => {
    const answer = await semantic(await filled(), json);
    expect(remaining(answer)).toBe(1_000);
    const problem = await problemOf(answer);
    expect(problem.status).toBe(422);
    expect(problem.code).toBe(code);
    expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer);
  });

  test("an empty, a blank and a long query get the same error", async () => {
    const service = await filled();
    for (const query of ["", " \n\t ", "a".repeat(1_001), "a".repeat(5_000)]) {
      const answer = await semantic(service, { query });
      const { status, errors } = await problemOf(answer);
      expect([status, remaining(answer)]).toEqual([422, 1_000]);
      const shown = query.trim().length > 120 ? `${"a".repeat(119)}…` : "";
      const detail = `Invalid query "${shown}": give 1 to 1,000 characters.`;
      expect(errors).toEqual([{ pointer: "/query", detail }]);
    }
  });
});

describe("POST /v1/casestudies/batch", () => {
  test("returns results in the order of the queries", async () => {
    const service = await filled();
    const body = await jsonOf(
      await batch(service, [
        { query: " tablets for schools ", limit: 1 },
        { query: "patients wait less", company: "quayline", limit: 1 },
        { query: "a bank", industry: "banking" },
        { query: "tablets for schools", limit: 1 },
      ]),
    );
    expect(Object.keys(body)).toEqual(["results"]);
    expect(body.results.map(({ query }: { query: string }) => query)).toEqual([
      "tablets for schools",
      "patients wait less",
      "a bank",
      "tablets for schools",
    ]);
    expect(idsOf(body.results[0].results)).toEqual(["quarrystone-larkfield"]);
    expect(idsOf(body.results[1].results)).toEqual(["quayline-ostra"]);
    expect(body.results[2].results).toHaveLength(3);
    expect(body.results[3]).toEqual(body.results[0]);
  });

  test("a query in a batch has the same result as alone", async () => {
    const service = await filled();
    const alone = await (await semantic(service, { query: "a savings bank" })).text();
    const { results } = await jsonOf(await batch(service, [{ query: "a savings bank" }]));
    expect(results).toHaveLength(1);
    expect(results[0].results).toHaveLength(5);
    expect(JSON.stringify(results[0])).toBe(alone);
  });

  test.each([
    [
      "the fourth's limit",
      [{ query: "a" }, { query: "b" }, { query: "c" }, { query: "d", limit: 51 }],
      "/queries/3/limit",
    ],
    ["a blank one", [{ query: "a" }, { query: " " }], "/queries/1/query"],
    ["a blank one alone", [{ query: " " }], "/queries/0/query"],
    ["a long one", [{ query: "a" }, { query: "b" }, { query: "c".repeat(1_001) }], "/queries/2/query"],
    ["one without a query", [{ query: "a" }, { industry: "banking" }], "/queries/1/query"],
    ["an unknown field", [{ query: "a", mode: "keyword" }], "/queries/0/mode"],
    ["one that is no object", [{ query: "a" }, "b"], "/queries/1"],
    ["none at all", [], "/queries"],
    ["eleven", Array.from({ length: 11 }, () => ({ query: "a" })), "/queries"],
    ["what is no list", { query: "a" }, "/queries"],
  ])("%s refuses the whole batch, names the position, and is not charged", async (_, queries, pointer) => {
    const answer = await batch(await filled(), queries);
    expect(remaining(answer)).toBe(1_000);
    const problem = await problemOf(answer);
    expect(problem.status).toBe(422);
    expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer);
  });

  test("counts one for each query", async () => {
    const service = await filled();
    const ten = Array.from({ length: 10 }, (_, number) => ({ query: `bank ${number}` }));
    expect(remaining(await batch(service, ten))).toBe(990);
    expect(remaining(await batch(service, ten.slice(0, 3)))).toBe(987);
  });

  test("that exceeds the remaining quota is refused as a whole, and the remainder stays usable", async () => {
    const service = await filled({ monthlyLimit: 3 });
    const four = Array.from({ length: 4 }, () => ({ query: "bank" }));
    const answer = await batch(service, four);
    expect([answer.status, remaining(answer)]).toEqual([429, 3]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await problemOf(answer)).code).toBe("quota.exceeded");
    const fitting = await batch(service, four.slice(0, 3));
    expect([fitting.status, remaining(fitting)]).toEqual([200, 0]);
    expect((await semantic(service, { query: "bank" })).status).toBe(429);
  });

  test("of many concurrent batches, as many succeed as the quota allows", async () => {
    const service = await filled({ monthlyLimit: 10 });
    const three = Array.from({ length: 3 }, () => ({ query: "bank" }));
    const answers = await Promise.all(Array.from({ length: 8 }, () => batch(service, three)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect((await semantic(service, { query: "bank" })).status).toBe(200);
  });

  test("that fails with a 500 is refunded", async () => {
    const search = () => Promise.reject(new Error("lance"));
    const service = await filled({ app: { caseStudies: { search } } });
    const answer = await batch(service, [{ query: "a" }, { query: "b" }]);
    expect([answer.status, remaining(answer)]).toEqual([500, 1_000]);
  });
});

const ROUTES: readonly [string, Asked][] = [
  ["/v1/casestudies", {}],
  ["/v1/casestudies?limit=0", {}],
  ["/v1/casestudies/tidewell-northgate", {}],
  ["/v1/casestudies/semantic", { json: { query: "bank" } }],
  ["/v1/casestudies/semantic", { json: { query: "" } }],
  ["/v1/casestudies/batch", { json: { queries: [] } }],
  ["/v1/companies", {}],
  ["/v1/companies?typo=1", {}],
  ["/v1/companies/tidewell", {}],
  ["/v1/companies/nobody/analysis", {}],
  ["/v1/companies/tidewell/timeline", {}],
  ["/v1/compare", { json: { companies: ["tidewell"] } }],
  ["/v1/compare", { json: {} }],
];

test.each(ROUTES)("%s without a key is 401 even with other errors", async (path, asked) => {
  const { ask } = await filled();
  const answer = await ask(path, asked);
  expect(answer.headers.has("ratelimit")).toBe(false);
  expect((await problemOf(answer)).code).toBe("key.invalid");
});

describe("every list and record", () => {
  const GETS = ROUTES.filter(([path, { json }]) => json === undefined && !/limit=0|typo|nobody/.test(path));

  test.each(GETS)("%s has an ETag, and a matching request is an uncharged 304", async (path) => {
    const { get } = await filled();
    const first = await get(path);
    expect([first.status, remaining(first)]).toEqual([200, 999]);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag") ?? "";
    const again = await get(path, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), remaining(again)]).toEqual([304, "", 999]);
    expect(again.headers.get("etag")).toBe(etag);
    expect((await get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test.each(GETS)("%s does not accept HEAD", async (path) => {
    const { get } = await filled();
    const answer = await get(path, { method: "HEAD" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    expect(remaining(await get("/v1/casestudies/nothing"))).toBe(1_000);
  });

  test("has a new ETag after a change", async () => {
    const { app, get } = await filled();
    const before = (await get("/v1/companies/quayline")).headers.get("etag") ?? "";
    await fill(app, [{ ...RECORDS[4], title: "Ostra Clinic has no waiting room" }]);
    const after = await get("/v1/companies/quayline", { headers: { "if-none-match": before } });
    expect(after.status).toBe(200);
    expect(await after.text()).toContain("Ostra Clinic has no waiting room");
  });
});

test.each([
  ["/v1/casestudies", "POST", "GET"],
  ["/v1/casestudies/semantic", "PUT", "POST"],
  ["/v1/casestudies/tidewell-northgate", "DELETE", "GET"],
  ["/v1/companies", "POST", "GET"],
  ["/v1/companies/tidewell/analysis", "POST", "GET"],
  ["/v1/compare", "GET", "POST"],
])("%s refuses %s and lists the accepted values", async (path, method, allow) => {
  const { get } = await filled();
  const answer = await get(path, { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

test("the statistics count the stored records", async () => {
  const { ask } = await filled();
  expect(await jsonOf(await ask("/v1/stats"))).toEqual({
    companies: 3,
    case_studies: 7,
    by_origin: { starter: 0, submitted: 0, imported: 7 },
    industries: 5,
    tools: 2,
    categories: 1,
    domains_enriched: 0,
    updated_at: "2026-05-04T12:00:00.000Z",
    version: "1.2.3",
  });
});

test("an aborted search is not logged as an error", async () => {
  const search: Opened["app"]["caseStudies"]["search"] = (_, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const { get, logged } = await filled({ app: { caseStudies: { search } } });
  const client = new AbortController();
  const answer = get("/v1/casestudies/semantic", { json: { query: "bank" }, signal: client.signal });
  await Bun.sleep(0);
  client.abort();
  expect((await answer).status).toBe(499);
  expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

const SEMANTIC = "/v1/casestudies/semantic";
const NOBODY = 'No company has the slug "nobody": search companies to find the slug.';
const TIDEWELL = 'No company has the slug "tidewel": did you mean tidewell?';
const FINANCIAL = 'Unknown industry "Finacial": did you mean Financial Services?';
const ANY_OTHER =
  "Unknown industry \"o'hare' or 1=1 --\": use a name such as Financial Services, Education, Healthcare.";

describe("a name in a filter that does not exist is 404", () => {
  const UNKNOWN: readonly (readonly [string, unknown, string, string, string])[] = [
    ["/v1/casestudies?company=nobody", undefined, "/company", "company.not_found", NOBODY],
    ["/v1/casestudies?industry=Finacial", undefined, "/industry", "industry.not_found", FINANCIAL],
    ["/v1/companies?industry=Finacial", undefined, "/industry", "industry.not_found", FINANCIAL],
    [SEMANTIC, { query: "a", company: "tidewel" }, "/company", "company.not_found", TIDEWELL],
    [SEMANTIC, { query: "a", industry: "o'hare' or 1=1 --" }, "/industry", "industry.not_found", ANY_OTHER],
    [
      "/v1/casestudies/batch",
      { queries: [{ query: "a" }, { query: "a", company: "nobody" }] },
      "/queries/1/company",
      "company.not_found",
      NOBODY,
    ],
    ["/v1/compare", { companies: ["tidewell"], industry: "Finacial" }, "/industry", "industry.not_found", FINANCIAL],
  ];

  test.each(UNKNOWN)("%s %j", async (path, json, pointer, code, detail) => {
    const { get } = await filled();
    const answer = await get(path, json === undefined ? {} : { json });
    expect(answer.status).toBe(404);
    expect(await problemOf(answer)).toMatchObject({ code, detail, errors: [{ pointer, detail }] });
  });

  test.each([
    ["GBR", 'Unknown country "GBR": use two letters, such as DE, or an English name.'],
    ["Germny", 'Unknown country "Germny": did you mean Germany?'],
  ])("except a country, which is invalid: %s", async (country, detail) => {
    const { get } = await filled();
    const answer = await get(`/v1/casestudies?country=${country}`);
    expect(answer.status).toBe(422);
    expect(await problemOf(answer)).toMatchObject({ code: "query.invalid", detail });
    for (const [path, json, pointer] of [
      [SEMANTIC, { query: "a", country }, "/country"],
      ["/v1/casestudies/answer", { query: "a", country }, "/country"],
      ["/v1/casestudies/batch", { queries: [{ query: "a" }, { query: "a", country }] }, "/queries/1/country"],
    ] as const) {
      const refused = await get(path, { json });
      expect(refused.status).toBe(422);
      expect(await problemOf(refused)).toMatchObject({ code: "query.invalid", detail, errors: [{ pointer, detail }] });
    }
  });

  test("a country is given by its code or its English name", async () => {
    const { get } = await filled();
    const ids = async (country: string) => {
      const { case_studies } = await jsonOf(await get(`/v1/casestudies?country=${country}`));
      return case_studies.map(({ id }: { id: string }) => id);
    };
    expect(await ids("NO")).not.toEqual([]);
    for (const name of ["no", "Norway", "NORWAY"]) expect(await ids(name)).toEqual(await ids("NO"));
    const { results } = await jsonOf(
      await get(SEMANTIC, { json: { query: "a bank", country: "Norway", mode: "keyword", limit: 50 } }),
    );
    expect(results.length).toBeGreaterThan(0);
    for (const study of results) expect(study.country).toBe("NO");
  });

  test("a tool limits searches and answers to the case studies that name it", async () => {
    const { get } = await filled();
    const question = { query: "a bank", tool: "postgreSQL " };
    const idsIn = (results: readonly { id: string }[]) => results.map(({ id }) => id);
    const found = await jsonOf(await get(SEMANTIC, { json: { ...question, limit: 50 } }));
    expect(idsIn(found.results)).toEqual(["tidewell-northgate"]);
    const { groups } = await jsonOf(await get("/v1/casestudies/answer", { json: question }));
    const cited = groups.flatMap(({ citations }: { citations: readonly { id: string }[] }) => idsIn(citations));
    expect(new Set(cited)).toEqual(new Set(["tidewell-northgate"]));
    const queries = [question, { query: "a bank", tool: "Zebrafish" }];
    const batch = await jsonOf(await get("/v1/casestudies/batch", { json: { queries } }));
    expect(batch.results.map(({ results }: { results: { id: string }[] }) => idsIn(results))).toEqual([
      ["tidewell-northgate"],
      [],
    ]);
  });
});

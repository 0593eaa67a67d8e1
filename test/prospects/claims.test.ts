import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Rule } from "../../src/detection/fingerprints/types.ts";
import type { Detection, SourceOutcome, SourceStatus } from "../../src/detection/types.ts";
import { openStore, type Store } from "../../src/store.ts";
import { ruleOf, toolOf } from "../detection/fingerprints/record-of.ts";
import { jsonOf, type Opened, open, problemOf } from "../http/opened.ts";
import { seenOf } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

const AT = "2026-05-04T12:00:00.000Z";
const scriptRule = (host: string, rest: Partial<Rule> = {}) => ruleOf({ host }, { see: "html.script", ...rest });

/** The vendor Tidewell has one product that pages show; Quayline has one that only texts name. */
const TOOLS = [
  toolOf([scriptRule("cdn.tidewell.example")], { id: "tidewell", name: "Tidewell", category: "analytics" }),
  toolOf([scriptRule("cdn.gauge.example")], { id: "gauge", name: "Gauge", category: "analytics" }),
  toolOf([scriptRule("cdn.postbox.example")], { id: "postbox", name: "Postbox", category: "email" }),
  toolOf([scriptRule("quayline.example", { means: "mentions" })], { id: "quayline", name: "Quayline" }),
];

let store: Store;
let opened: Opened;
let key: string;
let token: string | null;

const outcome = (source: string, status: SourceStatus = "ok", detail: string | null = null): SourceOutcome => ({
  source,
  status,
  detail,
  duration_ms: 1,
});
const PAGE_CHECKED = [outcome("home-page"), outcome("browser", "skipped")];

async function saw(domain: string, detections: readonly Detection[], sources = PAGE_CHECKED, scanned_at = AT) {
  await store.scans.save({ domain, report: { domain, detections, sources, scanned_at, duration_ms: 1 } });
}

const claimOf = async (id: string) =>
  (await jsonOf(await opened.ask(`/v1/casestudies/${id}?include=claim`, { key }))).claim;
const seen = (tool: string, category = "Analytics") => seenOf(tool, category);

beforeAll(async () => {
  store = await openStore({ dataDir: ":memory:", clock: () => new Date(AT) });
  opened = await open({ store, fingerprints: TOOLS });
  await fill(opened.app);
  key = await opened.key();
  ({ token } = await opened.app.operator.ensureOperatorToken());
});
afterAll(() => opened.app.close());

describe("a claim", () => {
  test("is not checked without a stored report, and no read starts a scan", async () => {
    expect(await claimOf("tidewell-northgate")).toEqual({
      status: "not_checked",
      since: null,
      evidence: null,
      checked_at: null,
    });
    expect(opened.calls).toEqual([]);
  });

  test("cannot be seen where no rule of the product proves use", async () => {
    expect(await claimOf("quayline-kestrel")).toMatchObject({ status: "cannot_be_seen" });
  });

  test("is absent where the client's domain is unknown, and unless it is requested", async () => {
    expect(await claimOf("quayline-ostra")).toBeUndefined();
    expect(await jsonOf(await opened.ask("/v1/casestudies/tidewell-northgate", { key }))).not.toHaveProperty("claim");
  });

  test("is not decided by what is only likely", async () => {
    await saw("brightpine.example", [{ ...seen("Tidewell"), confidence: 0.7 }]);
    expect(await claimOf("tidewell-brightpine")).toMatchObject({
      status: "not_checked",
      evidence: null,
      checked_at: AT,
    });
  });

  test("is not decided by what the client did not set up", async () => {
    const called = seen("Tidewell").evidence.map((each) => ({ ...each, value: "https://sync.tidewell.example/match" }));
    await saw("brightpine.example", [{ ...seen("Tidewell"), evidence: called }]);
    expect(await claimOf("tidewell-brightpine")).toMatchObject({ status: "not_checked", evidence: null });
  });

  test("is corroborated by a detection, with its date and evidence", async () => {
    await saw("brightpine.example", [seen("Tidewell")]);
    expect(await claimOf("tidewell-brightpine")).toEqual({
      status: "corroborated",
      since: AT,
      evidence: {
        tool: "Tidewell",
        category: "Analytics",
        means: "runs",
        signal: "html.script",
        value: "https://cdn.tidewell.test/loader.js",
        location: "https://brightpine.test/",
        spans_products: false,
      },
      checked_at: AT,
    });
  });

  const cases: readonly [string, readonly SourceOutcome[], readonly Detection[], string][] = [
    ["every source able to see it was checked", PAGE_CHECKED, [seen("Postbox", "Email")], "not_seen"],
    ["a tool of its category is seen instead", PAGE_CHECKED, [seen("Gauge")], "replaced"],
    ["another is only likely", PAGE_CHECKED, [{ ...seen("Gauge"), confidence: 0.7 }], "not_seen"],
    ["the source failed", [outcome("home-page", "failed")], [seen("Gauge")], "not_checked"],
    ["the source was checked in part", [outcome("home-page", "ok", "One failed.")], [], "not_checked"],
    ["the source was not asked", [outcome("mail-dns")], [], "not_checked"],
    [
      "another source that can see it timed out",
      [outcome("home-page"), outcome("browser", "timeout")],
      [],
      "not_checked",
    ],
  ];
  test.each(cases)("without the tool, where %s", async (_, sources, detections, status) => {
    await saw("northgate.example", detections, [...sources]);
    expect(await claimOf("tidewell-northgate")).toMatchObject({ status, checked_at: AT });
  });

  test("of a tool that another source saw before needs that source", async () => {
    const before = seenOf("Tidewell", "Analytics", {
      evidence: seen("Tidewell").evidence.map((evidence) => ({ ...evidence, source: "aliases" })),
    });
    await saw("northgate.example", [before], PAGE_CHECKED, "2026-05-01T00:00:00.000Z");
    await saw("northgate.example", [], PAGE_CHECKED, "2026-05-05T00:00:00.000Z");
    expect(await claimOf("tidewell-northgate")).toMatchObject({ status: "not_checked" });
    await saw("northgate.example", [], [...PAGE_CHECKED, outcome("aliases", "empty")], "2026-05-06T00:00:00.000Z");
    expect(await claimOf("tidewell-northgate")).toMatchObject({ status: "not_seen" });
  });
});

describe("lists", () => {
  test("filter by claim, page by page", async () => {
    const list = async (query: string) => jsonOf(await opened.ask(`/v1/casestudies?${query}`, { key }));
    const first = await list("claim=not_seen&limit=1&include=claim");
    expect(first).toMatchObject({ total: 2, case_studies: [{ id: "tidewell-northgate-cards" }] });
    expect(first.case_studies[0].claim.status).toBe("not_seen");
    const second = await list(`claim=not_seen&limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ next_cursor: null, case_studies: [{ id: "tidewell-northgate" }] });
    expect((await list("claim=corroborated&industry=logistics")).total).toBe(1);
    expect((await list("claim=corroborated&industry=banking")).total).toBe(0);
    const refused = await opened.ask(`/v1/casestudies?cursor=${first.next_cursor}`, { key });
    expect((await problemOf(refused)).code).toBe("cursor.invalid");
  });

  test("search results carry claims on request", async () => {
    const body = { query: "parcels", limit: 1, mode: "keyword", include: "claim" };
    const { results } = await jsonOf(await opened.ask("/v1/casestudies/semantic", { key, json: body }));
    expect(results[0]).toMatchObject({ id: "tidewell-brightpine", claim: { status: "corroborated" } });
    const idsOf = async (claim: string, limit: number) => {
      const json = { query: "parcels mainframe", limit, mode: "keyword", claim };
      const found = await jsonOf(await opened.ask("/v1/casestudies/semantic", { key, json }));
      return found.results.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf("corroborated", 5)).toEqual(["tidewell-brightpine"]);
    expect(await idsOf("not_seen", 1)).toEqual(["tidewell-northgate"]);
    expect(await idsOf("replaced", 5)).toEqual([]);
  });

  test("a vendor counts each client once", async () => {
    const vendor = await jsonOf(await opened.ask("/v1/companies/tidewell?include=claims", { key }));
    expect(vendor.claims).toEqual({
      clients: 2,
      corroborated: 1,
      replaced: 0,
      not_seen: 1,
      cannot_be_seen: 0,
      not_checked: 0,
    });
  });
});

test("the operator links a vendor to other fingerprints, and takes it back", async () => {
  const ask = async (method: string, json?: unknown) =>
    opened.ask("/admin/vendor-tools/tidewell", { method, json, operator: token });
  expect(await jsonOf(await ask("GET"))).toEqual({ vendor: "tidewell", tools: ["tidewell"], origin: "names" });
  expect(await jsonOf(await ask("PUT", { tools: [] }))).toEqual({ vendor: "tidewell", tools: [], origin: "operator" });
  expect(await claimOf("tidewell-brightpine")).toMatchObject({ status: "cannot_be_seen" });
  expect(await problemOf(await ask("PUT", { tools: ["gone"] }))).toMatchObject({ code: "tool.not_found" });
  expect(await jsonOf(await ask("DELETE"))).toMatchObject({ origin: "names" });
  expect(await claimOf("tidewell-brightpine")).toMatchObject({ status: "corroborated" });
});

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Detection, Report, SourceOutcome } from "../../src/detection/types.ts";
import { createStackService, matchedTexts } from "../../src/stack/service.ts";
import { openStore, type Store } from "../../src/store.ts";
import { catalogueOf } from "../detection/catalogue-of.ts";
import { toolOf } from "../detection/fingerprints/record-of.ts";

const CATALOGUE = catalogueOf(toolOf([]), toolOf([], { id: "gadget", name: "Gadget" }));

const LIVE = ["home", "mail"].map((source): SourceOutcome => ({ source, status: "ok", duration_ms: 1, detail: null }));

const detection = (tool: string, category: string, confidence = 0.9): Detection => ({
  ...{ id: tool.toLowerCase(), tool, category, vendor: tool, website: "https://gauge.test", version: null },
  ...{ confidence, means: "runs" },
  evidence: [
    {
      source: "home",
      signal: "html.script",
      value: "x",
      location: "",
      rule: `${tool.toLowerCase()}/tag`,
      strength: "strong",
    },
  ],
});

function reportOf(domain: string, day: number, detections: readonly Detection[], more: Partial<Report> = {}): Report {
  const scanned_at = `2026-05-0${day}T00:00:00.000Z`;
  return { domain, detections, sources: LIVE, scanned_at, duration_ms: 1, ...more };
}

const serviceOn = (
  store: Store,
  onError = (_: string, error: unknown): void => {
    throw error;
  },
  minConfidence = 0.5,
) =>
  createStackService({
    stack: store.stack,
    scans: store.scans,
    feedback: store.feedback,
    catalogue: CATALOGUE,
    allowedReservedTlds: ["test"],
    minConfidence,
    onError,
  });

async function scanned(...reports: Report[]) {
  const store = await openStore({ dataDir: ":memory:" });
  for (const report of reports) await store.scans.save({ domain: report.domain, report });
  return { store, stack: serviceOn(store) };
}

const names = ({ domains }: { domains: readonly { domain: string }[] }) => domains.map(({ domain }) => domain);

const widget = detection("Widget", "Analytics");
const gadget = detection("Gadget", "Analytics");
const hint = detection("Gadget", "Analytics", 0.3);
const SIGNALS = { scripts: ["cdn.stranger.test"], txt: ["stranger-verify="], cnames: ["edge.host.test"] };

const threeCompanies = () =>
  scanned(
    reportOf("acme.test", 1, [widget]),
    reportOf("acme.test", 3, [widget, gadget], { raw_signals: SIGNALS }),
    reportOf("brightpine.test", 2, [widget], { possible: [hint] }),
    reportOf("fernhill.example", 2, [gadget]),
  );

test("companies are found by tools, categories, confidence, dates, signals and top-level domain", async () => {
  const { stack, store } = await threeCompanies();
  const found = async (...[question]: Parameters<typeof stack.search>) => names(await stack.search(question));
  expect(await found({ all: ["widget"] })).toEqual(["acme.test", "brightpine.test"]);
  expect(await found({ all: ["Widget"], none: ["gadget"] })).toEqual(["brightpine.test"]);
  expect(await found({ any: ["widget", "gadget"], top_level: ["example"] })).toEqual(["fernhill.example"]);
  expect(await found({ all: [{ category: "analytics" }] })).toHaveLength(3);
  expect(await found({ all: ["gadget"], min_confidence: 0.2 })).toHaveLength(3);
  expect(await found({ all: [{ tool: "gadget", appeared_since: "2026-05-02" }] })).toEqual(["acme.test"]);
  expect(await found({ all: [{ tool: "gadget", appeared_until: "2026-05-02" }] })).toEqual([]);
  expect(await found({ all: [{ tool: "widget", seen_since: "2026-05-03" }] })).toEqual(["acme.test"]);
  expect(await found({ all: [{ script: "stranger.test" }] })).toEqual(["acme.test"]);
  expect(await found({ all: [{ txt: "stranger-" }, { cname: "edge.host.test" }] })).toEqual(["acme.test"]);
  expect(await found({ all: [{ script: "ranger.test" }] })).toEqual([]);
  expect(await found({ scanned_until: "2026-05-02" })).toEqual(["brightpine.test", "fernhill.example"]);
  expect(await found({ prefix: "BRIGHT" })).toEqual(["brightpine.test"]);
  expect((await stack.search({ all: ["gadget"] }, { limit: 1 })).domains[0]).toEqual({
    domain: "acme.test",
    scanned_at: "2026-05-03T00:00:00.000Z",
    first_scanned_at: "2026-05-01T00:00:00.000Z",
    tools_detected: 2,
    matched: [
      {
        tool_id: "gadget",
        tool: "Gadget",
        category: "Analytics",
        state: "in_use",
        confidence: 0.9,
        first_seen: "2026-05-03",
        last_seen: "2026-05-03",
        appeared: true,
        gone_since: null,
      },
    ],
    signals: [],
  });
  expect((await stack.search({ all: [{ script: "stranger.test" }] })).domains[0]?.signals).toEqual([
    { kind: "script", value: "cdn.stranger.test" },
  ]);
  await store.close();
});

test("a company whose tool is gone is listed with the tool and its dates", async () => {
  const { stack, store } = await scanned(
    reportOf("acme.test", 1, [widget, gadget]),
    reportOf("acme.test", 3, [widget]),
    reportOf("acme.test", 5, [widget]),
  );
  const gone = { all: [{ tool: "gadget", gone_since: "2026-05-02" }] };
  const [company] = (await stack.search(gone)).domains;
  expect(company?.matched).toEqual([
    {
      ...{ tool_id: "gadget", tool: "Gadget", category: "Analytics", state: "gone", confidence: 0.9 },
      ...{ first_seen: "2026-05-01", last_seen: "2026-05-01", appeared: false, gone_since: "2026-05-03" },
    },
  ]);
  expect(company && matchedTexts(company)).toEqual(["Gadget (last seen 2026-05-01, gone since 2026-05-03)"]);
  expect(await Array.fromAsync(await stack.export(gone))).toMatchObject([
    { matched: ["Gadget"], last_seen: "2026-05-01", gone_since: "2026-05-03" },
  ]);
  const used = (await stack.search({ all: ["widget"] })).domains[0];
  expect(used && matchedTexts(used)).toEqual(["Widget (first seen 2026-05-01)"]);
  await store.close();
});

test("tools have their number of companies and their dates", async () => {
  const { stack, store } = await threeCompanies();
  const { tools, total } = await stack.tools({ q: "dget" });
  expect(total).toBe(2);
  expect(tools).toEqual([
    {
      id: "gadget",
      name: "Gadget",
      category: "Analytics",
      companies: 2,
      first_seen: "2026-05-02",
      last_seen: "2026-05-03",
    },
    {
      id: "widget",
      name: "Widget",
      category: "Analytics",
      companies: 2,
      first_seen: "2026-05-01",
      last_seen: "2026-05-03",
    },
  ]);
  const first = await stack.tools({}, { limit: 1 });
  const second = await stack.tools({}, { limit: 1, cursor: first.next_cursor ?? "" });
  expect([...first.tools, ...second.tools].map(({ id }) => id)).toEqual(["gadget", "widget"]);
  expect(await stack.tool("WIDGET")).toMatchObject({ id: "widget", companies: 2 });
  await store.close();
});

test("unknown tools and contradictory conditions are refused", async () => {
  const { stack, store } = await threeCompanies();
  const refusal = (question: Parameters<typeof stack.search>[0]) =>
    stack.search(question).then(
      () => "none",
      (error) => error.code,
    );
  expect(await refusal({ all: ["widgt"] })).toBe("tool.not_found");
  expect(await refusal({ all: [{ category: "Nothing" }] })).toBe("query.invalid");
  expect(await refusal({ all: [{}] })).toBe("query.invalid");
  expect(await refusal({ all: [{ tool: "widget", category: "Analytics" }] })).toBe("query.invalid");
  expect(await refusal({ all: [{ tool: "widget", seen_since: "soon" }] })).toBe("query.invalid");
  expect(await refusal({ all: [{ tool: "widget", seen_since: "2026-05-01", gone_since: "2026-05-01" }] })).toBe(
    "query.invalid",
  );
  expect(await refusal({ all: [{ script: "x" }] })).toBe("query.invalid");
  expect(await stack.history("nobody.test").catch((error) => error.code)).toBe("history.not_found");
  expect(await stack.history("nobody.test").catch((error) => error.message)).toContain("add a recording with");
  expect(await stack.history("nobody.com").catch((error) => error.message)).toContain("scan it first.");
  await store.close();
});

test("a company has as many tools as its newest result, without false positives and what that missed once", async () => {
  const { stack, store } = await scanned(
    reportOf("acme.test", 1, [widget, gadget]),
    reportOf("acme.test", 2, [widget], { possible: [hint] }),
  );
  const detected = async () => (await stack.search({ prefix: "acme.test" })).domains[0]?.tools_detected;
  expect(await detected()).toBe(1);
  // It is in use until a second result misses it.
  expect((await stack.history("acme.test")).tools.map(({ tool_id, state }) => [tool_id, state])).toContainEqual([
    "gadget",
    "unconfirmed",
  ]);
  await store.feedback.save({
    domain: "acme.test",
    tool_id: "widget",
    tool: "Widget",
    rules: ["widget/tag"],
    note: null,
  });
  expect(await detected()).toBe(0);
  await store.close();
});

test("a company in the index has the tools of the view on all its recordings as soon as that is stored", async () => {
  const { store } = await scanned(
    reportOf("acme.test", 1, [gadget]),
    reportOf("acme.test", 2, [widget], { possible: [hint] }),
  );
  const counts = async (minimum: number) =>
    (await serviceOn(store, undefined, minimum).search({ prefix: "acme.test" })).domains[0]?.tools_detected;
  expect(await counts(0.5)).toBe(1);
  const { scan_id } = await store.scans.snapshots("acme.test");
  const view = reportOf("acme.test", 2, [widget, detection("Gadget", "Analytics", 0.6)]);
  await store.scans.saveView(scan_id, view);
  expect(await counts(0.5)).toBe(2);
  // Those that `scan.min_confidence` asks for.
  await store.scans.saveView(scan_id, view);
  expect(await counts(0.7)).toBe(1);
  await store.close();
});

test("a false positive leaves the index and the history, and returns when it is withdrawn", async () => {
  const { stack, store } = await threeCompanies();
  expect((await stack.search({ all: ["gadget"] })).total).toBe(2);
  const report = { domain: "acme.test", tool_id: "gadget", tool: "Gadget", rules: ["gadget/tag"], note: null };
  await store.feedback.save(report);
  expect(names(await stack.search({ all: ["gadget"] }))).toEqual(["fernhill.example"]);
  expect((await stack.history("acme.test")).changes).toEqual([]);
  await store.feedback.delete("acme.test", "gadget");
  expect((await stack.search({ all: ["gadget"] })).total).toBe(2);
  expect((await stack.history("acme.test")).changes).toHaveLength(1);
  await store.close();
});

test("a lost index, and the scans of an earlier release, are indexed again", async () => {
  const { stack, store } = await threeCompanies();
  const before = await stack.search({ all: ["widget"] });
  await store.stack.reset();
  expect(await serviceOn(store).search({ all: ["widget"] })).toEqual(before);
  await store.close();
});

test("a damaged index is made again", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-stack-"));
  const store = await openStore({ dataDir });
  for (const domain of ["acme.test", "brightpine.test"])
    await store.scans.save({ domain, report: reportOf(domain, 1, [widget]) });
  const errors: unknown[] = [];
  const stack = serviceOn(store, (_, error) => void errors.push(error));
  expect((await stack.search({ all: ["widget"] })).total).toBe(2);
  await store.stack.merge();
  const other = new Database(join(dataDir, "casefile.sqlite"));
  expect(other.run("update stack_postings set content = x'0f00000001000000'").changes).toBeGreaterThan(0);
  other.close();
  expect(names(await stack.search({ all: ["widget"] }))).toEqual(["acme.test", "brightpine.test"]);
  expect(errors).toHaveLength(1);
  await store.close();
  await rm(dataDir, { recursive: true });
});

test("an export has a row for each company", async () => {
  const { stack, store } = await threeCompanies();
  const rows = await Array.fromAsync(await stack.export({ all: ["widget"] }));
  expect(rows).toEqual([
    {
      domain: "acme.test",
      scanned_at: "2026-05-03T00:00:00.000Z",
      tools_detected: 2,
      matched: ["Widget"],
      confidence: 0.9,
      first_seen: "2026-05-01",
      last_seen: "2026-05-03",
      gone_since: null,
      signals: [],
    },
    {
      domain: "brightpine.test",
      scanned_at: "2026-05-02T00:00:00.000Z",
      tools_detected: 1,
      matched: ["Widget"],
      confidence: 0.9,
      first_seen: "2026-05-02",
      last_seen: "2026-05-02",
      gone_since: null,
      signals: [],
    },
  ]);
  await store.close();
});

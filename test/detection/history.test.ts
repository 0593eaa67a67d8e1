import { expect, test } from "bun:test";
import { readRecentScans, readScanChanges } from "../../src/detection/history.ts";
import { LEAST } from "../../src/detection/levels.ts";
import { detectedIn } from "../../src/detection/presenter.ts";
import type { Detection, Report, SourceOutcome } from "../../src/detection/types.ts";
import { openStore } from "../../src/store.ts";
import { catalogueOf } from "./catalogue-of.ts";

/** A tool that one data source detected: `Gauge@home`. */
const detection = (text: string): Detection => {
  const [tool = "", source = ""] = text.split("@");
  const evidence = {
    source,
    signal: "html.script",
    value: "x",
    location: "",
    rule: "x/y",
    strength: "strong",
  } as const;
  return {
    ...{ id: tool.toLowerCase(), tool, category: "Analytics", vendor: tool, website: "https://gauge.test" },
    ...{ version: null, confidence: 0.9, means: "runs", evidence: [evidence] },
  };
};
type Statuses = Readonly<Record<string, SourceOutcome["status"]>>;
const LIVE: Statuses = { home: "ok", mail: "ok" };
const HAR: Statuses = { home: "ok", mail: "skipped" };
const RECORDS: Statuses = { home: "skipped", mail: "ok" };

const report = (domain: string, scanned_at: string, statuses: Statuses, ...tools: string[]): Report => ({
  ...{ domain, scanned_at, duration_ms: 1, detections: tools.map(detection) },
  sources: Object.entries(statuses).map(([source, status]) => ({ source, status, duration_ms: 1, detail: null })),
});
const onDay = (day: number, statuses: Statuses, ...tools: string[]) =>
  report("brightpine.test", `2026-05-0${day}T00:00:00.000Z`, statuses, ...tools);

async function scanned(...reports: Report[]) {
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(), industryNames: new Map() });
  for (const each of reports) await store.scans.save({ domain: each.domain, report: each });
  const { scans, feedback } = store;
  return {
    scans,
    feedback,
    falsePositives: feedback.ofDomain,
    requires: () => [],
    async toolsDetected(domain: string) {
      const scan = await scans.latest(domain);
      const suppressed = new Set((await feedback.ofDomain(domain)).flatMap(({ rules }) => rules));
      const options = { suppressed, catalogue: catalogueOf(), minimum: LEAST.likely };
      return scan ? detectedIn(scan.report, options).detections.length : 0;
    },
  };
}

/** The changes of the newest scan: `[appeared, gone, missed]`. */
async function changesOf(...reports: Report[]) {
  const {
    appeared = [],
    gone = [],
    missed = [],
  } = (await readScanChanges(await scanned(...reports), "brightpine.test")) ?? {};
  return [appeared, gone, missed].map((tools) => tools.map(({ tool }) => tool).join(" "));
}

test("a tool that two scans in a row miss is gone; until then it is listed as missed", async () => {
  const parts = await scanned(
    onDay(1, LIVE, "Gauge@home", "Meter@mail"),
    onDay(2, LIVE, "Meter@mail"),
    onDay(3, LIVE, "Meter@mail", "Postbox@mail"),
  );
  expect(await readScanChanges(parts, "Brightpine.test")).toEqual({
    domain: "brightpine.test",
    tools_detected: 2,
    scanned_at: "2026-05-03T00:00:00.000Z",
    previous_at: "2026-05-02T00:00:00.000Z",
    appeared: [{ tool: "Postbox", category: "Analytics" }],
    gone: [{ tool: "Gauge", category: "Analytics" }],
    missed: [],
  });
  expect(await changesOf(onDay(1, LIVE, "Gauge@home"), onDay(2, LIVE))).toEqual(["", "", "Gauge"]);
});

test("recordings of different kinds are no changes: only a data source that can see a tool says that it is gone", async () => {
  const kinds = [
    onDay(1, LIVE, "Gauge@home", "Meter@mail"),
    onDay(2, RECORDS, "Meter@mail"),
    onDay(3, HAR, "Gauge@home"),
    onDay(4, RECORDS, "Meter@mail"),
    onDay(5, RECORDS, "Meter@mail"),
  ];
  for (const [index] of kinds.entries()) expect(await changesOf(...kinds.slice(0, index + 1))).toEqual(["", "", ""]);
  expect(await changesOf(...kinds, onDay(6, HAR), onDay(7, HAR))).toEqual(["", "Gauge", ""]);
});

test("a scan under other rules, as after an upgrade, is a new baseline", async () => {
  const under = (rules: string, one: Report) => ({ ...one, rules });
  const scans = [under("old", onDay(1, LIVE, "Gauge@home")), under("old", onDay(2, LIVE, "Gauge@home"))];
  expect(await changesOf(...scans, under("old", onDay(3, LIVE, "Gauge@home", "Meter@mail")))).toEqual([
    "Meter",
    "",
    "",
  ]);
  expect(await changesOf(...scans, under("new", onDay(3, LIVE, "Gauge@home", "Meter@mail")))).toEqual(["", "", ""]);
});

test("tools of a data source that was never checked before are no changes", async () => {
  expect(await changesOf(onDay(1, RECORDS, "Meter@mail"), onDay(2, LIVE, "Gauge@home", "Meter@mail"))).toEqual([
    "",
    "",
    "",
  ]);
});

test("a first scan has no changes, and an unknown domain is not found", async () => {
  const parts = await scanned(onDay(1, LIVE, "Gauge@home"));
  expect(await readScanChanges(parts, "brightpine.test")).toMatchObject({ previous_at: null, appeared: [], gone: [] });
  expect(await readScanChanges(parts, "quayline.test")).toBeUndefined();
});

test("the most recently scanned companies come first, each once", async () => {
  const parts = await scanned(
    report("a.test", "2026-05-01T00:00:00.000Z", LIVE),
    report("b.test", "2026-05-02T00:00:00.000Z", LIVE),
    report("a.test", "2026-05-03T00:00:00.000Z", LIVE),
    report("c.test", "2026-05-01T12:00:00.000Z", LIVE),
  );
  expect((await readRecentScans(parts, 2)).map(({ domain }) => domain)).toEqual(["a.test", "b.test"]);
});

test("listed scans count the tools of the newest result without reported false positives", async () => {
  const parts = await scanned(onDay(1, LIVE, "Gauge@home"), onDay(2, LIVE, "Gauge@home", "Meter@mail"));
  const counts = async () => (await readRecentScans(parts, 2)).map(({ tools_detected }) => tools_detected);
  expect(await counts()).toEqual([2]);
  await parts.feedback.save({
    ...{ domain: "brightpine.test", tool_id: "gauge", tool: "Gauge", rules: ["x/y"], note: null },
  });
  expect(await counts()).toEqual([0]);
});

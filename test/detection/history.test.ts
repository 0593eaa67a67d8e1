import { expect, test } from "bun:test";
import { readRecentScans, readScanChanges } from "../../src/detection/history.ts";
import type { Detection, Report } from "../../src/detection/types.ts";
import { openStore } from "../../src/store.ts";

const detection = (tool: string): Detection => ({
  ...{ id: tool.toLowerCase(), tool, category: "Analytics", vendor: tool, website: "https://gauge.test" },
  ...{ version: null, confidence: 0.9, means: "runs", evidence: [] },
});
const report = (domain: string, scanned_at: string, ...tools: string[]): Report => ({
  ...{ domain, scanned_at, sources: [], duration_ms: 1, detections: tools.map(detection) },
});

async function scanned(...reports: Report[]) {
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(), industryNames: new Map() });
  for (const each of reports) await store.scans.save({ domain: each.domain, report: each });
  return store.scans;
}

test("the two newest scans are compared, and no older one", async () => {
  const scans = await scanned(
    report("brightpine.test", "2026-05-01T00:00:00.000Z", "Compass"),
    report("brightpine.test", "2026-05-02T00:00:00.000Z", "Gauge", "Meter"),
    report("brightpine.test", "2026-05-03T00:00:00.000Z", "Meter", "Postbox"),
  );
  expect(await readScanChanges(scans, "Brightpine.test")).toEqual({
    domain: "brightpine.test",
    tools_detected: 2,
    scanned_at: "2026-05-03T00:00:00.000Z",
    previous_at: "2026-05-02T00:00:00.000Z",
    appeared: [{ tool: "Postbox", category: "Analytics" }],
    gone: [{ tool: "Gauge", category: "Analytics" }],
  });
});

test("a first scan has no changes, and an unknown domain is not found", async () => {
  const scans = await scanned(report("brightpine.test", "2026-05-01T00:00:00.000Z", "Gauge"));
  expect(await readScanChanges(scans, "brightpine.test")).toMatchObject({ previous_at: null, appeared: [], gone: [] });
  expect(await readScanChanges(scans, "quayline.test")).toBeUndefined();
});

test("the most recently scanned companies come first, each once", async () => {
  const scans = await scanned(
    report("a.test", "2026-05-01T00:00:00.000Z"),
    report("b.test", "2026-05-02T00:00:00.000Z"),
    report("a.test", "2026-05-03T00:00:00.000Z"),
    report("c.test", "2026-05-01T12:00:00.000Z"),
  );
  expect((await readRecentScans(scans, 2)).map(({ domain }) => domain)).toEqual(["a.test", "b.test"]);
});

import { expect, test } from "bun:test";
import { snapshotOf } from "../../src/detection/captures/web.ts";
import type { SourceOutcome } from "../../src/detection/types.ts";
import { openStore } from "../../src/store.ts";
import { run } from "../cli/fake-host.ts";
import { openFakeApp, SCANNED_AT } from "../services/fake-app.ts";

test("data-sources lists the status of each data source as a table and as JSON", async () => {
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(SCANNED_AT) });
  const sources: SourceOutcome[] = [
    { source: "home-page", status: "ok", duration_ms: 120, detail: null },
    { source: "dkim", status: "timeout", duration_ms: 900, detail: "No \u001b[2Janswer." },
  ];
  const domain = "brightpine.test";
  const report = { domain, detections: [], sources, scanned_at: SCANNED_AT, duration_ms: 900 };
  await store.scans.save({ domain, report });
  // A recording looked at no data source.
  const snapshot = snapshotOf(domain, "har", SCANNED_AT, {});
  await store.scans.save({ domain, report: { ...report, scanned_at: "2026-05-05T12:00:00.000Z" }, snapshot });
  const app = await openFakeApp({ store });
  const { code, out } = await run(["data-sources"], { app, host: { columns: 160 } });
  expect(code).toBe(0);
  expect(out).toMatch(/\nhome-page +1 +0 +0 +0 +0 +120 ms\n/);
  expect(out).toMatch(/\ndkim +0 +0 +1 +0 +0 +900 ms +2026-05-04 12:00 brightpine\.test No {1,2}\[2Janswer\.\n/);
  expect(out).toMatch(/\ntag-manager .* 1 of 1\n/);
  expect(out).toEndWith("\nScans counted: 1\n");
  const json = await run(["data-sources", "--json"], { app });
  expect(JSON.parse(json.out)).toEqual(await app.detection.sourceHealth());
});

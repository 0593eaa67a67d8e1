import { expect, test } from "bun:test";
import type { EnrichOptions } from "../../src/detection/service.ts";
import { createClaimChecks } from "../../src/prospects/check-claims.ts";
import { openStore } from "../../src/store.ts";
import { open } from "../http/opened.ts";
import { fakeVerbs } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

const NOW = new Date("2026-05-04T12:00:00.000Z");

async function checks(checkDays: number) {
  const store = await openStore({ dataDir: ":memory:", clock: () => NOW });
  const { app } = await open({ store });
  await fill(app);
  const { verbs } = fakeVerbs();
  const scanned: [string, EnrichOptions | undefined][] = [];
  const feature = createClaimChecks({
    ...store,
    detection: {
      domainOf: verbs.domainOf,
      async enrich(domain, options) {
        scanned.push([domain, options]);
        return await verbs.enrich(domain === "kestrel.example" ? "missing.test" : domain, options);
      },
    },
    checkDays,
    clock: () => NOW,
  });
  const queued = async () =>
    (await store.jobs.list({ kind: "check-claim" }, { limit: 20 })).jobs.map(({ payload }) => payload.domain).sort();
  return { store, app, feature, scanned, queued };
}

test("clients without a new report are queued once, and scanned in the background", async () => {
  const { store, app, feature, scanned, queued } = await checks(30);
  const saw = (domain: string, scanned_at: string) =>
    store.scans.save({ domain, report: { domain, detections: [], sources: [], scanned_at, duration_ms: 1 } });
  await saw("northgate.example", "2026-05-01T00:00:00.000Z");
  await saw("brightpine.example", "2026-03-01T00:00:00.000Z");
  await feature.queueDue();
  const due = ["brightpine.example", "kestrel.example", "larkfield.example"];
  expect(await queued()).toEqual(due);
  await feature.queueDue();
  expect(await queued()).toEqual(due);
  const handler = feature.handlers["check-claim"];
  for (const domain of due)
    await handler?.(
      { id: 1, kind: "check-claim", payload: { domain }, attempts: 1, max_attempts: 2 },
      new AbortController().signal,
    );
  expect(scanned.map(([domain]) => domain)).toEqual(due);
  expect(scanned[0]?.[1]).toMatchObject({ background: true, maxAgeSeconds: 30 * 86_400 });
  await app.close();
});

test("with 0 days nothing is queued", async () => {
  const { app, feature, queued } = await checks(0);
  await feature.queueDue();
  expect(await queued()).toEqual([]);
  expect(feature.handlers).toEqual({});
  await app.close();
});

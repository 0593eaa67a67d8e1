import { expect, test } from "bun:test";
import type { SourceOutcome, SourceStatus } from "../../src/detection/types.ts";
import { openStore } from "../../src/store.ts";
import { managed } from "../http/managed.ts";
import { jsonOf } from "../http/opened.ts";
import { SCANNED_AT } from "../services/fake-app.ts";

const outcome = (source: string, status: SourceStatus, duration_ms: number): SourceOutcome => ({
  ...{ source, status, duration_ms },
  detail: status === "timeout" ? "No answer in time." : null,
});

/** A store with a scan of each of these outcomes, the last one newest. */
async function scanned(...scans: readonly (readonly SourceOutcome[])[]) {
  let seconds = 0;
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(Date.UTC(2026, 4, 4, 12, 0, seconds++)) });
  for (const [at, sources] of scans.entries()) {
    const domain = `company${at}.test`;
    await store.scans.save({
      domain,
      report: { domain, detections: [], sources, scanned_at: SCANNED_AT, duration_ms: 9 },
    });
  }
  return await managed({ store });
}

test("each data source has its success rate, its duration, and its last failure", async () => {
  const { manage } = await scanned(
    [outcome("home-page", "timeout", 900)],
    [outcome("home-page", "timeout", 700), outcome("dkim", "skipped", 0)],
    [outcome("home-page", "ok", 100)],
    [outcome("home-page", "ok", 200)],
  );
  const { scans, sources } = await jsonOf(await manage("/admin/sources"));
  expect(scans).toBe(4);
  const by = (id: string) => sources.find(({ source }: { source: string }) => source === id);
  expect(by("home-page")).toEqual({
    ...{ source: "home-page", phase: "website", services: [] },
    ...{ ok: 2, empty: 0, timeout: 2, failed: 0, skipped: 0 },
    median_ms: 200,
    last_fault: { domain: "company1.test", scanned_at: SCANNED_AT, status: "timeout", detail: "No answer in time." },
  });
  expect(by("dkim")).toMatchObject({ skipped: 1, ok: 0, median_ms: null, last_fault: null });
});

test("external services are on, off or replaced, and only the host of an address is shown", async () => {
  const { manage } = await scanned();
  const answer = await manage("/admin/sources");
  const text = await answer.text();
  expect(text).not.toContain("s3cret");
  const { scans, sources } = JSON.parse(text);
  const services = sources.flatMap((source: { services: { setting: string }[] }) => source.services);
  const by = (setting: string) => services.find((each: { setting: string }) => each.setting === setting);
  expect(scans).toBe(0);
  expect(by("sources.tag_manager")).toEqual({ setting: "sources.tag_manager", state: "off", host: null });
  expect(by("sources.microsoft_realm")).toMatchObject({ state: "elsewhere", host: "realm.internal.test" });
  expect(by("sources.asn_zone")).toMatchObject({ state: "on", host: "origin.asn.cymru.com" });
  expect(by("sources.job_boards.lever")).toMatchObject({ state: "on", host: "api.lever.co" });
  expect(by("sources.tenant_lookups")).toMatchObject({ state: "on", host: "{label}.okta.com" });
});

import { afterEach, expect, test } from "bun:test";
import { createFingerprintService } from "../../../src/detection/fingerprints/service.ts";
import { fernhill, page } from "../../services/fernhill.ts";
import { type Boxed, openBoxed } from "../boxed.ts";

const DOMAIN = "fernhill.test";
let boxed: Boxed;
afterEach(() => boxed.close());

const open = async (...hosts: string[]) => {
  boxed = await openBoxed(fernhill(page(...hosts)));
  return createFingerprintService({ catalogue: boxed.catalogue, ...boxed.store });
};
const reported = async (maxAgeSeconds?: number) => {
  const { detections, cached } = await boxed.enrich(DOMAIN, maxAgeSeconds === undefined ? {} : { maxAgeSeconds });
  return { cached, has: detections.some(({ id }) => id === "hotjar") };
};

test("a false-positive report applies to cached results and to scans until it is withdrawn", async () => {
  const fingerprints = await open("static.hotjar.com/c");
  expect(await reported()).toEqual({ cached: false, has: true });
  const report = await fingerprints.reportFalsePositive({ domain: `www.${DOMAIN}`, tool: "Hotjar" });
  expect(report).toMatchObject({ domain: DOMAIN, tool_id: "hotjar", tool: "Hotjar", note: null });
  expect(report.rules.length).toBeGreaterThan(0);
  expect(await reported()).toEqual({ cached: true, has: false });
  expect(await reported(0)).toEqual({ cached: false, has: false });
  const replayed = await boxed.replay(DOMAIN);
  expect(replayed.detections.some(({ id }) => id === "hotjar")).toBe(false);
  await fingerprints.withdrawFalsePositive(DOMAIN, "hotjar");
  expect(await reported(0)).toEqual({ cached: false, has: true });
});

test("a tool outside the catalogue that names itself is explained, reported and withdrawn by name or id", async () => {
  const path = "/wp-content/plugins/stranger-forms/js/app.min.js?ver=2.1";
  boxed = await openBoxed(fernhill(`<!doctype html><title>Fernhill</title><script src="${path}"></script>`));
  const fingerprints = createFingerprintService({ catalogue: boxed.catalogue, ...boxed.store });
  const found = async () => {
    const { detections } = await boxed.enrich(DOMAIN, { maxAgeSeconds: 0 });
    return detections.find(({ id }) => id === "wordpress-plugin.stranger-forms")?.tool;
  };
  const name = (await found()) ?? "";
  for (const wanted of [name, name.toUpperCase(), "wordpress-plugin.stranger-forms"]) {
    const { id, domains, rules, latest } = await fingerprints.explain(wanted);
    expect([id, domains, latest.map(({ domain }) => domain)]).toEqual(["wordpress-plugin.stranger-forms", 1, [DOMAIN]]);
    expect(new Set(rules.map((rule) => `${rule.id} ${rule.strength} ${rule.means}`))).toEqual(
      new Set(["wordpress-plugin strong runs"]),
    );
    const report = await fingerprints.reportFalsePositive({ domain: DOMAIN, tool: wanted });
    expect(report).toMatchObject({ tool: name, rules: ["wordpress-plugin.stranger-forms/wordpress-plugin"] });
    expect(await found()).toBeUndefined();
    expect(await fingerprints.withdrawFalsePositive(DOMAIN, wanted)).toMatchObject({ tool: name });
    expect(await found()).toBe(name);
  }
  await expect(fingerprints.explain("stranger-maps")).rejects.toMatchObject({ code: "tool.not_found" });
  await expect(fingerprints.reportFalsePositive({ domain: DOMAIN, tool: "stranger-maps" })).rejects.toMatchObject({
    code: "tool.not_found",
  });
});

test("unmatched signals of a company's page are in the queue", async () => {
  const fingerprints = await open("static.hotjar.com/c", "cdn.stranger-widgets.test/a");
  await boxed.enrich(DOMAIN);
  const seen = await fingerprints.unmatchedSignals({ kind: "script", limit: 10 });
  expect(seen).toMatchObject([{ value: "stranger-widgets.test", companies: 1, domain: DOMAIN }]);
  expect(await fingerprints.unmatchedSignals({ limit: 0 })).toEqual([]);
});

test("signals that a rule matches by now are not in the queue", async () => {
  const fingerprints = await open();
  await boxed.store.discovery.replace(DOMAIN, "2026-01-01T00:00:00.000Z", [
    { kind: "script", value: "hotjar.com", example: "static.hotjar.com" },
    { kind: "script", value: "stranger.test", example: "a.stranger.test" },
  ]);
  expect((await fingerprints.unmatchedSignals({ limit: 10 })).map(({ value }) => value)).toEqual(["stranger.test"]);
});

import { afterEach, describe, expect, test } from "bun:test";
import { fernhill, page } from "../services/fernhill.ts";
import { type Boxed, idsOf, openBoxed, stepsOf } from "./boxed.ts";

const DOMAIN = "fernhill.test";
const HOTJAR = page("static.hotjar.com/c");
const STRIPE = page("js.stripe.com/v3");
const START = Date.parse("2026-03-01T12:00:00.000Z");

let boxed: Boxed;
let now = START;
afterEach(() => boxed.close());
const open = async () => {
  now = START;
  boxed = await openBoxed(fernhill(HOTJAR), { now: () => now });
};
const at = (hours: number) => {
  now = START + hours * 3_600_000;
  return new Date(now).toISOString();
};

describe("a stored result", () => {
  test("that is fresh is returned without any request", async () => {
    await open();
    const first = await boxed.enrich(DOMAIN);
    const asked = boxed.box.hits.length;
    at(23);
    const second = await boxed.enrich(DOMAIN);
    expect(second).toEqual({ ...first, cached: true });
    expect(await boxed.enrichSteps(DOMAIN).then(async (steps) => (await Array.fromAsync(steps)).length)).toBe(1);
    expect(boxed.box.hits).toHaveLength(asked);
  });

  test("that is older than the configured day triggers a new scan", async () => {
    await open();
    await boxed.enrich(DOMAIN);
    const later = at(25);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: false, scanned_at: later });
  });

  test.each([
    [3_600, 0.5, true],
    [3_600, 1.5, false],
    [0, 0, false],
  ])("with max_age=%i s, %d h later, cached: %p", async (maxAgeSeconds, hours, cached) => {
    await open();
    await boxed.enrich(DOMAIN);
    at(hours);
    expect((await boxed.enrich(DOMAIN, { maxAgeSeconds })).cached).toBe(cached);
    const [only] = await stepsOf(boxed.enrichSteps(DOMAIN, { maxAgeSeconds: 100 * 3_600 }));
    expect(only?.step).toMatchObject({ phase: "complete", enrichment: { cached: true } });
  });
});

describe("over several scans", () => {
  test("a tool keeps the day of its first detection, and one that disappeared is not reported", async () => {
    await open();
    const [first, second, third] = [at(0), at(24), at(48)];
    at(0);
    const before = await boxed.enrich(DOMAIN, { maxAgeSeconds: 0 });
    expect(before.detections.find(({ id }) => id === "hotjar")).toMatchObject({ first_seen: first, last_seen: first });

    boxed.box.describe(fernhill(STRIPE));
    at(24);
    const between = await boxed.enrich(DOMAIN, { maxAgeSeconds: 0 });
    expect(idsOf(between.detections)).toEqual(["google-workspace", "stripe"]);
    const seen = new Map(between.detections.map(({ id, first_seen, last_seen }) => [id, [first_seen, last_seen]]));
    expect(seen.get("google-workspace")).toEqual([first, second]);
    expect(seen.get("stripe")).toEqual([second, second]);

    boxed.box.describe(fernhill(HOTJAR));
    at(48);
    const after = await boxed.enrich(DOMAIN, { maxAgeSeconds: 0 });
    expect(after.detections.find(({ id }) => id === "hotjar")).toMatchObject({ first_seen: first, last_seen: third });
    expect((await boxed.store.scans.sightings(DOMAIN)).get("stripe")).toEqual({
      first_seen: second,
      last_seen: second,
    });
  });
});

test("a stored recording is reported like a scan, with the time at which it was made", async () => {
  await open();
  const snapshot = await boxed.capture(DOMAIN);
  at(1);
  await boxed.analyse(snapshot);
  expect(await boxed.store.scans.latest(DOMAIN)).toBeUndefined();
  await boxed.analyse(snapshot, { keep: true });
  const asked = boxed.box.hits.length;
  expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true, scanned_at: new Date(START).toISOString() });
  expect(boxed.box.hits).toHaveLength(asked);
});

test("a stored recording of a reserved name is replayed, and the name is not visited", async () => {
  await open();
  const snapshot = { ...(await boxed.capture(DOMAIN)), domain: "fernhill.example", dns: [] };
  await boxed.analyse(snapshot, { keep: true });
  expect(await boxed.replay("fernhill.example")).toMatchObject({ domain: "fernhill.example" });
  await expect(boxed.replay("birchmoor.example")).rejects.toMatchObject({ code: "snapshot.not_found" });
  await expect(boxed.enrich("fernhill.example", { maxAgeSeconds: 0 })).rejects.toMatchObject({
    code: "domain.reserved",
  });
});

test("a stored recording of a reserved name does not expire unless max_age is set, and causes no visit", async () => {
  await open();
  const snapshot = { ...(await boxed.capture(DOMAIN)), domain: "fernhill.example", dns: [] };
  await boxed.analyse(snapshot, { keep: true });
  const asked = boxed.box.hits.length;
  expect(await boxed.enrich("https://www.fernhill.example/about")).toMatchObject({ cached: true });
  at(25);
  expect(await boxed.enrich("fernhill.example", { maxAgeSeconds: 100_000 })).toMatchObject({ cached: true });
  expect(await boxed.enrich("fernhill.example")).toMatchObject({ cached: true });
  const limited = boxed.enrich("fernhill.example", { maxAgeSeconds: 3_600 });
  await expect(limited).rejects.toMatchObject({ code: "domain.reserved" });
  expect(boxed.box.hits).toHaveLength(asked);
  expect(await boxed.recordedDomains()).toEqual(["fernhill.example"]);
});

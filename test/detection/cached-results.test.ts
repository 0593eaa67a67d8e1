import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import type { Report } from "../../src/detection/types.ts";
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
  test("is not replaced by what a scan found until its process was ended", async () => {
    let isPartial = false;
    now = START;
    const report = (domain: string, detections: Report["detections"]): Report => ({
      domain,
      detections,
      sources: [],
      scanned_at: new Date(now).toISOString(),
      duration_ms: 1,
    });
    boxed = await openBoxed(fernhill(HOTJAR), {
      now: () => now,
      processes: {
        scan: async ({ domain: { name } }) => ({
          report: report(name, []),
          unmatched: [],
          ...(isPartial ? { isPartial: true as const } : {}),
        }),
        prepare() {},
        close() {},
      },
    });
    const whole = await boxed.enrich(DOMAIN);
    isPartial = true;
    const later = at(1);
    expect((await boxed.enrich(DOMAIN, { maxAgeSeconds: 0 })).scanned_at).toBe(later);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true, scanned_at: whole.scanned_at });
  });

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

  test("of which a data source timed out is returned for an hour, and longer for a caller who says so", async () => {
    await open();
    const first = await boxed.enrich(DOMAIN);
    const [stored] = await boxed.store.scans.history(DOMAIN, 1);
    const [starved, ...rest] = stored!.report.sources;
    const sources = [{ ...starved!, status: "timeout" as const }, ...rest];
    await boxed.store.scans.save({
      domain: DOMAIN,
      report: { ...stored!.report, sources },
      snapshot: await boxed.capture(DOMAIN),
    });
    at(0.9);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true, scanned_at: first.scanned_at, sources });
    const later = at(1.1);
    expect(await boxed.enrich(DOMAIN, { maxAgeSeconds: 7_200 })).toMatchObject({ cached: true, sources });
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: false, scanned_at: later });
    at(23);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true, scanned_at: later });
  });

  test.each<[string, readonly (readonly [hours: number, ...timedOut: number[]])[], number]>([
    ["in one scan, is returned for an hour", [[0, 0]], 1],
    [
      "in scans of one minute, is returned for an hour",
      [
        [0, 0],
        [0.01, 0],
        [0.02, 0],
      ],
      1,
    ],
    [
      "since some hours, for as many hours",
      [
        [0, 0],
        [1.1, 0],
        [2.5, 0],
      ],
      2.5,
    ],
    [
      "since some hours, next to one that timed out once, for an hour",
      [
        [0, 0],
        [1.1, 0],
        [2.5, 0, 1],
      ],
      1,
    ],
    ["again after it answered, for an hour", [[0, 0], [3, 0], [5], [7, 0]], 1],
    [
      "for two days, for a day",
      [
        [0, 0],
        [24, 0],
        [48, 0],
      ],
      24,
    ],
  ])("of which a data source timed out %s", async (_, scanned, hours) => {
    await open();
    await boxed.enrich(DOMAIN);
    const [stored] = await boxed.store.scans.history(DOMAIN, 1);
    let newest = "";
    for (const [after, ...timedOut] of scanned) {
      newest = at(after);
      const sources = stored!.report.sources.map((source, place) =>
        timedOut.includes(place) ? { ...source, status: "timeout" as const } : source,
      );
      await boxed.store.scans.save({ domain: DOMAIN, report: { ...stored!.report, sources, scanned_at: newest } });
    }
    const [last = 0] = scanned.at(-1) ?? [];
    at(last + hours - 0.1);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true, scanned_at: newest });
    at(last + hours + 0.1);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: false });
  });

  test("of which a data source timed out a short time ago is returned without reading the earlier ones", async () => {
    await open();
    await boxed.enrich(DOMAIN);
    const [stored] = await boxed.store.scans.history(DOMAIN, 1);
    const sources = stored!.report.sources.map((source) => ({ ...source, status: "timeout" as const }));
    await boxed.store.scans.save({ domain: DOMAIN, report: { ...stored!.report, sources, scanned_at: at(0.1) } });
    const history = spyOn(boxed.store.scans, "history");
    at(0.9);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: true });
    expect(history).not.toHaveBeenCalled();
    at(1.2);
    expect(await boxed.enrich(DOMAIN)).toMatchObject({ cached: false });
    expect(history).toHaveBeenCalled();
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

test("a result that cannot be stored, because the disk is full, is returned all the same", async () => {
  await open();
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const refuse = new Failure("store.unusable", "The disk is full.", { cause: full });
  Object.assign(boxed.store.scans, { save: () => Promise.reject(refuse) });
  expect(idsOf((await boxed.enrich(DOMAIN)).detections)).toContain("hotjar");
  expect(boxed.bugs).toEqual(["store: Failure: The disk is full."]);
  Object.assign(boxed.store.scans, { save: () => Promise.reject(new Error("a bug")) });
  await expect(boxed.enrich(DOMAIN)).rejects.toThrow("a bug");
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
  await expect(boxed.replay("birchmoor.example")).rejects.toMatchObject({
    code: "snapshot.not_found",
    message: expect.stringContaining("add a recording with"),
  });
  await expect(boxed.enrich("birchmoor.example", { acceptStale: false })).rejects.toMatchObject({
    code: "domain.reserved",
    message: expect.stringMatching(/^No recording of birchmoor\.example is stored.*`casefile ingest FILE`/),
  });
  const asked = boxed.box.hits.length;
  expect(await boxed.enrich("fernhill.example", { maxAgeSeconds: 0 })).toMatchObject({
    stale_reason: "Names under example are reserved and have no public records.",
  });
  expect(boxed.box.hits).toHaveLength(asked);
});

test("a stored recording of a zone below the registrable domain is returned for its name", async () => {
  await open();
  const dns = [
    {
      name: "eu.fernhill.example",
      type: "MX",
      status: "ok",
      records: [{ name: "eu.fernhill.example", type: "MX", value: "aspmx.l.google.com", priority: 1 }],
    },
  ] as const;
  const recording = { ...(await boxed.capture(DOMAIN)), domain: "eu.fernhill.example", dns, http: [], zone: true };
  await boxed.analyse(recording, { keep: true });
  at(100);
  expect(await boxed.enrich("eu.fernhill.example")).toMatchObject({ domain: "eu.fernhill.example", cached: true });
  expect(await boxed.replay("eu.fernhill.example")).toMatchObject({ domain: "eu.fernhill.example" });
});

test("a stored recording of a reserved name does not expire unless max_age is set, and causes no visit", async () => {
  await open();
  const snapshot = { ...(await boxed.capture(DOMAIN)), domain: "fernhill.example", dns: [] };
  await boxed.analyse(snapshot, { keep: true });
  const asked = boxed.box.hits.length;
  expect(await boxed.enrich("https://www.fernhill.example/about")).toMatchObject({ cached: true });
  at(25);
  expect(await boxed.enrich("fernhill.example", { maxAgeSeconds: 100_000 })).toMatchObject({ cached: true });
  expect((await boxed.enrich("fernhill.example")).stale_reason).toBeUndefined();
  const limited = await boxed.enrich("fernhill.example", { maxAgeSeconds: 3_600 });
  expect(limited.stale_reason).toStartWith("Names under example are reserved");
  expect(boxed.box.hits).toHaveLength(asked);
  expect(await boxed.recordedDomains()).toEqual(["fernhill.example"]);
});

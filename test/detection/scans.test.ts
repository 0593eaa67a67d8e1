import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { packSnapshot, snapshotInserts } from "../../src/detection/repository.ts";
import { openStore, type StoreOptions } from "../../src/store.ts";
import { inDirectory, reportOf, snapshotOf } from "../store/examples.ts";

const NOW = new Date("2026-05-04T12:00:00.000Z");
const open = (options: Partial<StoreOptions> = {}) => openStore({ dataDir: ":memory:", clock: () => NOW, ...options });

const domain = "acme.example";
const [DAY_1, DAY_2, DAY_3] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z", "2026-05-03T00:00:00.000Z"];

describe("reports", () => {
  test("the latest report is the one of the newest scan, in whatever order they are saved", async () => {
    const store = await open();
    await store.scans.save({ domain, report: reportOf(DAY_2, "one") });
    const newest = await store.scans.save({ domain, report: reportOf(DAY_3, "two") });
    await store.scans.save({ domain, report: reportOf(DAY_1, "three") });
    expect(await store.scans.latest(domain)).toEqual(newest);
    expect(newest).toMatchObject({ domain, scanned_at: DAY_3, report: reportOf(DAY_3, "two") });
    expect((await store.scans.history(domain, 2)).map(({ scanned_at }) => scanned_at)).toEqual([DAY_3, DAY_2]);
  });

  test("a domain that was never scanned has none", async () => {
    const store = await open();
    await store.scans.save({ domain: "other.example", report: reportOf(DAY_1, "one"), snapshot: snapshotOf(DAY_1) });
    expect(await store.scans.latest(domain)).toBeUndefined();
    expect(await store.scans.history(domain, 10)).toEqual([]);
    expect(await store.scans.latestSnapshot(domain)).toBeUndefined();
    expect((await store.scans.sightings(domain)).size).toBe(0);
  });

  test("the newest snapshots of several domains are named, and read where they are small", async () => {
    const store = await open({ keepSnapshots: 5 });
    const first = await store.scans.save({ domain, report: reportOf(DAY_1, "one"), snapshot: snapshotOf(DAY_1) });
    const second = await store.scans.save({ domain, report: reportOf(DAY_2, "two"), snapshot: snapshotOf(DAY_2) });
    expect(second.id).toBeGreaterThan(first.id);
    expect(await store.scans.newestSnapshots([domain, "other.example"])).toEqual(new Map([[domain, second.id]]));
    expect(await store.scans.newestSnapshots([])).toEqual(new Map());
    const small = await store.scans.smallSnapshots(domain, 3, 10_000);
    expect(small.map(({ captured_at }) => captured_at)).toEqual([DAY_2, DAY_1]);
    expect(await store.scans.smallSnapshots(domain, 1, 10_000)).toHaveLength(1);
    expect(await store.scans.smallSnapshots(domain, 3, 10)).toEqual([]);
  });

  test("only the latest reports are kept, and their sightings remain", async () => {
    const store = await open({ keepReports: 2 });
    await store.scans.save({ domain, report: reportOf(DAY_1, "old") });
    await store.scans.save({ domain, report: reportOf(DAY_2, "new") });
    await store.scans.save({ domain, report: reportOf(DAY_3, "new") });
    expect(await store.scans.history(domain, 10)).toHaveLength(2);
    expect([...(await store.scans.sightings(domain)).keys()].sort()).toEqual(["new", "old"]);
  });

  test("timestamps are stored in one format", async () => {
    const store = await open();
    await store.scans.save({ domain, report: reportOf("2026-05-02T02:00:00+02:00", "one") });
    expect((await store.scans.latest(domain))?.scanned_at).toBe(DAY_2);
  });

  test("concurrent saves are all kept", async () => {
    const store = await open();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.scans.save({
          domain: `company-${index}.example`,
          report: reportOf(DAY_1, "one"),
          snapshot: snapshotOf(DAY_1),
        }),
      ),
    );
    expect((await store.stats.read()).domains_enriched).toBe(20);
  });
});

describe("sightings", () => {
  test("a tool keeps its first-seen day, and its last-seen day moves", async () => {
    const store = await open();
    await store.scans.save({ domain, report: reportOf(DAY_1, "stays", "goes") });
    await store.scans.save({ domain, report: reportOf(DAY_2, "stays", "comes") });
    await store.scans.save({ domain, report: reportOf(DAY_3, "stays") });
    expect(Object.fromEntries(await store.scans.sightings(domain))).toEqual({
      stays: { first_seen: DAY_1, last_seen: DAY_3 },
      goes: { first_seen: DAY_1, last_seen: DAY_1 },
      comes: { first_seen: DAY_2, last_seen: DAY_2 },
    });
  });

  test("an older scan that is saved late does not move the last-seen day back, and counts as the first", async () => {
    const store = await open();
    await store.scans.save({ domain, report: reportOf(DAY_2, "one") });
    await store.scans.save({ domain, report: reportOf(DAY_3) });
    await store.scans.save({ domain, report: reportOf(DAY_1, "one") });
    expect((await store.scans.sightings(domain)).get("one")).toEqual({ first_seen: DAY_1, last_seen: DAY_2 });
  });

  test("a report of thousands of tools is saved in full", async () => {
    const store = await open();
    const tools = Array.from({ length: 12_000 }, (_, index) => `tool-${index}`);
    await store.scans.save({ domain, report: reportOf(DAY_1, ...tools) });
    expect((await store.scans.sightings(domain)).size).toBe(12_000);
  });

  test("a scan whose save fails leaves no partial state", async () => {
    const store = await open();
    const scan = { domain, report: reportOf(DAY_1, "one"), snapshot: snapshotOf("no instant") };
    await expect(store.scans.save(scan)).rejects.toThrow(RangeError);
    expect((await store.scans.sightings(domain)).size).toBe(0);
    expect(await store.scans.latest(domain)).toBeUndefined();
  });
});

describe("snapshots", () => {
  test("the latest snapshot is returned unchanged", async () => {
    const store = await open();
    const snapshot = snapshotOf(DAY_2, "Größe 字 \u0000");
    await store.scans.save({ domain, report: reportOf(DAY_2), snapshot });
    await store.scans.save({ domain, report: reportOf(DAY_3) });
    await store.scans.save({ domain, report: reportOf(DAY_1), snapshot: snapshotOf(DAY_1) });
    expect(await store.scans.latestSnapshot(domain)).toEqual(snapshot);
    expect(await store.scans.snapshotDomains()).toEqual([{ domain, captured_at: DAY_2 }]);
  });

  test.each([
    [2, [DAY_3, DAY_2]],
    [0, []],
  ])("of each domain the last %d are kept", async (keepSnapshots, kept) => {
    await inDirectory(async (dataDir) => {
      const store = await open({ dataDir, keepSnapshots });
      for (const day of [DAY_1, DAY_3, DAY_2]) {
        await store.scans.save({ domain, report: reportOf(day), snapshot: snapshotOf(day) });
      }
      await store.scans.save({ domain: "other.example", report: reportOf(DAY_1) });
      await store.close();
      const database = new Database(`${dataDir}/casefile.sqlite`);
      const rows = database.query("select captured_at from snapshots order by captured_at desc").values();
      database.close();
      expect(rows.flat()).toEqual(kept);
    });
  });

  test.each([
    [10, 45, [20, 20, 5]],
    [9 * 1_048_576, 5, [2, 2, 1]],
    [32 * 1_048_576, 3, [1, 1, 1]],
  ])("of %d bytes are written in statements of limited size", (bytes, count, sizes) => {
    const content = new Uint8Array(bytes);
    const inserts = [...snapshotInserts(Array.from({ length: count }, (_, id) => ({ id, content })))];
    expect(inserts.map((rows) => rows.length)).toEqual(sizes);
    expect(inserts.flat().map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id));
  });

  test("a snapshot that is too large is dropped, and the report is kept", async () => {
    const store = await open();
    const origin = "x".repeat(128 * 1024 * 1024);
    await store.scans.save({ domain, report: reportOf(DAY_1, "one"), snapshot: snapshotOf(DAY_1, origin) });
    expect(await store.scans.latestSnapshot(domain)).toBeUndefined();
    expect(await store.scans.latest(domain)).toBeDefined();
  });
});

test("stats count each domain once and have the time of the last save", async () => {
  const store = await open();
  expect(await store.stats.read()).toMatchObject({ domains_enriched: 0, updated_at: null });
  await store.scans.save({ domain, report: reportOf(DAY_1) });
  await store.scans.save({ domain, report: reportOf(DAY_2) });
  await store.scans.save({ domain: "other.example", report: reportOf(DAY_2) });
  expect(await store.stats.read()).toMatchObject({ domains_enriched: 2, updated_at: NOW.toISOString() });
});

test("a batch with many recordings, one of them twice, stores each once with its last report", async () => {
  const store = await open({ keepSnapshots: 100 });
  const days = Array.from({ length: 45 }, (_, at) => new Date(Date.UTC(2026, 2, 1 + at)).toISOString());
  const recordingOf = async (day: string, tool: string) => ({
    domain,
    origin: "test",
    report: reportOf(day, tool),
    snapshot: await packSnapshot(snapshotOf(day)),
  });
  const batch = await Promise.all([...days, DAY_1, DAY_1].map((day, at) => recordingOf(day, `tool-${at}`)));
  const counts = { records: 0, pages: 0, skipped: {}, refused: {} };
  await store.ingests.store({ digest: "file", start: 0, position: 1, done: true, counts }, batch);
  const observations = await store.scans.observations(domain);
  expect(observations.map(({ observed_at }) => observed_at)).toEqual([...days, DAY_1]);
  expect(observations.at(-1)?.detections.map(({ id }) => id)).toEqual(["tool-46"]);
  expect((await store.scans.latest(domain))?.report.detections.map(({ id }) => id)).toEqual(["tool-46"]);
  expect((await store.scans.snapshots(domain)).snapshots.map(({ captured_at }) => captured_at)).toEqual(
    [...days, DAY_1].reverse(),
  );
});

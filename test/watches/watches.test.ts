import { describe, expect, test } from "bun:test";
import type { ToolChange } from "../../src/detection/compare.ts";
import { openStore } from "../../src/store.ts";
import type { WatchScan } from "../../src/watches/repository.ts";
import { storeWithClock } from "../casestudies/study-examples.ts";
import { inDirectory, refusalOf, reportOf } from "../store/examples.ts";

const HOURS = { everyHours: 168, max: 3 };
const notifyNobody = async () => {};
const HOUR = 3_600;

const change = (tool_id: string, kind: ToolChange["change"] = "appeared"): ToolChange => ({
  ...{ change: kind, tool_id, tool: tool_id.toUpperCase(), category: "Analytics", confidence: 0.9 },
  evidence: `html.script cdn.${tool_id}.test`,
});
const scanAt = (at: string, changes: readonly ToolChange[] = [], more: Partial<WatchScan> = {}): WatchScan => ({
  ...{ at, changes, outcome: changes.length > 0 ? "changed" : "unchanged", toolsDetected: 2 },
  ...{ baseline: { tools: [] }, needsVerification: false, intervalFactor: 1, ...more },
});

async function watching(...domains: string[]) {
  const opened = await storeWithClock();
  for (const domain of domains) await opened.watches.put(domain, {}, HOURS);
  const now = () => opened.clock().toISOString();
  return { ...opened, now, claim: () => opened.watches.claim(["watch"], 60) };
}

describe("a watch", () => {
  test("is due at once, and then when its interval ends", async () => {
    const { watches, claim, after, now } = await watching("acme.test");
    expect((await watches.list({ limit: 20 })).watches).toEqual([
      {
        ...{ domain: "acme.test", every_hours: 168, paused: false, tools_detected: 0, last_scan_at: null },
        ...{ last_outcome: null, last_error: null, next_scan_at: now(), created_at: now() },
      },
    ]);
    const job = await claim();
    expect(job).toMatchObject({ kind: "watch", payload: { domain: "acme.test" }, attempts: 1 });
    expect(await claim()).toBeUndefined();
    await watches.recordScan(
      "acme.test",
      scanAt(now(), [], { outcome: "baseline", intervalFactor: 1.5 }),
      notifyNobody,
    );
    await watches.done(job!);
    const found = await watches.find("acme.test");
    expect(found).toMatchObject({ baseline: { tools: [] }, watch: { last_outcome: "baseline", tools_detected: 2 } });
    after(252 * HOUR - 1);
    expect(await claim()).toBeUndefined();
    after(1);
    expect(await claim()).toMatchObject({ payload: { domain: "acme.test" }, attempts: 1 });
  });

  test("is rescanned within the hour when a scan needs verification", async () => {
    const { watches, claim, after, now } = await watching("acme.test");
    const job = await claim();
    await watches.recordScan("acme.test", scanAt(now(), [], { needsVerification: true }), notifyNobody);
    await watches.done(job!);
    after(HOUR);
    expect(await claim()).toBeDefined();
  });

  test("keeps settings that are not given; a new interval counts from the last scan", async () => {
    const { watches, claim, after, now } = await watching("acme.test");
    await watches.recordScan("acme.test", scanAt(now()), notifyNobody);
    const scanned = now();
    after(2 * HOUR);
    const paused = await watches.put("acme.test", { paused: true }, HOURS);
    expect(paused).toMatchObject({ paused: true, every_hours: 168 });
    const often = await watches.put("acme.test", { everyHours: 1 }, HOURS);
    expect(often).toMatchObject({ paused: true, every_hours: 1 });
    expect(Date.parse(often?.next_scan_at ?? "")).toBe(Date.parse(scanned) + HOUR * 1_000);
    expect(await claim()).toBeUndefined();
    await watches.put("acme.test", { paused: false }, HOURS);
    expect(await claim()).toBeDefined();
  });

  test("is refused beyond the limit", async () => {
    const { watches } = await watching("a.test", "b.test", "c.test");
    expect(await watches.put("d.test", {}, HOURS)).toBeUndefined();
    expect(await watches.put("c.test", { everyHours: 2 }, HOURS)).toMatchObject({ every_hours: 2 });
    expect(await watches.remove("a.test")).toMatchObject({ domain: "a.test" });
    expect(await watches.remove("a.test")).toBeUndefined();
    expect(await watches.put("d.test", {}, HOURS)).toMatchObject({ domain: "d.test" });
  });

  test.each([
    [168, 6],
    [2, 2],
  ])("every %i hours that fails is retried soon, and after three attempts in %i hours", async (every, hours) => {
    const { watches, claim, after } = await watching("acme.test");
    await watches.put("acme.test", { everyHours: every }, HOURS);
    const fail = async () => watches.failed((await claim())!, "DNS gave no answer.", { waitSeconds: 30 });
    expect(await fail()).toBe("waiting");
    expect((await watches.find("acme.test"))?.watch).toMatchObject({
      ...{ last_outcome: "failed", last_error: "DNS gave no answer.", last_scan_at: null },
    });
    expect(await claim()).toBeUndefined();
    after(30);
    expect(await fail()).toBe("waiting");
    after(30);
    expect(await fail()).toBe("dead");
    after(hours * HOUR - 1);
    expect(await claim()).toBeUndefined();
    after(1);
    expect(await claim()).toMatchObject({ attempts: 1 });
  });

  test("is one worker's until its lease ends", async () => {
    const { watches, claim, after } = await watching("acme.test");
    const first = await claim();
    expect(await claim()).toBeUndefined();
    expect(await watches.renew([first!], 60)).toEqual(new Set([first!.lease]));
    after(61);
    const second = await claim();
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
    expect(await watches.renew([first!], 60)).toEqual(new Set());
    await watches.done(first!);
    expect(await watches.renew([second!], 60)).toEqual(new Set([second!.lease]));
  });

  test("that crashes its process is not started again at every start", async () => {
    const { claim, after } = await watching("acme.test");
    await claim();
    after(61);
    expect(await claim()).toMatchObject({ attempts: 2 });
    after(61);
    expect(await claim()).toBeUndefined();
    after(300);
    expect(await claim()).toMatchObject({ attempts: 3 });
  });

  test("that was released is due again, and the attempt does not count", async () => {
    const { watches, claim } = await watching("acme.test");
    await watches.release((await claim())!);
    expect(await claim()).toMatchObject({ attempts: 1 });
  });

  test("is claimed by kind, the longest due first", async () => {
    const { watches, claim, after } = await watching();
    for (const domain of ["b.test", "a.test"]) {
      await watches.put(domain, {}, HOURS);
      after(1);
    }
    expect(await watches.claim(["crawl"], 60)).toBeUndefined();
    expect([(await claim())?.payload, (await claim())?.payload]).toEqual([{ domain: "b.test" }, { domain: "a.test" }]);
  });

  test("lists by domain, page by page", async () => {
    const { watches } = await watching("c.test", "a.test", "b.test");
    const first = await watches.list({ limit: 2 });
    expect([first.watches.map(({ domain }) => domain), first.total]).toEqual([["a.test", "b.test"], 3]);
    const next = await watches.list({ limit: 2, cursor: first.next_cursor! });
    expect([next.watches.map(({ domain }) => domain), next.next_cursor]).toEqual([["c.test"], null]);
    expect((await refusalOf(watches.list({ limit: 2, cursor: "x" }))).code).toBe("cursor.invalid");
  });
});

describe("changes", () => {
  const AT = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z", "2026-05-03T00:00:00.000Z"] as const;

  test("are listed newest first, with the first and last scan that detected the tool", async () => {
    const { watches, scans } = await watching("acme.test");
    for (const [at, tools] of [[AT[0], ["gauge"]] as const, [AT[1], ["gauge", "meter"]] as const])
      await scans.save({ domain: "acme.test", report: { ...reportOf(at, ...tools), domain: "acme.test" } });
    await watches.recordScan("acme.test", scanAt(AT[0]), notifyNobody);
    await watches.recordScan("acme.test", scanAt(AT[1], [change("meter")]), notifyNobody);
    await watches.recordScan("acme.test", scanAt(AT[2], [change("gauge", "disappeared")]), notifyNobody);
    const { changes, total, next_cursor } = await watches.listChanges({}, { limit: 20 });
    expect(changes).toEqual([
      {
        ...change("gauge", "disappeared"),
        ...{ domain: "acme.test", at: AT[2], previous_at: AT[1], first_seen: AT[0], last_seen: AT[1] },
      },
      {
        ...change("meter"),
        ...{ domain: "acme.test", at: AT[1], previous_at: AT[0], first_seen: AT[1], last_seen: AT[1] },
      },
    ]);
    expect([total, next_cursor]).toEqual([2, null]);
  });

  test("are filtered, paged, and stay when the watch is removed", async () => {
    const { watches } = await watching("acme.test", "other.test");
    await watches.recordScan("acme.test", scanAt(AT[0], [change("a"), change("b")]), notifyNobody);
    await watches.recordScan("other.test", scanAt(AT[1], [change("c")]), notifyNobody);
    await watches.remove("acme.test");
    const ids = async (filter: { domain?: string; since?: string }) =>
      (await watches.listChanges(filter, { limit: 20 })).changes.map(({ tool_id }) => tool_id);
    expect(await ids({})).toEqual(["c", "b", "a"]);
    expect(await ids({ domain: "acme.test" })).toEqual(["b", "a"]);
    expect(await ids({ since: AT[1] })).toEqual(["c"]);
    const first = await watches.listChanges({}, { limit: 2 });
    const rest = await watches.listChanges({}, { limit: 2, cursor: first.next_cursor! });
    expect([first.total, rest.changes.map(({ tool_id }) => tool_id), rest.next_cursor]).toEqual([3, ["a"], null]);
  });

  test("are not stored when the notification fails, nor is the scan", async () => {
    const { watches } = await watching("acme.test");
    const failing = watches.recordScan("acme.test", scanAt(AT[0], [change("a")]), () =>
      Promise.reject(new Error("full")),
    );
    expect(await failing.catch((error) => error.message)).toBe("full");
    expect((await watches.listChanges({}, { limit: 20 })).total).toBe(0);
    expect((await watches.find("acme.test"))?.watch.last_scan_at).toBeNull();
  });

  test("are neither stored nor notified when the watch was removed meanwhile", async () => {
    const { watches } = await watching();
    let notified = 0;
    await watches.recordScan("acme.test", scanAt(AT[0], [change("a")]), async () => void notified++);
    expect([(await watches.listChanges({}, { limit: 20 })).total, notified]).toEqual([0, 0]);
  });
});

test("a watch survives a restart", async () => {
  await inDirectory(async (dataDir) => {
    const open = () => openStore({ dataDir, clock: () => new Date() });
    const first = await open();
    await first.watches.put("acme.test", {}, HOURS);
    await first.close();
    const second = await open();
    expect(await second.watches.claim(["watch"], 60)).toMatchObject({ payload: { domain: "acme.test" } });
    await second.close();
  });
});

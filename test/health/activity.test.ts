import { afterEach, describe, expect, test } from "bun:test";
import { createActivity, createActivityRepository, quantileOf } from "../../src/health/activity.ts";
import { openStore, type Store } from "../../src/store.ts";
import { managed } from "../http/managed.ts";
import { jsonOf } from "../http/opened.ts";

const START = Date.UTC(2026, 4, 4, 12, 0, 30);
const HOUR = 3_600_000;

let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

async function opened() {
  let now = START;
  const clock = () => new Date(now);
  const opened = await openStore({ dataDir: ":memory:", clock });
  store = opened;
  const errors: unknown[] = [];
  const at = (node: string) =>
    createActivity({
      activity: createActivityRepository(opened.queries, node),
      jobs: opened.jobs,
      clock,
      onError: (_, error) => void errors.push(error),
    });
  return {
    store: opened,
    at,
    errors,
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

type Activity = Awaited<ReturnType<typeof opened>>["at"] extends (node: string) => infer Service ? Service : never;
const writeNow = (activity: Activity) => activity.startWriting().stop();

describe("activity", () => {
  test("is the same before and after it is written, and that of all nodes", async () => {
    const { at, store, pass } = await opened();
    const [one, two] = [at("one"), at("two")];
    await store.jobs.add({ kind: "crawl", subject: "a" });
    for (const activity of [one, two]) {
      activity.request("/v1/enrich/:domain", 200, 0.1);
      activity.request("/v1/enrich/:domain", 503, 4);
      activity.request("/mcp", 200, 0.1);
      for (const route of ["console page", "/console/start", "/admin/keys", "/healthz"])
        activity.request(route, 500, 9);
      activity.scan();
    }
    await writeNow(two);
    const before = await one.read("24h");
    expect(before.total).toEqual({
      requests: 6,
      errors: 2,
      scans: 2,
      latency_p50_ms: expect.any(Number),
      latency_p95_ms: expect.any(Number),
      queue_depth: 1,
    });
    await writeNow(one);
    expect(await two.read("24h")).toEqual(before);
    expect(before.points).toHaveLength(96);
    expect(before.points.at(-1)).toEqual({ start_at: "2026-05-04T12:00:00.000Z", ...before.total });
    expect(before.points[0]).toEqual({
      start_at: "2026-05-03T12:15:00.000Z",
      requests: 0,
      errors: 0,
      scans: 0,
      latency_p50_ms: null,
      latency_p95_ms: null,
      queue_depth: 0,
    });
    pass(48 * HOUR);
    expect((await one.read("24h")).total.requests).toBe(0);
    expect((await one.read("7d")).total.requests).toBe(6);
    const month = await one.read("30d");
    expect([month.total.requests, month.points.length, month.step_seconds]).toEqual([6, 120, 21_600]);
  });

  test("is kept for 25 hours in minutes and 31 days in hours", async () => {
    const { at, store, pass } = await opened();
    const activity = at("one");
    for (let day = 0; day < 40; day += 1) {
      for (let minute = 0; minute < 3; minute += 1) {
        await writeNow(activity);
        pass(60_000);
      }
      pass(24 * HOUR);
    }
    const rows = await store.queries.selectFrom("activity").select("span").execute();
    expect(rows.filter(({ span }) => span === "minute").length).toBeLessThanOrEqual(6);
    expect(rows.filter(({ span }) => span === "hour").length).toBeLessThanOrEqual(32);
  });

  test("that cannot be written is written later", async () => {
    const { at, store, errors } = await opened();
    const activity = at("one");
    activity.scan();
    await store.queries.schema.alterTable("activity").renameTo("hidden").execute();
    await writeNow(activity);
    expect(errors).toHaveLength(1);
    await store.queries.schema.alterTable("hidden").renameTo("activity").execute();
    activity.scan();
    await writeNow(activity);
    expect((await at("two").read("7d")).total.scans).toBe(2);
  });
});

test("quantiles are at most 20% off", () => {
  expect(quantileOf({}, 0.5)).toBeNull();
  // 1,000 requests of 1 to 1,000 ms.
  const latencies: Record<number, number> = {};
  for (let ms = 1; ms <= 1_000; ms += 1) {
    const place = Math.ceil(2 * Math.log2(ms));
    latencies[place] = (latencies[place] ?? 0) + 1;
  }
  expect(Math.abs((quantileOf(latencies, 0.5) ?? 0) - 500)).toBeLessThan(100);
  expect(Math.abs((quantileOf(latencies, 0.95) ?? 0) - 950)).toBeLessThan(190);
});

test("the operator reads what requests to the API did", async () => {
  const { manage, ask, token, key } = await managed({});
  await ask("/v1/enrich/brightpine.test", { key: await key() });
  await ask("/v1/enrich/brightpine.test");
  const { total, range } = await jsonOf(await manage("/admin/activity"));
  expect([range, total.requests, total.errors]).toEqual(["24h", 2, 0]);
  expect((await manage("/admin/activity?range=1y")).status).toBe(422);
  expect((await ask("/admin/activity", { operator: `${token}x` })).status).toBe(401);
});

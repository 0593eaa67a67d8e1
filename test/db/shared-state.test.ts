import { afterEach, describe, expect, test } from "bun:test";
import { createSharedClientLimits } from "../../src/accounts/client-limits.ts";
import { Failure } from "../../src/core/errors.ts";
import { clockInProcess } from "../../src/db/clock.ts";
import { openDatabase } from "../../src/db/database.ts";
import { createSharedState } from "../../src/db/shared-state.ts";
import { createScanClaims } from "../../src/detection/scan-claims.ts";

/** What the nodes of one database count and hold in common. Each test has several nodes in this process. */
let close = async () => {};
afterEach(async () => await close());

async function opened() {
  let now = Date.UTC(2026, 4, 4, 12);
  const database = await openDatabase({ dataDir: ":memory:", clock: () => new Date(now) });
  close = database.close;
  const time = clockInProcess(() => new Date(now));
  const pass = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { ...database, node: () => createSharedState(database.queries, time), pass };
}

test("keyless calls at several nodes are granted exactly up to the limit of an hour", async () => {
  const { node, pass } = await opened();
  const nodes = [1, 2, 3].map(() => createSharedClientLimits(node(), 10));
  const call = async (node: number, address: string): Promise<number> => {
    try {
      await nodes[node % 3]?.take(address);
      return 0;
    } catch (error) {
      if (error instanceof Failure && error.code === "rate.exceeded") return error.details.retryAfterSeconds ?? -1;
      throw error;
    }
  };
  const all = (address: string) => Promise.all(Array.from({ length: 30 }, (_, node) => call(node, address)));
  expect((await all("192.0.2.1")).filter((wait) => wait === 0)).toHaveLength(10);
  pass(1_800);
  expect(await call(1, "192.0.2.1")).toBe(1_800);
  expect(await call(1, "192.0.2.2")).toBe(0);
  pass(1_800);
  expect((await all("192.0.2.1")).filter((wait) => wait === 0)).toHaveLength(10);
});

test("crawls of one host on several nodes take turns", async () => {
  const { node, pass } = await opened();
  const [one, two] = [node().takeTurn, node().takeTurn];
  const waits = await Promise.all([one, two, one, two].map((take) => take("harbour.example", 1_000)));
  expect(waits.sort((a, b) => a - b)).toEqual([0, 1_000, 2_000, 3_000]);
  expect(await one("acme.example", 1_000)).toBe(0);
  pass(5);
  expect(await two("harbour.example", 1_000)).toBe(0);
});

describe("a scan", () => {
  const none = new AbortController().signal;
  const claimsOf = ({ node }: Awaited<ReturnType<typeof opened>>) =>
    ["one", "two", "three"].map((id) =>
      createScanClaims(node().claims, { id }, (error) => {
        throw error;
      }),
    );

  test("runs at one node, and the others return its result", async () => {
    const claims = claimsOf(await opened());
    let scans = 0;
    let saved = 0;
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
    const forwarded: string[] = [];
    const parts = {
      newest: async () => saved,
      stored: async (after: number) => (saved > after ? `result ${saved}` : undefined),
      onForwarded(step: string) {
        forwarded.push(step);
        if (forwarded.length === 2) waits();
      },
      async scan(forward: (step: string) => void) {
        scans += 1;
        forward("found");
        // Both other nodes wait, and have what this one has found.
        const again = setInterval(() => forward("found"), 20);
        await isWaiting;
        clearInterval(again);
        saved += 1;
        return `result ${saved}`;
      },
      maxWaitMs: 60_000,
    };
    const results = await Promise.all(claims.map((node) => node.run("acme.example", none, parts)));
    expect(results).toEqual(["result 1", "result 1", "result 1"]);
    expect(scans).toBe(1);
    expect(new Set(forwarded)).toEqual(new Set(["found"]));
  });

  test("that failed, or whose node was killed, is run by another node", async () => {
    const given = await opened();
    const [one, two] = claimsOf(given);
    const failing = {
      newest: async () => 0,
      stored: async () => undefined,
      scan: () => Promise.reject(new Error("no answer")),
      onForwarded: () => {},
      maxWaitMs: 60_000,
    };
    await expect(one?.run("acme.example", none, failing)).rejects.toThrow("no answer");
    expect(await two?.run("acme.example", none, { ...failing, scan: async () => "second" })).toBe("second");

    await given.queries
      .insertInto("scan_claims")
      .values({ scan: "acme.example", lease: "killed:1", leased_until: "2026-05-04T12:00:05.000Z" })
      .execute();
    const stored = async () => {
      given.pass(3);
      return undefined;
    };
    expect(await two?.run("acme.example", none, { ...failing, stored, scan: async () => "third" })).toBe("third");
    expect(await given.queries.selectFrom("scan_claims").selectAll().execute()).toEqual([]);
  });

  test("that ended without a result after a long wait is not begun", async () => {
    const given = await opened();
    const waiting = { newest: async () => 0, stored: async () => undefined, onForwarded: () => {} };
    const parts = { ...waiting, scan: async () => "late", maxWaitMs: 0 };
    const run = claimsOf(given)[0]?.run("acme.example", none, parts);
    await expect(run).rejects.toMatchObject({ code: "service.overloaded" });
  });
});

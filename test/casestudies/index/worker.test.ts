import { afterEach, expect, test } from "bun:test";
import { type IndexWorker, MANY_CHANGES, startIndexWorker } from "../../../src/casestudies/index/worker.ts";

let worker: IndexWorker | undefined;
afterEach(async () => worker?.stop());

/** Each drain returns the next number, then 0. */
function started(drains: number[], options: { optimiseEveryMs?: number; failing?: boolean } = {}) {
  const log: string[] = [];
  let drained = () => {};
  const enough = new Promise<void>((resolve) => {
    drained = () => {
      if (log.filter((line) => line.startsWith("drain")).length >= 4) resolve();
    };
  });
  worker = startIndexWorker({
    async drain() {
      const done = drains.shift() ?? 0;
      log.push(`drain ${done}`);
      drained();
      if (options.failing) throw new Error("broken");
      return done;
    },
    async optimise() {
      log.push("optimise");
    },
    pollMs: 1,
    optimiseEveryMs: options.optimiseEveryMs ?? 3_600_000,
    onError: (what) => log.push(`error ${what}`),
  });
  return { log, enough };
}

test("drains at once and then at each interval", async () => {
  const { log, enough } = started([3]);
  expect(log).toEqual(["drain 3"]);
  await enough;
});

test("compacts after many changes before it is due", async () => {
  const { log, enough } = started([MANY_CHANGES - 1, 1, 0]);
  await enough;
  expect(log.slice(0, 3)).toEqual([`drain ${MANY_CHANGES - 1}`, "drain 1", "optimise"]);
  expect(log.filter((line) => line === "optimise")).toHaveLength(1);
});

test("compacts a single change when it is due, and an unchanged index never", async () => {
  const { log, enough } = started([0, 1, 0, 0], { optimiseEveryMs: 0 });
  await enough;
  expect(log.slice(0, 4)).toEqual(["drain 0", "drain 1", "optimise", "drain 0"]);
});

test("reports a failure and continues", async () => {
  const { log, enough } = started([1, 1, 1, 1], { failing: true });
  await enough;
  expect(log.filter((line) => line.startsWith("error")).length).toBeGreaterThanOrEqual(2);
});

test("a stop ends it", async () => {
  const { log } = started([1]);
  await worker?.stop();
  const seen = log.length;
  worker?.wake();
  expect(log).toHaveLength(seen);
});

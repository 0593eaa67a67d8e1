import { afterEach, expect, test } from "bun:test";
import { type IndexWorker, MANY_CHANGES, startIndexWorker } from "../../../src/casestudies/index/indexer.ts";

let upkeep: IndexWorker | undefined;
afterEach(async () => upkeep?.stop());

/** Each drain answers the next number, and 0 when there is none. */
function started(drains: number[], options: { optimiseEveryMs?: number; failing?: boolean } = {}) {
  const log: string[] = [];
  let looked = () => {};
  const enough = new Promise<void>((resolve) => {
    looked = () => {
      if (log.filter((line) => line.startsWith("drain")).length >= 4) resolve();
    };
  });
  upkeep = startIndexWorker(
    {
      async drain() {
        const done = drains.shift() ?? 0;
        log.push(`drain ${done}`);
        looked();
        if (options.failing) throw new Error("broken");
        return done;
      },
      async optimise() {
        log.push("optimise");
      },
    },
    { everyMs: 1, optimiseEveryMs: options.optimiseEveryMs ?? 3_600_000, onError: (what) => log.push(`error ${what}`) },
  );
  return { log, enough };
}

test("looks at once and then again and again", async () => {
  const { log, enough } = started([3]);
  expect(log).toEqual(["drain 3"]);
  await enough;
});

test("compacts after many changes, though it is not yet due", async () => {
  const { log, enough } = started([MANY_CHANGES - 1, 1, 0]);
  await enough;
  expect(log.slice(0, 3)).toEqual([`drain ${MANY_CHANGES - 1}`, "drain 1", "optimise"]);
  expect(log.filter((line) => line === "optimise")).toHaveLength(1);
});

test("compacts a little change when it is due, and nothing when nothing changed", async () => {
  const { log, enough } = started([0, 1, 0, 0], { optimiseEveryMs: 0 });
  await enough;
  expect(log.slice(0, 4)).toEqual(["drain 0", "drain 1", "optimise", "drain 0"]);
});

test("goes on after a failure, which is told", async () => {
  const { log, enough } = started([1, 1, 1, 1], { failing: true });
  await enough;
  expect(log.filter((line) => line.startsWith("error")).length).toBeGreaterThanOrEqual(2);
});

test("a stop ends it", async () => {
  const { log } = started([1]);
  await upkeep?.stop();
  const seen = log.length;
  upkeep?.wake();
  expect(log).toHaveLength(seen);
});

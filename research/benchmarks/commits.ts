import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openDatabase } from "../../src/db/database.ts";
import { measureLatency } from "./search-latency.ts";

const COMMITS = 400;
const REPETITIONS = 5;

/**
 * Prints what a durable commit costs next to a lazy one, in one run on the same disk, alone and with eight callers.
 *
 * @param folder on the disk to measure
 */
export async function benchCommits(folder: string): Promise<void> {
  const dir = await mkdtemp(join(resolve(folder), "casefile-commits-"));
  const database = await openDatabase({ dataDir: join(dir, "data"), clock: () => new Date() });
  try {
    let serial = 0;
    console.log("commit | callers | p50 ms | p99 ms | a second");
    for (const callers of [1, 8])
      for (const name of ["queries", "lazyQueries"] as const) {
        const names = Array.from({ length: COMMITS }, () => `name ${++serial}`);
        const { p50, p99, perSecond } = await measureLatency(
          names,
          // The value of one row, as of a key: one page of the log.
          (key) =>
            database[name]
              .insertInto("settings")
              .values({ name: key, value: "x".repeat(200) })
              .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: `${Math.random()}` }))
              .execute(),
          { callers, repetitions: REPETITIONS, seconds: 60 },
        );
        const mode = name === "queries" ? "durable" : "lazy";
        console.log([mode, callers, p50.toFixed(3), p99.toFixed(3), perSecond.toFixed(0)].join(" | "));
      }
  } finally {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}

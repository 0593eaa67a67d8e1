import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, queriesOf } from "../../src/db/database.ts";
import { createFlush, FLUSH_FAILED } from "../../src/db/flush.ts";
import { createProbe } from "../../src/db/probe.ts";

const DATABASE = join(tmpdir(), "casefile.sqlite");

/** A log whose second flush fails. */
const failsOnce = (counts: { flushes: number }) => async () => ({
  async datasync() {
    counts.flushes += 1;
    if (counts.flushes === 2) throw Object.assign(new Error("i/o error"), { code: "EIO" });
  },
  async close() {},
});

test("after a failed flush nothing is acknowledged any more, although the system reports success", async () => {
  const counts = { flushes: 0 };
  const disk = createFlush(DATABASE, failsOnce(counts));
  await disk.flush();
  expect(disk.hasFailed()).toBe(false);
  await expect(disk.flush()).rejects.toThrow(FLUSH_FAILED);
  await expect(disk.flush()).rejects.toThrow(FLUSH_FAILED);
  expect(disk.hasFailed()).toBe(true);
  expect(counts.flushes).toBe(2);
  await disk.close();
});

test("a log that cannot be opened now may be opened later", async () => {
  let attempts = 0;
  const disk = createFlush(DATABASE, async () => {
    attempts += 1;
    if (attempts === 1) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return { async datasync() {}, async close() {} };
  });
  await expect(disk.flush()).rejects.toThrow("too many open files");
  await disk.flush();
  await disk.close();
});

test("a failed flush is the reason why the database is not ready", async () => {
  const database = connect(":memory:");
  const { lazyQueries: queries, damage } = queriesOf(database);
  const probe = createProbe({
    ...{ database, queries, damage },
    path: null,
    hasFailedFlush: () => true,
    expected: new Map(),
  });
  expect(await probe()).toBe(FLUSH_FAILED);
  database.close();
});

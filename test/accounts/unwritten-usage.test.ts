import { expect, test } from "bun:test";
import { withUnwrittenUsage } from "../../src/accounts/unwritten-usage.ts";
import { Failure } from "../../src/core/errors.ts";
import { openStore } from "../../src/store.ts";

const MONTH = "2026-05";

class SqliteError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The usage of keys on a disk that can be filled. */
async function opened() {
  const { usage, keys, close } = await openStore({ dataDir: ":memory:", clock: () => new Date() });
  for (const id of ["a", "b"])
    await keys.add({
      id,
      email_folded: id,
      hash: id,
      hint: "0000",
      monthly_limit: 10,
      created_at: "2026-05-04T12:00:00.000Z",
      revoked_at: null,
    });
  const disk = { error: null as string | null };
  const refuse = () => {
    if (disk.error !== null)
      throw new Failure("store.unusable", "The disk is full.", { cause: new SqliteError(disk.error) });
  };
  const counted = withUnwrittenUsage({
    used: usage.used,
    async spend(...given) {
      refuse();
      return await usage.spend(...given);
    },
    async refund(...given) {
      refuse();
      return await usage.refund(...given);
    },
  });
  return { counted, disk, stored: (key = "a") => usage.used(key, MONTH), close };
}

test("on a full disk requests are counted in memory, up to the limit, and written later", async () => {
  const { counted, disk, stored } = await opened();
  await counted.spend("a", MONTH, 3, 10);
  disk.error = "SQLITE_FULL";
  const spent = await Promise.all(Array.from({ length: 12 }, () => counted.spend("a", MONTH, 1, 10)));
  expect(spent.filter(({ granted }) => granted)).toHaveLength(7);
  expect([await stored(), await counted.used("a", MONTH)]).toEqual([3, 10]);
  disk.error = null;
  expect(await counted.spend("a", MONTH, 1, 10)).toEqual({ granted: false, used: 10 });
  expect(await stored()).toBe(10);
});

test("refunds are counted in memory, too", async () => {
  const { counted, disk, stored } = await opened();
  await counted.spend("a", MONTH, 5, 10);
  disk.error = "SQLITE_IOERR_WRITE";
  expect(await counted.refund("a", MONTH, 2)).toBe(3);
  expect(await counted.spend("a", MONTH, 1, 10)).toEqual({ granted: true, used: 4 });
  disk.error = null;
  await counted.flush();
  expect(await stored()).toBe(4);
  await counted.flush();
  expect(await stored()).toBe(4);
});

test("a request of another key writes the counts as soon as the disk has room", async () => {
  const { counted, disk, stored } = await opened();
  disk.error = "SQLITE_READONLY";
  await counted.spend("a", MONTH, 2, 10);
  await expect(counted.flush()).rejects.toThrow("The disk is full.");
  expect(await counted.used("a", MONTH)).toBe(2);
  disk.error = null;
  await counted.spend("b", MONTH, 1, 10);
  expect([await stored("a"), await stored("b")]).toEqual([2, 1]);
});

test("any other error is thrown", async () => {
  const { counted, disk } = await opened();
  disk.error = "SQLITE_CORRUPT";
  await expect(counted.spend("a", MONTH, 1, 10)).rejects.toThrow();
});

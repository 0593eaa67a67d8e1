import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriterLock } from "../../src/db/locks.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "casefile-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, "index-writer.sqlite");

/** A process that holds the lock until it is killed. */
async function holder() {
  const module = JSON.stringify(join(import.meta.dir, "../../src/db/locks.ts"));
  const code = `const { createWriterLock } = await import(${module});
    // The garbage collector would release an unreachable lock.
    globalThis.lock = createWriterLock(${JSON.stringify(path())}, async () => {});
    console.log(await globalThis.lock.acquire());
    setInterval(() => {}, 1_000);`;
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return child;
}

/** A lock of this process, and the recoveries that it ran. */
function opened(recover: () => Promise<void> = async () => {}) {
  const recoveries: string[] = [];
  const lock = createWriterLock(path(), async () => {
    recoveries.push("recovered");
    await recover();
  });
  return { lock, recoveries };
}

test("the holder acquires it again", async () => {
  const { lock, recoveries } = opened();
  expect([await lock.acquire(), await lock.acquire()]).toEqual([true, true]);
  expect(recoveries).toEqual([]);
});

test("a running process keeps it, and the work of a killed one is recovered before anybody holds it", async () => {
  const child = await holder();
  const { lock, recoveries } = opened();
  try {
    expect(await lock.acquire()).toBe(false);
    // Releasing a lock that is not held has no effect.
    lock.release();
    expect(await lock.acquire()).toBe(false);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  expect(await Promise.all([lock.acquire(), lock.acquire()])).toEqual([true, true]);
  expect(recoveries).toEqual(["recovered"]);
  lock.release();
  expect(await lock.acquire()).toBe(true);
  expect(recoveries).toHaveLength(1);
});

test("a recovery that failed is repeated by the next holder", async () => {
  const child = await holder();
  child.kill("SIGKILL");
  await child.exited;
  let isFull = true;
  const { lock, recoveries } = opened(async () => {
    if (isFull) throw new Error("the disk is full");
  });
  await expect(lock.acquire()).rejects.toThrow("the disk is full");
  isFull = false;
  expect(await lock.acquire()).toBe(true);
  expect(recoveries).toHaveLength(2);
});

test("two holders with one process id exclude each other, as in containers on one volume", async () => {
  const first = opened().lock;
  const second = opened().lock;
  expect([await first.acquire(), await second.acquire()]).toEqual([true, false]);
});

test("a released lock is free and leaves no marker", async () => {
  const first = opened().lock;
  await first.acquire();
  first.release();
  expect(readdirSync(folder)).toEqual(["index-writer.sqlite"]);
  const next = opened();
  expect(await next.lock.acquire()).toBe(true);
  expect(next.recoveries).toEqual([]);
});

test("a missing folder throws", async () => {
  const lock = createWriterLock(join(folder, "absent", "lock"), async () => {});
  await expect(lock.acquire()).rejects.toThrow("unable to open database file");
});

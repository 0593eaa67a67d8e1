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
    globalThis.lock = createWriterLock(${JSON.stringify(path())});
    console.log(globalThis.lock.acquire());
    setInterval(() => {}, 1_000);`;
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return child;
}

test("the holder acquires it again", () => {
  const lock = createWriterLock(path());
  expect([lock.acquire(), lock.acquire()]).toEqual(["acquired", "acquired"]);
});

test("a running process keeps it, and a killed one leaves it for recovery", async () => {
  const child = await holder();
  const lock = createWriterLock(path());
  try {
    expect(lock.acquire()).toBe("busy");
    // Releasing a lock that is not held has no effect.
    lock.release();
    expect(lock.acquire()).toBe("busy");
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  expect([lock.acquire(), lock.acquire()]).toEqual(["recovered", "acquired"]);
  lock.release();
  expect(lock.acquire()).toBe("acquired");
});

test("two holders with one process id exclude each other, as in containers on one volume", () => {
  const first = createWriterLock(path());
  const second = createWriterLock(path());
  expect([first.acquire(), second.acquire()]).toEqual(["acquired", "busy"]);
});

test("a released lock is free and leaves no marker", () => {
  const first = createWriterLock(path());
  first.acquire();
  first.release();
  expect(readdirSync(folder)).toEqual(["index-writer.sqlite"]);
  expect(createWriterLock(path()).acquire()).toBe("acquired");
});

test("a missing folder throws", () => {
  expect(() => createWriterLock(join(folder, "absent", "lock")).acquire()).toThrow("unable to open database file");
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriterLock } from "../../src/store/writer-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "casefile-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, "index-writer.pid");

test("the process that has it has it again", () => {
  const lock = createWriterLock(path());
  expect([lock.acquire(), lock.acquire()]).toEqual(["held", "held"]);
});

test("another process that runs keeps it", () => {
  writeFileSync(path(), "4711");
  expect(createWriterLock(path(), () => true).acquire()).toBe("others");
});

test.each(["4711", "", "no number", "-3"])("what a process left behind that is gone is taken over: %p", (content) => {
  writeFileSync(path(), content);
  expect(createWriterLock(path(), () => false).acquire()).toBe("inherited");
});

test("who gives it back lets the next one have it", () => {
  const first = createWriterLock(path());
  first.acquire();
  first.release();
  expect(createWriterLock(path(), () => true).acquire()).toBe("held");
});

test("who never had it takes nothing away by giving back", () => {
  writeFileSync(path(), "4711");
  createWriterLock(path(), () => true).release();
  expect(createWriterLock(path(), () => true).acquire()).toBe("others");
});

test("a folder that is not there is a fault and no refusal", () => {
  expect(() => createWriterLock(join(folder, "absent", "lock")).acquire()).toThrow("ENOENT");
});

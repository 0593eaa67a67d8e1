import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store.ts";
import { storeWithClock } from "../casestudies/study-examples.ts";

test("a kind and subject has at most one open job, and can be added again when that is done", async () => {
  const { jobs } = await storeWithClock();
  const first = await jobs.add({ kind: "crawl", subject: "site 1" });
  expect(await jobs.add({ kind: "crawl", subject: "site 1" })).toBe(first);
  expect(await jobs.add({ kind: "preview", subject: "site 1" })).not.toBe(first);
  const job = await jobs.claim(["crawl"], 60);
  expect(await jobs.add({ kind: "crawl", subject: "site 1" })).toBe(first);
  await jobs.done(job!);
  expect(await jobs.add({ kind: "crawl", subject: "site 1" })).not.toBe(first);
});

test("a job belongs to one worker until its lease expires, and a worker that lost it cannot finish it", async () => {
  const { jobs, after } = await storeWithClock();
  await jobs.add({ kind: "crawl", subject: "site 1", payload: { site: 1 } });
  const first = await jobs.claim(["crawl"], 60);
  expect(first).toMatchObject({ kind: "crawl", payload: { site: 1 }, attempts: 1, state: "running" });
  expect(await jobs.claim(["crawl"], 60)).toBeUndefined();
  after(50);
  expect(await jobs.renew([first!], 60)).toEqual(new Set([first!.lease]));
  after(59);
  expect(await jobs.claim(["crawl"], 60)).toBeUndefined();
  after(2);
  const second = await jobs.claim(["crawl"], 60);
  expect(second).toMatchObject({ id: first!.id, attempts: 2 });
  expect(await jobs.renew([first!], 60)).toEqual(new Set());
  await jobs.done(first!);
  expect(await jobs.find(first!.id)).toMatchObject({ state: "running" });
  await jobs.done(second!);
  expect(await jobs.find(first!.id)).toMatchObject({ state: "done" });
});

test("a job waits after an error, is dead with the reason after its last attempt, and can be retried", async () => {
  const { jobs, after } = await storeWithClock();
  const id = await jobs.add({ kind: "crawl", subject: "site 1", maxAttempts: 2 });
  expect(await jobs.failed((await jobs.claim(["crawl"], 60))!, "no answer", { waitSeconds: 30 })).toBe("waiting");
  after(29);
  expect(await jobs.claim(["crawl"], 60)).toBeUndefined();
  after(1);
  expect(await jobs.failed((await jobs.claim(["crawl"], 60))!, "no answer still", { waitSeconds: 30 })).toBe("dead");
  after(3_600);
  expect(await jobs.claim(["crawl"], 60)).toBeUndefined();
  expect(await jobs.find(id)).toMatchObject({ state: "dead", attempts: 2, last_error: "no answer still" });
  expect(await jobs.counts()).toEqual({ waiting: 0, running: 0, done: 0, dead: 1 });
  expect(await jobs.revive(id)).toBe(true);
  expect(await jobs.revive(id)).toBe(false);
  expect(await jobs.claim(["crawl"], 60)).toMatchObject({ id, attempts: 1 });
});

test("a job of another running node stays its own, and is free at once when that node has ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-nodes-"));
  try {
    const [one, two] = [await openStore({ dataDir: folder }), await openStore({ dataDir: folder })];
    const id = await one.jobs.add({ kind: "crawl", subject: "site 1" });
    await one.jobs.claim(["crawl"], 3_600);
    expect(await two.jobs.recover()).toBe(0);
    expect(await two.jobs.claim(["crawl"], 3_600)).toBeUndefined();
    await one.close();
    expect(await two.jobs.recover()).toBe(1);
    expect(await two.jobs.find(id)).toMatchObject({ state: "waiting" });
    expect(await two.jobs.claim(["crawl"], 3_600)).toMatchObject({ id, attempts: 2 });
    await two.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a final failure is dead at once", async () => {
  const { jobs } = await storeWithClock();
  const id = await jobs.add({ kind: "crawl", subject: "site 1" });
  await jobs.failed((await jobs.claim(["crawl"], 60))!, "robots.txt forbids it", { waitSeconds: 30, final: true });
  expect(await jobs.find(id)).toMatchObject({ state: "dead", attempts: 1 });
});

test("a job that crashes its process every time becomes dead", async () => {
  const { jobs, after } = await storeWithClock();
  const id = await jobs.add({ kind: "structure", subject: "page 1", maxAttempts: 3 });
  for (const attempts of [1, 2, 3]) {
    expect(await jobs.claim(["structure"], 60)).toMatchObject({ attempts });
    after(61);
  }
  expect(await jobs.claim(["structure"], 60)).toBeUndefined();
  expect(await jobs.find(id)).toMatchObject({ state: "dead" });
});

test("a released job keeps its attempts", async () => {
  const { jobs, after } = await storeWithClock();
  const id = await jobs.add({ kind: "finish", subject: "sub_1" });
  await jobs.release((await jobs.claim(["finish"], 60))!, 5);
  expect(await jobs.claim(["finish"], 60)).toBeUndefined();
  after(5);
  expect(await jobs.claim(["finish"], 60)).toMatchObject({ id, attempts: 1 });
});

test("a kind without a handler waits", async () => {
  const { jobs } = await storeWithClock();
  await jobs.add({ kind: "mail", subject: "1" });
  expect(await jobs.claim(["crawl"], 60)).toBeUndefined();
  expect(await jobs.claim([], 60)).toBeUndefined();
  expect(await jobs.counts()).toMatchObject({ waiting: 1 });
});

test("jobs are listed newest first, page by page, by state and kind", async () => {
  const { jobs } = await storeWithClock();
  for (const subject of ["a", "b", "c"]) await jobs.add({ kind: "crawl", subject, payload: { submission: subject } });
  await jobs.add({ kind: "mail", subject: "d" });
  const first = await jobs.list({ kind: "crawl" }, { limit: 2 });
  expect(first.jobs.map(({ payload }) => payload.submission)).toEqual(["c", "b"]);
  expect(first.total).toBe(3);
  const second = await jobs.list({ kind: "crawl" }, { limit: 2, cursor: first.next_cursor! });
  expect(second.jobs.map(({ payload }) => payload.submission)).toEqual(["a"]);
  expect(second.next_cursor).toBeNull();
  expect(await jobs.list({ state: "dead" }, { limit: 5 })).toMatchObject({ total: 0, jobs: [] });
  expect(await jobs.openFor("crawl", "b")).toBe(1);
  expect(await jobs.openFor("mail", "b")).toBe(0);
});

test("done jobs are deleted after their retention period, open and dead ones are not", async () => {
  const { jobs, after } = await storeWithClock();
  for (const subject of ["a", "b"]) await jobs.add({ kind: "crawl", subject });
  await jobs.done((await jobs.claim(["crawl"], 60))!);
  after(86_400);
  expect(await jobs.deleteDone(new Date("2026-05-05T00:00:00Z"))).toBe(1);
  expect(await jobs.counts()).toEqual({ waiting: 1, running: 0, done: 0, dead: 0 });
});

test("idle queues write nothing, and wait for no other process that does", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-idle-"));
  try {
    const store = await openStore({ dataDir: folder });
    const other = new Database(join(folder, "casefile.sqlite"));
    const version = () => other.query("pragma data_version").values().join();
    const before = version();
    other.run("begin immediate");
    for (const queue of [store.jobs, store.watches, store.webhooks]) {
      expect(await queue.recover()).toBe(0);
      expect(await queue.claim(["crawl", "watch", "webhook"], 30)).toBeUndefined();
    }
    expect(await store.outbox.pending(10)).toEqual([]);
    other.run("rollback");
    expect(version()).toBe(before);
    other.close();
    await store.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

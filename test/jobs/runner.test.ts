import { expect, test } from "bun:test";
import type { LeaseQueue } from "../../src/jobs/lease-queue.ts";
import { type Handler, PermanentError, retrySeconds, startRunner } from "../../src/jobs/runner.ts";
import type { RunningJob } from "../../src/jobs/types.ts";
import { openStore } from "../../src/store.ts";

async function running(
  handlers: Record<string, Handler>,
  { concurrency = 2, broken = {} as Partial<LeaseQueue> } = {},
) {
  const { jobs } = await openStore({ dataDir: ":memory:" });
  const failures: { kind: string; dead: boolean }[] = [];
  const queueErrors: string[] = [];
  const start = (leaseSeconds = 3_600) =>
    startRunner({
      queue: { ...jobs, ...broken },
      handlers,
      concurrency,
      pollMs: 3_600_000,
      leaseSeconds,
      random: () => 0,
      onFailure: ({ kind }, _error, dead) => failures.push({ kind, dead }),
      onQueueError: (task, error) => queueErrors.push(`${task}: ${error}`),
    });
  return { jobs, failures, queueErrors, start };
}

test("due jobs run, at most `concurrency` at a time", async () => {
  let now = 0;
  let most = 0;
  const seen: unknown[] = [];
  const { jobs, start } = await running({
    async count({ payload }) {
      most = Math.max(most, ++now);
      await Bun.sleep(0);
      now--;
      seen.push(payload.n);
      return undefined;
    },
  });
  for (let n = 0; n < 7; n++) await jobs.add({ kind: "count", subject: String(n), payload: { n } });
  const runner = start();
  await runner.idle();
  expect(seen.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
  expect(await jobs.counts()).toMatchObject({ done: 7, waiting: 0, running: 0 });
  await runner.stop();
});

test("a failed job waits for its next attempt; a permanent error ends it at once", async () => {
  const { jobs, failures, start } = await running({
    async flaky() {
      throw new Error("no answer");
    },
    async hopeless() {
      throw new PermanentError("robots.txt forbids it");
    },
  });
  const flaky = await jobs.add({ kind: "flaky", subject: "a" });
  const hopeless = await jobs.add({ kind: "hopeless", subject: "b" });
  const runner = start();
  await runner.idle();
  expect(await jobs.find(flaky)).toMatchObject({ state: "waiting", attempts: 1, last_error: "no answer" });
  expect(await jobs.find(hopeless)).toMatchObject({ state: "dead", last_error: "robots.txt forbids it" });
  expect(failures).toContainEqual({ kind: "hopeless", dead: true });
  await runner.stop();
});

test("a job that is not ready is released without counting the attempt", async () => {
  const { jobs, start } = await running({ finish: async () => ({ againInSeconds: 60 }) });
  const id = await jobs.add({ kind: "finish", subject: "a" });
  const runner = start();
  await runner.idle();
  expect(await jobs.find(id)).toMatchObject({ state: "waiting", attempts: 0 });
  await runner.stop();
});

test("stopping aborts and releases the running jobs", async () => {
  const begun = Promise.withResolvers<RunningJob>();
  const { jobs, failures, start } = await running({
    long: (job, signal) => {
      begun.resolve(job);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const id = await jobs.add({ kind: "long", subject: "a" });
  const runner = start();
  await begun.promise;
  await runner.stop();
  expect(await jobs.find(id)).toMatchObject({ state: "waiting", attempts: 0 });
  expect(failures).toEqual([]);
});

test("a job that is added during a poll is found after wake", async () => {
  const seen: unknown[] = [];
  const { jobs, start } = await running({
    note: async ({ payload }) => {
      seen.push(payload.n);
      if (payload.n === 1) await jobs.add({ kind: "note", subject: "2", payload: { n: 2 } });
      return undefined;
    },
  });
  await jobs.add({ kind: "note", subject: "1", payload: { n: 1 } });
  const runner = start();
  await runner.idle();
  expect(seen).toEqual([1, 2]);
  await runner.stop();
});

test("retries double up to an hour, with up to 50% jitter", () => {
  expect([1, 2, 3, 8, 50].map((attempts) => retrySeconds(attempts, () => 0))).toEqual([30, 60, 120, 3_600, 3_600]);
  expect(retrySeconds(1, () => 1)).toBe(45);
});

const full = async (): Promise<never> => {
  throw new Error("database or disk is full");
};

test.each(["done", "failed", "release"] as const)(
  "a store error in %s is reported and ends nothing",
  async (method) => {
    const { jobs, queueErrors, start } = await running(
      {
        async done() {
          return undefined;
        },
        async failed() {
          throw new Error("no answer");
        },
        release: async () => ({ againInSeconds: 1 }),
      },
      { broken: { [method]: full } },
    );
    const id = await jobs.add({ kind: method, subject: "a" });
    const runner = start();
    await runner.idle();
    expect(queueErrors).toEqual([`recording the result of a ${method} job: Error: database or disk is full`]);
    // Nobody renews its lease now, so it runs again later.
    expect(await jobs.find(id)).toMatchObject({ state: "running", attempts: 1 });
    await runner.stop();
  },
);

test.each(["recover", "claim"] as const)(
  "a store error in %s is reported, and the queue is asked again",
  async (method) => {
    const ran = Promise.withResolvers<void>();
    const healed = { attempts: 0 };
    const { jobs, queueErrors, start } = await running({
      async note() {
        ran.resolve();
        return undefined;
      },
    });
    await jobs.add({ kind: "note", subject: "a" });
    const { [method]: works } = jobs;
    Object.assign(jobs, {
      [method]: (...given: Parameters<typeof works>) =>
        healed.attempts++ === 0 ? full() : Reflect.apply(works, jobs, given),
    });
    const runner = start();
    await ran.promise;
    expect(queueErrors).toEqual(["claiming note jobs: Error: database or disk is full"]);
    await runner.stop();
  },
);

test("a worker that lost its lease aborts the job and records nothing", async () => {
  const { jobs, failures, queueErrors, start } = await running(
    { long: (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) },
    { broken: { renew: async () => new Set() } },
  );
  const id = await jobs.add({ kind: "long", subject: "a" });
  const runner = start(0.06);
  await runner.idle();
  expect(await jobs.find(id)).toMatchObject({ state: "running", attempts: 1 });
  expect([failures, queueErrors]).toEqual([[], []]);
  await runner.stop();
});

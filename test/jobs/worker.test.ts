import { expect, test } from "bun:test";
import { startJobWorker } from "../../src/jobs/worker.ts";
import { openStore } from "../../src/store.ts";

test("a stopped worker has ended its maintenance, so that the database can be closed", async () => {
  const { jobs, close } = await openStore({ dataDir: ":memory:" });
  const started = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  let hasEnded = false;
  const feature = {
    handlers: {},
    async queueDue() {
      started.resolve();
      await mayEnd.promise;
      for (let subject = 0; subject < 50; subject++) await jobs.add({ kind: "due", subject: String(subject) });
      hasEnded = true;
    },
  };
  const worker = startJobWorker([feature], {
    jobs,
    concurrency: 1,
    clock: () => new Date(),
    onError: (_, error) => errors.push(error),
  });
  await started.promise;
  const stopped = worker.stop();
  mayEnd.resolve();
  await stopped;
  expect(hasEnded).toBe(true);
  await close();
  expect(errors).toEqual([]);
});

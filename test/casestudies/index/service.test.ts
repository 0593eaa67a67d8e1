import { expect, test } from "bun:test";
import type { Indexer } from "../../../src/casestudies/index/indexer.ts";
import { createIndexService } from "../../../src/casestudies/index/service.ts";

/** An index service whose worker has run once, after `error` met a search and a check. */
async function afterFault(error: Error) {
  const drained = Promise.withResolvers<void>();
  let rebuilds = 0;
  const indexer: Indexer = {
    async drain() {
      drained.resolve();
      return 0;
    },
    async rebuild() {
      rebuilds += 1;
      return 0;
    },
    optimise: async () => {},
    betweenWrites: (work) => work(),
    state: () => ({ optimiseError: null, indexError: null }),
  };
  const service = createIndexService({
    dataDir: undefined,
    indexer,
    outbox: {
      join: async () => false,
      depth: async () => 0,
      oldestSeconds: async () => 0,
      failures: async () => ({ total: 0, first: [] }),
      requeueAll: async () => 0,
    },
    check: () => (rebuilds === 0 ? Promise.reject(error) : Promise.resolve()),
    onError() {},
  });
  const lateSearch = service.watchSearch();
  service.watchSearch()(error);
  const worker = service.startWorker();
  await drained.promise;
  await worker.stop();
  if (rebuilds > 0) lateSearch(new Error("lance error: the file of the table before is gone"));
  return { rebuilds, fault: await service.fault() };
}

test("a damaged index is rebuilt by the worker, and a search that read it before does not count", async () => {
  expect(await afterFault(new Error("lance error: the file is damaged"))).toEqual({ rebuilds: 1, fault: null });
});

test("an index is not rebuilt because the process has no file descriptor or memory left", async () => {
  for (const code of [12, 23, 24, 28]) {
    const message = `lance error: LanceError(IO): Unable to walk dir: Too many open files (os error ${code}), object_store.rs`;
    expect(await afterFault(new Error(message))).toEqual({ rebuilds: 0, fault: message });
  }
});

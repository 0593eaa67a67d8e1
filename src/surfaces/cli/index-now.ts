import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import type { CliHost } from "./host.ts";
import { createCounter } from "./progress.ts";

/** Brings what waits into the search index, with a count on the terminal. */
export async function indexNow(app: App, host: CliHost): Promise<void> {
  const progress = createCounter(host, "indexed");
  try {
    await app.indexStudies({ onProgress: (done) => progress.count(done), signal: host.signal });
  } finally {
    progress.end();
  }
}

/** @throws Failure `store.unusable` when the index could not be written and something waits for it */
export async function refuseUnindexed(app: App): Promise<void> {
  const { indexError, waiting } = await app.indexState();
  if (indexError === null || waiting === 0) return;
  throw new Failure("store.unusable", `${waiting} case studies are kept and wait for the search index. ${indexError}`);
}

import { type CliHost, withApp } from "../cli/host.ts";
import { createCounter } from "../cli/progress.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";

/** Brings what waits into the search index, with a count on the terminal. */
export async function indexNow(app: Pick<Services, "caseStudies">, host: CliHost): Promise<void> {
  const progress = createCounter(host, "indexed");
  try {
    await app.caseStudies.indexStudies({ onProgress: (done) => progress.count(done), signal: host.signal });
  } finally {
    progress.end();
  }
}

/** Opens the services for one command, with the starter case studies loaded and indexed first. */
export const withStarter = <T>(
  host: CliHost<Services>,
  flags: Readonly<Record<string, unknown>>,
  work: (app: Services) => Promise<T>,
): Promise<T> =>
  withApp(host, flags, async (app) => {
    if ((await app.starter.load()) > 0) await indexNow(app, host);
    return await work(app);
  });

/** @throws Failure `store.unusable` when the index could not be written and something waits for it */
export async function refuseUnindexed(app: Services): Promise<void> {
  const { indexError, waiting } = await app.caseStudies.indexState();
  if (indexError === null || waiting === 0) return;
  throw new Failure("store.unusable", `${waiting} case studies are kept and wait for the search index. ${indexError}`);
}

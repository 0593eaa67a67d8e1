import { type CliHost, withApp } from "../cli/host.ts";
import { createCounter } from "../cli/progress.ts";
import { plain } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import type { IndexService } from "./index/service.ts";
import type { StarterService } from "./starter/service.ts";

/** Indexes waiting case studies, with a count on the terminal. Prints which ones the model cannot embed. */
export async function indexNow({ index }: { readonly index: IndexService }, host: CliHost): Promise<void> {
  const progress = createCounter(host, "indexed");
  try {
    await index.indexNow({ onProgress: (done) => progress.count(done), signal: host.signal });
  } finally {
    progress.end();
  }
  const { total, first } = (await index.state()).failures;
  for (const { case_study_id, error } of first)
    host.err(`Only keyword search finds ${plain(case_study_id)}: ${plain(error)}\n`);
  if (total > first.length) host.err(`… and ${total - first.length} more case studies.\n`);
}

/** Opens the services for one command, after loading and indexing the starter case studies. */
export const withStarter = <Services extends { readonly starter: StarterService; readonly index: IndexService }, T>(
  host: CliHost<Services>,
  flags: Readonly<Record<string, unknown>>,
  work: (services: Services) => Promise<T>,
): Promise<T> =>
  withApp(host, flags, async (services) => {
    if ((await services.starter.load()) > 0) await indexNow(services, host);
    return await work(services);
  });

/** @throws Failure `store.unusable` when case studies wait because the index could not be written */
export async function requireIndexed({ index }: { readonly index: IndexService }): Promise<void> {
  const { indexError, waiting } = await index.state();
  if (indexError === null || waiting === 0) return;
  throw new Failure("store.unusable", `${waiting} case studies are stored but not indexed. ${indexError}`);
}

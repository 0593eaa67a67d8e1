import type { App } from "../../app/app.ts";
import type { CliHost } from "./host.ts";
import { indexNow } from "./index-now.ts";

export interface WithOptions {
  /** Leaves no trace on disk. */
  readonly inMemory?: boolean;
  /** A new data directory has something to find: the case studies that come with the program are taken in before. */
  readonly starter?: boolean;
}

/** Opens the application for the time of one command. */
export async function withApp<T>(
  host: CliHost,
  flags: Readonly<Record<string, unknown>>,
  work: (app: App) => Promise<T>,
  { starter = false, ...options }: WithOptions = {},
): Promise<T> {
  const app = await host.open(flags, options);
  try {
    if (starter && (await app.loadStarter()) > 0) await indexNow(app, host);
    return await work(app);
  } finally {
    await app.close();
  }
}

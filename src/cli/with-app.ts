import { indexNow } from "../casestudies/index-now.ts";
import type { Services } from "../compose.ts";
import type { CliHost } from "./host.ts";

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
  work: (app: Services) => Promise<T>,
  { starter = false, ...options }: WithOptions = {},
): Promise<T> {
  const app = await host.open(flags, options);
  try {
    if (starter && (await app.starter.loadStarter()) > 0) await indexNow(app, host);
    return await work(app);
  } finally {
    await app.close();
  }
}

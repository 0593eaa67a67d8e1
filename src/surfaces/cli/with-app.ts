import type { App } from "../../app/app.ts";
import type { CliHost } from "./host.ts";

/** Opens the application for the time of one command. */
export async function withApp<T>(
  host: CliHost,
  flags: Readonly<Record<string, unknown>>,
  work: (app: App) => Promise<T>,
  options: { readonly inMemory?: boolean } = {},
): Promise<T> {
  const app = await host.open(flags, options);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

import { join } from "node:path";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { Box } from "../box/box.ts";

/** Flags that connect an installation to a simulated internet. */
export async function flagsInto(box: Box, dataDir: string): Promise<Record<string, unknown>> {
  const authority = join(dataDir, "box.pem");
  await Bun.write(authority, box.ca);
  return {
    "data-dir": dataDir,
    "net-resolvers": box.dns,
    "net-allow-cidrs": box.allow,
    "net-connect-ports": [...box.connectPorts].map((pair) => pair.join(":")),
    "net-ca-file": authority,
    "scan-allowed-reserved-tlds": "test",
    "crawl-delay-ms": "0",
  };
}

/** The whole application on a simulated internet; a background error fails the test. */
export async function openBoxedApp(
  box: Box,
  dataDir: string,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<Services> {
  const broke = (work: string, error: unknown) => {
    // A failed job is recorded in its submission, which the tests check.
    if (work.startsWith("job ")) return;
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({
    flags: { ...(await flagsInto(box, dataDir)), ...flags },
    env: {},
    readFile: () => undefined,
  });
  return await openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed: broke } });
}

/** Waits until `done` says so, at most 60 seconds. */
export async function until(done: () => Promise<boolean>): Promise<void> {
  const limit = Date.now() + 60_000;
  while (!(await done())) {
    if (Date.now() > limit) throw new Error("It did not happen within a minute.");
    await Bun.sleep(25);
  }
}

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { type Box, openBox } from "../box/box.ts";
import type { World } from "../box/company.ts";
import { inDirectory } from "../store/examples.ts";
import { flagsInto, until } from "./boxed-app.ts";

const world = (script: string): World => ({
  companies: [{ domain: "brightpine.test", pages: { "/": `<title>Brightpine</title>${script}`, "www/": script } }],
});
const STRIPE = '<script src="https://js.stripe.com/v3/"></script>';

let box: Box | undefined;
afterEach(async () => {
  await box?.close();
  box = undefined;
});

/** Runs one scan with a release, and returns the outcome and all changes. */
async function scannedBy(version: string, inBox: Box, dataDir: string): Promise<readonly unknown[]> {
  const config = loadConfig({ flags: await flagsInto(inBox, dataDir), env: {}, readFile: () => undefined });
  const fail = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const app = await openServices({ config, version, log: { scannerFailed: fail, taskFailed: fail } });
  const watch = async () => (await app.watches.listWatches()).watches[0];
  try {
    await app.watches.watch("brightpine.test");
    const before = (await watch())?.last_scan_at;
    const watching = app.watches.startWatching();
    await until(async () => (await watch())?.last_scan_at !== before);
    await watching.stop();
    const { changes } = await app.watches.listChanges();
    return [(await watch())?.last_outcome, ...changes.map(({ change, tool_id }) => `${change} ${tool_id}`)];
  } finally {
    await app.close();
    const database = new Database(join(dataDir, "casefile.sqlite"));
    database.run("update watches set run_after = '2020-01-01T00:00:00.000Z'");
    database.close();
  }
}

test("after an upgrade the next scan is a new baseline without changes", async () => {
  box = await openBox(world(""));
  const inBox = box;
  await inDirectory(async (dataDir) => {
    const scanned = (version: string) => scannedBy(version, inBox, dataDir);
    expect(await scanned("1.0.0")).toEqual(["baseline"]);
    expect(await scanned("1.0.0")).toEqual(["unchanged"]);
    inBox.describe(world(STRIPE));
    expect(await scanned("1.1.0")).toEqual(["baseline"]);
    inBox.describe(world(""));
    expect(await scanned("1.1.0")).toEqual(["unchanged"]);
    expect(await scanned("1.1.0")).toEqual(["changed", "disappeared stripe"]);
  });
}, 60_000);

test("tools do not disappear while the site shows a bot wall", async () => {
  box = await openBox(world(STRIPE));
  const inBox = box;
  const shut = { status: 403, body: "<title>Denied</title>", headers: { "CF-Mitigated": "challenge" } };
  await inDirectory(async (dataDir) => {
    const scanned = () => scannedBy("1.0.0", inBox, dataDir);
    expect(await scanned()).toEqual(["baseline"]);
    inBox.describe({ companies: [{ domain: "brightpine.test", pages: { "/*": shut, "www/*": shut } }] });
    for (let scan = 0; scan < 5; scan++)
      expect((await scanned()).filter((change) => change === "disappeared stripe")).toEqual([]);
  });
}, 60_000);

test("a webhook on this machine is accepted when the settings allow its address", async () => {
  await inDirectory(async (dataDir) => {
    const adding = async (flags: object) => {
      const config = loadConfig({ flags: { "data-dir": dataDir, ...flags }, env: {}, readFile: () => undefined });
      const app = await openServices({ config, version: "1.0.0", log: { scannerFailed() {}, taskFailed() {} } });
      return await app.watches.addWebhook("http://localhost/hook").finally(() => app.close());
    };
    await expect(adding({})).rejects.toThrow("To allow it, change net.allow_cidrs.");
    expect((await adding({ "net-allow-cidrs": "127.0.0.0/8" })).url).toBe("http://localhost/hook");
  });
});

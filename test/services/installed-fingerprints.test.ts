import { expect, spyOn, test } from "bun:test";
import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { openBackupFiles } from "../../src/backup/service.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { withFolder } from "../detection/fingerprints/custom/folder-of.ts";
import { HARBOUR_WIDGET as TOOL } from "../detection/fingerprints/record-of.ts";
import { inDirectory } from "../store/examples.ts";

async function opened<T>(
  dataDir: string,
  use: (app: Awaited<ReturnType<typeof openServices>>) => Promise<T>,
  { dir, ...options }: { readonly withoutInstalled?: boolean; readonly dir?: string } = {},
): Promise<T> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({
    flags: { dataDir, ...(dir !== undefined && { fingerprintsDir: [dir] }) },
    env: {},
    readFile: () => undefined,
  });
  const log = { scannerFailed: broke, taskFailed: broke };
  const app = await openServices({ config, version: "1.2.3", log, ...options });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

const found = (dataDir: string, options = {}) =>
  opened(dataDir, async (app) => (await app.fingerprints.list({ q: "Harbour Widget" })).total, options);

test("fingerprints in the database are used from the next start, and are in an archive", async () => {
  await inDirectory(async (folder) => {
    const dataDir = join(folder, "data");
    expect(await found(dataDir)).toBe(0);
    expect(await readdir(dataDir)).not.toContain("installed-fingerprints");
    await withFolder({ "harbour-widget.yaml": TOOL }, (from) =>
      opened(dataDir, async (app) => {
        const installed = await app.fingerprints.install(from);
        expect(installed).toEqual({ files: 1, bytes: TOOL.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      }),
    );
    expect(await found(dataDir)).toBe(1);
    expect(await found(dataDir, { withoutInstalled: true })).toBe(0);
    const archive = join(folder, "archive.tar.zst");
    await opened(dataDir, (app) => app.backups.create({ file: archive }));
    const restored = join(folder, "restored");
    await openBackupFiles({ dataDir: restored }).restore(archive);
    expect(await found(restored)).toBe(1);

    await opened(dataDir, (app) => app.fingerprints.uninstall());
    expect(await found(dataDir)).toBe(0);
    await expect(opened(dataDir, (app) => app.fingerprints.uninstall())).rejects.toThrow("No custom fingerprints");
  });
});

test("a process that runs for long keeps its copy when another process opens newer fingerprints", async () => {
  await inDirectory(async (dataDir) => {
    const copies = async () => (await readdir(join(dataDir, "installed-fingerprints"))).sort();
    const install = (text: string) =>
      withFolder({ "harbour-widget.yaml": text }, (from) => opened(dataDir, (app) => app.fingerprints.install(from)));
    const { sha256 } = await install(TOOL);
    const repeated = spyOn(globalThis, "setInterval");
    try {
      await opened(dataDir, async () => {
        const copy = join(dataDir, "installed-fingerprints", sha256);
        const longAgo = new Date(Date.now() - 25 * 3_600_000);
        await utimes(copy, longAgo, longAgo);
        for (const [work] of repeated.mock.calls) if (typeof work === "function") work();
        while ((await stat(copy)).mtimeMs === longAgo.getTime()) await Bun.sleep(2);
        const newer = await install(TOOL.replace("an own loader", "its own loader"));
        expect(await found(dataDir)).toBe(1);
        expect(await copies()).toEqual([sha256, newer.sha256].sort());
      });
    } finally {
      repeated.mockRestore();
    }
  });
});

test("a folder that does not agree with this machine's own fingerprints is not installed", async () => {
  await inDirectory(async (dataDir) => {
    await withFolder({ "harbour-gauge.yaml": TOOL }, (dir) =>
      withFolder({ "harbour-widget.yaml": TOOL }, async (from) => {
        const install = () => opened(dataDir, (app) => app.fingerprints.install(from), { dir });
        await expect(install()).rejects.toThrow("1 fault in");
        expect(await found(dataDir, { dir })).toBe(1);
      }),
    );
  });
});

test("a folder with a fault is not installed", async () => {
  await inDirectory(async (dataDir) => {
    const install = (files: Record<string, string>) =>
      withFolder(files, (from) => opened(dataDir, (app) => app.fingerprints.install(from)));
    await expect(
      install({ "harbour-widget.yaml": TOOL.replace("hit: https://widget", "hit: https://other") }),
    ).rejects.toThrow("1 fault in");
    await expect(install({ "notes.txt": "" })).rejects.toThrow("has no .yaml files");
    await expect(install({ "-rf.yaml": TOOL })).rejects.toThrow("Cannot use -rf.yaml");
    await expect(install({ "large.yaml": "#".repeat(300_000) })).rejects.toThrow("256 KiB");
    expect(await found(dataDir)).toBe(0);
  });
});

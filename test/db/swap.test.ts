import { describe, expect, test } from "bun:test";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findAbandonedSwaps, finishSwap, realDataDir, swapIn } from "../../src/db/swap.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory } from "../store/examples.ts";

const TIME = "20260504T120000000Z";

async function folder(path: string, word?: string): Promise<string> {
  await mkdir(path);
  if (word !== undefined) await writeFile(join(path, "word"), word);
  return path;
}
const wordIn = (path: string) => Bun.file(join(path, "word")).text();

describe("a swap", () => {
  test("installs the new directory and keeps the old one", async () => {
    await inDirectory(async (parent) => {
      const dataDir = await folder(join(parent, "data"), "old");
      const kept = await swapIn(dataDir, await folder(join(parent, "staging"), "new"), TIME);
      expect(kept).toBe(join(parent, `data.before-restore-${TIME}`));
      expect([await wordIn(dataDir), await wordIn(kept ?? "")]).toEqual(["new", "old"]);
      expect((await readdir(parent)).length).toBe(2);
    });
  });

  test.each(["none", "empty"])("keeps nothing when the old directory is %s", async (before) => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      if (before === "empty") await mkdir(dataDir);
      expect(await swapIn(dataDir, await folder(join(parent, "staging"), "new"), TIME)).toBeNull();
      expect(await wordIn(dataDir)).toBe("new");
      expect(await readdir(parent)).toEqual(["data"]);
    });
  });

  test("that cannot start changes nothing", async () => {
    await inDirectory(async (parent) => {
      await writeFile(join(parent, "data"), "a file");
      const staging = await folder(join(parent, "staging"), "new");
      await expect(swapIn(join(parent, "data"), staging, TIME)).rejects.toThrow("ENOTDIR");
      expect((await readdir(parent)).sort()).toEqual(["data", "staging"]);
    });
  });

  test("interrupted between its two renames is finished when the store is opened", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await folder(`${dataDir}.before-restore-${TIME}`, "old");
      await folder(`${dataDir}.restored-${TIME}`, "new");
      const store = await openStore({ dataDir, clock: () => new Date() });
      await store.close();
      expect(await wordIn(dataDir)).toBe("new");
      expect((await readdir(parent)).sort()).toEqual(["data", `data.before-restore-${TIME}`]);
    });
  });

  test("interrupted before its first rename is not finished: a removed directory stays removed", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      const left = await folder(`${dataDir}.restored-${TIME}`, "new");
      await folder(`${dataDir}.before-restore-20250101T000000000Z`, "older");
      expect(await finishSwap(dataDir)).toBe(false);
      expect(await findAbandonedSwaps(dataDir)).toEqual([left]);
      expect(await finishSwap(left)).toBe(true);
    });
  });

  test("follows a symbolic link, even when its target does not exist", async () => {
    await inDirectory(async (parent) => {
      await folder(join(parent, "disk"));
      const link = join(parent, "data");
      await symlink(join(parent, "disk", "casefile"), link);
      const place = await realDataDir(link);
      expect(place).toEndWith("/disk/casefile");
      await folder(`${place}.before-restore-${TIME}`, "old");
      await folder(`${place}.restored-${TIME}`, "new");
      expect(await finishSwap(link)).toBe(true);
      expect(await wordIn(link)).toBe("new");
    });
  });
});

import { describe, expect, test } from "bun:test";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { abandonedBeside, finishSwap, realDataDir, swapIn } from "../../src/db/swap.ts";
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
  test("puts the new directory in, and keeps the old one", async () => {
    await inDirectory(async (parent) => {
      const dataDir = await folder(join(parent, "data"), "old");
      const kept = await swapIn(dataDir, await folder(join(parent, "staging"), "new"), TIME);
      expect(kept).toBe(join(parent, `data.before-restore-${TIME}`));
      expect([await wordIn(dataDir), await wordIn(kept ?? "")]).toEqual(["new", "old"]);
      expect((await readdir(parent)).length).toBe(2);
    });
  });

  test.each(["none", "empty"])("keeps nothing where there was %s", async (before) => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      if (before === "empty") await mkdir(dataDir);
      expect(await swapIn(dataDir, await folder(join(parent, "staging"), "new"), TIME)).toBeNull();
      expect(await wordIn(dataDir)).toBe("new");
      expect(await readdir(parent)).toEqual(["data"]);
    });
  });

  test("that cannot begin changes nothing", async () => {
    await inDirectory(async (parent) => {
      await writeFile(join(parent, "data"), "a file");
      const staging = await folder(join(parent, "staging"), "new");
      await expect(swapIn(join(parent, "data"), staging, TIME)).rejects.toThrow("ENOTDIR");
      expect((await readdir(parent)).sort()).toEqual(["data", "staging"]);
    });
  });

  test("that was cut between its two renames is ended by whoever opens the store", async () => {
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

  test("that was cut before its first rename is none: a directory that is removed stays away", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      const left = await folder(`${dataDir}.restored-${TIME}`, "new");
      await folder(`${dataDir}.before-restore-20250101T000000000Z`, "older");
      expect(await finishSwap(dataDir)).toBe(false);
      expect(await abandonedBeside(dataDir)).toEqual([left]);
      expect(await finishSwap(left)).toBe(true);
    });
  });

  test("happens where a symbolic link leads, also while nothing is there", async () => {
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

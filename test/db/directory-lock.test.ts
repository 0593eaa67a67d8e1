import { describe, expect, test } from "bun:test";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { shareDirectory, takeDirectory } from "../../src/db/locks.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");
const open = (dataDir: string) => openStore({ dataDir, clock });

describe("the lock of a data directory", () => {
  test("is shared by all processes that opened the directory, which excludes an exclusive lock", async () => {
    await inDirectory(async (dataDir) => {
      const [first, second] = [shareDirectory(dataDir), shareDirectory(dataDir)];
      expect(takeDirectory(dataDir)).toBeUndefined();
      first.release();
      expect(takeDirectory(dataDir)).toBeUndefined();
      second.release();
      takeDirectory(dataDir)?.release();
      shareDirectory(dataDir).release();
    });
  });

  test("an exclusive lock prevents opening the store, with a reason", async () => {
    await inDirectory(async (dataDir) => {
      const lock = takeDirectory(dataDir);
      const { code, message } = await refusalOf(open(dataDir));
      expect(code).toBe("store.unusable");
      expect(message).toContain(dataDir);
      expect(message).toContain("being restored");
      lock?.release();
      await (await open(dataDir)).close();
    });
  });

  test("an open store holds it until it is closed", async () => {
    await inDirectory(async (dataDir) => {
      const store = await open(dataDir);
      expect(takeDirectory(dataDir)).toBeUndefined();
      await store.close();
      const lock = takeDirectory(dataDir);
      expect(lock).toBeDefined();
      lock?.release();
    });
  });

  test("excludes other processes, and ends with a killed process", async () => {
    await inDirectory(async (dataDir) => {
      const code = `const { shareDirectory } = await import(${JSON.stringify(join(import.meta.dir, "../../src/db/locks.ts"))});
        globalThis.held = shareDirectory(${JSON.stringify(dataDir)}); console.log("held"); setInterval(() => {}, 1000);`;
      const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" });
      try {
        await child.stdout.getReader().read();
        expect(takeDirectory(dataDir)).toBeUndefined();
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
      const lock = takeDirectory(dataDir);
      expect(lock).toBeDefined();
      lock?.release();
    });
  });

  test("belongs to the current directory, not to one that was moved aside", async () => {
    await inDirectory(async (parent) => {
      const [dataDir, aside] = [join(parent, "data"), join(parent, "aside")];
      await mkdir(dataDir);
      const old = takeDirectory(dataDir);
      await rename(dataDir, aside);
      await mkdir(dataDir);
      const shared = shareDirectory(dataDir);
      expect(takeDirectory(dataDir)).toBeUndefined();
      old?.release();
      shared.release();
    });
  });
});

import { describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFakeApp } from "../services/fake-app.ts";
import { backupsIn, inDirectory } from "../store/examples.ts";
import { run } from "./fake-host.ts";

/** Runs commands on a new data directory. */
async function opened(use: (on: (...argv: string[]) => ReturnType<typeof run>, parent: string) => Promise<void>) {
  await inDirectory(async (parent) => {
    const dataDir = join(parent, "data");
    await use((...argv) => run([...argv, "--data-dir", dataDir], { dataDir }), parent);
  });
}

describe("casefile backup", () => {
  test("writes to the given file or the data directory, and lists the backups", async () => {
    await opened(async (on, parent) => {
      const file = join(parent, "mine.tar.zst");
      const told = await on("backup", "create", file);
      expect([told.code, told.err]).toEqual([0, ""]);
      expect(told.out).toMatch(new RegExp(`^${file}: \\d+ kB\\nsha256 [0-9a-f]{64}\\n$`));
      const { out } = await on("backup", "create", "--json");
      const made = JSON.parse(out);
      expect(Object.keys(made)).toEqual(["name", "size", "sha256", "created_at"]);
      expect(await backupsIn(join(parent, "data"))).toEqual([made.name]);
      const list = JSON.parse((await on("backup", "list", "--json")).out);
      expect(list).toEqual({
        backups: [{ name: made.name, kind: "manual", size: made.size, created_at: made.created_at }],
        total: 1,
        next_cursor: null,
      });
      expect((await on("backup", "list")).out).toContain(made.name);
      expect((await on("backup")).out).toContain(made.name);
    });
  });

  test("never overwrites a file", async () => {
    await opened(async (on, parent) => {
      const file = join(parent, "mine.tar.zst");
      await writeFile(file, "precious");
      expect(await on("backup", "create", file)).toMatchObject({ code: 2, out: "" });
      expect(await Bun.file(file).text()).toBe("precious");
    });
  });

  test.each(["backup restore", "restore"])(
    "%s restores the data and names the folder with the previous data",
    async (words) => {
      await opened(async (on, parent) => {
        const [file, dataDir] = [join(parent, "mine.tar.zst"), join(parent, "data")];
        await on("keys", "issue", "ana@brightpine.test");
        await on("backup", "create", file);
        await on("keys", "revoke", "ana@brightpine.test");
        const verified = await on("backup", "verify", file);
        expect([verified.code, verified.out]).toEqual([
          0,
          expect.stringMatching(/^Valid: created at \S+ by release 1\.2\.3, schema \d+\.\n$/),
        ]);
        const { code, out, err } = await on(...words.split(" "), file);
        expect([code, err]).toEqual([0, ""]);
        expect(out).toContain(`is now ${dataDir}.before-restore-`);
        expect((await on("keys", "list")).out).toContain("active");
      });
    },
  );

  test("--json reports the restored archive", async () => {
    await opened(async (on, parent) => {
      const file = join(parent, "mine.tar.zst");
      await on("backup", "create", file);
      await rm(join(parent, "data"), { recursive: true });
      const restored = JSON.parse((await on("restore", file, "--json")).out);
      expect(restored).toEqual({
        manifest: JSON.parse((await on("backup", "verify", file, "--json")).out),
        kept: null,
      });
      expect(Object.keys(restored.manifest)).toEqual([
        "format",
        "format_version",
        "product_version",
        "schema_version",
        "created_at",
        "parts",
      ]);
    });
  });

  test("a damaged archive fails with a message", async () => {
    await opened(async (on, parent) => {
      const file = join(parent, "mine.tar.zst");
      await writeFile(file, "no archive");
      for (const words of [["backup", "verify"], ["restore"]]) {
        const { code, out, err } = await on(...words, file);
        expect([code, out]).toEqual([1, ""]);
        expect(err).toMatch(/^casefile: The archive cannot be restored: .+\n$/);
      }
    });
  });

  test("a data directory in use is not replaced", async () => {
    await opened(async (on, parent) => {
      const file = join(parent, "mine.tar.zst");
      await on("backup", "create", file);
      const app = await openFakeApp({ dataDir: join(parent, "data") });
      expect(await on("restore", file)).toMatchObject({ code: 1, err: expect.stringContaining("stop the service") });
      await app.close();
      expect((await on("restore", file)).code).toBe(0);
    });
  });
});

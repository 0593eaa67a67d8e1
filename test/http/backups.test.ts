import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verifyArchive } from "../../src/backup/restore.ts";
import { backupsIn, inDirectory } from "../store/examples.ts";
import { managed } from "./managed.ts";
import { jsonOf, problemOf } from "./opened.ts";

/** A service on a new directory. */
async function opened<T>(use: (service: Awaited<ReturnType<typeof managed>>, dataDir: string) => Promise<T>) {
  await inDirectory(async (dataDir) => {
    const service = await managed({ dataDir });
    try {
      await use(service, dataDir);
    } finally {
      await service.app.close();
    }
  });
}

const NAME = /^manual-20260504T1200\d{5}Z\.tar\.zst$/;

describe("backups over HTTP", () => {
  test("are created, listed newest first, and downloaded unchanged", async () => {
    await opened(async ({ manage }, dataDir) => {
      const answer = await manage("/admin/backup", { method: "POST" });
      expect(answer.status).toBe(201);
      const made = await jsonOf(answer);
      expect(made).toEqual({
        name: expect.stringMatching(NAME),
        size: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        created_at: expect.stringMatching(/^2026-05-04T12:00:\d\d\.000Z$/),
      });
      const second = await jsonOf(await manage("/admin/backup", { method: "POST" }));
      const list = await jsonOf(await manage("/admin/backups"));
      expect(list).toEqual({
        backups: [second, made].map(({ name, size }) => ({
          name,
          kind: "manual",
          size,
          created_at: expect.stringMatching(/Z$/),
        })),
        total: 2,
        next_cursor: null,
      });
      const download = await manage(`/admin/backups/${made.name}`);
      expect(download.status).toBe(200);
      expect(download.headers.get("content-type")).toBe("application/zstd");
      expect(download.headers.get("content-length")).toBe(String(made.size));
      expect(download.headers.get("content-disposition")).toBe(`attachment; filename="${made.name}"`);
      expect(download.headers.get("cache-control")).toBe("private, no-store");
      const bytes = await download.bytes();
      expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(made.sha256);
      const file = join(dataDir, "downloaded.tar.zst");
      await writeFile(file, bytes);
      expect((await verifyArchive(file, {})).product_version).toBe("1.2.3");
    });
  });

  test("share one run for concurrent requests", async () => {
    await opened(async ({ manage }, dataDir) => {
      const answers = await Promise.all([1, 2, 3].map(() => manage("/admin/backup", { method: "POST" })));
      const names = await Promise.all(answers.map(async (answer) => (await jsonOf(answer)).name));
      expect(new Set(names).size).toBe(1);
      expect(await backupsIn(dataDir)).toEqual([names[0]]);
    });
  });

  test.each([
    ["GET", "/admin/backups"],
    ["POST", "/admin/backup"],
    ["GET", "/admin/backups/manual-20260504T120000000Z.tar.zst"],
  ])("%s %s requires the operator token", async (method, path) => {
    await opened(async ({ ask, key }, dataDir) => {
      const own = await key();
      for (const asked of [{}, { key: own }, { operator: own }]) {
        expect((await problemOf(await ask(path, { method, ...asked }))).code).toBe("operator.invalid");
      }
      expect(await backupsIn(dataDir)).toEqual([]);
    });
  });

  test.each([
    "manual-20260504T120000000Z.tar.zst",
    "..%2Fcasefile.sqlite",
    "%2e%2e%2fcasefile.sqlite",
    "%2Fetc%2Fpasswd",
    "before-migration-3-20260504T120000000Z.sqlite",
    "mine.tar.zst",
    "manual-20260504T120000000Z.tar.zst.part",
    "manual-20260504T120000000Z.tar.zst%00",
  ])("the name %s is not found", async (name) => {
    await opened(async ({ manage }, dataDir) => {
      await mkdir(join(dataDir, "backups"), { recursive: true });
      await writeFile(join(dataDir, "backups", "mine.tar.zst"), "mine");
      await writeFile(join(dataDir, "backups", "before-migration-3-20260504T120000000Z.sqlite"), "copy");
      expect((await problemOf(await manage(`/admin/backups/${name}`))).code).toBe("backup.not_found");
    });
  });

  test("a disk error is 503 without its path, and leaves no file", async () => {
    await opened(async ({ manage }, dataDir) => {
      await writeFile(join(dataDir, "backups"), "a file where the folder should be");
      const problem = await problemOf(await manage("/admin/backup", { method: "POST" }));
      expect([problem.status, problem.code]).toEqual([503, "store.unusable"]);
      expect(problem.detail).not.toContain(dataDir);
    });
  });

  test("an in-memory application has no backups", async () => {
    const { manage } = await managed();
    expect((await jsonOf(await manage("/admin/backups"))).total).toBe(0);
    expect((await problemOf(await manage("/admin/backup", { method: "POST" }))).code).toBe("store.unusable");
  });
});

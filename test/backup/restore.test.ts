import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backup } from "../../src/backup/create.ts";
import { restoreArchive, verifyArchive } from "../../src/backup/restore.ts";
import type { Failure } from "../../src/core/errors.ts";
import { SCHEMA_VERSION } from "../../src/db/migrate.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";
import { backUp, changedBy, everyFile, manifestOf, NOW, packed, unpacked, wordIn, write } from "./archives.ts";

const LATER = new Date("2026-05-05T12:00:00.000Z");
const KEPT = "data.before-restore-20260505T120000000Z";

let folder: string;
/** An archive of an installation whose word is "saved". */
let archive: string;
let made: Backup;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-backup-"));
  archive = join(folder, "saved.tar.zst");
  await write(join(folder, "source"), "saved");
  made = await backUp(join(folder, "source"), archive);
});
afterAll(() => rm(folder, { recursive: true }));

const restore = (file: string, dataDir: string, room?: number) => restoreArchive(file, dataDir, { now: LATER, room });

/** Runs an attempt on an installation with the word "old" and checks that no byte or name changed. */
async function unchanged(attempt: (dataDir: string) => Promise<unknown>): Promise<Failure> {
  return await inDirectory(async (parent) => {
    const dataDir = join(parent, "data");
    await write(dataDir, "old");
    const before = await everyFile(parent);
    const refusal = await refusalOf(attempt(dataDir));
    expect(await everyFile(parent)).toEqual(before);
    expect(await readdir(parent)).toEqual(["data"]);
    expect(await wordIn(dataDir)).toBe("old");
    return refusal;
  });
}

describe("an archive", () => {
  test("begins with a manifest that lists all files after it", async () => {
    const { manifest, database } = await unpacked(archive);
    const sha256 = new Bun.CryptoHasher("sha256").update(database).digest("hex");
    expect(manifest).toEqual({
      format: "casefile-backup",
      format_version: 1,
      product_version: "1.2.3",
      schema_version: SCHEMA_VERSION,
      created_at: NOW.toISOString(),
      parts: [{ name: "casefile.sqlite", size: database.length, sha256 }],
    });
  });

  test("is listed with name, size and hash, and readable by this user only", async () => {
    const bytes = await Bun.file(archive).bytes();
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(made).toEqual({ name: "saved.tar.zst", size: bytes.length, sha256, created_at: NOW.toISOString() });
    expect((await Bun.file(archive).stat()).mode & 0o777).toBe(0o600);
  });

  test("never overwrites a file, and leaves no partial file after a failed write", async () => {
    const before = await Bun.file(archive).bytes();
    expect((await refusalOf(backUp(join(folder, "source"), archive))).code).toBe("config.invalid");
    expect(await Bun.file(archive).bytes()).toEqual(before);
    const nowhere = await refusalOf(backUp(join(folder, "source"), join(folder, "absent", "a.tar.zst")));
    expect(nowhere.code).toBe("store.unusable");
    expect(nowhere.message).toContain(join(folder, "absent"));
    expect((await readdir(folder)).filter((name) => name.includes("part"))).toEqual([]);
  });

  test("is verified without leaving files", async () => {
    const before = await everyFile(folder);
    expect(await verifyArchive(archive, {})).toMatchObject({ schema_version: SCHEMA_VERSION });
    expect(await everyFile(folder)).toEqual(before);
    expect((await readdir(folder)).sort()).toEqual(["saved.tar.zst", "source"]);
  });
});

describe("a restore", () => {
  test("replaces the data directory and keeps the previous one", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await write(dataDir, "old");
      const { manifest, kept } = await restore(archive, dataDir);
      expect(manifest.product_version).toBe("1.2.3");
      expect(kept).toBe(join(parent, KEPT));
      expect([await wordIn(dataDir), await wordIn(kept ?? "")]).toEqual(["saved", "old"]);
      expect((await readdir(parent)).sort()).toEqual(["data", KEPT]);
    });
  });

  test.each(["nothing", "an empty folder"])("works where there is %s", async (what) => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "deep", "data");
      if (what !== "nothing") await mkdir(dataDir, { recursive: true });
      expect((await restore(archive, dataDir)).kept).toBeNull();
      expect(await readdir(join(parent, "deep"))).toEqual(["data"]);
      expect(await wordIn(dataDir)).toBe("saved");
    });
  });

  test("replaces a damaged database", async () => {
    await inDirectory(async (parent) => {
      await mkdir(join(parent, "data"));
      await writeFile(join(parent, "data", "casefile.sqlite"), "no database any more");
      await restore(archive, join(parent, "data"));
      expect(await wordIn(join(parent, "data"))).toBe("saved");
    });
  });

  test("fails at once when another process uses the directory", async () => {
    const refusal = await unchanged(async (dataDir) => {
      const store = await openStore({ dataDir, clock: () => NOW });
      try {
        await restore(archive, dataDir);
      } finally {
        await store.close();
      }
    });
    expect([refusal.code, refusal.message]).toEqual(["store.unusable", expect.stringContaining("stop the service")]);
  });

  test("fails without free space", async () => {
    const refusal = await unchanged((dataDir) => restore(archive, dataDir, 100_000));
    expect([refusal.code, refusal.message]).toEqual(["store.unusable", expect.stringContaining("has no room for")]);
  });

  test("changes nothing when it is interrupted", async () => {
    const abort = new AbortController();
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await write(dataDir, "old");
      const attempt = restoreArchive(archive, dataDir, {
        now: LATER,
        signal: abort.signal,
        onProgress: () => abort.abort(new Error("interrupted")),
      });
      await expect(attempt).rejects.toThrow("interrupted");
      expect(await readdir(parent)).toEqual(["data"]);
      expect(await wordIn(dataDir)).toBe("old");
    });
  });

  test("removes what killed restores left behind", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await write(dataDir, "old");
      await mkdir(`${dataDir}.restoring-20260101T000000000Z`);
      await mkdir(`${dataDir}.restored-20260101T000000000Z`);
      await mkdir(join(parent, "data.mine"));
      await restore(archive, dataDir);
      expect((await readdir(parent)).sort()).toEqual(["data", KEPT, "data.mine"]);
    });
  });
});

describe("a restore changes nothing and refuses", () => {
  const refused = (bytes: () => Promise<Uint8Array>) =>
    inDirectory(async (directory) => {
      const file = join(directory, "other.tar.zst");
      await writeFile(file, await bytes());
      expect((await refusalOf(verifyArchive(file, {}))).code).toBe("backup.invalid");
      expect(await readdir(directory)).toEqual(["other.tar.zst"]);
      return await unchanged((dataDir) => restore(file, dataDir));
    });
  const whole = async () => Buffer.from(await Bun.file(archive).bytes());
  const bomb = Buffer.alloc(64 * 1_048_576);

  test("a missing file", async () => {
    expect((await unchanged((dataDir) => restore(join(folder, "absent"), dataDir))).code).toBe("config.invalid");
    for (const file of [join(folder, "no", "absent"), join(archive, "below"), folder])
      expect(await refusalOf(verifyArchive(file, {}))).toMatchObject({
        ...{
          code: "config.invalid",
          message: expect.stringContaining(`Cannot read ${file}: `),
        },
      });
  });

  test.each([
    ["an empty file", async () => Buffer.alloc(0), "is truncated"],
    ["another file", async () => Buffer.from("this is a letter and no archive"), "zstd"],
    [
      "an archive that is cut in half",
      async () => (await whole()).subarray(0, (await whole()).length / 2),
      "is truncated",
    ],
    ["an archive that goes on", async () => Buffer.concat([await whole(), await whole()]), "end-of-archive"],
    ["a bomb of zeros", async () => Bun.zstdCompress(bomb), "end-of-archive"],
    ["no manifest", async () => packed([["casefile.sqlite", "x"]]), "does not begin with a manifest"],
    [
      "a manifest alone",
      async () => packed([["manifest.json", manifestOf(Buffer.from("x"))]]),
      "does not match its manifest",
    ],
    ["a manifest without its fields", async () => packed([["manifest.json", "{}"]]), "manifest cannot be read"],
    ["a manifest that is not JSON", async () => packed([["manifest.json", "{"]]), "manifest cannot be read"],
    ["a manifest of a megabyte", async () => packed([["manifest.json", " ".repeat(1_048_576)]]), "too large"],
  ])("%s", async (_, bytes, words) => {
    expect((await refused(bytes)).message).toContain(words);
  });

  test("a single changed byte, wherever it is", async () => {
    const { manifest, database } = await unpacked(archive);
    for (const at of [20, 5_000, database.length - 1]) {
      const other = Buffer.from(database);
      other[at] = (other[at] ?? 0) ^ 1;
      const bytes = () =>
        packed([
          ["manifest.json", JSON.stringify(manifest)],
          ["casefile.sqlite", other],
        ]);
      expect((await refused(bytes)).message).toContain("the hash of its database is wrong");
    }
  });

  test.each([
    [
      "a database of another name",
      { parts: [{ name: "other.sqlite", size: 1, sha256: "0".repeat(64) }] },
      "unknown parts",
    ],
    [
      "a part with a path",
      { parts: [{ name: "../casefile.sqlite", size: 1, sha256: "0".repeat(64) }] },
      "unknown parts",
    ],
    ["no part", { parts: [] }, "unknown parts"],
    [
      "a size that is none",
      { parts: [{ name: "casefile.sqlite", size: -1, sha256: "0".repeat(64) }] },
      "cannot be read",
    ],
    ["a sum that is none", { parts: [{ name: "casefile.sqlite", size: 1, sha256: "0" }] }, "cannot be read"],
    ["another format", { format: "letter" }, "cannot be read"],
    ["a later format", { format_version: 3 }, "newer release"],
    ["a later schema", { schema_version: SCHEMA_VERSION + 1 }, "newer release"],
    ["an earlier schema than its database", { schema_version: 1 }, "another schema version"],
    ["a time that is none", { created_at: "yesterday" }, "cannot be read"],
  ])("a manifest with %s", async (_, change, words) => {
    const { database } = await unpacked(archive);
    const text = manifestOf(database, { schema_version: SCHEMA_VERSION, ...change });
    const bytes = () =>
      packed([
        ["manifest.json", text],
        ["casefile.sqlite", database],
      ]);
    expect((await refused(bytes)).message).toContain(words);
  });

  test("a file whose listed size exceeds the disk, before any byte is written", async () => {
    const part = { name: "casefile.sqlite", size: 2 ** 50, sha256: "0".repeat(64) };
    const bytes = await packed([["manifest.json", manifestOf(Buffer.alloc(0), { parts: [part] })]]);
    const refusal = await unchanged(async (dataDir) => {
      const file = join(folder, "large.tar.zst");
      await writeFile(file, bytes);
      await restore(file, dataDir).finally(() => rm(file));
    });
    expect([refusal.code, refusal.message]).toEqual(["store.unusable", expect.stringContaining("no room")]);
  });

  test("a file that is longer than its manifest says, or an additional file", async () => {
    const { manifest, database } = await unpacked(archive);
    const text = JSON.stringify(manifest);
    const longer = () =>
      packed([
        ["manifest.json", text],
        ["casefile.sqlite", Buffer.concat([database, Buffer.alloc(9)])],
      ]);
    expect((await refused(longer)).message).toContain("does not match its manifest");
    const more = () =>
      packed([
        ["manifest.json", text],
        ["casefile.sqlite", database],
        ["more", "x"],
      ]);
    expect((await refused(more)).message).toContain("files that its manifest does not list");
  });

  test("a foreign database with a correct hash", async () => {
    const letter = Buffer.from("this is a letter");
    const bytes = (database: Buffer) => () =>
      packed([
        ["manifest.json", manifestOf(database, { schema_version: SCHEMA_VERSION })],
        ["casefile.sqlite", database],
      ]);
    expect((await refused(bytes(letter))).message).toContain("its database is damaged");
    const { database } = await unpacked(archive);
    const foreign = await changedBy(database, join(folder, "foreign.sqlite"), "drop table migrations");
    expect((await refused(bytes(foreign))).message).toContain("its database is damaged");
    const future = await changedBy(
      database,
      join(folder, "future.sqlite"),
      "insert into migrations values (999, 'from the future', '', '')",
    );
    expect((await refused(bytes(future))).message).toContain("newer release");
    for (const name of ["foreign.sqlite", "future.sqlite"]) await rm(join(folder, name));
  });
});

describe("a restore that is killed", () => {
  /** Runs while the restore is paused at a given point; the restore is killed afterwards. */
  async function stopped<T>(dataDir: string, stop: readonly string[], work: (said: string) => Promise<T>): Promise<T> {
    const script = join(import.meta.dir, "stopping-restore.ts");
    const argv = [process.execPath, script, archive, dataDir, ...stop];
    const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
    try {
      return await work(Buffer.from((await child.stdout.getReader().read()).value ?? []).toString());
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  }

  test.each([
    ["while it reads", ["read"], "old"],
    ["while it checks", ["check"], "old"],
    ["before its first rename", ["rename", "1"], "old"],
    ["before its second rename", ["rename", "2"], "old"],
    ["between its last renames, when nothing is in the place", ["rename", "3"], "saved"],
    ["at its end", ["none"], "saved"],
  ])("%s leaves one complete installation, and a later restore succeeds", async (_, stop, word) => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await write(dataDir, "old");
      const said = await stopped(dataDir, stop, async (text) => text);
      expect(said).toBe(stop[0] === "none" ? "ended\n" : "stopped\n");
      expect((await readdir(parent)).includes("data")).toBe(stop[1] !== "3");
      expect(await wordIn(dataDir)).toBe(word);
      await restoreArchive(archive, dataDir, { now: new Date("2026-05-06T12:00:00.000Z") });
      expect(await wordIn(dataDir)).toBe("saved");
      const left = (await readdir(parent)).filter((name) => !name.startsWith("data.before-restore-"));
      expect(left).toEqual(["data"]);
    });
  });

  test("keeps other processes out until then", async () => {
    await inDirectory(async (parent) => {
      const dataDir = join(parent, "data");
      await write(dataDir, "old");
      await stopped(dataDir, ["check"], async () => {
        expect((await refusalOf(wordIn(dataDir))).message).toContain("being restored");
        expect((await refusalOf(restore(archive, dataDir))).message).toContain("Another process");
      });
      expect(await wordIn(dataDir)).toBe("old");
    });
  });
});

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { connect, queriesOf } from "../../src/db/database.ts";
import { openStore } from "../../src/store.ts";
import { backupsIn, inDirectory, refusalOf, reportOf } from "./examples.ts";

const NOW = "2026-05-04T12:00:00.000Z";
const clock = () => new Date(NOW);
const open = (dataDir: string) => openStore({ dataDir, clock });

describe("opening", () => {
  test("saved data is there when the store is opened again", async () => {
    await inDirectory(async (directory) => {
      const dataDir = join(directory, "deep", "data");
      const first = await open(dataDir);
      await first.scans.save({ domain: "acme.example", report: reportOf(NOW, "one") });
      await first.close();
      const second = await open(dataDir);
      expect(await second.scans.latest("acme.example")).toBeDefined();
      await second.close();
    });
  });

  test("two processes read and write at the same time", async () => {
    await inDirectory(async (dataDir) => {
      const server = await open(dataDir);
      await server.settings.set("colour", "red");
      const command = Bun.spawn([process.execPath, join(import.meta.dir, "second-process.ts"), dataDir], {
        stdout: "pipe",
      });
      while (command.exitCode === null) {
        await server.scans.save({ domain: "acme.example", report: reportOf(NOW, "one", "two") });
        await new Promise(setImmediate);
      }
      expect(await command.stdout.text()).toBe("red");
      expect(command.exitCode).toBe(0);
      expect((await server.stats.read()).domains_enriched).toBe(51);
      await server.close();
    });
    // SQLite guarantees no order among waiting writers: on a slow disk this takes seconds.
  }, 60_000);

  test("processes that create one store at the same time all open it", async () => {
    await inDirectory(async (dataDir) => {
      const processes = Array.from({ length: 4 }, () =>
        Bun.spawn([process.execPath, join(import.meta.dir, "second-process.ts"), dataDir]),
      );
      expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
      expect(await backupsIn(dataDir)).toEqual([]);
    });
  });

  test("opening waits for another process that creates the file", async () => {
    await inDirectory(async (dataDir) => {
      const path = join(dataDir, "test.sqlite");
      const maker = Bun.spawn([process.execPath, join(import.meta.dir, "slow-maker.ts"), path], { stdout: "pipe" });
      // It prints when it holds the lock.
      await maker.stdout.getReader().read();
      const database = connect(path);
      expect(database.query("select count(*) from made").values()).toEqual([[0]]);
      database.close();
    });
  });

  test("a transaction holds the write lock from its start", async () => {
    await inDirectory(async (dataDir) => {
      const path = join(dataDir, "test.sqlite");
      const database = connect(path);
      const { queries } = queriesOf(database);
      const other = connect(path);
      other.run("pragma busy_timeout = 0");
      await queries.transaction().execute(async () => {
        expect(() => other.run("begin immediate")).toThrow("database is locked");
      });
      other.run("begin immediate");
      other.close();
      database.close();
    });
  });

  test.each([
    ["journal_mode", "wal"],
    ["foreign_keys", 1],
    ["busy_timeout", 5_000],
    ["synchronous", 1],
  ])("a database runs with %s = %s", async (pragma, value) => {
    await inDirectory(async (dataDir) => {
      const database = connect(join(dataDir, "test.sqlite"));
      expect(database.query(`pragma ${pragma}`).values()).toEqual([[value]]);
      database.close();
    });
  });

  test("only the owner may read the database", async () => {
    await inDirectory(async (directory) => {
      const dataDir = join(directory, "data");
      await (await open(dataDir)).close();
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      expect((await stat(join(dataDir, "casefile.sqlite"))).mode & 0o777).toBe(0o600);
    });
  });

  test("a closed store leaves its file and the lock file, and no log", async () => {
    await inDirectory(async (dataDir) => {
      const store = await open(dataDir);
      await store.settings.set("colour", "red");
      await store.close();
      expect((await readdir(dataDir)).sort()).toEqual(["casefile.sqlite", "in-use.sqlite"]);
    });
  });

  test.each([
    ["a file is in place of the directory", async (path: string) => void (await Bun.write(path, "")), ""],
    ["the directory is below a file", async (path: string) => void (await Bun.write(path, "")), "under"],
    [
      "the database is not a database",
      async (path: string) => void (await Bun.write(join(path, "casefile.sqlite"), "no database".repeat(1_000))),
      "",
    ],
    [
      "the database is a directory",
      async (path: string) => void (await mkdir(join(path, "casefile.sqlite"), { recursive: true })),
      "",
    ],
  ])("refuses, naming the directory, when %s", async (_, arrange, rest) => {
    await inDirectory(async (directory) => {
      const path = join(directory, "data");
      await arrange(path);
      const refusal = await refusalOf(open(join(path, rest)));
      expect(refusal.code).toBe("store.unusable");
      expect(refusal.message).toContain(path);
    });
  });

  test("a database that belongs to another program is refused and stays as it was", async () => {
    await inDirectory(async (dataDir) => {
      const path = join(dataDir, "casefile.sqlite");
      const foreign = new Database(path);
      foreign.run("create table scans (other text)");
      foreign.close();
      expect((await refusalOf(open(dataDir))).code).toBe("store.unusable");
      const after = new Database(path);
      expect(after.query("select name from sqlite_schema where name = 'keys'").all()).toEqual([]);
      after.close();
    });
  });
});

describe("backup", () => {
  test("a copy is complete, replaces the previous one, and opens as a store", async () => {
    await inDirectory(async (directory) => {
      const store = await open(join(directory, "data"));
      await mkdir(join(directory, "copy"));
      const copy = join(directory, "copy", "casefile.sqlite");
      await store.backup(copy);
      await store.settings.set("colour", "red");
      await store.backup(copy);
      await store.close();
      const opened = await open(join(directory, "copy"));
      expect(await opened.settings.find("colour")).toBe("red");
      await opened.close();
    });
  });
});

describe("settings", () => {
  test("the first of many to set an absent value wins", async () => {
    const store = await open(":memory:");
    const won = await Promise.all(["a", "b", "c"].map((value) => store.settings.setIfAbsent("colour", value)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await store.settings.find("colour")).toBe("a");
    await store.settings.set("colour", "b");
    expect(await store.settings.find("colour")).toBe("b");
    expect(await store.settings.find("size")).toBeUndefined();
  });
});

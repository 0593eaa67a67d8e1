import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "../../src/store/migrate.ts";
import { MIGRATIONS, type Migration } from "../../src/store/migrations.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { openStore } from "../../src/store/store.ts";
import { Failure } from "../../src/vocabulary/failure.ts";
import { inDirectory, reportOf } from "./examples.ts";

const NOW = "2026-05-04T12:00:00.000Z";
const clock = () => new Date(NOW);
const open = (dataDir: string) => openStore({ dataDir, clock });

async function refusalOf(attempt: Promise<unknown>): Promise<Failure> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof Failure) return outcome;
  throw new Error(`No failure but ${outcome}`);
}

describe("opening", () => {
  test("what was saved is there when the store is opened again", async () => {
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

  test("a second process reads and writes beside the first", async () => {
    await inDirectory(async (dataDir) => {
      const server = await open(dataDir);
      await server.settings.set("colour", "red");
      const command = Bun.spawn([process.execPath, join(import.meta.dir, "second-process.ts"), dataDir], {
        stdout: "pipe",
      });
      for (let index = 0; index < 50; index++) {
        await server.scans.save({ domain: `first-${index}.example`, report: reportOf(NOW, "one", "two") });
        await Bun.sleep(0);
      }
      expect(await command.stdout.text()).toBe("red");
      expect(await command.exited).toBe(0);
      expect((await server.stats.read()).domains_enriched).toBe(100);
      await server.close();
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

  test("a closed store leaves one file and no log beside it", async () => {
    await inDirectory(async (dataDir) => {
      const store = await open(dataDir);
      await store.settings.set("colour", "red");
      await store.close();
      expect(await readdir(dataDir)).toEqual(["casefile.sqlite"]);
    });
  });

  test.each([
    ["a file stands where the directory should be", async (path: string) => void (await Bun.write(path, "")), ""],
    ["the directory lies under a file", async (path: string) => void (await Bun.write(path, "")), "under"],
    [
      "the database is no database",
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
      expect(refusal.advice).toContain(path);
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
  test("a copy is whole, replaces the one before, and opens as a store", async () => {
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

describe("migrations", () => {
  const step = (id: number, ...up: string[]): Migration => ({ id, name: `step ${id}`, up });
  const FIRST = step(1, "create table notes (text text) strict", "insert into notes values ('kept')");
  const SECOND = step(2, "alter table notes add column colour text");

  async function migrated(dataDir: string, migrations: readonly Migration[], now = NOW): Promise<Database> {
    const database = openDatabase(join(dataDir, "test.sqlite"));
    try {
      await migrate(database, { migrations, dataDir, clock: () => new Date(now) });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
  const backups = (dataDir: string) => readdir(join(dataDir, "backups")).catch(() => []);

  test("ids count from one without gaps", () => {
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  test("each step runs once, and is recorded with its name and checksum", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST, SECOND])).close();
      const database = await migrated(dataDir, [FIRST, SECOND]);
      expect(database.query("select text from notes").values()).toEqual([["kept"]]);
      const rows = database.query("select id, name, length(checksum), applied_at from migrations").values();
      expect(rows).toEqual([
        [1, "step 1", 64, NOW],
        [2, "step 2", 64, NOW],
      ]);
      database.close();
      expect(await backups(dataDir)).toEqual([]);
    });
  });

  test("a database in use is copied before it changes", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      (await migrated(dataDir, [FIRST, SECOND])).close();
      expect(await backups(dataDir)).toEqual(["before-migration-2-20260504T120000000Z.sqlite"]);
      const copy = new Database(join(dataDir, "backups", "before-migration-2-20260504T120000000Z.sqlite"));
      expect(copy.query("select * from notes").all()).toEqual([{ text: "kept" }]);
      copy.close();
    });
  });

  test("the latest five copies are kept, and files of other names are left alone", async () => {
    await inDirectory(async (dataDir) => {
      const steps = [FIRST];
      (await migrated(dataDir, steps)).close();
      await Bun.write(join(dataDir, "backups", "mine.sqlite"), "");
      for (let id = 2; id <= 12; id++) {
        steps.push(step(id, `create table t${id} (a text) strict`));
        (await migrated(dataDir, steps, `2026-05-${String(id).padStart(2, "0")}T00:00:00Z`)).close();
      }
      expect((await backups(dataDir)).sort()).toEqual([
        "before-migration-10-20260510T000000000Z.sqlite",
        "before-migration-11-20260511T000000000Z.sqlite",
        "before-migration-12-20260512T000000000Z.sqlite",
        "before-migration-8-20260508T000000000Z.sqlite",
        "before-migration-9-20260509T000000000Z.sqlite",
        "mine.sqlite",
      ]);
    });
  });

  test("a step that fails undoes the steps before it", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      await migrated(dataDir, [FIRST, SECOND, step(3, "no such statement")]).catch(() => undefined);
      const database = openDatabase(join(dataDir, "test.sqlite"));
      expect(database.query("select * from notes").all()).toEqual([{ text: "kept" }]);
      expect(database.query("select id from migrations").values()).toEqual([[1]]);
      database.close();
    });
  });

  test("a step that is not the one that ran is refused", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      const other = step(1, "create table notes (words text) strict");
      expect((await refusalOf(migrated(dataDir, [other]))).code).toBe("store.unusable");
    });
  });

  test("a database of a newer release is refused, untouched", async () => {
    await inDirectory(async (dataDir) => {
      await (await open(dataDir)).close();
      const database = new Database(join(dataDir, "casefile.sqlite"));
      database.run("insert into migrations values (999, 'from the future', '', ?)", [NOW]);
      database.close();
      const refusal = await refusalOf(open(dataDir));
      expect(refusal.code).toBe("store.unusable");
      expect(refusal.advice).toContain(dataDir);
      expect(refusal.advice).toContain("newer release");
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

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS, type Migration } from "../../src/db/migrations.ts";
import { openStore } from "../../src/store.ts";
import { backupsIn, inDirectory, refusalOf } from "../store/examples.ts";

const NOW = "2026-05-04T12:00:00.000Z";
const clock = () => new Date(NOW);
const open = (dataDir: string) => openStore({ dataDir, clock });

describe("migrations", () => {
  const step = (id: number, ...up: string[]): Migration => ({ id, name: `step ${id}`, up });
  const FIRST = step(1, "create table notes (text text) strict", "insert into notes values ('kept')");
  const SECOND = step(2, "alter table notes add column colour text");

  async function migrated(dataDir: string, migrations: readonly Migration[], now = NOW): Promise<Database> {
    const database = connect(join(dataDir, "test.sqlite"));
    try {
      await migrate(database, { migrations, dataDir, clock: () => new Date(now) });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  test("ids start at 1 and have no gaps", () => {
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  test("a step that nodes of the release before cannot run with says so", () => {
    const added = /^\s*(?:create (?:table|index)|insert into|alter table \w+ add column (?!.* not null(?! default)))/;
    // Nothing was released before the first of these.
    const narrowing = MIGRATIONS.slice(15).filter(({ up }) => !up.every((statement) => added.test(statement)));
    expect(narrowing.filter(({ requires }) => requires === undefined)).toEqual([]);
    expect(MIGRATIONS.filter(({ id, requires = 0 }) => requires > id)).toEqual([]);
  });

  test("each migration runs once and is recorded with its name and checksum", async () => {
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
      expect(await backupsIn(dataDir)).toEqual([]);
    });
  });

  test("a database in use is copied before it changes", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      (await migrated(dataDir, [FIRST, SECOND])).close();
      expect(await backupsIn(dataDir)).toEqual(["before-migration-2-20260504T120000000Z.sqlite"]);
      const copy = new Database(join(dataDir, "backups", "before-migration-2-20260504T120000000Z.sqlite"));
      expect(copy.query("select * from notes").all()).toEqual([{ text: "kept" }]);
      copy.close();
    });
  });

  test("the latest five copies are kept, and other files are not touched", async () => {
    await inDirectory(async (dataDir) => {
      const steps = [FIRST];
      (await migrated(dataDir, steps)).close();
      await Bun.write(join(dataDir, "backups", "mine.sqlite"), "");
      for (let id = 2; id <= 12; id++) {
        steps.push(step(id, `create table t${id} (a text) strict`));
        (await migrated(dataDir, steps, `2026-05-${String(id).padStart(2, "0")}T00:00:00Z`)).close();
      }
      expect((await backupsIn(dataDir)).sort()).toEqual([
        "before-migration-10-20260510T000000000Z.sqlite",
        "before-migration-11-20260511T000000000Z.sqlite",
        "before-migration-12-20260512T000000000Z.sqlite",
        "before-migration-8-20260508T000000000Z.sqlite",
        "before-migration-9-20260509T000000000Z.sqlite",
        "mine.sqlite",
      ]);
    });
  });

  test("a failed migration rolls back the ones before it", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      await migrated(dataDir, [FIRST, SECOND, step(3, "no such statement")]).catch(() => undefined);
      const database = connect(join(dataDir, "test.sqlite"));
      expect(database.query("select * from notes").all()).toEqual([{ text: "kept" }]);
      expect(database.query("select id from migrations").values()).toEqual([[1]]);
      database.close();
    });
  });

  test("a changed migration is refused", async () => {
    await inDirectory(async (dataDir) => {
      (await migrated(dataDir, [FIRST])).close();
      const other = step(1, "create table notes (words text) strict");
      expect((await refusalOf(migrated(dataDir, [other]))).code).toBe("store.unusable");
    });
  });

  test("a database of a newer release is refused and unchanged", async () => {
    await inDirectory(async (dataDir) => {
      await (await open(dataDir)).close();
      const database = new Database(join(dataDir, "casefile.sqlite"));
      database.run("insert into migrations values (999, 'from the future', '', ?)", [NOW]);
      database.close();
      const refusal = await refusalOf(open(dataDir));
      expect(refusal.code).toBe("store.unusable");
      expect(refusal.message).toContain(dataDir);
      expect(refusal.message).toContain("newer release");
    });
  });
});

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspectCopy, migrate, SCHEMA_VERSION } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";

async function withCopy<T>(use: (path: string) => Promise<T> | T): Promise<T> {
  return await inDirectory(async (directory) => {
    const store = await openStore({ dataDir: join(directory, "data"), clock: () => new Date() });
    for (let at = 0; at < 100; at++) await store.settings.set(`name ${at}`, "a value of some length".repeat(40));
    await store.backup(join(directory, "copy.sqlite"));
    await store.close();
    return await use(join(directory, "copy.sqlite"));
  });
}

describe("a copy of the database", () => {
  test("that is intact has the schema of this release", async () => {
    expect(await withCopy((path) => inspectCopy(path))).toBe(SCHEMA_VERSION);
    expect(SCHEMA_VERSION).toBe(MIGRATIONS.at(-1)?.id ?? 0);
  });

  test("of an earlier schema returns its newest migration", async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, "old.sqlite");
      const database = new Database(path);
      await migrate(database, { migrations: MIGRATIONS.slice(0, 2), dataDir: undefined, clock: () => new Date() });
      database.close();
      expect(inspectCopy(path)).toBe(2);
    });
  });

  test("of a newer release is refused", async () => {
    const refusal = await withCopy((path) => {
      const database = new Database(path);
      database.run("insert into migrations values (999, 'from the future', '', '')");
      database.close();
      return refusalOf((async () => inspectCopy(path))());
    });
    expect(refusal.code).toBe("store.unusable");
  });

  test.each([
    ["changed bytes in the middle", (bytes: Buffer) => bytes.fill(0x5a, 16_384, 32_768)],
    ["half of its bytes", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["no bytes", () => Buffer.alloc(0)],
    ["other content", () => Buffer.from("this is no database, and never was")],
  ])("with %s is damaged", async (_, change) => {
    const found = await withCopy(async (path) => {
      await writeFile(path, change(await readFile(path)));
      return inspectCopy(path);
    });
    expect(found).toBe("is damaged");
  });

  test.each([
    ["a missing table", "drop table keys", "lacks a part of its schema: table keys"],
    ["a missing index", "drop index outbox_by_case_study", "lacks a part of its schema: index outbox_by_case_study"],
    ["a missing column", "alter table outbox drop column last_error", "lacks a part of its schema: table outbox"],
    [
      "another kind of column",
      "alter table settings add column note text",
      "lacks a part of its schema: table settings",
    ],
    [
      "a trigger",
      "create trigger spy after insert on keys begin delete from settings; end",
      "contains what Casefile does not make: trigger spy",
    ],
    ["a view", "create view v as select 1", "contains what Casefile does not make: view v"],
    ["another table", "create table extra (a)", "contains what Casefile does not make: table extra"],
  ])("with %s is refused", async (_, sql, problem) => {
    const found = await withCopy((path) => {
      const database = new Database(path);
      database.run(sql);
      database.close();
      return inspectCopy(path);
    });
    expect(String(found)).toStartWith(problem);
  });

  test("written during other writes is one consistent state", async () => {
    await inDirectory(async (dataDir) => {
      const store = await openStore({ dataDir, clock: () => new Date() });
      let stop = false;
      const writing = (async () => {
        for (let at = 0; !stop; at++) {
          await store.settings.set("left", String(at));
          await store.settings.set("right", String(at));
          await Bun.sleep(0);
        }
      })();
      for (let at = 0; at < 5; at++) {
        const path = join(dataDir, `copy-${at}.sqlite`);
        await store.backup(path);
        expect(inspectCopy(path)).toBe(SCHEMA_VERSION);
        const copy = new Database(path);
        const [left, right] = copy.query("select value from settings order by name").values().flat().map(Number);
        expect([0, 1]).toContain((left ?? 0) - (right ?? 0));
        copy.close();
      }
      stop = true;
      await writing;
      await store.close();
    });
  });
});

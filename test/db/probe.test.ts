import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { openDatabase } from "../../src/db/database.ts";
import { DAMAGED } from "../../src/db/faults.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");

type Opened = Awaited<ReturnType<typeof openDatabase>>;

/** An installation with a hundred keys, closed again, so that all of it is in one file. */
async function withInstallation(use: (dataDir: string, path: string) => Promise<void>): Promise<void> {
  await inDirectory(async (dataDir) => {
    const database = await openDatabase({ dataDir, clock });
    for (let at = 0; at < 100; at++)
      await database.queries
        .insertInto("keys")
        .values({
          id: `key-${at}`,
          email_folded: `${at}@acme.example`,
          hash: `${at}`.repeat(20),
          hint: "0000",
          monthly_limit: 10,
          created_at: clock().toISOString(),
          revoked_at: null,
        })
        .execute();
    await database.close();
    await use(dataDir, join(dataDir, "casefile.sqlite"));
  });
}

/** Overwrites the pages of a table. */
function damage(path: string, table: string): void {
  const database = new Database(path);
  const root = database.query<{ rootpage: number }, [string]>("select rootpage from sqlite_schema where name = ?");
  const page = root.get(table)?.rootpage ?? 0;
  const size = database.query<{ page_size: number }, []>("pragma page_size").get()?.page_size ?? 0;
  database.close();
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(size).fill(0x5a), 0, size, (page - 1) * size);
  closeSync(file);
}

/** Changes the file as another process does. */
function run(path: string, statement: string): void {
  const database = new Database(path);
  database.run(statement);
  database.close();
}

async function probed(dataDir: string, fault: (database: Opened) => unknown): Promise<(string | null)[]> {
  const database = await openDatabase({ dataDir, clock });
  try {
    const before = await database.probe();
    await fault(database);
    return [before, await database.probe()];
  } finally {
    await database.close();
  }
}

test("an intact database has no problem, however often it is asked", async () => {
  await withInstallation(async (dataDir) => {
    expect(await probed(dataDir, () => {})).toEqual([null, null]);
  });
});

test.each([
  ["dropped table", "drop table passages"],
  ["dropped column", "alter table outbox drop column last_error"],
  ["dropped index", "drop index outbox_by_case_study"],
])("a %s is found while the service runs", async (_, statement) => {
  await withInstallation(async (dataDir, path) => {
    const problem = "The database lacks a part of its schema; restore a backup.";
    expect(await probed(dataDir, () => run(path, statement))).toEqual([null, problem]);
  });
});

test("a table that was added is no problem of requests", async () => {
  await withInstallation(async (dataDir, path) => {
    expect(await probed(dataDir, () => run(path, "create table extra (a)"))).toEqual([null, null]);
  });
});

test.each(["keys", "settings"])("a damaged page of %s is found", async (table) => {
  await withInstallation(async (dataDir, path) => {
    damage(path, table);
    const database = await openDatabase({ dataDir, clock });
    expect(await database.probe()).toBe(DAMAGED);
    await database.close();
  });
});

test("a damaged page of any table is remembered when a request reads it", async () => {
  await withInstallation(async (dataDir, path) => {
    damage(path, "webhooks");
    const read = (database: Opened) => refusalOf(database.queries.selectFrom("webhooks").selectAll().execute());
    let message = "";
    const found = await probed(dataDir, async (database) => {
      message = (await read(database)).message;
    });
    expect(message).toBe(DAMAGED);
    expect(found).toEqual([null, DAMAGED]);
  });
});

test("a database that cannot be written is a problem although it can be read", async () => {
  await withInstallation(async (dataDir) => {
    const [, problem] = await probed(dataDir, ({ queries }) => sql`pragma query_only = on`.execute(queries));
    expect(problem).toBe("The database cannot be written. Make the data directory writable.");
  });
});

test.each([
  ["removed", (path: string) => rmSync(path)],
  [
    "replaced",
    (path: string) => {
      rmSync(path);
      writeFileSync(path, "");
    },
  ],
])("a %s file is found, whose open copy would still take writes", async (_, change) => {
  await withInstallation(async (dataDir, path) => {
    const problem = "The database file was removed or replaced; restart Casefile.";
    expect(await probed(dataDir, () => change(path))).toEqual([null, problem]);
  });
});

test.each([
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => writeFileSync(path, "")],
])("a %s database next to an index is refused with the remedy", async (state, change) => {
  await withInstallation(async (dataDir, path) => {
    change(path);
    const pointer = join(dataDir, "index", "current.json");
    await Bun.write(pointer, "{}");
    const refusal = await refusalOf(openDatabase({ dataDir, clock }));
    expect(refusal.code).toBe("store.unusable");
    expect(refusal.message).toContain(`Its database casefile.sqlite is ${state}`);
    expect(refusal.message).toContain("casefile backup restore FILE");
    rmSync(join(dataDir, "index"), { recursive: true });
    const fresh = await openDatabase({ dataDir, clock });
    expect(await fresh.health()).toMatchObject({ caseStudies: 0, fault: null });
    await fresh.close();
  });
});

test("a database without a table is refused at the start", async () => {
  await withInstallation(async (dataDir, path) => {
    run(path, "drop table passages");
    const { message } = await refusalOf(openDatabase({ dataDir, clock }));
    expect(message).toContain("Its database lacks a part of its schema: table passages");
    expect(message).toContain("casefile backup restore FILE");
  });
});

test("a trigger is reported by the health of the database", async () => {
  await withInstallation(async (dataDir, path) => {
    run(path, "create trigger spy after insert on keys begin delete from settings; end");
    const database = await openDatabase({ dataDir, clock });
    expect((await database.health()).fault).toBe("it contains what Casefile does not make: trigger spy");
    await database.close();
  });
});

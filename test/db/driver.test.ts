import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import type { CasefileDatabase } from "../../src/db/contract.ts";
import { connect, queriesOf } from "../../src/db/database.ts";
import { createFlush } from "../../src/db/flush.ts";
import type { Tables } from "../../src/db/schema.ts";

type Opened = Pick<CasefileDatabase, "queries" | "lazyQueries"> & { readonly database: ReturnType<typeof connect> };

async function withDatabase(
  use: (opened: Opened, path: string) => Promise<void>,
  flush?: () => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-driver-"));
  const path = join(folder, "test.sqlite");
  const database = connect(path);
  try {
    database.run("create table settings (name text primary key, value text not null) strict");
    await use({ ...queriesOf(database, flush), database }, path);
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const save = (queries: Kysely<Tables>, name: string) =>
  queries.insertInto("settings").values({ name, value: "" }).execute();
const names = async (queries: Kysely<Tables>) =>
  (await queries.selectFrom("settings").select("name").execute()).map(({ name }) => name);

test("a durable commit returns when it is flushed; a lazy one and a read wait for no flush", async () => {
  const flushed = Promise.withResolvers<void>();
  let flushes = 0;
  await withDatabase(
    async ({ queries, lazyQueries }) => {
      await save(lazyQueries, "lazy");
      expect(await names(queries)).toEqual(["lazy"]);
      expect(flushes).toBe(0);
      let isAcknowledged = false;
      const saved = save(queries, "statement").then(() => {
        isAcknowledged = true;
      });
      const transaction = queries.transaction().execute(async (inside) => await save(inside, "transaction"));
      // Others take their turns during the flush.
      while ((await names(lazyQueries)).length < 3) await Bun.sleep(0);
      expect([isAcknowledged, flushes]).toEqual([false, 2]);
      flushed.resolve();
      await Promise.all([saved, transaction]);
    },
    () => {
      flushes += 1;
      return flushed.promise;
    },
  );
});

test("an error of the disk reaches the caller of a durable commit", async () => {
  await withDatabase(
    async ({ queries, lazyQueries }) => {
      await expect(save(queries, "durable")).rejects.toThrow("EIO");
      await save(lazyQueries, "lazy");
    },
    async () => {
      throw new Error("EIO: i/o error, fdatasync");
    },
  );
});

test("commits that arrive during a flush share the next one, and a flush finds the log", async () => {
  await withDatabase(async ({ database }, path) => {
    const disk = createFlush(path);
    database.run("insert into settings values ('a', '')");
    const first = disk.flush();
    await Promise.resolve();
    const [second, third] = [disk.flush(), disk.flush()];
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    await Promise.all([first, second]);
    await disk.close();
  });
});

test("a write that waits for another process blocks neither the thread nor reads", async () => {
  await withDatabase(async ({ queries, lazyQueries }, path) => {
    const other = connect(path);
    other.run("begin immediate");
    other.run("insert into settings values ('other', '')");
    const written = [save(queries, "statement"), save(lazyQueries, "lazy")];
    const transaction = queries.transaction().execute(async (inside) => await save(inside, "transaction"));
    expect(await names(queries)).toEqual([]);
    other.run("commit");
    await Promise.all([...written, transaction]);
    expect((await names(queries)).sort()).toEqual(["lazy", "other", "statement", "transaction"]);
    other.close();
  });
});

test("a transaction that could not be ended is not left to the next statement", async () => {
  await withDatabase(async ({ queries, database }) => {
    await sql`begin`.execute(queries);
    expect(database.inTransaction).toBe(false);
    await save(queries, "kept");
    expect(await names(queries)).toEqual(["kept"]);
  });
});

import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { MigrationRow } from "./schema.ts";

interface MigrateOptions {
  readonly migrations: readonly Migration[];
  /** Where copies go, `backups` under it; undefined for a database in memory. */
  readonly dataDir: string | undefined;
  readonly clock: () => Date;
}

const KEPT_COPIES = 5;
const COPY_NAME = /^before-migration-(\d{1,9})-(\d{8}T\d{9}Z)\.sqlite$/;

/**
 * Brings the schema up to the last migration, all steps in one transaction. A database that was used before
 * is first copied to `backups/before-migration-N-TIME.sqlite`, of which the latest five are kept.
 *
 * @throws Failure `store.unusable` when the database is newer than this program or has another history
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<void> {
  database.run(
    "create table if not exists migrations (id integer primary key, name text not null, checksum text not null, applied_at text not null) strict",
  );
  const pending = pendingOf(database, options.migrations);
  const next = pending[0];
  if (!next) return;
  if (pending.length < options.migrations.length && options.dataDir) {
    await copyBefore(database, next.id, options.dataDir, options.clock());
  }
  database
    .transaction(() => {
      // Asked again under the write lock: another process may have migrated meanwhile.
      for (const migration of pendingOf(database, options.migrations)) apply(database, migration, options.clock());
    })
    .immediate();
}

function apply(database: Database, migration: Migration, now: Date): void {
  for (const sql of migration.up) database.run(sql);
  database.run("insert into migrations (id, name, checksum, applied_at) values (?, ?, ?, ?)", [
    migration.id,
    migration.name,
    checksumOf(migration),
    now.toISOString(),
  ]);
}

/** @throws Failure `store.unusable` when the database is newer than these migrations or has another history */
function pendingOf(database: Database, migrations: readonly Migration[]): readonly Migration[] {
  const applied = database.query<MigrationRow, []>("select * from migrations order by id").all();
  for (const row of applied) {
    const known = migrations.find(({ id }) => id === row.id);
    if (!known) {
      throw new Failure(
        "store.unusable",
        "The database was written by a newer release; start that release, or restore a backup from before the upgrade.",
      );
    }
    if (checksumOf(known) !== row.checksum) {
      throw new Failure(
        "store.unusable",
        `The database's migration ${row.id} (${row.name}) is not the one of this release; start the release that made it, or restore a backup.`,
      );
    }
  }
  const done = new Set(applied.map(({ id }) => id));
  return migrations.filter(({ id }) => !done.has(id));
}

const checksumOf = (migration: Migration) => createHash("sha256").update(migration.up.join(";\n")).digest("hex");

async function copyBefore(database: Database, id: number, dataDir: string, now: Date): Promise<void> {
  const backups = join(dataDir, "backups");
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const time = now.toISOString().replaceAll(/[-:.]/g, "");
  await copyInto(database, join(backups, `before-migration-${id}-${time}.sqlite`));
  const copies = (await readdir(backups)).flatMap((name) => {
    const written = COPY_NAME.exec(name)?.[2];
    return written ? [{ name, written }] : [];
  });
  copies.sort((a, b) => b.written.localeCompare(a.written) || b.name.localeCompare(a.name));
  for (const { name } of copies.slice(KEPT_COPIES)) await rm(join(backups, name), { force: true });
}

/**
 * Writes a whole and consistent copy while others read and write. The copy appears under its name only when it is
 * complete, and replaces a file of that name.
 */
export async function copyInto(database: Database, path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  try {
    database.run("vacuum into ?", [part]);
    await chmod(part, 0o600);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** What this release brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Looks through a copy of a database that nobody has open: whether it is whole, and of which schema.
 *
 * @returns the number of its last migration; null when it is damaged or no database of this program
 * @throws Failure `store.unusable` when a newer release made it
 */
export function inspectCopy(path: string): number | null {
  let database: Database | undefined;
  try {
    database = new Database(path, { readwrite: true, create: false, strict: true });
    // What a file says of itself is not believed.
    database.run("pragma trusted_schema = off");
    database.run("pragma cell_size_check = on");
    const [found] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
    if (found?.integrity_check !== "ok") return null;
    const pending = pendingOf(database, MIGRATIONS).length;
    return pending === MIGRATIONS.length ? null : MIGRATIONS.length - pending;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return null;
  } finally {
    database?.close();
  }
}

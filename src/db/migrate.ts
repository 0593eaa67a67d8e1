import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { chmod, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, Failure } from "../core/errors.ts";
import { makeFolder, syncFolder } from "../core/files.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { MigrationRow } from "./schema.ts";
import { MIGRATIONS_TABLE, schemaDifferences, structureOfMigrations } from "./structure.ts";

interface MigrateOptions {
  readonly migrations: readonly Migration[];
  /** Copies are written to its folder `backups`; undefined for a database in memory. */
  readonly dataDir: string | undefined;
  readonly clock: () => Date;
}

const KEPT_COPIES = 5;
const COPY_NAME = /^before-migration-(\d{1,9})-(\d{8}T\d{9}Z)\.sqlite$/;

/**
 * Applies all pending migrations in one transaction. A database that is not new is first copied to
 * `backups/before-migration-N-TIME.sqlite`; the latest five copies are kept.
 *
 * @throws Failure `store.unusable` when a newer release migrated the database or its migrations differ
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<void> {
  database.run(MIGRATIONS_TABLE);
  await assertNotNewer(database, options);
  const pending = pendingOf(database, options.migrations);
  const next = pending[0];
  if (!next) return;
  if (pending.length < options.migrations.length && options.dataDir) {
    await copyBefore(database, next.id, options.dataDir, options.clock());
  }
  database
    .transaction(() => {
      // Checked again under the write lock: another process may have migrated meanwhile.
      for (const migration of pendingOf(database, options.migrations)) apply(database, migration, options.clock());
    })
    .immediate();
}

/** @throws Failure `store.unusable` when a newer release migrated the database; it names the copy from before that */
async function assertNotNewer(database: Database, { migrations, dataDir }: MigrateOptions): Promise<void> {
  const newest = database.query<{ id: number | null }, []>("select max(id) id from migrations").get()?.id ?? 0;
  const known = migrations.length;
  if (newest <= known) return;
  const usable = dataDir ? (await copiesIn(join(dataDir, "backups"))).filter(({ id }) => id <= known + 1) : [];
  const copy = usable.sort((a, b) => b.id - a.id || b.written.localeCompare(a.written))[0];
  const remedy = copy
    ? `stop it and put its copy from before the upgrade in place: backups/${copy.name}, as casefile.sqlite.`
    : "restore a backup from before the upgrade.";
  throw new Failure(
    "store.unusable",
    `A newer release wrote the database (schema ${newest}, this release knows ${known}); start that release, or ${remedy}`,
  );
}

/** The copies of migrations; `id` is the first migration that a copy lacks. */
async function copiesIn(backups: string) {
  const names = await readdir(backups).catch((error) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, id, written] = COPY_NAME.exec(name) ?? [];
    return written ? [{ name, id: Number(id), written }] : [];
  });
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

/** @throws Failure `store.unusable` when the database has migrations that are unknown or differ */
function pendingOf(database: Database, migrations: readonly Migration[]): readonly Migration[] {
  return pendingAfter(database.query<MigrationRow, []>("select * from migrations order by id").all(), migrations);
}

/** @throws Failure `store.unusable` when migrations were applied that are unknown or differ */
export function pendingAfter(applied: readonly MigrationRow[], migrations: readonly Migration[]): readonly Migration[] {
  for (const row of applied) {
    const known = migrations.find(({ id }) => id === row.id);
    if (!known) {
      throw new Failure(
        "store.unusable",
        "A newer release wrote the database; start that release, or restore a backup from before the upgrade.",
      );
    }
    if (checksumOf(known) !== row.checksum) {
      throw new Failure(
        "store.unusable",
        `Migration ${row.id} (${row.name}) of the database differs from this release; start the release that applied it, or restore a backup.`,
      );
    }
  }
  const done = new Set(applied.map(({ id }) => id));
  return migrations.filter(({ id }) => !done.has(id));
}

export const checksumOf = (migration: Migration) => createHash("sha256").update(migration.up.join(";\n")).digest("hex");

async function copyBefore(database: Database, id: number, dataDir: string, now: Date): Promise<void> {
  const backups = join(dataDir, "backups");
  await makeFolder(backups);
  const time = now.toISOString().replaceAll(/[-:.]/g, "");
  await copyInto(database, join(backups, `before-migration-${id}-${time}.sqlite`));
  const copies = await copiesIn(backups);
  copies.sort((a, b) => b.written.localeCompare(a.written) || b.name.localeCompare(a.name));
  for (const { name } of copies.slice(KEPT_COPIES)) await rm(join(backups, name), { force: true });
}

/**
 * Writes a complete, consistent copy while other connections read and write. The copy replaces the file at `path` only
 * when it is complete.
 */
export async function copyInto(database: Database, path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  try {
    database.run("vacuum into ?", [part]);
    await chmod(part, 0o600);
    const file = await open(part, "r+");
    await file.sync().finally(() => file.close());
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Number of the newest migration of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Checks a copy of a database that no process has open.
 *
 * @returns the number of its newest migration, or in one clause why it cannot be used: `is damaged`
 * @throws Failure `store.unusable` when a newer release wrote it
 */
export function inspectCopy(path: string): number | string {
  let database: Database | undefined;
  try {
    database = new Database(path, { readwrite: true, create: false, strict: true });
    // The schema of the file is not trusted.
    database.run("pragma trusted_schema = off");
    database.run("pragma cell_size_check = on");
    const [found] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
    if (found?.integrity_check !== "ok") return DAMAGED;
    const pending = pendingOf(database, MIGRATIONS);
    if (pending.length === MIGRATIONS.length) return DAMAGED;
    const applied = MIGRATIONS.filter((migration) => !pending.includes(migration));
    const { missing, unexpected } = schemaDifferences(database, structureOfMigrations(applied));
    if (missing.length > 0) return `lacks a part of its schema: ${listOf(missing)}`;
    if (unexpected.length > 0) return `contains what Casefile does not make: ${listOf(unexpected)}`;
    return applied.length;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return DAMAGED;
  } finally {
    database?.close();
  }
}

const DAMAGED = "is damaged";
const MAX_LISTED = 5;

/** The first parts of a schema, whose names may come from a hostile file. */
export const listOf = (parts: readonly string[]): string =>
  parts
    .slice(0, MAX_LISTED)
    .map((part) => part.slice(0, 100))
    .join(", ") + (parts.length > MAX_LISTED ? ", …" : "");

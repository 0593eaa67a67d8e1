import { Database } from "bun:sqlite";
import { access, chmod, constants, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Kysely } from "kysely";
import { errorCode, Failure } from "../core/errors.ts";
import { makeFolder, syncFolder } from "../core/files.ts";
import { sqliteClock } from "./clock.ts";
import type { CasefileDatabase, DatabaseHealth } from "./contract.ts";
import { copyInThread } from "./copy-in-thread.ts";
import { BUSY_TIMEOUT_MS, createDialects } from "./driver.ts";
import { createFlush } from "./flush.ts";
import { type DirectoryLock, shareDirectory } from "./locks.ts";
import { copyInto, listOf, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { createProbe } from "./probe.ts";
import { type Structure, schemaDifferences, structureOfMigrations } from "./structure.ts";
import { finishSwap } from "./swap.ts";
import { copyTables } from "./transfer.ts";

/** Name of the database file in the data directory and in a backup. */
export const DATABASE_FILE = "casefile.sqlite";

export interface DatabaseOptions {
  /** Created when absent, readable by this user only. `:memory:` keeps nothing. */
  readonly dataDir: string;
  /** The PostgreSQL database to use in place of a file in the data directory. */
  readonly postgres?: { readonly url: string; readonly maxConnections: number } | undefined;
  readonly clock: () => Date;
}

/**
 * Opens the database of a data directory, or a PostgreSQL database, and migrates it to the current schema. Several
 * processes may open the file at once, but each process only once: SQLite blocks the thread of a waiting writer, so two
 * connections in one process would deadlock.
 *
 * @throws Failure `store.unusable`, naming the directory, when it cannot be read or written, when the file is not a
 *   Casefile database, when a newer release wrote it, or while a restore is running
 */
export async function openDatabase({ dataDir, postgres, clock }: DatabaseOptions): Promise<CasefileDatabase> {
  const inMemory = dataDir === ":memory:";
  if (postgres) return await openOnPostgres(inMemory ? undefined : dataDir, postgres, clock);
  let lock: DirectoryLock | undefined;
  let opened: Database | undefined;
  const expected = structureOfMigrations();
  try {
    if (!inMemory) lock = await lockDirectory(dataDir);
    const path = inMemory ? dataDir : join(dataDir, DATABASE_FILE);
    if (!inMemory) await assertNotLost(dataDir);
    opened = connect(path);
    if (!inMemory) await chmod(path, 0o600);
    await migrate(opened, { migrations: MIGRATIONS, dataDir: inMemory ? undefined : dataDir, clock });
    assertComplete(opened, expected);
  } catch (error) {
    opened?.close();
    lock?.release();
    throw unusable(dataDir, error);
  }
  const database = opened;
  const disk = inMemory ? undefined : createFlush(database.filename);
  const { queries, lazyQueries, damage } = queriesOf(database, disk?.flush);
  return {
    engine: "sqlite",
    queries,
    lazyQueries,
    databaseClock: sqliteClock,
    health: async () => healthOf(database, expected),
    probe: createProbe({
      database,
      queries: lazyQueries,
      path: inMemory ? null : database.filename,
      damage,
      hasFailedFlush: () => disk?.hasFailed() === true,
      expected,
    }),
    backup: (path, signal) =>
      inMemory ? copyInto(database, path) : copyInThread({ from: database.filename, to: path }, signal),
    async close() {
      await Promise.all([queries.destroy(), lazyQueries.destroy()]);
      await disk?.close();
      database.close();
      lock?.release();
    },
  };
}

/** The data directory still holds what belongs to this machine: index, native libraries, models. */
async function openOnPostgres(
  dataDir: string | undefined,
  options: NonNullable<DatabaseOptions["postgres"]>,
  clock: () => Date,
): Promise<CasefileDatabase> {
  let lock: DirectoryLock | undefined;
  try {
    if (dataDir !== undefined) lock = await lockDirectory(dataDir);
  } catch (error) {
    throw unusable(dataDir ?? "", error);
  }
  try {
    // Loaded only here: a database file needs none of this code.
    const { openPostgres } = await import("./postgres/open.ts");
    const database = await openPostgres({ ...options, clock });
    return {
      ...database,
      backup: (path, signal) => copyToFile(database, path, clock, signal),
      async close() {
        await database.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Writes one state of a PostgreSQL database to a SQLite file, so that an archive is the same for both. */
async function copyToFile(
  source: Pick<CasefileDatabase, "queries">,
  path: string,
  clock: () => Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const part = `${path}.part`;
  const remove = async () => {
    for (const end of ["", "-wal", "-shm"]) await rm(`${part}${end}`, { force: true });
  };
  await remove();
  try {
    const file = connect(part);
    try {
      await chmod(part, 0o600);
      await migrate(file, { migrations: MIGRATIONS, dataDir: undefined, clock });
      await copyTables(source, queriesOf(file), { signal });
      file.run("pragma journal_mode = delete");
    } finally {
      file.close();
    }
    const handle = await open(part, "r+");
    await handle.sync().finally(() => handle.close());
    await rename(part, path);
    await syncFolder(dirname(path));
  } finally {
    await remove();
  }
}

/**
 * A missing or empty database next to what an installation leaves was lost: opening it would start a new installation.
 *
 * @throws Failure `store.unusable`
 */
async function assertNotLost(dataDir: string): Promise<void> {
  const sizeOf = async (name: string) => (await stat(join(dataDir, name)).catch(() => undefined))?.size;
  const isLeft = (await sizeOf(INDEX_POINTER)) !== undefined || ((await sizeOf(`${DATABASE_FILE}-wal`)) ?? 0) > 0;
  if (!isLeft) return;
  // Read last: a process that creates the database now writes the file before the log.
  const size = await sizeOf(DATABASE_FILE);
  if (size !== undefined && size > 0) return;
  throw new Failure(
    "store.unusable",
    `Its database ${DATABASE_FILE} is ${size === undefined ? "missing" : "empty"}, although other files of the installation are there. ${RESTORE} To start with an empty database instead, remove the folder ${INDEX_FOLDER} and the file ${DATABASE_FILE}-wal, if there is one.`,
  );
}

const INDEX_FOLDER = "index";
/** Present as soon as case studies were indexed. */
const INDEX_POINTER = join(INDEX_FOLDER, "current.json");

/** @throws Failure `store.unusable` when a table, a column or an index of the schema is missing */
function assertComplete(database: Database, expected: Structure): void {
  const { missing } = schemaDifferences(database, expected);
  if (missing.length === 0) return;
  throw new Failure("store.unusable", `Its database lacks a part of its schema: ${listOf(missing)}. ${RESTORE}`);
}

const MAX_LOCK_ATTEMPTS = 10;

/** Takes the lock before anything is opened or created, because a restore may replace the directory meanwhile. */
async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  for (let attempt = 1; ; attempt++) {
    if (!(await finishSwap(dataDir))) await makeFolder(dataDir);
    try {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      return shareDirectory(dataDir);
    } catch (error) {
      const isGone = !(await stat(dataDir).catch(() => undefined));
      if (!isGone || attempt === MAX_LOCK_ATTEMPTS) throw error;
    }
  }
}

const RESTORE = "Restore a backup: casefile backup restore FILE.";

/** Disk errors that the operator can correct. Any other error is a bug. */
const REASONS: readonly (readonly [RegExp, string, string?])[] = [
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/, "this user cannot write to it"],
  [/^(ENOTDIR|EEXIST|ENOENT|EISDIR|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is not a directory that can be opened"],
  [/^SQLITE_CORRUPT/, `its ${DATABASE_FILE} is damaged`, RESTORE],
  [/^(SQLITE_NOTADB|SQLITE_FORMAT|SQLITE_ERROR)/, `its ${DATABASE_FILE} is not a Casefile database`, RESTORE],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "the disk is full"],
  [/^(EIO|SQLITE_IOERR|SQLITE_PROTOCOL)/, "the disk reports an input/output error"],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, "another process has locked it"],
];

function unusable(dataDir: string, error: unknown): unknown {
  if (error instanceof Failure) return new Failure(error.code, `Data directory ${dataDir}: ${error.message}`);
  const [, reason, remedy = "Correct this, or set data_dir to another directory."] =
    REASONS.find(([pattern]) => pattern.test(errorCode(error))) ?? [];
  if (!reason) return error;
  return new Failure("store.unusable", `Cannot use the data directory ${dataDir}: ${reason}. ${remedy}`, {
    cause: error,
  });
}

const BUSY_RETRY_MS = 5;

/**
 * Opens a SQLite file, created when absent, or `:memory:`.
 *
 * Write-ahead logging lets a command read and write while the service runs. SQLite admits one writer at a time and
 * makes the others wait up to `BUSY_TIMEOUT_MS`.
 *
 * @throws SQLiteError when the file cannot be opened or is not a database
 */
export function connect(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Of a new file, and of copies of an old one. With the 4 KiB of SQLite's default, texts of case studies leave a seventh
    // of the file unused.
    database.run("pragma page_size = 8192");
    enableWriteAheadLog(database);
    // Commits are flushed by `createFlush`, which waits for the disk in a thread.
    database.run("pragma synchronous = normal");
    database.run("pragma foreign_keys = on");
    // A container with a read-only root may have no directory for temporary files.
    database.run("pragma temp_store = memory");
    // 64 MiB holds the indexes of 100,000 case studies while they are written.
    database.run("pragma cache_size = -65536");
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * Switching a new file to write-ahead logging reads first and then locks, and SQLite never lets a reader wait for a
 * lock. Of several processes that create one file at the same time, all but one fail at once whatever their timeout.
 */
function enableWriteAheadLog(database: Database): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (errorCode(error) !== "SQLITE_BUSY" || performance.now() > deadline) throw error;
      Bun.sleepSync(BUSY_RETRY_MS);
    }
  }
}

/**
 * The query builders for an open database, which they leave open.
 *
 * @param flush brings all commits to the disk; by default the disk is left to the system
 */
export const queriesOf = (
  database: Database,
  flush: () => Promise<void> = async () => {},
): Pick<CasefileDatabase, "queries" | "lazyQueries"> & { readonly damage: () => boolean } => {
  const { durable, lazy, damage } = createDialects(database, flush);
  return { queries: new Kysely({ dialect: durable }), lazyQueries: new Kysely({ dialect: lazy }), damage };
};

/** Reads the whole file: about one second per gigabyte. */
function healthOf(database: Database, expected: Structure): DatabaseHealth {
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  const faults = database
    .query<{ quick_check: string }, []>("pragma quick_check(3)")
    .all()
    .map(({ quick_check }) => quick_check)
    .filter((fault) => fault !== "ok");
  const { missing, unexpected } = schemaDifferences(database, expected);
  if (missing.length > 0) faults.push(`it lacks ${listOf(missing)}`);
  if (unexpected.length > 0) faults.push(`it contains what Casefile does not make: ${listOf(unexpected)}`);
  return {
    schema: count("select max(id) n from migrations"),
    caseStudies: missing.includes("table case_studies") ? 0 : count("select count(*) n from case_studies"),
    passages: missing.includes("table passages") ? 0 : count("select count(*) n from passages"),
    fault: faults.length === 0 ? null : faults.join("; "),
  };
}

import { Database, type SQLQueryBindings } from "bun:sqlite";
import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, SqliteDialect, type SqliteDialectConfig } from "kysely";
import { errorCode, Failure } from "../core/errors.ts";
import { copyInThread } from "./copy-in-thread.ts";
import { type DirectoryLock, shareDirectory } from "./locks.ts";
import { copyInto, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { finishSwap } from "./swap.ts";

/** Name of the database file in the data directory and in a backup. */
export const DATABASE_FILE = "casefile.sqlite";

/**
 * The database of a data directory. Several processes may open it at once, but each process only once: SQLite blocks
 * the thread of a waiting writer, so two connections in one process would deadlock.
 */
export interface CasefileDatabase {
  readonly queries: Kysely<Tables>;
  health(): DatabaseHealth;
  /** Writes a complete, consistent copy of the database to `path`, replacing it, while other work continues. */
  backup(path: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Created when absent, readable by this user only. `:memory:` keeps nothing. */
  readonly dataDir: string;
  readonly clock: () => Date;
}

/**
 * Opens the database of a data directory and migrates it to the current schema.
 *
 * @throws Failure `store.unusable`, naming the directory, when it cannot be read or written, when the file is not a
 *   Casefile database, when a newer release wrote it, or while a restore is running
 */
export async function openDatabase({ dataDir, clock }: DatabaseOptions): Promise<CasefileDatabase> {
  const inMemory = dataDir === ":memory:";
  let lock: DirectoryLock | undefined;
  let opened: Database | undefined;
  try {
    if (!inMemory) lock = await lockDirectory(dataDir);
    const path = inMemory ? dataDir : join(dataDir, DATABASE_FILE);
    opened = connect(path);
    if (!inMemory) await chmod(path, 0o600);
    await migrate(opened, { migrations: MIGRATIONS, dataDir: inMemory ? undefined : dataDir, clock });
  } catch (error) {
    opened?.close();
    lock?.release();
    throw unusable(dataDir, error);
  }
  const database = opened;
  const queries = queriesOf(database);
  return {
    queries,
    health: () => healthOf(database),
    backup: (path, signal) =>
      inMemory ? copyInto(database, path) : copyInThread({ from: database.filename, to: path }, signal),
    async close() {
      // Kysely closes the database only if a query ran.
      await queries.destroy();
      database.close();
      lock?.release();
    },
  };
}

const MAX_LOCK_ATTEMPTS = 10;

/** Takes the lock before anything is opened or created, because a restore may replace the directory meanwhile. */
async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  for (let attempt = 1; ; attempt++) {
    if (!(await finishSwap(dataDir))) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    try {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      return shareDirectory(dataDir);
    } catch (error) {
      const isGone = !(await stat(dataDir).catch(() => undefined));
      if (!isGone || attempt === MAX_LOCK_ATTEMPTS) throw error;
    }
  }
}

/** Disk errors that the operator can correct. Any other error is a bug. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/, "this user cannot write to it"],
  [/^(ENOTDIR|EEXIST|ENOENT|EISDIR|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is not a directory that can be opened"],
  [/^(SQLITE_NOTADB|SQLITE_CORRUPT|SQLITE_FORMAT|SQLITE_ERROR)/, `its ${DATABASE_FILE} is not a Casefile database`],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "the disk is full"],
  [/^(EIO|SQLITE_IOERR|SQLITE_PROTOCOL)/, "the disk reports an input/output error"],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, "another process has locked it"],
];

function unusable(dataDir: string, error: unknown): unknown {
  if (error instanceof Failure) return new Failure(error.code, `Data directory ${dataDir}: ${error.message}`);
  const reason = REASONS.find(([pattern]) => pattern.test(errorCode(error)))?.[1];
  if (!reason) return error;
  return new Failure(
    "store.unusable",
    `Cannot use the data directory ${dataDir}: ${reason}. Correct this, or set data_dir to another directory.`,
    { cause: error },
  );
}

const BUSY_TIMEOUT_MS = 5_000;
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
    enableWriteAheadLog(database);
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

/** The query builder for an open database. Destroying it closes the database. */
export const queriesOf = (database: Database): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(database) }) });

type DriverDatabase = Exclude<SqliteDialectConfig["database"], (...args: never[]) => unknown>;

/** Adapts Bun's SQLite driver to the better-sqlite3 interface that Kysely expects. */
function adapt(database: Database): DriverDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      // Every transaction here writes. If it took the write lock only at its first write, SQLite would fail it at once
      // when another process wrote after its first read.
      const statement = database.query<unknown, SQLQueryBindings[]>(sql === "begin" ? "begin immediate" : sql);
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...parameters.map(toBinding)),
        run: (parameters) => statement.run(...parameters.map(toBinding)),
        iterate: (parameters) => statement.iterate(...parameters.map(toBinding)),
      };
    },
  };
}

function toBinding(value: unknown): SQLQueryBindings {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`);
}

export interface DatabaseHealth {
  /** Number of the newest migration. */
  readonly schema: number;
  readonly caseStudies: number;
  readonly passages: number;
  /** The error that SQLite's `quick_check` reports; null for an intact file. */
  readonly fault: string | null;
}

/** Reads the whole file: about one second per gigabyte. */
function healthOf(database: Database): DatabaseHealth {
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  const faults = database
    .query<{ quick_check: string }, []>("pragma quick_check(3)")
    .all()
    .map(({ quick_check }) => quick_check);
  return {
    schema: count("select max(id) n from migrations"),
    caseStudies: count("select count(*) n from case_studies"),
    passages: count("select count(*) n from passages"),
    fault: faults.join() === "ok" ? null : faults.join("; "),
  };
}

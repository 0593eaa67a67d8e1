import { Database, type SQLQueryBindings } from "bun:sqlite";
import { Kysely, SqliteDialect, type SqliteDialectConfig } from "kysely";
import type { Tables } from "./schema.ts";

const BUSY_TIMEOUT_MS = 5_000;
const BETWEEN_ATTEMPTS_MS = 5;

/**
 * Opens a database file, made when it is absent, or `:memory:`.
 *
 * Write-ahead logging lets a command read and write beside a running server, so there is no lock file:
 * SQLite itself lets one writer in at a time and makes the others wait.
 *
 * @throws SQLiteError when the file cannot be opened or is no database
 */
export function openDatabase(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  try {
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    writeAhead(database);
    database.run("pragma synchronous = normal");
    database.run("pragma foreign_keys = on");
    // In a container with a read-only root there may be no directory for temporary files.
    database.run("pragma temp_store = memory");
    // 64 MiB: the indexes of a hundred thousand case studies stay in memory while they are written.
    database.run("pragma cache_size = -65536");
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * The change of a new file to write-ahead logging reads first and locks then, and SQLite lets no reader wait for a
 * lock: of processes that make one file at the same moment, all but one are refused at once, whatever their timeout.
 */
function writeAhead(database: Database): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      const isBusy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!isBusy || performance.now() > deadline) throw error;
      Bun.sleepSync(BETWEEN_ATTEMPTS_MS);
    }
  }
}

/** The query builder over an open database, which it closes when it is destroyed. */
export function queriesOf(database: Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(database) }) });
}

type Adapted = Exclude<SqliteDialectConfig["database"], (...args: never[]) => unknown>;

/** Kysely asks for the shape of better-sqlite3; Bun's own driver differs in how parameters are passed. */
function adapt(database: Database): Adapted {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.query<unknown, SQLQueryBindings[]>(takingTheWriteLock(sql));
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...parameters.map(bindable)),
        run: (parameters) => statement.run(...parameters.map(bindable)),
        iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
      };
    },
  };
}

/**
 * Every transaction here writes. One that takes the write lock only at its first write fails at once,
 * without waiting, when another process wrote after its first read.
 */
const takingTheWriteLock = (sql: string) => (sql === "begin" ? "begin immediate" : sql);

function bindable(value: unknown): SQLQueryBindings {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  throw new TypeError(`A ${typeof value} cannot be stored.`);
}

export interface StoreHealth {
  /** Number of the newest migration. */
  readonly schema: number;
  readonly caseStudies: number;
  readonly passages: number;
  /** What SQLite finds wrong with the file, in its words; null when it is whole. */
  readonly fault: string | null;
}

/** Reads the whole file: a second for each gigabyte or so. */
export function healthOf(database: Database): StoreHealth {
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

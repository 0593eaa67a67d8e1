import { Database, type SQLQueryBindings } from "bun:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { createSemaphore, sleep } from "../core/async.ts";
import { errorCode } from "../core/errors.ts";
import { asStoreFailure, isDamage } from "./faults.ts";

/**
 * When a commit returns. `durable`: when it is on the disk, so that no power failure can undo what was acknowledged to a
 * caller. `lazy`: when other processes see it; a power failure may lose the latest ones, but never one before a durable
 * commit, which flushes all earlier ones too.
 */
type CommitMode = "durable" | "lazy";

/** How long a statement waits for the lock of another process. */
export const BUSY_TIMEOUT_MS = 5_000;
const FIRST_WAIT_MS = 2;
const MAX_WAIT_MS = 50;

/**
 * Kysely's dialects for the one connection of this process, one per commit mode. They take turns on the connection, a
 * transaction as a whole. A statement that waits for another process blocks neither the thread nor the statements of
 * this process that do not wait.
 *
 * @param flush brings all commits to the disk
 */
export function createDialects(
  database: Database,
  flush: () => Promise<void>,
): Readonly<Record<CommitMode, Dialect>> & {
  /** Whether a query met a damaged page. */ readonly damage: () => boolean;
} {
  const turns = createSemaphore(1);
  let isDamaged = false;
  let endTurn = () => {};
  let isWritten = false;
  // SQLite's own wait blocks the thread, and with it every request.
  database.run("pragma busy_timeout = 0");

  const take = async (): Promise<void> => {
    endTurn = await turns.acquire(NEVER);
    isWritten = false;
  };
  const release = (): void => {
    try {
      // Where a commit failed and its rollback too, as on a full disk, the next turn must not inherit the transaction.
      if (database.inTransaction) database.run("rollback");
    } finally {
      endTurn();
    }
  };
  const query = async (sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<unknown>> => {
    const deadline = performance.now() + BUSY_TIMEOUT_MS;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      try {
        const result = execute(database, sql, parameters);
        isWritten ||= !sql.startsWith("select ");
        return result;
      } catch (error) {
        // A transaction has the write lock from its start, so only its first statement waits.
        const isBusy = errorCode(error).startsWith("SQLITE_BUSY");
        if (!isBusy || database.inTransaction || performance.now() > deadline) {
          isDamaged ||= isDamage(error);
          throw asStoreFailure(error);
        }
      }
      release();
      await sleep(waitMs * (0.5 + Math.random()));
      await take();
    }
  };

  const dialect = (mode: CommitMode): Dialect => {
    const connection: DatabaseConnection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
        const result = await query(sql, parameters);
        return result as QueryResult<Row>;
      },
      // biome-ignore lint/correctness/useYield: nothing is streamed
      async *streamQuery() {
        throw new Error("Queries cannot be streamed.");
      },
    };
    return {
      createDriver: () => ({
        init: async () => {},
        async acquireConnection() {
          await take();
          return connection;
        },
        // Every transaction writes. If it took the write lock only at its first write, SQLite would fail it at once when
        // another process wrote after its first read.
        beginTransaction: async () => void (await query("begin immediate")),
        commitTransaction: async () => void (await query("commit")),
        // SQLite itself rolls back after some errors, such as a full disk.
        async rollbackTransaction() {
          if (database.inTransaction) await query("rollback");
        },
        async releaseConnection() {
          const mustFlush = mode === "durable" && isWritten;
          release();
          // Others take their turns meanwhile, and share the next flush.
          if (mustFlush)
            await flush().catch((error) => {
              throw asStoreFailure(error);
            });
        },
        destroy: async () => {},
      }),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (queries) => new SqliteIntrospector(queries),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    };
  };
  return { durable: dialect("durable"), lazy: dialect("lazy"), damage: () => isDamaged };
}

const NEVER = new AbortController().signal;

// A scan has more statements than the twenty of the default, of which each would push out the next.
Database.MAX_QUERY_CACHE_SIZE = 200;

function execute(database: Database, sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
  const statement = database.query<unknown, SQLQueryBindings[]>(sql);
  const bindings = parameters.map(toBinding);
  if (statement.columnNames.length > 0) return { rows: statement.all(...bindings) };
  const { changes, lastInsertRowid } = statement.run(...bindings);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

function toBinding(value: unknown): SQLQueryBindings {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`);
}

import type { ReservedSQL, SQL } from "bun";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { sleep } from "../../core/async.ts";
import { asPostgresFailure, isConnectionLost, isNeverSent } from "./faults.ts";
import type { Primary } from "./primary.ts";

/** How long a statement is repeated while the database cannot be reached: longer than a standby takes to be promoted. */
const RETRY_MS = 5_000;
const FIRST_WAIT_MS = 25;
const MAX_WAIT_MS = 400;

/**
 * Kysely's dialect for a pool of connections to PostgreSQL. A transaction has a connection of its own; other statements
 * share the pool. A read is repeated when its connection is lost, a write only when it was never sent, on the standby that
 * took over if there is one.
 */
export const createPostgresDialect = (primary: Primary): Dialect => ({
  createDriver: () => createDriver(primary),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (queries) => new PostgresIntrospector(queries),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

class Connection implements DatabaseConnection {
  /** Of a transaction, with the pool that it belongs to. */
  reserved: { readonly pool: SQL; readonly connection: ReservedSQL } | undefined;

  constructor(readonly primary: Primary) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map(toParameter);
    const { primary, reserved } = this;
    const found = reserved
      ? await answer(primary, reserved.pool, () => reserved.connection.unsafe(sql, values))
      : await retried(/^(select|with) /.test(sql), primary, (pool) => pool.unsafe(sql, values));
    return { rows: found.map(toRow), numAffectedRows: BigInt(found.affectedRows ?? 0) } as QueryResult<Row>;
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries cannot be streamed.");
  }
}

/** A lost connection lets the primary be searched for. */
const answer = async <Result>(primary: Primary, pool: SQL, ask: () => PromiseLike<Result>): Promise<Result> => {
  try {
    return await ask();
  } catch (error) {
    const failure = asPostgresFailure(error);
    if (isConnectionLost(failure)) {
      primary.use.lost++;
      void primary.search(pool);
    }
    throw failure;
  }
};

async function retried<Result>(
  isRead: boolean,
  primary: Primary,
  ask: (pool: SQL) => PromiseLike<Result>,
): Promise<Result> {
  const deadline = performance.now() + RETRY_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    const pool = primary.pool();
    try {
      return await answer(primary, pool, () => ask(pool));
    } catch (error) {
      const mayRepeat = isNeverSent(error) || (isRead && isConnectionLost(error));
      if (!mayRepeat || performance.now() > deadline) throw error;
    }
    await primary.search(pool);
    await sleep(waitMs * (0.5 + Math.random()));
  }
}

function createDriver(primary: Primary): Driver {
  const run = async (connection: DatabaseConnection, statement: string): Promise<void> => {
    if (connection instanceof Connection) await connection.executeQuery(compiled(statement));
  };
  return {
    init: async () => {},
    async acquireConnection() {
      primary.use.inProgress++;
      return new Connection(primary);
    },
    async beginTransaction(connection) {
      if (!(connection instanceof Connection)) return;
      const asked = performance.now();
      connection.reserved = await retried(true, primary, async (pool) => ({
        pool,
        connection: await pool.reserve(),
      })).finally(() => {
        primary.use.waitedMs += performance.now() - asked;
      });
      await run(connection, "begin");
    },
    commitTransaction: (connection) => run(connection, "commit"),
    rollbackTransaction: (connection) => run(connection, "rollback"),
    async releaseConnection(connection) {
      primary.use.inProgress--;
      if (!(connection instanceof Connection)) return;
      connection.reserved?.connection.release();
      connection.reserved = undefined;
    },
    destroy: async () => {},
  };
}

const compiled = (sql: string): CompiledQuery => ({
  sql,
  parameters: [],
  query: { kind: "RawNode", sqlFragments: [sql], parameters: [] },
  queryId: { queryId: sql },
});

/** PostgreSQL has no NUL in texts. Lone surrogates become the same character when they are sent as UTF-8. */
function toParameter(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (typeof value === "number" || typeof value === "bigint" || value === null || value instanceof Uint8Array)
    return value;
  throw new TypeError(`Casefile stores no value of type ${typeof value}.`);
}

/** Integers of 64 bits arrive as bigint; every number that Casefile stores is exact as a number. */
function toRow(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== "bigint") continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`Column ${name} has a number of more than 53 bits.`);
    Reflect.set(row, name, number);
  }
  return row;
}

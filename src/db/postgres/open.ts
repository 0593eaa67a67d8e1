import { SQL } from "bun";
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from "kysely";
import { Failure } from "../../core/errors.ts";
import type { DatabaseClock } from "../clock.ts";
import type { CasefileDatabase, DatabaseHealth } from "../contract.ts";
import { checksumOf, pendingAfter } from "../migrate.ts";
import { MIGRATIONS, type Migration } from "../migrations.ts";
import type { MigrationRow, Tables } from "../schema.ts";
import { lockArea } from "../transaction.ts";
import { toPostgresDdl } from "./ddl.ts";
import { createPostgresDialect } from "./dialect.ts";
import { asPostgresFailure, isConnectionLost, NO_ANSWER, stateOf } from "./faults.ts";

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  /** Connections of this process. */
  readonly maxConnections: number;
  readonly clock: () => Date;
  /** Those of this release, but for tests. */
  readonly migrations?: readonly Migration[];
  /** Milliseconds since the epoch by the clock of this machine. */
  readonly now?: () => number;
}

/** The oldest release of PostgreSQL that is tested. */
const MIN_VERSION = 15;
const CONNECT_SECONDS = 5;
/** Bounds what a connection remembers of the statements that it has prepared. */
const CONNECTION_SECONDS = 1_800;

/**
 * Opens a PostgreSQL database and migrates it to the current schema.
 *
 * @throws Failure in one sentence without the user and the password: `store.unusable` when it cannot be reached,
 *   `config.invalid` when it cannot be used, is too old, or was written by a newer release
 */
export async function openPostgres(options: PostgresOptions): Promise<Omit<CasefileDatabase, "backup">> {
  const { url, maxConnections, clock, migrations = MIGRATIONS, now = Date.now } = options;
  const name = displayName(url);
  const pool = poolOf(url, maxConnections, name);
  const queries = new Kysely<Tables>({
    dialect: createPostgresDialect(pool),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  const close = async () => {
    await queries.destroy();
    await pool.close();
  };
  try {
    await assertUsable(pool);
    await migrate(queries, migrations, clock);
  } catch (error) {
    await close();
    throw unusable(name, asPostgresFailure(error));
  }
  return {
    engine: "postgres",
    queries,
    lazyQueries: queries,
    databaseClock: postgresClock,
    health: () => healthOf(queries),
    probe: () => probe(queries, migrations, now),
    close,
  };
}

function poolOf(url: string, max: number, name: string): SQL {
  try {
    return new SQL(url, { max, bigint: true, connectionTimeout: CONNECT_SECONDS, maxLifetime: CONNECTION_SECONDS });
  } catch {
    // The driver's message may repeat the URL.
    throw new Failure("config.invalid", `Cannot use database.url (${name}): it is not a PostgreSQL URL.`);
  }
}

/** Host, port and database, which every message may contain. */
export function displayName(url: string): string {
  const parsed = URL.parse(url);
  // A password with an unencoded / or @ ends up in the host or the path.
  return parsed === null || url.split("@").length > 2 || /[@:]/.test(parsed.pathname)
    ? "an unreadable URL"
    : `${parsed.host}${parsed.pathname}`;
}

async function assertUsable(pool: SQL): Promise<void> {
  // A read-only standby cannot be migrated, so a node must start on the primary.
  const [server] = await pool.unsafe(`
    select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as standby,
      pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`);
  if (server.version < MIN_VERSION)
    throw new Failure(
      "store.unusable",
      `the server is PostgreSQL ${server.version}, and Casefile needs ${MIN_VERSION} or newer`,
    );
  if (server.encoding !== "UTF8")
    throw new Failure("store.unusable", `its encoding is ${server.encoding}; create a database with encoding UTF8`);
  if (server.standby) throw new Failure("store.unusable", "the server is a read-only standby; connect to the primary");
}

/** What only the operator can correct; the service ends with the exit status of a wrong setting. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^3D000$/, "the server has no database of this name; create it first"],
  [/^28/, "the server refuses the user or the password"],
  [
    /^ERR_POSTGRES_(AUTHENTICATION|SASL|UNKNOWN_AUTH|UNSUPPORTED_AUTH|PASSWORD)/,
    "the server refuses the user or the password",
  ],
  [/^ERR_POSTGRES_TLS/, "the server offers no TLS"],
  [/^(42501|3F000)$/, "the user may not create tables; make it the owner of the database or schema"],
];

function unusable(name: string, error: unknown): unknown {
  const cause = error instanceof Failure ? (error.details.cause ?? error) : error;
  const state = stateOf(cause);
  const wrong = cause instanceof Failure ? cause.message : REASONS.find(([pattern]) => pattern.test(state))?.[1];
  // The next start may succeed.
  const passing =
    state === "53300"
      ? "the server has no connection left"
      : isConnectionLost(cause)
        ? "the server cannot be reached"
        : undefined;
  const reason = wrong ?? passing;
  if (reason === undefined) return error;
  const message = `Cannot use database.url (${name}): ${reason.replace(/\.$/, "")}.`;
  return new Failure(wrong === undefined ? "store.unusable" : "config.invalid", message, { cause });
}

const TABLE = toPostgresDdl(
  "create table if not exists migrations (id integer primary key, name text not null, checksum text not null, applied_at text not null)",
);

/** Applies all pending migrations in one transaction; other nodes that start at the same time wait for it. */
async function migrate(queries: Kysely<Tables>, migrations: readonly Migration[], clock: () => Date): Promise<void> {
  const applied = async (from: Kysely<Tables>): Promise<readonly MigrationRow[]> =>
    await from.selectFrom("migrations").selectAll().orderBy("id").execute();
  const { rows } = await sql<{ found: string | null }>`select to_regclass('migrations')::text as found`.execute(
    queries,
  );
  // A node that is not the first one of its release needs no right to change the schema.
  if (rows[0]?.found && pendingAfter(await applied(queries), migrations).length === 0) return;
  await queries.transaction().execute(async (transaction) => {
    await lockArea(transaction, "migrations");
    await sql.raw(TABLE).execute(transaction);
    for (const migration of pendingAfter(await applied(transaction), migrations)) {
      for (const statement of migration.up) await sql.raw(toPostgresDdl(statement)).execute(transaction);
      const { id, name } = migration;
      await transaction
        .insertInto("migrations")
        .values({ id, name, checksum: checksumOf(migration), applied_at: clock().toISOString() })
        .execute();
    }
  });
}

export const postgresClock: DatabaseClock = (seconds) => sql<string>`to_char(
  clock_timestamp() at time zone 'utc' + make_interval(secs => ${seconds}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

async function healthOf(queries: Kysely<Tables>): Promise<DatabaseHealth> {
  const count = async (table: "case_studies" | "passages") =>
    (
      await queries
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  const newest = await queries
    .selectFrom("migrations")
    .select((eb) => eb.fn.max<number | null>("id").as("id"))
    .executeTakeFirstOrThrow();
  return {
    schema: newest.id ?? 0,
    caseStudies: await count("case_studies"),
    passages: await count("passages"),
    fault: null,
  };
}

/** A setting that only the probe writes. */
const PROBE = "health.probe";

/** Leases and sessions use the clock of the database, the rest that of the node. */
const MAX_SKEW_MS = 2_000;

async function probe(
  queries: Kysely<Tables>,
  migrations: readonly Migration[],
  now: () => number,
): Promise<string | null> {
  try {
    await queries.selectFrom("keys").select("id").limit(1).execute();
    const asked = now();
    const { rows } = await sql<{ newest: number; at: string }>`
      select (select max(id) from migrations) as newest, ${postgresClock(0)} as at`.execute(queries);
    const answered = now();
    if ((rows[0]?.newest ?? 0) > migrations.length)
      return "A newer release has migrated the database; upgrade this node.";
    // The answer may have waited on its way; the clocks differ at least by what is left.
    const at = Date.parse(rows[0]?.at ?? "");
    const skew = Math.max(asked - at, at - answered);
    if (skew > MAX_SKEW_MS)
      return `The clocks of this node and the database differ by ${(skew / 1_000).toFixed(1)} seconds; synchronise them.`;
    const value = String(Math.floor(performance.now()));
    await queries
      .insertInto("settings")
      .values({ name: PROBE, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
    return null;
  } catch (error) {
    return error instanceof Failure ? error.message : NO_ANSWER;
  }
}

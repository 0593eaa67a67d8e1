import type { SQL } from "bun";
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from "kysely";
import { databaseServers } from "../../core/database-url.ts";
import { Failure } from "../../core/errors.ts";
import { type DatabaseClock, MAX_SKEW_MS } from "../clock.ts";
import type { CasefileDatabase, DatabaseHealth } from "../contract.ts";
import { checksumOf, pendingAfter } from "../migrate.ts";
import { MIGRATIONS, type Migration } from "../migrations.ts";
import type { MigrationRow, Tables } from "../schema.ts";
import { lockArea } from "../transaction.ts";
import { toPostgresDdl } from "./ddl.ts";
import { createPostgresDialect } from "./dialect.ts";
import { asPostgresFailure, isConnectionLost, NO_ANSWER, stateOf } from "./faults.ts";
import { SILENT_SECONDS } from "./node.ts";
import { createPrimary, type Primary } from "./primary.ts";

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or several of `HOST:PORT` with commas between: a primary and standbys. */
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

/**
 * Opens a PostgreSQL database and migrates it to the current schema.
 *
 * @throws Failure in one sentence without the user and the password: `store.unusable` when it cannot be reached,
 *   `config.invalid` when it cannot be used, is too old, or was written by a newer release
 */
export async function openPostgres(options: PostgresOptions): Promise<Omit<CasefileDatabase, "backup">> {
  const { url, maxConnections, clock, migrations = MIGRATIONS, now = Date.now } = options;
  const name = displayName(url);
  const primary = primaryOf(url, maxConnections, name);
  const queries = new Kysely<Tables>({
    dialect: createPostgresDialect(primary),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  const close = async () => {
    await queries.destroy();
    await primary.close();
  };
  try {
    await primary.search(primary.pool());
    await assertUsable(primary.pool());
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
    pool: () => ({ ...primary.use, max: maxConnections }),
    health: () => healthOf(queries),
    probe: () => probe(queries, migrations, now),
    close,
  };
}

function primaryOf(url: string, maxConnections: number, name: string): Primary {
  const servers = databaseServers(url);
  try {
    if (servers) return createPrimary(servers, maxConnections);
  } catch {
    // The driver's message may repeat the URL.
  }
  throw new Failure("config.invalid", `Cannot use database.url (${name}): it is not a PostgreSQL URL.`);
}

/** Hosts, ports and database, which every message may contain. */
export function displayName(url: string): string {
  const servers = databaseServers(url);
  return servers === undefined || url.split("@").length > 2
    ? "an unreadable URL"
    : `${servers.map(({ host }) => host).join(",")}${servers[0]?.pathname}`;
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

const TABLE = [
  "create table if not exists migrations (id integer primary key, name text not null, checksum text not null, applied_at text not null)",
  // The newest migration that a release must know to run on the schema; 0 when all earlier releases can.
  "alter table migrations add column if not exists requires integer not null default 0",
].map(toPostgresDdl);

/** Also of a table that a release before this column made. */
const newestRequirement = (queries: Kysely<Tables>) =>
  sql<{ newest: number | null; requires: number | null }>`
    select max(id) as newest, max((to_jsonb(migrations) ->> 'requires')::bigint) as requires from migrations`.execute(
    queries,
  );

/**
 * Applies all pending migrations in one transaction; other nodes that start at the same time wait for it. Migrations of a
 * newer release that only add are accepted, so that nodes of both releases run during an upgrade.
 */
async function migrate(queries: Kysely<Tables>, migrations: readonly Migration[], clock: () => Date): Promise<void> {
  const pendingIn = async (from: Kysely<Tables>): Promise<readonly Migration[]> => {
    const [found] = (await newestRequirement(from)).rows;
    const known = migrations.length;
    if ((found?.newest ?? 0) > known && (found?.requires ?? 0) > known) throw new Failure("store.unusable", TOO_NEW);
    const applied: readonly MigrationRow[] = await from
      .selectFrom("migrations")
      .select(["id", "name", "checksum", "applied_at"])
      .where("id", "<=", known)
      .orderBy("id")
      .execute();
    return pendingAfter(applied, migrations);
  };
  const { rows } = await sql<{ found: string | null }>`select to_regclass('migrations')::text as found`.execute(
    queries,
  );
  // A node that is not the first one of its release needs no right to change the schema.
  if (rows[0]?.found && (await pendingIn(queries)).length === 0) return;
  await queries.transaction().execute(async (transaction) => {
    await lockArea(transaction, "migrations");
    for (const statement of TABLE) await sql.raw(statement).execute(transaction);
    for (const migration of await pendingIn(transaction)) {
      const { id, name, requires = 0 } = migration;
      if (requires > 0) await assertNoneOlder(transaction, requires);
      for (const statement of migration.up) await sql.raw(toPostgresDdl(statement)).execute(transaction);
      await sql`insert into migrations (id, name, checksum, applied_at, requires)
        values (${id}, ${name}, ${checksumOf(migration)}, ${clock().toISOString()}, ${requires})`.execute(transaction);
    }
  });
}

/**
 * A node of a release before the column `schema` counts as older.
 *
 * @throws Failure `store.unusable` while nodes run that do not know the migration `requires`
 */
async function assertNoneOlder(transaction: Kysely<Tables>, requires: number): Promise<void> {
  const { rows: nodes } = await sql<{ found: string | null }>`select to_regclass('nodes')::text as found`.execute(
    transaction,
  );
  if (!nodes[0]?.found) return;
  const { rows } = await sql<{ host: string }>`select host from nodes
    where seen_at >= ${postgresClock(-SILENT_SECONDS)} and coalesce((to_jsonb(nodes) ->> 'schema')::bigint, 0) < ${requires}
    order by host limit 10`.execute(transaction);
  if (rows.length === 0) return;
  const hosts = [...new Set(rows.map(({ host }) => host))].join(", ");
  throw new Failure(
    "store.unusable",
    `nodes of a release that is too old still run (${hosts}); upgrade them to the release before this one first`,
  );
}

const TOO_NEW = "A newer release has migrated the database; upgrade this node.";

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

async function probe(
  queries: Kysely<Tables>,
  migrations: readonly Migration[],
  now: () => number,
): Promise<string | null> {
  try {
    await queries.selectFrom("keys").select("id").limit(1).execute();
    const asked = now();
    const { rows } = await sql<{ at: string }>`select ${postgresClock(0)} as at`.execute(queries);
    const answered = now();
    if (((await newestRequirement(queries)).rows[0]?.requires ?? 0) > migrations.length) return TOO_NEW;
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

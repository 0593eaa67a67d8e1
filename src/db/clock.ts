import { type RawBuilder, sql } from "kysely";

/**
 * SQL of the database's time plus a number of seconds, in ISO 8601 UTC with milliseconds. Processes on several machines
 * agree on it, where their own clocks may differ.
 */
export type DatabaseClock = (seconds: number) => RawBuilder<string>;

export const sqliteClock: DatabaseClock = (seconds) =>
  sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${seconds} seconds`})`;

/** A clock of this process in place of the database's, for tests. */
export const clockInProcess =
  (clock: () => Date): DatabaseClock =>
  (seconds) =>
    sql<string>`${new Date(clock().getTime() + seconds * 1_000).toISOString()}`;

/** Leases and sessions use the clock of the database, the rest that of the node: a node whose clock differs more is not ready. */
export const MAX_SKEW_MS = 2_000;

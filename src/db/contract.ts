import type { Kysely } from "kysely";
import type { DatabaseClock } from "./clock.ts";
import type { Tables } from "./schema.ts";

/** An open database of either engine. */
export interface CasefileDatabase {
  readonly engine: "sqlite" | "postgres";
  /** Its commits are on the disk when they return: for everything that is acknowledged to a caller, and by default. */
  readonly queries: Kysely<Tables>;
  /**
   * A power failure may lose its latest commits: for what is written often and may be counted or done again. PostgreSQL
   * commits both alike.
   */
  readonly lazyQueries: Kysely<Tables>;
  /** The time of the database. */
  readonly databaseClock: DatabaseClock;
  /** The connections of this process; undefined for a file. */
  pool?(): PoolState;
  health(): Promise<DatabaseHealth>;
  /** Why requests fail, in one sentence; null when a small read and a small write succeed. */
  probe(): Promise<string | null>;
  /**
   * Writes a complete, consistent copy of the database to `path`, replacing it, while other work continues: a SQLite
   * file, of PostgreSQL without what belongs to single nodes.
   */
  backup(path: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface PoolState {
  /** Maximum number of connections. */
  readonly max: number;
  /** Statements and transactions that have not ended; above `max` they wait for a connection. */
  readonly inProgress: number;
  /** Milliseconds that transactions waited for a connection, since the start. */
  readonly waitedMs: number;
  /** Connections that ended while they were used, since the start. */
  readonly lost: number;
}

export interface DatabaseHealth {
  /** Number of the newest migration. */
  readonly schema: number;
  readonly caseStudies: number;
  readonly passages: number;
  /** The error that SQLite's `quick_check` reports, or what the schema lacks or has too much; null for an intact file. */
  readonly fault: string | null;
}

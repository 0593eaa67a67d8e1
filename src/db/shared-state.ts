import { type Kysely, sql } from "kysely";
import type { DatabaseClock } from "./clock.ts";
import { skipLocked } from "./engine.ts";
import type { Tables } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

/**
 * What the nodes of a PostgreSQL database count and hold in common, by the clock of the database. On SQLite a process
 * has it in memory.
 */
export interface SharedState {
  /**
   * Counts a call of a client, one call at a time for each.
   *
   * @param count returns the times to keep, in milliseconds since the epoch, and how long the client must wait; the
   *   times are kept when it need not
   */
  countCall(client: string, count: (times: readonly number[], now: number) => CountedCalls): Promise<CountedCalls>;
  /** Takes the next turn at a host, `gapMs` after the one before. Returns the milliseconds until it. */
  takeTurn(host: string, gapMs: number): Promise<number>;
  readonly claims: SharedClaims;
  /** Deletes what has had no meaning for an hour. */
  deleteOld(): Promise<void>;
}

export interface CountedCalls {
  /** Oldest first. */
  readonly recent: readonly number[];
  /** Milliseconds until the next call is allowed; 0 when this one is. */
  readonly waitMs: number;
}

/** Work that one node at a time does, as long as it renews its claim. */
export interface SharedClaims {
  /** False while another node has the claim. */
  claim(name: string, lease: string, seconds: number): Promise<boolean>;
  renew(name: string, lease: string, seconds: number): Promise<void>;
  release(name: string, lease: string): Promise<void>;
  /** Says that another node waits. @returns what was published after the event of this number; undefined for nothing */
  watch(name: string, after: number): Promise<{ readonly event: number; readonly text: string } | undefined>;
  isWatched(name: string, lease: string): Promise<boolean>;
  /** Replaces what was published before. */
  publish(name: string, lease: string, text: string): Promise<void>;
}

/** Tables, the key of each, and the column of the time. */
const EXPIRING = [
  ["client_calls", "client", "last_at"],
  ["crawl_turns", "host", "free_at"],
  ["scan_claims", "scan", "leased_until"],
] as const;
const HOUR_SECONDS = 3_600;
const MAX_DELETED = 1_000;

export function createSharedState(queries: Kysely<Tables>, time: DatabaseClock): SharedState {
  return {
    countCall: (client, count) =>
      inTransaction(queries, `client ${client}`, async (transaction) => {
        const { rows } = await sql<{ now: string; times: string | null }>`
          select ${time(0)} as now, (select times from client_calls where client = ${client}) as times
        `.execute(transaction);
        const last_at = rows[0]?.now ?? "";
        const counted = count(JSON.parse(rows[0]?.times ?? "[]"), Date.parse(last_at));
        if (counted.waitMs > 0) return counted;
        const times = JSON.stringify(counted.recent);
        await transaction
          .insertInto("client_calls")
          .values({ client, times, last_at })
          .onConflict((conflict) => conflict.column("client").doUpdateSet({ times, last_at }))
          .execute();
        return counted;
      }),

    takeTurn: (host, gapMs) =>
      inTransaction(queries, `crawl ${host}`, async (transaction) => {
        const { rows } = await sql<{ now: string; free_at: string | null }>`
          select ${time(0)} as now, (select free_at from crawl_turns where host = ${host}) as free_at
        `.execute(transaction);
        const now = Date.parse(rows[0]?.now ?? "");
        const at = Math.max(now, Date.parse(rows[0]?.free_at ?? "") || 0);
        const free_at = new Date(at + gapMs).toISOString();
        await transaction
          .insertInto("crawl_turns")
          .values({ host, free_at })
          .onConflict((conflict) => conflict.column("host").doUpdateSet({ free_at }))
          .execute();
        return at - now;
      }),

    claims: {
      async claim(name, lease, seconds) {
        const { rows } = await sql`insert into scan_claims (scan, lease, leased_until)
          values (${name}, ${lease}, ${time(seconds)})
          on conflict (scan) do update set lease = excluded.lease, leased_until = excluded.leased_until, progress = null
          where scan_claims.leased_until < ${time(0)} returning scan`.execute(queries);
        return rows.length > 0;
      },
      async renew(name, lease, seconds) {
        await sql`update scan_claims set leased_until = ${time(seconds)}
          where scan = ${name} and lease = ${lease}`.execute(queries);
      },
      async watch(name, after) {
        const { rows } = await sql<{ watched: number; events: number; progress: string | null }>`
          select watched, events, case when events > ${after} then progress end as progress
          from scan_claims where scan = ${name}`.execute(queries);
        const [claim] = rows;
        if (claim?.watched === 0) await sql`update scan_claims set watched = 1 where scan = ${name}`.execute(queries);
        return claim?.progress == null ? undefined : { event: claim.events, text: claim.progress };
      },
      async isWatched(name, lease) {
        const { rows } = await sql`select scan from scan_claims
          where scan = ${name} and lease = ${lease} and watched = 1`.execute(queries);
        return rows.length > 0;
      },
      async publish(name, lease, text) {
        await sql`update scan_claims set progress = ${text}, events = events + 1
          where scan = ${name} and lease = ${lease}`.execute(queries);
      },
      async release(name, lease) {
        await queries.deleteFrom("scan_claims").where("scan", "=", name).where("lease", "=", lease).execute();
      },
    },

    async deleteOld() {
      for (const [table, key, column] of EXPIRING) {
        const old = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(column)} < ${time(-HOUR_SECONDS)}
          limit ${sql.lit(MAX_DELETED)} ${skipLocked(queries)}`;
        await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${old})`.execute(queries);
      }
    },
  };
}

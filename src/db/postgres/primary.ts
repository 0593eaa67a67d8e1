import { SQL } from "bun";
import { sleep } from "../../core/async.ts";

/** The connections of this process to the server that accepts writes. */
export interface Primary {
  /** Counted by the dialect, for metrics. */
  readonly use: PoolUse;
  /** The pool to use now; another one after a standby took over. */
  pool(): SQL;
  /**
   * To be called when a connection of `failed` was lost, or refused a write. With several servers it resolves when the one
   * that accepts writes was searched for, and is used from then on if it was found. Never rejects.
   */
  search(failed: SQL): Promise<void>;
  close(): Promise<void>;
}

/** What the connections did since the start. */
export interface PoolUse {
  /** Statements and transactions that have not ended. Above the maximum of connections they wait for one. */
  inProgress: number;
  /** Milliseconds that transactions waited for a connection. */
  waitedMs: number;
  /** Connections that ended while they were used. */
  lost: number;
}

const CONNECT_SECONDS = 5;
/** Bounds what a connection remembers of the statements that it has prepared. */
const CONNECTION_SECONDS = 1_800;
/** A server that has not answered by then is not the primary. */
const ANSWER_MS = 2_000;
/** Between two checks that the primary still answers. */
const WATCH_MS = 3_000;
/** For queries in flight on a server that is no longer the primary. */
const LEAVE_SECONDS = 1;

/**
 * Connects to the first of the servers, and to another one when that one is the primary.
 *
 * A machine that vanishes resets no connection, so with several servers the primary is also asked every few seconds.
 * Where an old primary returns and accepts writes next to its successor, the one with the later timeline is used: what only the other
 * one has was never confirmed by a synchronous standby.
 *
 * @throws TypeError or Error of the driver for a URL that it cannot use
 */
export function createPrimary(servers: readonly URL[], maxConnections: number): Primary {
  const open = (server: URL | undefined, max: number, connectionTimeout = CONNECT_SECONDS) =>
    new SQL(server?.href ?? "", { max, bigint: true, connectionTimeout, maxLifetime: CONNECTION_SECONDS });

  let used = servers[0];
  let pool = open(used, maxConnections);
  let isClosed = false;
  let searching: Promise<void> | undefined;

  /** Undefined for a standby and for a server that does not answer. */
  const timelineOf = async (server: URL): Promise<string | undefined> => {
    const connection = open(server, 1, ANSWER_MS / 1_000);
    const asked = connection
      .unsafe(
        `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
      )
      .then(([row]) => (typeof row?.timeline === "string" ? row.timeline : undefined))
      // Refused, starting, or stopped: not the primary.
      .catch(() => undefined);
    const found = await Promise.race([asked, sleep(ANSWER_MS)]);
    await connection.close({ timeout: 0 });
    return found ?? undefined;
  };

  const find = async (): Promise<void> => {
    const timelines = await Promise.all(servers.map(timelineOf));
    const latest = timelines.reduce((a, b) => ((b ?? "") > (a ?? "") ? b : a), undefined);
    if (latest === undefined || isClosed) return;
    const found = servers[timelines.indexOf(latest)];
    if (found === used) return;
    const left = pool;
    used = found;
    pool = open(found, maxConnections);
    void left.close({ timeout: LEAVE_SECONDS });
  };

  const search = (failed: SQL): Promise<void> => {
    if (servers.length < 2 || failed !== pool || isClosed) return Promise.resolve();
    searching ??= find().finally(() => {
      searching = undefined;
    });
    return searching;
  };

  const watch = async (): Promise<void> => {
    const watched = pool;
    const answered = watched.unsafe("select 1").then(
      () => true,
      () => false,
    );
    if ((await Promise.race([answered, sleep(ANSWER_MS)])) !== true) await search(watched);
  };
  const timer = servers.length < 2 ? undefined : setInterval(() => void watch(), WATCH_MS);
  timer?.unref();

  return {
    use: { inProgress: 0, waitedMs: 0, lost: 0 },
    pool: () => pool,
    search,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await searching;
      await pool.close();
    },
  };
}

import { type Kysely, type Selectable, sql } from "kysely";
import type { DatabaseClock } from "../db/clock.ts";
import { skipLocked } from "../db/engine.ts";
import type { ClusterNode } from "../db/node.ts";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { JobState, LeasedJob, RunningJob } from "./types.ts";

/** A table whose rows are jobs. One worker at a time runs a due row; each row runs at least once. */
export interface LeaseQueue {
  /** Claims the row that has been due longest; undefined when there is none. Writes only if there is one. */
  claim(kinds: readonly string[], leaseSeconds: number): Promise<LeasedJob | undefined>;
  /** Frees the rows of nodes that have ended, before their leases expire. The attempts count. */
  recover(): Promise<number>;
  /** Renews leases. Returns those that are still held. */
  renew(jobs: readonly LeasedJob[], leaseSeconds: number): Promise<ReadonlySet<string>>;
  done(job: LeasedJob): Promise<void>;
  /** Retried after `waitSeconds` while attempts are left, else `dead`; `final` allows no further attempt. */
  failed(job: LeasedJob, error: string, options: { waitSeconds: number; final?: boolean }): Promise<JobState>;
  /** Returns the row to the queue; the attempt does not count. */
  release(job: LeasedJob, waitSeconds?: number): Promise<void>;
}

/** What all lease queues of a process share. */
export interface Leasing {
  /** A lost lease is only a job that runs twice, so leases need not be on the disk at once. */
  readonly lazyQueries: Kysely<Tables>;
  readonly databaseClock: DatabaseClock;
  readonly node: Pick<ClusterNode, "id" | "enter" | "hasEnded">;
}

export interface LeaseQueueOptions<Table extends "jobs" | "watches" | "deliveries" | "batch_items"> {
  readonly table: Table;
  /** The integer primary key. */
  readonly key: "id" | "number";
  /** The kind of all rows; by default that of their column. */
  readonly kind?: string;
  /** The column that is the kind of a row, by default `kind`. */
  readonly kindColumn?: "kind" | "batch_id";
  /** SQL condition of the rows that are not finished or paused. */
  readonly open: string;
  /** Rows with the same value of this column run one at a time. */
  readonly serializeBy?: "webhook_id";
  /** The column `state` follows the lease: `running` while a worker holds the row, then `waiting` or `done`. */
  readonly tracksState?: boolean;
  /** Seconds added per earlier attempt to the wait of a row whose process crashed. */
  readonly crashPauseSeconds: number;
  readonly toJob: (row: Selectable<Tables[Table]>) => RunningJob;
}

/** A lease queue over a table with the columns `run_after`, `attempts`, `lease` and `leased_until`. */
export function createLeaseQueue<Table extends "jobs" | "watches" | "deliveries" | "batch_items">(
  { lazyQueries: queries, databaseClock: time, node }: Leasing,
  options: LeaseQueueOptions<Table>,
): Omit<LeaseQueue, "failed"> {
  const { kind, kindColumn = "kind", serializeBy, tracksState = false, crashPauseSeconds, toJob } = options;
  const rows = sql.table(options.table);
  const key = sql.ref(options.key);
  const open = sql.raw(options.open);
  const held = ({ id, lease }: LeasedJob) => sql`${key} = ${id} and lease = ${lease}`;
  const state = (state: JobState) => (tracksState ? sql`, state = ${state}, updated_at = ${time(0)}` : sql``);
  const due = (kinds: readonly string[]) => {
    const isAlone = serializeBy
      ? sql`and ${sql.ref(serializeBy)} not in
          (select ${sql.ref(serializeBy)} from ${rows} where ${open} and lease is not null)`
      : sql``;
    const ofKind = kind === undefined ? sql`and ${sql.ref(kindColumn)} in (${sql.join(kinds)})` : sql``;
    return sql`select ${key} from ${rows}
      where ${open} ${ofKind} and run_after <= ${time(0)} and lease is null ${isAlone}
      order by run_after, ${key} limit 1`;
  };
  const update = async (assignments: ReturnType<typeof sql>, job: LeasedJob) =>
    (await sql`update ${rows} set ${assignments} where ${held(job)}`.execute(queries)).numAffectedRows ?? 0n;

  /** Frees leased rows that match a condition and whose node has ended. Returns how many. */
  const free = async (
    condition: ReturnType<typeof sql>,
    hasEnded: (node: string) => boolean | Promise<boolean>,
  ): Promise<number> => {
    const leased = await sql<{ lease: string; attempts: number }>`
      select lease, attempts from ${rows} where ${open} and lease is not null and ${condition}`.execute(queries);
    const orphans: typeof leased.rows = [];
    for (const row of leased.rows) if (await hasEnded(nodeOf(row.lease))) orphans.push(row);
    for (const { lease, attempts } of orphans) {
      // A row that crashes its process is retried later each time, so that it does not crash every start.
      const pauseSeconds = (attempts - 1) * crashPauseSeconds;
      const until = time(pauseSeconds);
      const pause =
        pauseSeconds > 0 ? sql`, run_after = case when run_after > ${until} then run_after else ${until} end` : sql``;
      await sql`update ${rows} set lease = null, leased_until = null ${pause} ${state("waiting")}
        where lease = ${lease} and ${condition}`.execute(queries);
    }
    return orphans.length;
  };

  return {
    async claim(kinds, leaseSeconds) {
      if (kinds.length === 0 || (kind !== undefined && !kinds.includes(kind))) return undefined;
      await free(sql`leased_until < ${time(0)}`, () => true);
      // Usually nothing is due, and a read does not need the write lock.
      if ((await due(kinds).execute(queries)).rows.length === 0) return undefined;
      await node.enter();
      const lease = `${node.id}:${crypto.randomUUID()}`;
      const claim = async (from: Kysely<Tables>) =>
        await sql<Selectable<Tables[Table]>>`
          update ${rows} set lease = ${lease}, leased_until = ${time(leaseSeconds)}, attempts = attempts + 1
          ${state("running")} where ${key} = (${due(kinds)} ${skipLocked(queries)}) returning *`.execute(from);
      // Two nodes could claim two rows that must not run at the same time.
      const claimed = serializeBy
        ? await inTransaction(queries, `claim ${options.table}`, claim)
        : await claim(queries);
      const [row] = claimed.rows;
      return row && { ...toJob(row), lease };
    },

    recover: () => free(sql`true`, node.hasEnded),

    async renew(jobs, leaseSeconds) {
      const leases = jobs.map(({ lease }) => lease);
      const renewed = await sql<{ lease: string }>`
        update ${rows} set leased_until = ${time(leaseSeconds)} where lease in (${sql.join(leases)}) returning lease
      `.execute(queries);
      return new Set(renewed.rows.map(({ lease }) => lease));
    },

    async done(job) {
      await update(sql`lease = null, leased_until = null ${state("done")}`, job);
    },

    async release(job, waitSeconds = 0) {
      await update(
        sql`lease = null, leased_until = null, attempts = case when attempts > 0 then attempts - 1 else 0 end, run_after = ${time(waitSeconds)}
          ${state("waiting")}`,
        job,
      );
    },
  };
}

const nodeOf = (lease: string): string => lease.slice(0, lease.indexOf(":"));

import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../db/schema.ts";
import type { JobState, LeasedJob, RunningJob } from "./types.ts";

/** A table whose rows are jobs. One worker at a time runs a due row; each row runs at least once. */
export interface LeaseQueue {
  /** Claims the row that has been due longest, or whose lease has expired; undefined when there is none. */
  claim(kinds: readonly string[], leaseSeconds: number): Promise<LeasedJob | undefined>;
  /** Frees rows that a process held when it crashed, before their leases expire. The attempt counts. */
  recover(isAlive: (pid: number) => boolean): Promise<number>;
  /** Returns false when the lease is lost. */
  renew(job: LeasedJob, leaseSeconds: number): Promise<boolean>;
  done(job: LeasedJob): Promise<void>;
  /** Retried after `waitSeconds` while attempts are left, else `dead`; `final` allows no further attempt. */
  failed(job: LeasedJob, error: string, options: { waitSeconds: number; final?: boolean }): Promise<JobState>;
  /** Returns the row to the queue; the attempt does not count. */
  release(job: LeasedJob, waitSeconds?: number): Promise<void>;
}

export interface LeaseQueueOptions<Table extends "jobs" | "watches" | "deliveries"> {
  readonly table: Table;
  /** The integer primary key. */
  readonly key: "id" | "number";
  /** The kind of all rows; by default the column `kind`. */
  readonly kind?: string;
  /** SQL condition of the rows that are not finished or paused. */
  readonly open: string;
  /** Rows with the same value of this column run one at a time. */
  readonly serializeBy?: "webhook_id";
  /** The column `state` follows the lease: `running` while a worker holds the row, then `waiting` or `done`. */
  readonly tracksState?: boolean;
  /** Seconds added per earlier attempt to the wait of a row whose process crashed. */
  readonly crashPauseSeconds: number;
  readonly toJob: (row: Selectable<Tables[Table]>) => RunningJob;
  readonly clock: () => Date;
}

/** A lease queue over a table with the columns `run_after`, `attempts`, `lease` and `leased_until`. */
export function createLeaseQueue<Table extends "jobs" | "watches" | "deliveries">(
  queries: Kysely<Tables>,
  options: LeaseQueueOptions<Table>,
): Omit<LeaseQueue, "failed"> {
  const { kind, serializeBy, tracksState = false, crashPauseSeconds, toJob, clock } = options;
  const rows = sql.table(options.table);
  const key = sql.ref(options.key);
  const open = sql.raw(options.open);
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();
  const held = ({ id, lease }: LeasedJob) => sql`${key} = ${id} and lease = ${lease}`;
  const state = (state: JobState) => (tracksState ? sql`, state = ${state}, updated_at = ${inSeconds(0)}` : sql``);
  const due = (kinds: readonly string[], at: string) => {
    const isFree = serializeBy
      ? sql`${sql.ref(serializeBy)} not in (select ${sql.ref(serializeBy)} from ${rows} where ${open} and leased_until >= ${at})`
      : sql`(leased_until is null or leased_until < ${at})`;
    const ofKind = kind === undefined ? sql`and kind in (${sql.join(kinds)})` : sql``;
    return sql`select ${key} from ${rows} where ${open} ${ofKind} and run_after <= ${at} and ${isFree}
      order by run_after, ${key} limit 1`;
  };
  const update = async (assignments: ReturnType<typeof sql>, job: LeasedJob) =>
    (await sql`update ${rows} set ${assignments} where ${held(job)}`.execute(queries)).numAffectedRows ?? 0n;

  return {
    async claim(kinds, leaseSeconds) {
      if (kinds.length === 0 || (kind !== undefined && !kinds.includes(kind))) return undefined;
      const at = inSeconds(0);
      // Usually nothing is due, and a read does not need the write lock.
      if ((await due(kinds, at).execute(queries)).rows.length === 0) return undefined;
      const lease = `${process.pid}:${crypto.randomUUID()}`;
      const claimed = await sql<Selectable<Tables[Table]>>`
        update ${rows} set lease = ${lease}, leased_until = ${inSeconds(leaseSeconds)}, attempts = attempts + 1
        ${state("running")} where ${key} = (${due(kinds, at)}) returning *`.execute(queries);
      const [row] = claimed.rows;
      return row && { ...toJob(row), lease };
    },

    async recover(isAlive) {
      const leased = await sql<{ lease: string; attempts: number }>`
        select lease, attempts from ${rows} where lease is not null`.execute(queries);
      const orphans = leased.rows.filter(({ lease }) => !isAlive(Number.parseInt(lease, 10)));
      for (const { lease, attempts } of orphans) {
        // A row that crashes its process is retried later each time, so that it does not crash every start.
        const retryAt = inSeconds((attempts - 1) * crashPauseSeconds);
        await sql`update ${rows} set lease = null, leased_until = null, run_after = max(run_after, ${retryAt})
          where lease = ${lease}`.execute(queries);
      }
      return orphans.length;
    },

    renew: async (job, leaseSeconds) => (await update(sql`leased_until = ${inSeconds(leaseSeconds)}`, job)) > 0n,

    async done(job) {
      await update(sql`lease = null, leased_until = null ${state("done")}`, job);
    },

    async release(job, waitSeconds = 0) {
      await update(
        sql`lease = null, leased_until = null, attempts = max(attempts - 1, 0), run_after = ${inSeconds(waitSeconds)}
          ${state("waiting")}`,
        job,
      );
    },
  };
}

import { type Kysely, sql } from "kysely";
import type { Tables } from "../db/schema.ts";
import type { LeasedJob } from "./queue.ts";

/** Rows that fall due, each at one worker at a time: a table of its own for the runner of durable work. */
export interface LeaseQueue {
  /** Takes the row that has waited longest of those that are due; undefined when there is none. */
  claim(kinds: readonly string[], leaseSeconds: number): Promise<LeasedJob | undefined>;
  /** Lets what ran in a process that is gone fall due again, before its lease ends. The attempt counts. */
  recover(isAlive: (pid: number) => boolean): Promise<number>;
  /** Answers false when the lease is lost. */
  renew(job: LeasedJob, leaseSeconds: number): Promise<boolean>;
  /** Gives the row back; the handler has written what came of it. */
  done(job: LeasedJob): Promise<void>;
  /** Gives it back; the attempt does not count. */
  release(job: LeasedJob, waitSeconds?: number): Promise<void>;
}

export interface LeaseOptions {
  readonly table: "watches" | "deliveries";
  /** Name of the work. */
  readonly kind: string;
  /** Column that names the row in a job's payload. */
  readonly named: "domain" | "id";
  /** SQL of what may be claimed at all. */
  readonly open: string;
  /** Column of whom the work is with: they get one row at a time, so that who is slow keeps nobody else waiting. */
  readonly oneEach?: "webhook_id";
  readonly clock: () => Date;
}

const PAUSE_AFTER_CRASH_SECONDS = 300;

interface Claimed {
  readonly number: number;
  readonly name: string;
  readonly attempts: number;
  readonly run_after: string;
  readonly created_at: string;
}

export function leaseQueue(
  queries: Kysely<Tables>,
  { table, kind, named, open, oneEach, clock }: LeaseOptions,
): LeaseQueue {
  const rows = sql.table(table);
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();
  const mine = ({ id, lease }: LeasedJob) => sql`number = ${id} and lease = ${lease}`;
  const busy = (at: string) =>
    sql`select ${sql.ref(oneEach ?? named)} from ${rows} where ${sql.raw(open)} and leased_until >= ${at}`;
  const due = (at: string) =>
    sql`select number from ${rows} where ${sql.raw(open)} and run_after <= ${at}
      and ${sql.ref(oneEach ?? named)} not in (${busy(at)}) order by run_after, number limit 1`;
  const changed = async (statement: ReturnType<typeof sql>) =>
    Number((await statement.execute(queries)).numAffectedRows ?? 0n);

  return {
    async claim(kinds, leaseSeconds) {
      if (!kinds.includes(kind)) return undefined;
      const at = inSeconds(0);
      // Mostly nothing is due, and then there is no need for the write lock.
      if ((await due(at).execute(queries)).rows.length === 0) return undefined;
      const lease = `${process.pid}:${crypto.randomUUID()}`;
      const claimed = await sql<Claimed>`
        update ${rows} set lease = ${lease}, leased_until = ${inSeconds(leaseSeconds)}, attempts = attempts + 1
        where number = (${due(at)})
        returning number, ${sql.ref(named)} as name, attempts, run_after, created_at`.execute(queries);
      const [row] = claimed.rows;
      if (!row) return undefined;
      const { number: id, name, attempts, run_after, created_at } = row;
      const told = { id, kind, state: "running", attempts, run_after, created_at, updated_at: at } as const;
      return { ...told, lease, payload: { [named]: name }, max_attempts: Number.MAX_SAFE_INTEGER, last_error: null };
    },

    async recover(isAlive) {
      const held = await sql<{ lease: string; attempts: number }>`
        select lease, attempts from ${rows} where lease is not null`.execute(queries);
      const orphans = held.rows.filter(({ lease }) => !isAlive(Number.parseInt(lease, 10)));
      for (const { lease, attempts } of orphans) {
        // Once may be chance; what takes its process down each time must not do so at every start.
        const again = inSeconds((attempts - 1) * PAUSE_AFTER_CRASH_SECONDS);
        await sql`update ${rows} set lease = null, leased_until = null, run_after = max(run_after, ${again})
          where lease = ${lease}`.execute(queries);
      }
      return orphans.length;
    },

    renew: async (job, leaseSeconds) =>
      (await changed(sql`update ${rows} set leased_until = ${inSeconds(leaseSeconds)} where ${mine(job)}`)) > 0,

    async done(job) {
      await changed(sql`update ${rows} set lease = null, leased_until = null where ${mine(job)}`);
    },

    async release(job, waitSeconds = 0) {
      await changed(sql`update ${rows} set lease = null, leased_until = null, attempts = max(attempts - 1, 0),
        run_after = ${inSeconds(waitSeconds)} where ${mine(job)}`);
    },
  };
}

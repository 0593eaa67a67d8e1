import type { Kysely, Selectable } from "kysely";
import { countRows, type PageRequest, readPage } from "../db/cursor.ts";
import { jsonText } from "../db/engine.ts";
import type { JobRow, Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLeaseQueue, type LeaseQueue, type Leasing } from "./lease-queue.ts";
import { JOB_STATES, type Job, type JobPage, type JobState, type LeasedJob } from "./types.ts";

export interface NewJob {
  readonly kind: string;
  /** What the job works on; each kind has at most one open job per subject. */
  readonly subject: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly maxAttempts?: number;
  readonly runAfter?: Date;
}

/** The table of durable jobs. */
export interface JobRepository extends LeaseQueue {
  /** Returns the id of the new job, or of the open job with the same kind and subject. */
  add(job: NewJob): Promise<number>;
  /** Makes a dead job wait again with all its attempts. Returns false when no dead job has the id. */
  revive(id: number): Promise<boolean>;
  find(id: number): Promise<Job | undefined>;
  /** The job that was added last. */
  newest(kind: string, subject: string): Promise<Job | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: JobFilter, page: PageRequest): Promise<JobPage>;
  /** Number of jobs per state. */
  counts(): Promise<Readonly<Record<JobState, number>>>;
  /** Number of open jobs of a kind whose payload has this `submission`. */
  openFor(kind: string, submission: string): Promise<number>;
  /** Deletes jobs that were done before the date. Returns how many. */
  deleteDone(before: Date): Promise<number>;
}

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
}

const ATTEMPTS = 5;
const MAX_ERROR = 500;
const NEWEST_FIRST = { list: "jobs", columns: [["id", "number", "desc"]] } as const;
const FREE = { lease: null, leased_until: null };
const CRASHED = "The service crashed each time it ran this job.";

export function createJobRepository(queries: Kysely<Tables>, leasing: Leasing, clock: () => Date): JobRepository {
  const now = () => clock().toISOString();
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();
  const held = ({ id, lease }: LeasedJob) =>
    queries.updateTable("jobs").where("id", "=", id).where("lease", "=", lease);
  const queue = createLeaseQueue(leasing, {
    table: "jobs",
    key: "id",
    open: "state in ('waiting', 'running')",
    tracksState: true,
    crashPauseSeconds: 0,
    toJob: jobOf,
  });

  return {
    async add({ kind, subject, payload = {}, maxAttempts = ATTEMPTS, runAfter = clock() }) {
      return await inTransaction(queries, `job ${kind} ${subject}`, async (transaction) => {
        const open = await transaction
          .selectFrom("jobs")
          .select("id")
          .where("kind", "=", kind)
          .where("subject", "=", subject)
          .where("state", "in", ["waiting", "running"])
          .executeTakeFirst();
        if (open) return open.id;
        const { id } = await transaction
          .insertInto("jobs")
          .values({
            kind,
            subject,
            payload: JSON.stringify(payload),
            state: "waiting",
            max_attempts: maxAttempts,
            run_after: runAfter.toISOString(),
            created_at: now(),
            updated_at: now(),
            last_error: null,
            ...FREE,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return id;
      });
    },

    ...queue,

    async claim(kinds, leaseSeconds) {
      for (;;) {
        const job = await queue.claim(kinds, leaseSeconds);
        if (!job || job.attempts <= job.max_attempts) return job;
        // A job that crashes its process every time would otherwise be restarted for ever.
        await held(job)
          .set({ state: "dead", attempts: job.max_attempts, last_error: CRASHED, updated_at: now(), ...FREE })
          .execute();
      }
    },

    async failed(job, error, { waitSeconds, final = false }) {
      const state: JobState = final || job.attempts >= job.max_attempts ? "dead" : "waiting";
      await held(job)
        .set({
          state,
          last_error: error.slice(0, MAX_ERROR),
          run_after: inSeconds(waitSeconds),
          updated_at: now(),
          ...FREE,
        })
        .execute();
      return state;
    },

    async revive(id) {
      const { numUpdatedRows } = await queries
        .updateTable("jobs")
        .set({ state: "waiting", attempts: 0, run_after: now(), updated_at: now() })
        .where("id", "=", id)
        .where("state", "=", "dead")
        // A newer job for the same subject replaces the dead one.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("jobs as other")
                .select("other.id")
                .whereRef("other.kind", "=", "jobs.kind")
                .whereRef("other.subject", "=", "jobs.subject")
                .where("other.state", "in", ["waiting", "running"]),
            ),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async find(id) {
      const row = await queries.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
      return row && jobOf(row);
    },

    async newest(kind, subject) {
      const row = await queries
        .selectFrom("jobs")
        .selectAll()
        .where("kind", "=", kind)
        .where("subject", "=", subject)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && jobOf(row);
    },

    async list({ state, kind }, page) {
      let matching = queries.selectFrom("jobs");
      if (state !== undefined) matching = matching.where("state", "=", state);
      if (kind !== undefined) matching = matching.where("kind", "=", kind);
      const { rows, next_cursor } = await readPage(matching.selectAll(), NEWEST_FIRST, page);
      return { jobs: rows.map(jobOf), total: await countRows(matching), next_cursor };
    },

    async counts() {
      const rows = await queries
        .selectFrom("jobs")
        .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      const counted = new Map(rows.map(({ state, count }) => [state, count]));
      const [waiting, running, done, dead] = JOB_STATES.map((state) => counted.get(state) ?? 0);
      return { waiting: waiting ?? 0, running: running ?? 0, done: done ?? 0, dead: dead ?? 0 };
    },

    async openFor(kind, submission) {
      return await countRows(
        queries
          .selectFrom("jobs")
          .where("kind", "=", kind)
          .where("state", "in", ["waiting", "running"])
          .where(jsonText(queries, "payload", "submission"), "=", submission),
      );
    },

    async deleteDone(before) {
      const { numDeletedRows } = await queries
        .deleteFrom("jobs")
        .where("state", "=", "done")
        .where("updated_at", "<", before.toISOString())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function jobOf({ subject: _, lease: _lease, leased_until: _until, payload, ...job }: Selectable<JobRow>): Job {
  return { ...job, payload: JSON.parse(payload) };
}

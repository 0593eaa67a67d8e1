import { type Kysely, sql } from "kysely";
import { decodeCursor, encodeCursor } from "../db/cursor.ts";
import type { JobRow, Tables } from "../db/schema.ts";
import { JOB_STATES, type Job, type JobState } from "./types.ts";

export interface NewJob {
  readonly kind: string;
  /** What it is about. */
  readonly subject: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly maxAttempts?: number;
  readonly runAfter?: Date;
}

/** A job that a worker has; `lease` proves that it still has it. */
export interface LeasedJob extends Job {
  readonly lease: string;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** Durable work: at least once, each at one worker at a time, until its attempts are used up. */
export interface Jobs {
  /** Answers the id of the job; that of the open one when the same work is open already. */
  add(job: NewJob): Promise<number>;
  /** Takes the job that waits longest of those that are due, or whose worker is gone; undefined when there is none. */
  claim(kinds: readonly string[], leaseSeconds: number): Promise<LeasedJob | undefined>;
  /** Lets what ran in a process that is gone wait again, before its lease ends. The attempt counts. */
  recover(isAlive: (pid: number) => boolean): Promise<number>;
  /** Answers false when the lease is lost. */
  renew(job: LeasedJob, leaseSeconds: number): Promise<boolean>;
  done(job: LeasedJob): Promise<void>;
  /** Tried again after `waitSeconds` while attempts are left, or dead; `final` is dead at once. */
  failed(job: LeasedJob, error: string, options: { waitSeconds: number; final?: boolean }): Promise<JobState>;
  /** Gives it back; the attempt does not count. */
  release(job: LeasedJob, waitSeconds?: number): Promise<void>;
  /** Lets a dead job run again with all its attempts. Answers false when no dead job has the id. */
  revive(id: number): Promise<boolean>;
  find(id: number): Promise<Job | undefined>;
  /** The last that was asked for. */
  newest(kind: string, subject: string): Promise<Job | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: { state?: JobState; kind?: string }, page: { limit: number; cursor?: string }): Promise<JobPage>;
  /** How many are in each state. */
  counts(): Promise<Readonly<Record<JobState, number>>>;
  /** Open jobs of a kind whose payload's `submission` is this one. */
  openFor(kind: string, submission: string): Promise<number>;
  /** Forgets what was done before the day. Answers how many. */
  forgetDone(before: Date): Promise<number>;
}

const ATTEMPTS = 5;
const MAX_ERROR = 500;
const LIST = "jobs";

export function jobsIn(queries: Kysely<Tables>, clock: () => Date): Jobs {
  const now = () => clock().toISOString();
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();
  const mine = ({ id, lease }: LeasedJob) =>
    queries.updateTable("jobs").where("id", "=", id).where("lease", "=", lease).where("state", "=", "running");
  const free = { lease: null, leased_until: null };

  return {
    async add({ kind, subject, payload = {}, maxAttempts = ATTEMPTS, runAfter = clock() }) {
      return await queries.transaction().execute(async (transaction) => {
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
            ...free,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return id;
      });
    },

    async claim(kinds, leaseSeconds) {
      if (kinds.length === 0) return undefined;
      const at = now();
      const lease = `${process.pid}:${crypto.randomUUID()}`;
      // Work that takes its process down with it would be begun for ever.
      await queries
        .updateTable("jobs")
        .set({ state: "dead", last_error: "The program ended each time while it worked on this.", ...free })
        .where("state", "=", "running")
        .where("leased_until", "<", at)
        .whereRef("attempts", ">=", "max_attempts")
        .execute();
      const row = await queries
        .updateTable("jobs")
        .set((eb) => ({
          state: "running",
          lease,
          leased_until: inSeconds(leaseSeconds),
          attempts: eb("attempts", "+", 1),
          updated_at: at,
        }))
        .where("id", "=", (eb) =>
          eb
            .selectFrom("jobs")
            .select("id")
            .where("kind", "in", kinds)
            .where((due) =>
              due.or([
                due.and([due("state", "=", "waiting"), due("run_after", "<=", at)]),
                due.and([due("state", "=", "running"), due("leased_until", "<", at)]),
              ]),
            )
            .orderBy("run_after")
            .orderBy("id")
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst();
      return row && { ...jobOf(row), lease };
    },

    async recover(isAlive) {
      const running = await queries.selectFrom("jobs").select(["id", "lease"]).where("state", "=", "running").execute();
      const orphans = running.filter(({ lease }) => !isAlive(Number.parseInt(lease ?? "", 10)));
      if (orphans.length === 0) return 0;
      await queries
        .updateTable("jobs")
        .set({ leased_until: new Date(0).toISOString() })
        .where("state", "=", "running")
        .where(
          "lease",
          "in",
          orphans.flatMap(({ lease }) => lease ?? []),
        )
        .execute();
      return orphans.length;
    },

    async renew(job, leaseSeconds) {
      const { numUpdatedRows } = await mine(job)
        .set({ leased_until: inSeconds(leaseSeconds) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async done(job) {
      await mine(job)
        .set({ state: "done", updated_at: now(), ...free })
        .execute();
    },

    async failed(job, error, { waitSeconds, final = false }) {
      const state: JobState = final || job.attempts >= job.max_attempts ? "dead" : "waiting";
      await mine(job)
        .set({
          state,
          last_error: error.slice(0, MAX_ERROR),
          run_after: inSeconds(waitSeconds),
          updated_at: now(),
          ...free,
        })
        .execute();
      return state;
    },

    async release(job, waitSeconds = 0) {
      await mine(job)
        .set((eb) => ({
          state: "waiting",
          attempts: eb("attempts", "-", 1),
          run_after: inSeconds(waitSeconds),
          updated_at: now(),
          ...free,
        }))
        .execute();
    },

    async revive(id) {
      const { numUpdatedRows } = await queries
        .updateTable("jobs")
        .set({ state: "waiting", attempts: 0, run_after: now(), updated_at: now() })
        .where("id", "=", id)
        .where("state", "=", "dead")
        // Newer work for the same subject makes the old one needless.
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

    async list({ state, kind }, { limit, cursor }) {
      let matching = queries.selectFrom("jobs");
      if (state !== undefined) matching = matching.where("state", "=", state);
      if (kind !== undefined) matching = matching.where("kind", "=", kind);
      let page = matching
        .selectAll()
        .orderBy("id", "desc")
        .limit(limit + 1);
      if (cursor !== undefined) page = page.where("id", "<", decodeCursor(LIST, ["number"], cursor)[0]);
      const rows = await page.execute();
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        jobs: shown.map(jobOf),
        total,
        next_cursor: rows.length > limit && last ? encodeCursor(LIST, [last.id]) : null,
      };
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
      const { open } = await queries
        .selectFrom("jobs")
        .select((eb) => eb.fn.countAll<number>().as("open"))
        .where("kind", "=", kind)
        .where("state", "in", ["waiting", "running"])
        .where(sql`json_extract(payload, '$.submission')`, "=", submission)
        .executeTakeFirstOrThrow();
      return open;
    },

    async forgetDone(before) {
      const { numDeletedRows } = await queries
        .deleteFrom("jobs")
        .where("state", "=", "done")
        .where("updated_at", "<", before.toISOString())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function jobOf(
  row: { readonly [Name in keyof Omit<JobRow, "id" | "attempts">]: JobRow[Name] } & {
    readonly id: number;
    readonly attempts: number;
  },
): Job {
  const { id, kind, payload, state, attempts, max_attempts, last_error, run_after, created_at, updated_at } = row;
  const told = { id, kind, state, attempts, max_attempts, last_error, run_after, created_at, updated_at };
  return { ...told, payload: JSON.parse(payload) };
}

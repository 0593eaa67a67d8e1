import type { Page } from "../db/cursor.ts";

export const JOB_STATES = ["waiting", "running", "done", "dead"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A durable background job. */
export interface Job {
  readonly id: number;
  /** `preview`, `crawl`, `structure`, `mail`, … */
  readonly kind: string;
  /** Small JSON object. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly state: JobState;
  readonly attempts: number;
  readonly max_attempts: number;
  /** Latest error, in one sentence; null before the first. */
  readonly last_error: string | null;
  readonly run_after: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The part of a job that its handler needs. */
export type RunningJob = Pick<Job, "id" | "kind" | "payload" | "attempts" | "max_attempts">;

/** A claimed job; `lease` proves that the worker still holds it. */
export interface LeasedJob extends RunningJob {
  readonly lease: string;
}

export interface JobPage extends Page {
  readonly jobs: readonly Job[];
}

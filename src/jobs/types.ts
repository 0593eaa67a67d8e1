export const JOB_STATES = ["waiting", "running", "done", "dead"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A piece of durable work. */
export interface Job {
  readonly id: number;
  /** `preview`, `crawl`, `structure`, `mail`, … */
  readonly kind: string;
  /** Small JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly state: JobState;
  readonly attempts: number;
  readonly max_attempts: number;
  /** Newest failure, in one sentence; null before the first. */
  readonly last_error: string | null;
  readonly run_after: string;
  readonly created_at: string;
  readonly updated_at: string;
}

import type { LeaseQueue } from "./lease-queue.ts";
import type { LeasedJob, RunningJob } from "./types.ts";

/** Thrown by a handler for an error that a retry cannot correct. The operator sees the message. */
export class PermanentError extends Error {
  override readonly name = "PermanentError";
}

/** `againInSeconds`: the job is not ready yet; this attempt does not count. */
export type Handled = undefined | { readonly againInSeconds: number };

/** Runs one job; a thrown error fails it. A job runs at least once, so running it twice must do no harm. */
export type Handler = (job: RunningJob, signal: AbortSignal) => Promise<Handled>;

export interface RunnerOptions {
  readonly queue: LeaseQueue;
  /** By kind. Jobs of other kinds wait. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Number of jobs that run at the same time. */
  readonly concurrency: number;
  /** Milliseconds between polls for jobs that other processes added. */
  readonly pollMs: number;
  /** Seconds after which another node may take over a job whose lease was not renewed; by default 30. */
  readonly leaseSeconds?: number | undefined;
  /** 0–1, for the jitter of retries. */
  readonly random: () => number;
  /** Called for every failed attempt; `dead` when it was the last one. */
  readonly onFailure: (job: RunningJob, error: unknown, dead: boolean) => void;
  /** Called when the queue itself fails, as on a full disk. The runner pauses, then continues. */
  readonly onQueueError: (task: string, error: unknown) => void;
}

export interface Runner {
  /** Polls now, because a job may have been added. */
  wake(): void;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** Claims no more jobs, aborts the running ones and releases them. */
  stop(): Promise<void>;
}

const LEASE_SECONDS = 30;
const HEARTBEATS_PER_LEASE = 6;
const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Exponential backoff from 30 seconds to an hour, plus up to 50% jitter. */
export const retrySeconds = (attempts: number, random: () => number): number =>
  Math.round(Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS) * (1 + random() / 2));

/** A job that runs in this process. */
interface Run {
  readonly job: LeasedJob;
  readonly lost: AbortController;
  /** Of `performance.now()`. */
  renewedAt: number;
}

/**
 * Runs due jobs of a queue until it is stopped. An error of the queue itself is reported, and the queue is asked again
 * after 1 second, then twice as long each time, up to a minute; a job whose result could not be recorded runs again when
 * its lease has expired.
 */
export function startRunner(options: RunnerOptions): Runner {
  const { queue, leaseSeconds = LEASE_SECONDS, random, onQueueError } = options;
  const leaseMs = leaseSeconds * 1_000;
  const kinds = Object.keys(options.handlers);
  const stopping = new AbortController();
  const runs = new Map<Run, Promise<void>>();
  let polling: Promise<void> | undefined;
  let pollAgain = false;
  let errorsInARow = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  /** Reports an error of the queue, and asks it nothing for a while. */
  const queueFailed = (task: string, error: unknown): void => {
    onQueueError(task, error);
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** errorsInARow, MAX_PAUSE_MS) * (1 + random() / 2);
    errorsInARow += 1;
    clearTimeout(pause);
    if (stopping.signal.aborted) return;
    pause = setTimeout(() => {
      pause = undefined;
      wake();
    }, pauseMs);
  };

  const execute = async ({ job, lost }: Run): Promise<void> => {
    let record: () => Promise<unknown>;
    try {
      const signal = AbortSignal.any([stopping.signal, lost.signal]);
      const handled = await options.handlers[job.kind]?.(job, signal);
      record = handled ? () => queue.release(job, handled.againInSeconds) : () => queue.done(job);
    } catch (error) {
      if (lost.signal.aborted) return;
      record = stopping.signal.aborted
        ? () => queue.release(job)
        : async () => {
            const waitSeconds = retrySeconds(job.attempts, random);
            const final = error instanceof PermanentError;
            const state = await queue.failed(job, messageOf(error), { waitSeconds, final });
            options.onFailure(job, error, state === "dead");
          };
    }
    try {
      await record();
    } catch (error) {
      queueFailed(`recording the result of a ${job.kind} job`, error);
    }
  };

  const start = (job: LeasedJob): void => {
    const run: Run = { job, lost: new AbortController(), renewedAt: performance.now() };
    const ended = execute(run).finally(() => {
      runs.delete(run);
      wake();
    });
    runs.set(run, ended);
  };

  const claimDue = async (): Promise<void> => {
    while (!stopping.signal.aborted && !pause && runs.size < options.concurrency) {
      const job = await queue.claim(kinds, leaseSeconds);
      errorsInARow = 0;
      if (!job) return;
      // The runner was stopped while the claim was in flight.
      if (stopping.signal.aborted) return await queue.release(job);
      start(job);
    }
  };

  const renew = async (): Promise<void> => {
    const renewing = [...runs.keys()];
    if (renewing.length === 0) return;
    try {
      const now = performance.now();
      const kept = await queue.renew(
        renewing.map(({ job }) => job),
        leaseSeconds,
      );
      for (const run of renewing) {
        if (kept.has(run.job.lease)) run.renewedAt = now;
        else run.lost.abort(new Error("Another worker took over the job."));
      }
    } catch (error) {
      onQueueError("renewing the leases of running jobs", error);
      for (const { renewedAt, lost } of renewing)
        if (performance.now() - renewedAt > leaseMs) lost.abort(new Error("The lease of the job has expired."));
    }
  };

  const poll = (work: Promise<unknown>, task: string): void => {
    polling = work
      .then(claimDue)
      .catch((error) => queueFailed(task, error))
      .finally(() => {
        polling = undefined;
        if (!pollAgain) return;
        pollAgain = false;
        wake();
      });
  };
  const wake = (): void => {
    if (stopping.signal.aborted || pause) return;
    if (polling) pollAgain = true;
    else poll(Promise.resolve(), `claiming ${kinds.join(", ")} jobs`);
  };

  const timer = setInterval(wake, options.pollMs);
  const heartbeat = setInterval(() => void renew(), leaseMs / HEARTBEATS_PER_LEASE);
  poll(queue.recover(), `claiming ${kinds.join(", ")} jobs`);

  return {
    wake,
    async idle() {
      while (polling || runs.size > 0) await Promise.all([polling, ...runs.values()]);
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(pause);
      stopping.abort(new Error("The service is stopping."));
      await polling;
      await Promise.all(runs.values());
      clearInterval(heartbeat);
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : "The job failed without an error message.";

import { isAlive } from "../db/locks.ts";
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
  /** Seconds after which another process may take over the job of a crashed one. */
  readonly leaseSeconds: number;
  /** 0–1, for the jitter of retries. */
  readonly random: () => number;
  /** Called for every failed attempt; `dead` when it was the last one. */
  readonly onFailure: (job: RunningJob, error: unknown, dead: boolean) => void;
}

export interface Runner {
  /** Polls now, because a job may have been added. */
  wake(): void;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** Claims no more jobs, aborts the running ones and releases them. */
  stop(): Promise<void>;
}

const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;

/** Exponential backoff from 30 seconds to an hour, plus up to 50% jitter. */
export const retrySeconds = (attempts: number, random: () => number): number =>
  Math.round(Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS) * (1 + random() / 2));

/** Runs due jobs of a queue until it is stopped. */
export function startRunner(options: RunnerOptions): Runner {
  const { queue, leaseSeconds } = options;
  const kinds = Object.keys(options.handlers);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let polling: Promise<void> | undefined;
  let pollAgain = false;

  const run = async (job: LeasedJob): Promise<void> => {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const renewing = setInterval(
      () => {
        queue.renew(job, leaseSeconds).then(
          (renewed) => renewed || lost.abort(new Error("Another worker took over the job.")),
          () => {},
        );
      },
      (leaseSeconds * 1_000) / 3,
    );
    try {
      const handled = await options.handlers[job.kind]?.(job, signal);
      if (handled) await queue.release(job, handled.againInSeconds);
      else await queue.done(job);
    } catch (error) {
      if (lost.signal.aborted) return;
      if (stopping.signal.aborted) return await queue.release(job);
      const state = await queue.failed(job, messageOf(error), {
        waitSeconds: retrySeconds(job.attempts, options.random),
        final: error instanceof PermanentError,
      });
      options.onFailure(job, error, state === "dead");
    } finally {
      clearInterval(renewing);
    }
  };

  const claimDue = async (): Promise<void> => {
    while (!stopping.signal.aborted && running.size < options.concurrency) {
      const job = await queue.claim(kinds, leaseSeconds);
      if (!job) return;
      // The runner was stopped while the claim was in flight.
      if (stopping.signal.aborted) return await queue.release(job);
      const work = run(job).finally(() => {
        running.delete(work);
        wake();
      });
      running.add(work);
    }
  };

  const poll = (work: Promise<void>): void => {
    polling = work
      // The database does not respond now; the next poll tries again.
      .catch(() => {})
      .finally(() => {
        polling = undefined;
        if (!pollAgain) return;
        pollAgain = false;
        wake();
      });
  };
  const wake = (): void => {
    if (stopping.signal.aborted) return;
    if (polling) pollAgain = true;
    else poll(claimDue());
  };

  const timer = setInterval(wake, options.pollMs);
  // A lease with this process id is from an earlier process with the same id, which is usual in a container.
  poll(queue.recover((pid) => pid !== process.pid && isAlive(pid)).then(claimDue));

  return {
    wake,
    async idle() {
      while (polling || running.size > 0) await Promise.all([polling, ...running]);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("The service is stopping."));
      await polling;
      await Promise.allSettled(running);
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : "The job failed without an error message.";

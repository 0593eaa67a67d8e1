import { isAlive } from "../db/locks.ts";
import type { Jobs, LeasedJob } from "./queue.ts";
import type { Job } from "./types.ts";

/** Thrown by a handler: trying again would change nothing. The message is shown to the operator. */
export class PermanentError extends Error {
  override readonly name = "GiveUp";
}

/** `againInSeconds`: not yet; the attempt does not count. */
export type Handled = undefined | { readonly againInSeconds: number };

/** Does one job; what it throws is its failure. Runs at least once: doing it again must do no harm. */
export type Handler = (job: Job, signal: AbortSignal) => Promise<Handled>;

export interface RunnerParts {
  readonly jobs: Pick<Jobs, "recover" | "claim" | "renew" | "done" | "failed" | "release">;
  /** By kind. A kind that has none waits. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Milliseconds between two looks for work of other processes. */
  readonly pollMs: number;
  /** Seconds after which the work of a process that is gone is taken over. */
  readonly leaseSeconds: number;
  /** 0–1, for the jitter. */
  readonly random: () => number;
  /** Told of every failure, and of those that ended a job. */
  readonly onFailure: (job: Job, error: unknown, dead: boolean) => void;
}

export interface Runner {
  /** There may be work: look now. */
  wake(): void;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** Takes no more work, aborts what runs, gives it back. */
  stop(): Promise<void>;
}

const FIRST_RETRY_SECONDS = 30;
const LAST_RETRY_SECONDS = 3_600;

/** Doubles with each attempt up to an hour, and up to half as much again, so that what failed together is not tried together. */
export const retrySeconds = (attempts: number, random: () => number): number =>
  Math.round(Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS) * (1 + random() / 2));

/** Works on what is due until it is stopped. */
export function startRunner(parts: RunnerParts): Runner {
  const { jobs, leaseSeconds } = parts;
  const kinds = Object.keys(parts.handlers);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const run = async (job: LeasedJob): Promise<void> => {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const renewing = setInterval(
      () => {
        jobs.renew(job, leaseSeconds).then(
          (kept) => kept || lost.abort(new Error("another worker took the job over")),
          () => {},
        );
      },
      (leaseSeconds * 1_000) / 3,
    );
    try {
      const handled = await parts.handlers[job.kind]?.(job, signal);
      if (handled) await jobs.release(job, handled.againInSeconds);
      else await jobs.done(job);
    } catch (error) {
      if (lost.signal.aborted) return;
      if (stopping.signal.aborted) return await jobs.release(job);
      const state = await jobs.failed(job, messageOf(error), {
        waitSeconds: retrySeconds(job.attempts, parts.random),
        final: error instanceof PermanentError,
      });
      parts.onFailure(job, error, state === "dead");
    } finally {
      clearInterval(renewing);
    }
  };

  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted && running.size < parts.concurrency) {
      const job = await jobs.claim(kinds, leaseSeconds);
      if (!job) return;
      // Asked for before the stop, answered after it.
      if (stopping.signal.aborted) return await jobs.release(job);
      const work = run(job).finally(() => {
        running.delete(work);
        wake();
      });
      running.add(work);
    }
  };

  const wake = (): void => {
    if (stopping.signal.aborted) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = look()
      .catch(() => {
        // The store does not answer just now: the next look tries anew.
      })
      .finally(looked);
  };
  const looked = (): void => {
    looking = undefined;
    if (!lookAgain) return;
    lookAgain = false;
    wake();
  };

  const timer = setInterval(wake, parts.pollMs);
  // What has our own number was left by an earlier process that had it: in a container each one has.
  looking = jobs
    .recover((pid) => pid !== process.pid && isAlive(pid))
    .then(look)
    .catch(() => {})
    .finally(looked);

  return {
    wake,
    async idle() {
      while (looking || running.size > 0) await Promise.all([looking, ...running]);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the service stops"));
      await looking;
      await Promise.allSettled(running);
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : "It failed without saying why.";

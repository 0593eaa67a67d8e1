import type { JobRepository } from "./repository.ts";
import { type Handler, type Runner, startRunner } from "./runner.ts";

/** The jobs of one feature. */
export interface JobFeature {
  /** By kind. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Queues the jobs that are due or were lost between two steps. Called at the start and every ten minutes; idempotent. */
  queueDue(): Promise<void>;
}

export interface JobWorkerOptions {
  readonly jobs: JobRepository;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  readonly clock: () => Date;
  readonly onError: (task: string, error: unknown) => void;
}

const POLL_MS = 2_000;
const MAINTENANCE_MS = 600_000;
const KEEP_DONE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Runs the jobs of all features until it is stopped. */
export function startJobWorker(features: readonly JobFeature[], options: JobWorkerOptions): Runner {
  const { jobs, concurrency, clock, onError } = options;
  const runner = startRunner({
    queue: jobs,
    handlers: Object.fromEntries(features.flatMap(({ handlers }) => Object.entries(handlers))),
    concurrency,
    pollMs: POLL_MS,
    random: Math.random,
    onFailure(job, error, dead) {
      if (dead) onError(`job ${job.id} (${job.kind})`, error);
    },
    onQueueError: onError,
  });
  const maintain = async () => {
    const deleteDone = () => jobs.deleteDone(new Date(clock().getTime() - KEEP_DONE_DAYS * DAY_MS));
    for (const work of [...features.map((feature) => feature.queueDue), deleteDone]) {
      try {
        await work();
      } catch (error) {
        onError("maintaining the jobs", error);
      }
    }
    runner.wake();
  };
  let maintaining = maintain();
  const timer = setInterval(() => {
    maintaining = maintaining.then(maintain);
  }, MAINTENANCE_MS);
  return {
    ...runner,
    async stop() {
      clearInterval(timer);
      // The database is closed next.
      await Promise.all([runner.stop(), maintaining]);
    },
  };
}

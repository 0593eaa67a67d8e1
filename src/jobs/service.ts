import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { JobFilter } from "./repository.ts";
import type { Runner } from "./runner.ts";
import type { Job, JobPage } from "./types.ts";
import { type JobFeature, type JobWorkerOptions, startJobWorker } from "./worker.ts";

export interface JobService {
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: JobFilter, page?: { limit?: number | undefined; cursor?: string | undefined }): Promise<JobPage>;
  /** Runs a dead job again with all its attempts. @throws Failure `job.not_found` */
  retry(id: number): Promise<Job>;
  /** Runs jobs in the background. Stop the worker before closing the application. */
  startWorker(): Pick<Runner, "stop">;
}

/** The queue, for the features that have jobs in it. */
export interface JobQueue {
  /** Adds the kinds of jobs of a feature, before the worker starts. */
  register(feature: JobFeature): void;
  /** Makes the worker of this process, if any, look for jobs now. */
  wake(): void;
}

const PAGE_SIZE = 20;

export function createJobService(options: JobWorkerOptions): JobService & JobQueue {
  const { jobs } = options;
  const features: JobFeature[] = [];
  let worker: Runner | undefined;
  const wake = () => worker?.wake();
  return {
    list: (filter, { limit = PAGE_SIZE, cursor } = {}) => jobs.list(filter, { limit, cursor }),
    async retry(id) {
      const revived = await jobs.revive(id);
      const job = await jobs.find(id);
      if (!job || !revived)
        throw new Failure("job.not_found", `No failed job has the id ${quoted(id)}; list the jobs to find it.`);
      wake();
      return job;
    },
    startWorker() {
      worker = startJobWorker(features, options);
      return worker;
    },
    register: (feature) => void features.push(feature),
    wake,
  };
}

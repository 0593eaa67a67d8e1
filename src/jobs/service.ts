import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { JobFilter, JobRepository } from "./repository.ts";
import type { Job, JobPage } from "./types.ts";

export interface JobService {
  /** Newest first. @throws Failure `cursor.invalid` */
  list(filter: JobFilter, page?: { limit?: number | undefined; cursor?: string | undefined }): Promise<JobPage>;
  /** Runs a dead job again with all its attempts. @throws Failure `job.not_found` */
  retry(id: number): Promise<Job>;
}

const PAGE_SIZE = 20;

/** @param wake polls the queue, if this process runs jobs */
export const createJobService = (jobs: JobRepository, wake: () => void): JobService => ({
  list: (filter, { limit = PAGE_SIZE, cursor } = {}) => jobs.list(filter, { limit, cursor }),
  async retry(id) {
    const revived = await jobs.revive(id);
    const job = await jobs.find(id);
    if (!job || !revived)
      throw new Failure("job.not_found", `No failed job has the id ${quoted(id)}; list the jobs to find it.`);
    wake();
    return job;
  },
});

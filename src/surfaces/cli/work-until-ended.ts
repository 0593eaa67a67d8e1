import { setTimeout as pause } from "node:timers/promises";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import type { Submission, SubmissionState } from "../../vocabulary/submission.ts";
import type { CliHost } from "./host.ts";
import { createLine } from "./progress.ts";
import { progressOf } from "./submission-text.ts";

const LOOK_MS = 200;
/** States at which a submission stays until somebody decides. */
const ENDED: readonly SubmissionState[] = ["review", "rejected", "available", "failed"];

/**
 * Works in the foreground, as a service does, until a submission ended or waits for a decision. A service that runs
 * beside it shares the work.
 *
 * @throws Failure `crawl.failed` with the reason when it failed, or when its work was given up
 */
export async function workUntilEnded(app: App, host: CliHost, id: string): Promise<Submission> {
  const line = createLine(host);
  const givenUp = new Set((await deadJobs(app)).map((job) => job.id));
  const [work, upkeep] = [app.startWork(), app.startUpkeep()];
  try {
    for (;;) {
      const submission = await app.getSubmission(id);
      if (submission.state === "failed") throw new Failure("crawl.failed", submission.reason ?? "The work failed.");
      if (ENDED.includes(submission.state)) return submission;
      const dead = (await deadJobs(app)).find((job) => job.payload.submission === id && !givenUp.has(job.id));
      if (dead)
        throw new Failure("crawl.failed", `The work was given up: ${dead.last_error ?? "the reason is not known"}`);
      line.show(`${submission.company_name}: ${submission.state}, ${progressOf(submission)} …`);
      await pause(LOOK_MS, undefined, { signal: host.signal });
    }
  } finally {
    line.end();
    await work.stop();
    await upkeep.stop();
    if (host.signal.aborted) {
      host.err(`Interrupted. A service goes on with the work, or: casefile submissions show ${id} --wait\n`);
    }
  }
}

const deadJobs = async (app: App) => (await app.listJobs({ state: "dead" }, { limit: 100 })).jobs;

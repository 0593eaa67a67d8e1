import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, table } from "../cli/table.ts";
import type { JobService } from "./service.ts";
import { JOB_STATES, type JobState } from "./types.ts";

/** `casefile jobs`: lists background jobs and retries failed ones. */
export function addJobCommands(program: Command, host: CliHost<{ jobs: JobService }>): Command[] {
  const jobs = program.command("jobs").description("List background jobs and retry failed ones.");

  const list = listOptions(
    jobs
      .command("list", { isDefault: true })
      .description("List jobs, newest first.")
      .addOption(new Option("--state <state>", "only jobs in this state").choices(JOB_STATES))
      .option("--kind <kind>", "only jobs of this kind: preview, crawl, structure, finish, outcomes or mail"),
    "/admin/jobs",
  );
  list.action(({ state, kind, ...flags }: ListFlags & { state?: JobState; kind?: string }) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.jobs.list({ state, kind }, pageOf(flags));
      const rows = page.jobs.map((job) => [
        String(job.id),
        job.kind,
        job.state,
        `${job.attempts}/${job.max_attempts}`,
        minuteOf(job.state === "waiting" ? job.run_after : job.updated_at),
        job.last_error ?? "",
      ]);
      const text = rows.length === 0 ? "No jobs." : `${table(JOBS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    }),
  );

  const retry = jobs
    .command("retry")
    .description("Retry a failed job.")
    .argument("<id>", "job number", readNumber)
    .option("--json", "print JSON");
  retry.action((id: number, flags: { json?: boolean }) =>
    withApp(host, retry.opts(), async (app) => {
      const job = await app.jobs.retry(id);
      host.out(
        `${flags.json ? jsonText(job) : `Job ${id} (${job.kind}) is queued; a running service will retry it.`}\n`,
      );
    }),
  );

  return [list, retry];
}

const JOBS = [
  { title: "ID" },
  { title: "KIND" },
  { title: "STATE" },
  { title: "ATTEMPTS" },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR", yields: true },
];

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Give the number of a job.");
  return Number(text);
}

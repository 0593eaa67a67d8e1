import { type Command, InvalidArgumentError, Option } from "commander";
import type { Email } from "../casestudies/intake/emails.ts";
import { EMAIL_STATES, emailsView } from "../casestudies/intake/view.ts";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import { JOB_STATES, type JobState } from "./types.ts";

/** `casefile jobs` and `casefile mails`: what is done in the background, and what contacts are told. */
export function addJobs(program: Command, host: CliHost<Services>): Command[] {
  const jobs = program.command("jobs").description("Look at the work in the background.");

  const list = listOptions(
    jobs
      .command("list", { isDefault: true })
      .description("List jobs, newest first.")
      .addOption(new Option("--state <state>", "those in one state").choices(JOB_STATES))
      .option("--kind <kind>", "preview, crawl, structure, finish or mail"),
    "/admin/jobs",
  );
  list.action(({ state, kind, ...flags }: ListFlags & { state?: JobState; kind?: string }) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.intake.listJobs({ ...(state ? { state } : {}), ...(kind ? { kind } : {}) }, pageOf(flags));
      const rows = page.jobs.map((job) => [
        String(job.id),
        job.kind,
        job.state,
        `${job.attempts}/${job.max_attempts}`,
        minuteOf(job.state === "waiting" ? job.run_after : job.updated_at),
        job.last_error ?? "",
      ]);
      const text =
        rows.length === 0 ? "No job was found." : `${table(JOBS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    }),
  );

  const retry = jobs
    .command("retry")
    .description("Let a dead job run again.")
    .argument("<id>", "number of the job", readNumber)
    .option("--json", "print JSON");
  retry.action((id: number, flags: { json?: boolean }) =>
    withApp(host, retry.opts(), async (app) => {
      const job = await app.intake.retryJob(id);
      host.out(`${flags.json ? jsonText(job) : `Job ${id} (${job.kind}) waits for a service to do it again.`}\n`);
    }),
  );

  const mails = listOptions(
    program
      .command("mails")
      .description("List what contacts were told, or wait to be told, newest first.")
      .addOption(new Option("--state <state>", "those in one state").choices(EMAIL_STATES))
      .option("--submission <id>", "those of one submission"),
    "/admin/mails",
  );
  mails.action(({ state, submission, ...flags }: ListFlags & { state?: Email["state"]; submission?: string }) =>
    withApp(host, mails.opts(), async (app) => {
      const filter = { ...(state ? { state } : {}), ...(submission ? { submission } : {}) };
      const page = await app.intake.listMails(filter, pageOf(flags));
      const rows = page.mails.map((mail) => [
        mail.state,
        mail.recipient,
        mail.subject,
        minuteOf(mail.sent_at ?? mail.created_at),
        mail.last_error ?? "",
      ]);
      const text =
        rows.length === 0 ? "No mail was found." : `${table(MAILS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(emailsView(page)) : text}\n`);
    }),
  );
  return [list, retry, mails];
}

const JOBS = [
  { title: "ID" },
  { title: "KIND" },
  { title: "STATE" },
  { title: "TRIED" },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR", yields: true },
];
const MAILS = [
  { title: "STATE" },
  { title: "TO" },
  { title: "SUBJECT", yields: true },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR" },
];

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Give the number of a job.");
  return Number(text);
}

import { setTimeout as pause } from "node:timers/promises";
import { type Command, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { createLine } from "../../cli/progress.ts";
import { details, jsonText, minuteOf, plain, table } from "../../cli/table.ts";
import { Failure } from "../../core/errors.ts";
import type { JobService } from "../../jobs/service.ts";
import type { IndexService } from "../index/service.ts";
import type { Email } from "./emails.ts";
import type { SubmissionPage } from "./repository.ts";
import type { IntakeService } from "./service.ts";
import type { SubmissionEdit } from "./submissions.ts";
import { SUBMISSION_STATES, type Submission, type SubmissionState } from "./types.ts";
import { EMAIL_STATES, emailsView } from "./view.ts";

interface UsedServices {
  readonly intake: IntakeService;
  readonly index: IndexService;
  readonly jobs: JobService;
}

const COLUMNS = [
  { title: "ID" },
  { title: "STATE" },
  { title: "COMPANY" },
  { title: "PAGE", yields: true },
  { title: "FOUND" },
  { title: "RECEIVED" },
];

/** A page of the list, newest first. */
function submissionsText(page: SubmissionPage, width: number): string {
  if (page.submissions.length === 0) return "No submissions found.";
  const rows = page.submissions.map(({ id, state, company_name, case_study_url, counts, preview, received_at }) => [
    id,
    state,
    company_name,
    case_study_url,
    String(Math.max(counts.found, preview?.found ?? 0)),
    received_at.slice(0, 10),
  ]);
  return `${table(COLUMNS, rows, width)}\n${footer(rows.length, page)}`;
}

/** A submission with its preview. */
function submissionText({ preview, ...submission }: Submission): string {
  const fields = details([
    ["ID", submission.id],
    ["State", submission.state],
    ["Reason", submission.reason],
    ["Company", `${submission.company_name} (${submission.company_slug})`],
    ["Domain", submission.company_domain],
    ["Page", submission.case_study_url],
    ["Contact", submission.contact_email],
    ["Approved by", submission.approved_by],
    ["Case studies", progressOf(submission)],
    ["Received", `${minuteOf(submission.received_at)} UTC`],
    ["Updated", `${minuteOf(submission.updated_at)} UTC`],
  ]);
  if (preview === null) return fields;
  const samples = preview.samples.flatMap(({ url, title, summary }) => [
    `  • ${plain(title ?? url)}`,
    ...(title === null ? [] : [`    ${plain(url)}`]),
    ...(summary === null ? [] : [`    ${plain(summary).slice(0, 300)}`]),
  ]);
  const lines = [
    `Preview of ${minuteOf(preview.looked_at)} UTC: ${plain(preview.listing_title ?? preview.listing_url)}`,
    `  ${preview.found} case ${preview.found === 1 ? "study" : "studies"} on ${plain(preview.listing_url)}`,
    ...preview.notes.map((note) => `  Note: ${plain(note)}`),
    ...samples,
  ];
  return `${fields}\n\n${lines.join("\n")}${preview.found > preview.samples.length ? "\n  …" : ""}`;
}

/** `12 found, 3 structured, 0 indexed` */
const progressOf = ({ counts: { found, structured, indexed } }: Pick<Submission, "counts">): string =>
  `${found} found, ${structured} structured, ${indexed} indexed`;

const POLL_MS = 200;
/** States that only the operator or a new submission can change. */
const ENDED: readonly SubmissionState[] = ["review", "rejected", "available", "failed"];

/**
 * Runs the workers in the foreground until the submission ended or waits for a decision. A running service shares the
 * work.
 *
 * @throws Failure `crawl.failed` with the reason when the submission or one of its jobs failed
 */
async function waitUntilEnded(services: UsedServices, host: CliHost, id: string): Promise<Submission> {
  const line = createLine(host);
  const failedBefore = new Set((await failedJobs(services)).map((job) => job.id));
  const workers = [services.jobs.startWorker(), services.index.startWorker()];
  try {
    for (;;) {
      const submission = await services.intake.getSubmission(id);
      if (submission.state === "failed")
        throw new Failure("crawl.failed", submission.reason ?? "The submission failed.");
      if (ENDED.includes(submission.state)) return submission;
      const failed = (await failedJobs(services)).find(
        (job) => job.payload.submission === id && !failedBefore.has(job.id),
      );
      if (failed) throw new Failure("crawl.failed", `A job failed: ${failed.last_error ?? "the reason is not known"}`);
      line.show(`${submission.company_name}: ${submission.state}, ${progressOf(submission)} …`);
      await pause(POLL_MS, undefined, { signal: host.signal });
    }
  } finally {
    line.end();
    for (const worker of workers) await worker.stop();
    if (host.signal.aborted) {
      host.err(
        `Interrupted. A running service continues. Without a service, run: casefile submissions show ${id} --wait\n`,
      );
    }
  }
}

const failedJobs = async ({ jobs }: UsedServices) => (await jobs.list({ state: "dead" }, { limit: 100 })).jobs;

interface Flags {
  readonly json?: boolean;
  readonly wait?: boolean;
}

/** `casefile submissions`: reviews the pages that vendors submitted. */
export function addSubmissionCommands(program: Command, host: CliHost<UsedServices>): Command[] {
  const submissions = program.command("submissions").description("Review the pages that vendors submitted.");
  const print = (submission: Submission, { json }: Flags, text = submissionText(submission)) =>
    host.out(`${json ? jsonText(submission) : text}\n`);

  const list = listOptions(
    submissions
      .command("list", { isDefault: true })
      .description("List submissions, newest first.")
      .addOption(new Option("--state <state>", "only submissions in this state").choices(SUBMISSION_STATES)),
    "/admin/submissions",
  );
  list.action(({ state, ...flags }: ListFlags & { state?: SubmissionState }) =>
    withApp(host, list.opts(), async ({ intake }) => {
      const page = await intake.listSubmissions({ state }, pageOf(flags));
      host.out(`${flags.json ? jsonText(page) : submissionsText(page, host.columns)}\n`);
    }),
  );

  const submissionCommand = (name: string, description: string) =>
    submissions.command(name).description(description).argument("<id>").option("--json", "print JSON");
  const withWaitOption = (command: Command) =>
    command.option("--wait", "run the jobs in this process until the submission is completed");

  const show = withWaitOption(submissionCommand("show", "Show a submission with its preview."));
  show.action((id: string, flags: Flags) =>
    withApp(host, show.opts(), async (services) =>
      print(flags.wait ? await waitUntilEnded(services, host, id) : await services.intake.getSubmission(id), flags),
    ),
  );

  const addStartAction = (
    command: Command,
    start: (intake: IntakeService, id: string) => Promise<Submission>,
    done: string,
  ) =>
    command.action((id: string, flags: Flags) =>
      withApp(host, command.opts(), async (services) => {
        const started = await start(services.intake, id);
        if (flags.wait) return print(await waitUntilEnded(services, host, id), flags);
        const next = `A running service continues. Without a service, run: casefile submissions show ${id} --wait`;
        print(started, flags, `${started.company_name} ${done}. ${next}`);
      }),
    );
  const approve = withWaitOption(submissionCommand("approve", "Approve a submission and crawl its page."));
  addStartAction(approve, (intake, id) => intake.approveSubmission(id), "is approved");
  const retry = withWaitOption(submissionCommand("retry", "Retry a submission that is available, rejected or failed."));
  addStartAction(retry, (intake, id) => intake.retrySubmission(id), "is restarted");

  const reject = submissionCommand("reject", "Reject a submission.").requiredOption(
    "--reason <text>",
    "sent to the contact",
  );
  reject.action((id: string, flags: Flags & { reason: string }) =>
    withApp(host, reject.opts(), async ({ intake }) => {
      const rejected = await intake.rejectSubmission(id, flags.reason);
      print(rejected, flags, `${rejected.company_name} is rejected. The reason is sent to the contact.`);
    }),
  );

  const edit = submissionCommand("edit", "Edit the company of a submission.")
    .option("--name <name>")
    .option("--slug <slug>")
    .option("--domain <domain>", "an empty value clears it");
  edit.action((id: string, flags: Flags & { name?: string; slug?: string; domain?: string }) => {
    const { name, slug, domain } = flags;
    const change: SubmissionEdit = {
      company_name: name,
      company_slug: slug,
      company_domain: domain === "" ? null : domain,
    };
    if (name === undefined && slug === undefined && domain === undefined)
      edit.error("error: give --name, --slug or --domain", { exitCode: 2 });
    return withApp(host, edit.opts(), async ({ intake }) => print(await intake.editSubmission(id, change), flags));
  });
  return [list, show, approve, reject, retry, edit];
}

const EMAIL_COLUMNS = [
  { title: "STATE" },
  { title: "TO" },
  { title: "SUBJECT", yields: true },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR" },
];

/** `casefile mails`: lists the emails to the contacts of submissions. */
export function addEmailCommands(program: Command, host: CliHost<{ intake: IntakeService }>): Command {
  const list = listOptions(
    program
      .command("mails")
      .description("List emails to contacts, sent and queued, newest first.")
      .addOption(new Option("--state <state>", "only emails in this state").choices(EMAIL_STATES))
      .option("--submission <id>", "only emails of this submission"),
    "/admin/mails",
  );
  return list.action(({ state, submission, ...flags }: ListFlags & { state?: Email["state"]; submission?: string }) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.intake.listEmails({ state, submission: submission || undefined }, pageOf(flags));
      const rows = page.mails.map((email) => [
        email.state,
        email.recipient,
        email.subject,
        minuteOf(email.sent_at ?? email.created_at),
        email.last_error ?? "",
      ]);
      const text =
        rows.length === 0 ? "No emails." : `${table(EMAIL_COLUMNS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(emailsView(page)) : text}\n`);
    }),
  );
}

import { type Command, Option } from "commander";
import type { App, SubmissionEdit } from "../../app/app.ts";
import { SUBMISSION_STATES, type Submission, type SubmissionState } from "../../vocabulary/submission.ts";
import type { CliHost } from "./host.ts";
import { type ListFlags, listOptions, pageOf } from "./list-options.ts";
import { submissionsText, submissionText } from "./submission-text.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";
import { workUntilEnded } from "./work-until-ended.ts";

interface Flags {
  readonly json?: boolean;
  readonly wait?: boolean;
}

/** `casefile submissions`: the review of what vendors submitted. */
export function addSubmissions(program: Command, host: CliHost): Command[] {
  const submissions = program.command("submissions").description("Review the pages that vendors submitted.");
  const tell = (submission: Submission, { json }: Flags, text = submissionText(submission)) =>
    host.out(`${json ? jsonText(submission) : text}\n`);

  const list = listOptions(
    submissions
      .command("list", { isDefault: true })
      .description("List submissions, newest first.")
      .addOption(new Option("--state <state>", "those at one stage").choices(SUBMISSION_STATES)),
    "/admin/submissions",
  );
  list.action(({ state, ...flags }: ListFlags & { state?: SubmissionState }) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.listSubmissions(state ? { state } : {}, pageOf(flags));
      host.out(`${flags.json ? jsonText(page) : submissionsText(page, host.columns)}\n`);
    }),
  );

  const one = (name: string, description: string) =>
    submissions.command(name).description(description).argument("<id>").option("--json", "print JSON");
  const waiting = (command: Command) =>
    command.option("--wait", "do the work here, without a service, until the submission ended");

  const show = waiting(one("show", "Show one with its preview."));
  show.action((id: string, flags: Flags) =>
    withApp(host, show.opts(), async (app) =>
      tell(flags.wait ? await workUntilEnded(app, host, id) : await app.getSubmission(id), flags),
    ),
  );

  const working = (command: Command, begin: (app: App, id: string) => Promise<Submission>, said: string) =>
    command.action((id: string, flags: Flags) =>
      withApp(host, command.opts(), async (app) => {
        const begun = await begin(app, id);
        if (flags.wait) return tell(await workUntilEnded(app, host, id), flags);
        const next = `A service does the work; without one: casefile submissions show ${id} --wait`;
        tell(begun, flags, `${begun.company_name} ${said}. ${next}`);
      }),
    );
  const approve = waiting(one("approve", "Let the page be crawled."));
  working(approve, (app, id) => app.approveSubmission(id), "is approved");
  const retry = waiting(one("retry", "Take one that ended up again."));
  working(retry, (app, id) => app.retrySubmission(id), "is taken up again");

  const reject = one("reject", "Refuse the page.").requiredOption("--reason <text>", "why; the contact is told");
  reject.action((id: string, flags: Flags & { reason: string }) =>
    withApp(host, reject.opts(), async (app) => {
      const rejected = await app.rejectSubmission(id, flags.reason);
      tell(rejected, flags, `${rejected.company_name} is rejected; the contact is told why.`);
    }),
  );

  const edit = one("edit", "Correct what will be known of the company.")
    .option("--name <name>")
    .option("--slug <slug>")
    .option("--domain <domain>", "an empty one says that none is known");
  edit.action((id: string, flags: Flags & { name?: string; slug?: string; domain?: string }) => {
    const { name, slug, domain } = flags;
    const change: SubmissionEdit = {
      ...(name === undefined ? {} : { company_name: name }),
      ...(slug === undefined ? {} : { company_slug: slug }),
      ...(domain === undefined ? {} : { company_domain: domain || null }),
    };
    if (Object.keys(change).length === 0) edit.error("error: give --name, --slug or --domain", { exitCode: 2 });
    return withApp(host, edit.opts(), async (app) => tell(await app.editSubmission(id, change), flags));
  });
  return [list, show, approve, reject, retry, edit];
}

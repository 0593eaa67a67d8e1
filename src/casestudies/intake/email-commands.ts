import { type Command, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { jsonText, minuteOf, table } from "../../cli/table.ts";
import type { Email } from "./emails.ts";
import type { IntakeService } from "./service.ts";
import { EMAIL_STATES, emailsView } from "./view.ts";

const COLUMNS = [
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
      const filter = { ...(state ? { state } : {}), ...(submission ? { submission } : {}) };
      const page = await app.intake.listEmails(filter, pageOf(flags));
      const rows = page.mails.map((email) => [
        email.state,
        email.recipient,
        email.subject,
        minuteOf(email.sent_at ?? email.created_at),
        email.last_error ?? "",
      ]);
      const text =
        rows.length === 0 ? "No emails." : `${table(COLUMNS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(emailsView(page)) : text}\n`);
    }),
  );
}

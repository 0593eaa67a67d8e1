import { type Command, InvalidArgumentError, Option } from "commander";
import { COMMAND } from "../accounts/roles.ts";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import { ROLES, type Role } from "../core/roles.ts";
import { TABLE_FORMATS, type TableFormat } from "../tabular/table.ts";
import { writeTable } from "../tabular/write-table.ts";
import { AUDIT_COLUMNS, allAudit, parseFilter } from "./audit-table.ts";
import { type Invitation, LINK_SECONDS, type OperatorService } from "./service.ts";

type Host = CliHost<{ readonly operators: OperatorService }>;

const NAME = "name or id of the operator";
const DONE = 200;
const FAILED = 500;

/** `casefile operators`. */
export function addOperatorsCommands(program: Command, host: Host): Command[] {
  const operators = program
    .command("operators")
    .description("Add, list and remove operators of the console, with a name and a role each.");

  /** Runs a change, recorded in the audit trail before and after it. */
  const change = async <Result>(
    { audit }: OperatorService,
    action: string,
    target: string,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const entry = await audit.begin({ ...COMMAND, action: `operators ${action}`, target: target.slice(0, 200) });
    try {
      const result = await work();
      await audit.finish(entry, DONE);
      return result;
    } catch (error) {
      await audit.finish(entry, FAILED);
      throw error;
    }
  };
  const print = (command: Command, value: unknown, text: string) =>
    host.out(`${command.opts().json ? jsonText(value) : text}\n`);

  const list = operators
    .command("list", { isDefault: true })
    .description("List the operators with role, open sessions and last sign-in.");
  list.action(() =>
    withApp(host, list.opts(), async (app) => {
      const all = await app.operators.list();
      const rows = all.operators.map((each) => [
        each.name,
        each.role,
        each.email ?? "",
        each.provisioned ? "identity provider" : "invited",
        String(each.sessions),
        each.last_sign_in_at ? minuteOf(each.last_sign_in_at) : "never",
      ]);
      const text = rows.length === 0 ? "No operators." : table(OPERATOR_COLUMNS, rows, host.columns);
      print(list, { ...all, next_cursor: null }, text);
    }),
  );

  const invite = operators
    .command("invite")
    .description("Add an operator, and print a link that signs in once, or send it by email.")
    .argument("<name>")
    .addOption(new Option("--role <role>", "what the operator may do").choices(ROLES).makeOptionMandatory())
    .option("--email <address>", "send the link there, and allow sign-in links by email");
  invite.action((name: string, { role, email }: { role: Role; email?: string }) =>
    withApp(host, invite.opts(), async (app) => {
      const made = await change(app.operators, "invite", name, () =>
        app.operators.invite({ name, role, email }, COMMAND),
      );
      print(invite, made, linkText(made));
    }),
  );

  const link = operators
    .command("link")
    .description("Make a new link that signs in once; the one before no longer works.")
    .argument("<operator>", NAME);
  link.action((which: string) =>
    withApp(host, link.opts(), async (app) => {
      const made = await change(app.operators, "link", which, () => app.operators.createLink(which, COMMAND));
      print(link, made, linkText(made));
    }),
  );

  const role = operators
    .command("role")
    .description("Change the role of an operator; it counts at once.")
    .argument("<operator>", NAME)
    .argument("<role>", ROLES.join(", "), parseRole);
  role.action((which: string, next: Role) =>
    withApp(host, role.opts(), async (app) => {
      const changed = await change(app.operators, "role", which, () => app.operators.setRole(which, next, COMMAND));
      print(role, changed, `${plain(changed.name)} is ${next} now.`);
    }),
  );

  const remove = operators
    .command("remove")
    .description("Remove an operator; the sessions end at once.")
    .argument("<operator>", NAME);
  remove.action((which: string) =>
    withApp(host, remove.opts(), async (app) => {
      const removed = await change(app.operators, "remove", which, () => app.operators.remove(which, COMMAND));
      print(remove, removed, `Removed ${plain(removed.name)}.`);
    }),
  );

  const commands = [list, invite, link, role, remove];
  for (const command of commands) command.option("--json", "print JSON");
  return commands;
}

interface AuditFlags extends ListFlags {
  readonly operator?: string;
  readonly since?: string;
  readonly until?: string;
  readonly format?: TableFormat;
  readonly output?: string;
}

/** `casefile audit`. */
export function addAuditCommand(program: Command, host: Host): Command {
  const command = listOptions(
    program.command("audit").description("List who did what in the console and through /admin, newest first."),
    "/admin/audit",
  )
    .option("--operator <name>", "only of this operator")
    .option("--since <time>", "date or timestamp, inclusive")
    .option("--until <time>", "date or timestamp, exclusive")
    .addOption(new Option("--format <format>", "write all entries as a table").choices(TABLE_FORMATS))
    .option("-o, --output <file>", "file for the table; default: standard output");
  command.action(({ operator, since, until, format, output, ...flags }: AuditFlags) =>
    withApp(host, command.opts(), async ({ operators }) => {
      const filter = parseFilter({ operator, since, until });
      if (format !== undefined) {
        await host.write(output, writeTable(format, AUDIT_COLUMNS, allAudit(operators, filter)));
        return;
      }
      const page = await operators.listAudit(filter, pageOf(flags));
      const rows = page.entries.map((entry) => [
        minuteOf(entry.at),
        entry.operator,
        entry.action,
        entry.target ?? "",
        entry.status === null ? "interrupted" : String(entry.status),
      ]);
      const text =
        rows.length === 0 ? "No entries." : `${table(AUDIT_TABLE, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    }),
  );
  return command;
}

const linkText = ({ operator, link, sent_to, mail_error }: Invitation): string =>
  link === null
    ? `A link was sent to ${sent_to}. It signs in once, within ${LINK_SECONDS / 60} minutes.`
    : [
        link,
        `Give this link to ${plain(operator.name)}: it signs in once, within ${LINK_SECONDS / 60} minutes.`,
        ...(mail_error === null ? [] : [`It was not sent by email: ${plain(mail_error)}`]),
      ].join("\n");

function parseRole(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (!role) throw new InvalidArgumentError(`Give one of ${ROLES.join(", ")}.`);
  return role;
}

const OPERATOR_COLUMNS = [
  { title: "NAME", yields: true },
  { title: "ROLE" },
  { title: "EMAIL", yields: true },
  { title: "SOURCE" },
  { title: "SESSIONS" },
  { title: "LAST SIGN-IN (UTC)" },
];
const AUDIT_TABLE = [
  { title: "TIME (UTC)" },
  { title: "OPERATOR", yields: true },
  { title: "ACTION", yields: true },
  { title: "TARGET", yields: true },
  { title: "RESULT" },
];

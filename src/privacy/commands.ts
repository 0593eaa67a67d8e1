import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, table } from "../cli/table.ts";
import type { OptOutService } from "./opt-outs.ts";
import type { PrivacyService } from "./stored-data.ts";

type Host = CliHost<{ readonly optOuts: OptOutService }>;

interface JsonFlag {
  readonly json?: boolean;
}

/** `casefile opt-outs`. */
export function addOptOutCommands(program: Command, host: Host): Command[] {
  const print = ({ json }: JsonFlag, value: unknown, shown: string) => host.out(`${json ? jsonText(value) : shown}\n`);
  const optOuts = program
    .command("opt-outs")
    .description("List, add and remove the domains from which nothing is requested.");

  const list = listOptions(
    optOuts.command("list", { isDefault: true }).description("List the domains and patterns."),
    "/admin/opt-outs",
  );
  list.action((flags: ListFlags) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.optOuts.list(pageOf(flags));
      const rows = page.opt_outs.map(({ pattern, source, created_at, note }) => [
        pattern,
        source,
        created_at === null ? "" : minuteOf(created_at),
        note ?? "",
      ]);
      const shown =
        rows.length === 0
          ? "No opt-outs. Add one: casefile opt-outs add DOMAIN"
          : `${table(COLUMNS, rows, host.columns)}\n${footer(rows.length, page)}`;
      print(flags, page, shown);
    }),
  );

  const add = optOuts
    .command("add")
    .description("Request nothing from a domain and its subdomains any more.")
    .argument("<pattern>", "domain, or a pattern with stars: '*.acme.example', 'acme.*'")
    .option("--note <text>", "who asked, and when")
    .option("--json", "print the same JSON as POST /admin/opt-outs");
  add.action((pattern: string, { note, ...flags }: JsonFlag & { note?: string }) =>
    withApp(host, add.opts(), async (app) => {
      const added = await app.optOuts.add(pattern, note);
      print(flags, added, `Nothing is requested from ${added.pattern} any more. To erase what is stored: ${ERASE}`);
    }),
  );

  const remove = optOuts
    .command("remove")
    .description("Allow requests to a domain again.")
    .argument("<pattern>")
    .option("--json", "print the same JSON as DELETE /admin/opt-outs/{pattern}");
  remove.action((pattern: string, flags: JsonFlag) =>
    withApp(host, remove.opts(), async (app) => {
      const removed = await app.optOuts.remove(pattern);
      print(flags, removed, `Requests to ${removed.pattern} are allowed again.`);
    }),
  );
  return [list, add, remove];
}

/** `casefile privacy`. */
export function addPrivacyCommands(program: Command, host: CliHost<{ readonly privacy: PrivacyService }>): Command[] {
  const privacy = program
    .command("privacy")
    .description("Export or erase everything that is stored about a domain or an email address.");
  const subject = "domain with its subdomains, or email address";

  const exported = privacy
    .command("export")
    .description("Print everything that is stored, as JSON.")
    .argument("<subject>", subject);
  exported.action((name: string) =>
    withApp(host, exported.opts(), async (app) => host.out(`${jsonText(await app.privacy.export(name))}\n`)),
  );

  const erase = privacy
    .command("erase")
    .description("Erase everything that is stored, and print a receipt as JSON.")
    .argument("<subject>", subject)
    .option("--case-studies", "erase case studies with the domain as client or vendor, too");
  erase.action((name: string, { caseStudies }: { caseStudies?: boolean }) =>
    withApp(host, erase.opts(), async (app) =>
      host.out(`${jsonText(await app.privacy.erase(name, { caseStudies }))}\n`),
    ),
  );
  return [exported, erase];
}

const ERASE = "casefile privacy erase DOMAIN";
const COLUMNS = [{ title: "PATTERN", yields: true }, { title: "SOURCE" }, { title: "ADDED (UTC)" }, { title: "NOTE" }];

import { type Command, Option } from "commander";
import { UNKNOWN_KINDS, type UnknownKind } from "../../vocabulary/discovery.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { checkText, explanationText, feedbackText, importText, toolsText, unknownText } from "./fingerprint-text.ts";
import type { CliHost } from "./host.ts";
import { footer, type ListFlags, listOptions, pageOf, readCount } from "./list-options.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";

interface JsonFlag {
  readonly json?: boolean;
}
interface FeedbackFlags extends ListFlags {
  readonly note?: string;
  readonly list?: boolean;
  readonly takeBack?: boolean;
}

/** `casefile fingerprints`: the rules by which tools are told, those of the user among them. */
export function addFingerprints(program: Command, host: CliHost): Command[] {
  const fingerprints = program
    .command("fingerprints")
    .description(
      "Check and import own fingerprints, list and explain tools, see what no rule knows, report false positives.",
    );
  const json = (command: Command) => command.option("--json", "print JSON");
  const tell = (flags: JsonFlag, value: unknown, text: string) => host.out(`${flags.json ? jsonText(value) : text}\n`);
  /** The folder stands beside the built-in rules alone, and nothing of the installation is asked for. */
  const alone = (flags: object) => ({ ...flags, fingerprints: undefined, fingerprintsDir: "off" });

  const check = json(
    fingerprints
      .command("check")
      .description("Check a folder of own fingerprints: schema, references, and each rule's hit and miss.")
      .argument("<folder>"),
  );
  check.action((folder: string, flags: JsonFlag) =>
    withApp(
      host,
      alone(check.opts()),
      async (app) => {
        const found = await app.checkFingerprints(folder);
        tell(flags, found, checkText(found));
        if (found.problems.length > 0) {
          throw new Failure("catalogue.invalid", `${found.problems.length} fault(s) in ${folder}.`, {
            ...(flags.json ? {} : { problems: found.problems }),
          });
        }
      },
      { inMemory: true },
    ),
  );

  const importing = json(
    fingerprints
      .command("import-wappalyzer")
      .description("Turn a set in the format of Wappalyzer that you have into own fingerprints.")
      .argument("<folder>", "with technologies/*.json and categories.json")
      .option("--output <folder>", "a new folder for them; without it, only tell what could be carried"),
  );
  importing.action((folder: string, flags: JsonFlag & { output?: string }) =>
    withApp(
      host,
      alone(importing.opts()),
      async (app) => {
        const summary = await app.importFingerprints(folder, flags.output);
        tell(flags, summary, importText(summary, flags.output, host.columns));
      },
      { inMemory: true },
    ),
  );

  const list = listOptions(
    fingerprints
      .command("list")
      .description("List the tools that can be told, by name.")
      .argument("[query]", "part of a name, a former name or an id"),
    "/admin/fingerprints",
  );
  list.action((q: string | undefined, flags: ListFlags) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.findTools(q ? { q } : {}, pageOf(flags));
      const text = toolsText(page.fingerprints, host.columns);
      tell(flags, page, page.total === 0 ? text : `${text}\n${footer(page.fingerprints.length, page)}`);
    }),
  );

  const explain = json(
    fingerprints
      .command("explain")
      .description("Tell a tool's rules with their reasons, and where it was told last.")
      .argument("<tool>", "name, former name or id"),
  );
  explain.action((tool: string, flags: JsonFlag) =>
    withApp(host, explain.opts(), async (app) => {
      const explanation = await app.explainTool(tool);
      tell(flags, explanation, explanationText(explanation, host.columns));
    }),
  );

  const unknown = json(
    fingerprints
      .command("unknown")
      .description("List what scans saw and no rule knows, by number of companies.")
      .addOption(new Option("--kind <kind>", "of one kind only").choices(UNKNOWN_KINDS))
      .option("--limit <rows>", "1 to 999", readCount(999), 50),
  );
  unknown.action(({ kind, limit, ...flags }: JsonFlag & { kind?: UnknownKind; limit: number }) =>
    withApp(host, unknown.opts(), async (app) => {
      const seen = await app.unknownSignals({ limit, ...(kind ? { kind } : {}) });
      tell(flags, { unknown: seen }, unknownText(seen, host.columns));
    }),
  );

  const feedback = listOptions(
    fingerprints
      .command("feedback")
      .description("Report that a tool is told wrongly of a domain: what told it tells it there no more.")
      .argument("[domain]")
      .argument("[tool]", "name or id")
      .option("--note <text>", "for whoever mends the rule")
      .option("--take-back", "take the report back")
      .option("--list", "list all reports, newest first"),
    "/admin/feedback",
  );
  feedback.action((domain: string | undefined, tool: string | undefined, flags: FeedbackFlags) => {
    const listing = flags.list === true;
    if (listing !== (domain === undefined) || listing !== (tool === undefined)) {
      feedback.error("error: give a domain and a tool, or --list", { exitCode: 2 });
    }
    return withApp(host, feedback.opts(), async (app) => {
      if (domain === undefined || tool === undefined) {
        const page = await app.falseReports(pageOf(flags));
        const text = feedbackText(page.feedback, host.columns);
        return tell(flags, page, page.total === 0 ? text : `${text}\n${footer(page.feedback.length, page)}`);
      }
      const report = flags.takeBack
        ? await app.takeBackFalseReport(domain, tool)
        : await app.reportFalse({ domain, tool, ...(flags.note === undefined ? {} : { note: flags.note }) });
      const done = flags.takeBack
        ? `The next scan of ${report.domain} may tell ${report.tool} again.`
        : `${report.tool} is told no more of ${report.domain} by ${report.rules.join(", ")}.`;
      tell(flags, report, done);
    });
  });
  return [check, importing, list, explain, unknown, feedback];
}

import { type Command, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf, readCount } from "../../cli/list-options.ts";
import { details, jsonText, minuteOf, plain, table } from "../../cli/table.ts";
import type { Services } from "../../compose.ts";
import { Failure } from "../../core/errors.ts";
import { type FalsePositive, UNMATCHED_KINDS, type UnmatchedCount, type UnmatchedKind } from "../types.ts";
import type { FingerprintCheck, ToolEntry, ToolExplanation } from "./service.ts";
import type { ImportSummary as SetSummary } from "./wappalyzer/import-set.ts";

function checkText({ files, rules, replaced, extended, problems }: FingerprintCheck): string {
  const ids = (all: readonly string[]) => (all.length > 20 ? `${all.slice(0, 20).join(", ")} …` : all.join(", "));
  return details([
    ["Files", String(files)],
    ["Rules", String(rules)],
    ["Replace the built-in", ids(replaced)],
    ["Add to the built-in", ids(extended)],
    ["Faults", String(problems.length)],
  ]);
}

function importText(summary: SetSummary, output: string | undefined, width: number): string {
  const { technologies, added, extended, rules, carried, left } = summary;
  const head = details([
    ["Technologies", String(technologies)],
    ["New tools", String(added)],
    ["Add to known tools", String(extended)],
    ["Rules", String(rules)],
    ["Of", counts(carried)],
    ["Written to", output ?? "nowhere; give --output"],
  ]);
  if (left.length === 0) return head;
  const rows = left.map(({ key, reason, count, examples }) => [key, String(count), reason, examples[0] ?? ""]);
  const columns = [{ title: "KEY" }, { title: "LEFT OUT" }, { title: "WHY" }, { title: "SUCH AS", yields: true }];
  return `${head}\n\n${table(columns, rows, width)}`;
}

const counts = (some: Readonly<Record<string, number>>) =>
  Object.entries(some)
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key} ${count}`)
    .join(", ");

function toolsText(tools: readonly ToolEntry[], width: number): string {
  if (tools.length === 0) return "No tool was found.";
  const rows = tools.map(({ id, name, category, rules, own }) => [name, id, category, String(rules), own ? "own" : ""]);
  const columns = [
    { title: "TOOL", yields: true },
    { title: "ID" },
    { title: "CATEGORY" },
    { title: "RULES" },
    { title: "" },
  ];
  return table(columns, rows, width);
}

function explanationText(tool: ToolExplanation, width: number): string {
  const names = (all: readonly string[]) => all.join(", ");
  const head = details([
    ["Tool", `${tool.name} (${tool.id})`],
    ["Also", names(tool.aliases)],
    ["Vendor", `${tool.vendor}, ${tool.website}`],
    ["Category", tool.category],
    ["Part of", tool.product_of],
    ["With mail", names(tool.roles)],
    ["Implies", names(tool.implies)],
    ["Excludes", names(tool.excludes)],
    ["Requires", names(tool.requires)],
    ["Seen at", `${tool.domains} domains`],
  ]);
  const rules = tool.rules.map(({ id, strength, means, see, why, own }) => [
    own ? `${id} (own)` : id,
    `${strength}, ${means}`,
    see.join(" "),
    why,
  ]);
  const told = tool.latest.flatMap(({ domain, scanned_at, confidence, evidence }) =>
    evidence
      .slice(0, 5)
      .map(({ rule, value }, index) => [
        index === 0 ? domain : "",
        index === 0 ? minuteOf(scanned_at) : "",
        index === 0 ? confidence.toFixed(2) : "",
        rule.slice(rule.indexOf("/") + 1),
        value,
      ]),
  );
  return [
    head,
    "",
    table([{ title: "RULE" }, { title: "SAYS" }, { title: "LOOKS AT", yields: true }, { title: "WHY" }], rules, width),
    ...(told.length === 0
      ? []
      : [
          "",
          table(
            [
              { title: "DOMAIN" },
              { title: "SCANNED" },
              { title: "SURE" },
              { title: "RULE" },
              { title: "EVIDENCE", yields: true },
            ],
            told,
            width,
          ),
        ]),
  ].join("\n");
}

function unknownText(seen: readonly UnmatchedCount[], width: number): string {
  if (seen.length === 0) return "Nothing was seen that no rule knows.";
  const rows = seen.map(({ kind, value, companies, example, domain }) => [
    kind,
    value,
    String(companies),
    example === value ? "" : example,
    domain,
  ]);
  const columns = [
    { title: "KIND" },
    { title: "SEEN", yields: true },
    { title: "COMPANIES" },
    { title: "SUCH AS" },
    { title: "AT" },
  ];
  return table(columns, rows, width);
}

function feedbackText(reports: readonly FalsePositive[], width: number): string {
  if (reports.length === 0) return "No false positive was reported.";
  const rows = reports.map(({ domain, tool, rules, note, reported_at }) => [
    domain,
    tool,
    minuteOf(reported_at),
    rules.join(" "),
    plain(note ?? ""),
  ]);
  const columns = [
    { title: "DOMAIN" },
    { title: "TOOL" },
    { title: "REPORTED" },
    { title: "RULES" },
    { title: "NOTE", yields: true },
  ];
  return table(columns, rows, width);
}

interface JsonFlag {
  readonly json?: boolean;
}
interface FeedbackFlags extends ListFlags {
  readonly note?: string;
  readonly list?: boolean;
  readonly takeBack?: boolean;
}

/** `casefile fingerprints`: the rules by which tools are told, those of the user among them. */
export function addFingerprints(program: Command, host: CliHost<Services>): Command[] {
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
        const found = await app.fingerprints.checkFingerprints(folder);
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
        const summary = await app.fingerprints.importFingerprints(folder, flags.output);
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
      const page = await app.fingerprints.findTools(q ? { q } : {}, pageOf(flags));
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
      const explanation = await app.fingerprints.explainTool(tool);
      tell(flags, explanation, explanationText(explanation, host.columns));
    }),
  );

  const unknown = json(
    fingerprints
      .command("unknown")
      .description("List what scans saw and no rule knows, by number of companies.")
      .addOption(new Option("--kind <kind>", "of one kind only").choices(UNMATCHED_KINDS))
      .option("--limit <rows>", "1 to 999", readCount(999), 50),
  );
  unknown.action(({ kind, limit, ...flags }: JsonFlag & { kind?: UnmatchedKind; limit: number }) =>
    withApp(host, unknown.opts(), async (app) => {
      const seen = await app.fingerprints.unmatchedSignals({ limit, ...(kind ? { kind } : {}) });
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
        const page = await app.fingerprints.falsePositives(pageOf(flags));
        const text = feedbackText(page.feedback, host.columns);
        return tell(flags, page, page.total === 0 ? text : `${text}\n${footer(page.feedback.length, page)}`);
      }
      const report = flags.takeBack
        ? await app.fingerprints.withdrawFalsePositive(domain, tool)
        : await app.fingerprints.reportFalsePositive({
            domain,
            tool,
            ...(flags.note === undefined ? {} : { note: flags.note }),
          });
      const done = flags.takeBack
        ? `The next scan of ${report.domain} may tell ${report.tool} again.`
        : `${report.tool} is told no more of ${report.domain} by ${report.rules.join(", ")}.`;
      tell(flags, report, done);
    });
  });
  return [check, importing, list, explain, unknown, feedback];
}

import { type Command, Option } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf, readCount } from "../../cli/list-options.ts";
import { details, jsonText, minuteOf, plain, table } from "../../cli/table.ts";
import { Failure } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import { type FalsePositive, UNMATCHED_KINDS, type UnmatchedCount, type UnmatchedKind } from "../types.ts";
import type { FingerprintCheck, FingerprintService, ToolEntry, ToolExplanation } from "./service.ts";
import type { ImportSummary } from "./wappalyzer/import-set.ts";

function checkText({ files, rules, replaced, extended, problems }: FingerprintCheck): string {
  const ids = (all: readonly string[]) => (all.length > 20 ? `${all.slice(0, 20).join(", ")} …` : all.join(", "));
  return details([
    ["Files", String(files)],
    ["Rules", String(rules)],
    ["Replaced tools", ids(replaced)],
    ["Extended tools", ids(extended)],
    ["Faults", String(problems.length)],
  ]);
}

function importText(summary: ImportSummary, output: string | undefined, width: number): string {
  const { technologies, added, extended, rules, carried, left } = summary;
  const head = details([
    ["Technologies", String(technologies)],
    ["New tools", String(added)],
    ["Extended tools", String(extended)],
    ["Rules", String(rules)],
    ["Imported patterns", countsText(carried)],
    ["Written to", output ?? "not written; give --output"],
  ]);
  if (left.length === 0) return head;
  const rows = left.map(({ key, reason, count, examples }) => [key, String(count), reason, examples[0] ?? ""]);
  const columns = [{ title: "KEY" }, { title: "SKIPPED" }, { title: "REASON" }, { title: "EXAMPLE", yields: true }];
  return `${head}\n\n${table(columns, rows, width)}`;
}

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key} ${count}`)
    .join(", ");

function toolsText(tools: readonly ToolEntry[], width: number): string {
  if (tools.length === 0) return "No tools found.";
  const rows = tools.map(({ id, name, category, rules, own }) => [
    name,
    id,
    category,
    String(rules),
    own ? "custom" : "",
  ]);
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
    ["Aliases", names(tool.aliases)],
    ["Vendor", `${tool.vendor}, ${tool.website}`],
    ["Category", tool.category],
    ["Part of", tool.product_of],
    ["Email roles", names(tool.roles)],
    ["Implies", names(tool.implies)],
    ["Excludes", names(tool.excludes)],
    ["Requires", names(tool.requires)],
    ["Domains", String(tool.domains)],
  ]);
  const rules = tool.rules.map(({ id, strength, means, see, why, own }) => [
    own ? `${id} (custom)` : id,
    `${strength}, ${means}`,
    see.join(" "),
    why,
  ]);
  const detections = tool.latest.flatMap(({ domain, scanned_at, confidence, evidence }) =>
    evidence
      .slice(0, 5)
      .map(({ rule, value }, index) => [
        index === 0 ? domain : "",
        index === 0 ? minuteOf(scanned_at) : "",
        index === 0 ? `${Math.round(confidence * 100)}%` : "",
        rule.slice(rule.indexOf("/") + 1),
        value,
      ]),
  );
  return [
    head,
    "",
    table(
      [{ title: "RULE" }, { title: "MEANING" }, { title: "SIGNALS", yields: true }, { title: "WHY" }],
      rules,
      width,
    ),
    ...(detections.length === 0
      ? []
      : [
          "",
          table(
            [
              { title: "DOMAIN" },
              { title: "SCANNED" },
              { title: "CONFIDENCE" },
              { title: "RULE" },
              { title: "EVIDENCE", yields: true },
            ],
            detections,
            width,
          ),
        ]),
  ].join("\n");
}

function unmatchedText(entries: readonly UnmatchedCount[], width: number): string {
  if (entries.length === 0) return "No unmatched signals.";
  const rows = entries.map(({ kind, value, companies, example, domain }) => [
    kind,
    value,
    String(companies),
    example === value ? "" : example,
    domain,
  ]);
  const columns = [
    { title: "KIND" },
    { title: "SIGNAL", yields: true },
    { title: "COMPANIES" },
    { title: "EXAMPLE" },
    { title: "DOMAIN" },
  ];
  return table(columns, rows, width);
}

function feedbackText(reports: readonly FalsePositive[], width: number): string {
  if (reports.length === 0) return "No false positives reported.";
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

const APPLIED =
  "With database.url every node applies this by itself, one after the other; otherwise restart the service.";

/** `casefile fingerprints`: built-in and custom rules. */
export function addFingerprintCommands(
  program: Command,
  host: CliHost<{ readonly fingerprints: FingerprintService }>,
): Command[] {
  const fingerprints = program
    .command("fingerprints")
    .description(
      "Check, install and import custom fingerprints, explain tools, list unmatched signals, report false positives.",
    );
  const json = (command: Command) => command.option("--json", "print JSON");
  const print = (flags: JsonFlag, value: unknown, text: string) => host.out(`${flags.json ? jsonText(value) : text}\n`);
  /** Uses only the built-in rules, not the custom fingerprints of the installation. */
  const builtInOnly = (flags: object) => ({ ...flags, fingerprints: undefined, fingerprintsDir: "off" });

  const check = json(
    fingerprints
      .command("check")
      .description("Check a folder of custom fingerprints: schema, references, and each rule's hit and miss.")
      .argument("<folder>"),
  );
  check.action((folder: string, flags: JsonFlag) =>
    withApp(
      host,
      builtInOnly(check.opts()),
      async (app) => {
        const found = await app.fingerprints.check(folder);
        print(flags, found, checkText(found));
        if (found.problems.length > 0) {
          throw new Failure("catalogue.invalid", `${plural(found.problems.length, "fault")} in ${folder}.`, {
            problems: flags.json ? [] : found.problems,
          });
        }
      },
      { inMemory: true },
    ),
  );

  const install = json(
    fingerprints
      .command("install")
      .description("Store a folder of custom fingerprints in the database, for all nodes, in place of those before.")
      .argument("<folder>"),
  );
  install.action((folder: string, flags: JsonFlag) =>
    withApp(
      host,
      install.opts(),
      async (app) => {
        const installed = await app.fingerprints.install(folder);
        print(flags, installed, `Installed ${plural(installed.files, "file")}. ${APPLIED}`);
      },
      { withoutInstalled: true },
    ),
  );

  const uninstall = json(
    fingerprints.command("uninstall").description("Remove the custom fingerprints from the database."),
  );
  uninstall.action((flags: JsonFlag) =>
    withApp(
      host,
      uninstall.opts(),
      async (app) => {
        const removed = await app.fingerprints.uninstall();
        print(flags, removed, `Removed ${plural(removed.files, "file")}. ${APPLIED}`);
      },
      { withoutInstalled: true },
    ),
  );

  const importing = json(
    fingerprints
      .command("import-wappalyzer")
      .description("Convert a set in the Wappalyzer format into custom fingerprints.")
      .argument("<folder>", "folder with technologies/*.json and categories.json")
      .option("--output <folder>", "a new folder for the fingerprints; without it, only report what can be imported"),
  );
  importing.action((folder: string, flags: JsonFlag & { output?: string }) =>
    withApp(
      host,
      builtInOnly(importing.opts()),
      async (app) => {
        const summary = await app.fingerprints.importWappalyzer(folder, flags.output);
        print(flags, summary, importText(summary, flags.output, host.columns));
      },
      { inMemory: true },
    ),
  );

  const list = listOptions(
    fingerprints
      .command("list")
      .description("List the tools that can be detected, by name.")
      .argument("[query]", "part of a name, alias or id"),
    "/admin/fingerprints",
  );
  list.action((q: string | undefined, flags: ListFlags) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.fingerprints.list({ q }, pageOf(flags));
      const text = toolsText(page.fingerprints, host.columns);
      print(flags, page, page.total === 0 ? text : `${text}\n${footer(page.fingerprints.length, page)}`);
    }),
  );

  const explain = json(
    fingerprints
      .command("explain")
      .description("Show a tool's rules with their reasons, and its newest detections.")
      .argument("<tool>", "name, alias or id"),
  );
  explain.action((tool: string, flags: JsonFlag) =>
    withApp(host, explain.opts(), async (app) => {
      const explanation = await app.fingerprints.explain(tool);
      print(flags, explanation, explanationText(explanation, host.columns));
    }),
  );

  const unknown = json(
    fingerprints
      .command("unknown")
      .description("List signals that no rule matched, by number of companies.")
      .addOption(new Option("--kind <kind>", "only this kind").choices(UNMATCHED_KINDS))
      .option("--limit <rows>", "1 to 999", readCount(999), 50),
  );
  unknown.action(({ kind, limit, ...flags }: JsonFlag & { kind?: UnmatchedKind; limit: number }) =>
    withApp(host, unknown.opts(), async (app) => {
      const entries = await app.fingerprints.unmatchedSignals({ limit, kind });
      print(flags, { unknown: entries }, unmatchedText(entries, host.columns));
    }),
  );

  const feedback = listOptions(
    fingerprints
      .command("feedback")
      .description("Report a false positive: the rules that matched are suppressed for the domain.")
      .argument("[domain]")
      .argument("[tool]", "name or id")
      .option("--note <text>", "note for the maintainer of the rule")
      .option("--take-back", "withdraw the report")
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
        return print(flags, page, page.total === 0 ? text : `${text}\n${footer(page.feedback.length, page)}`);
      }
      const report = flags.takeBack
        ? await app.fingerprints.withdrawFalsePositive(domain, tool)
        : await app.fingerprints.reportFalsePositive({ domain, tool, note: flags.note });
      const done = flags.takeBack
        ? `The next scan of ${report.domain} may detect ${report.tool} again.`
        : `Suppressed for ${report.domain}: ${report.rules.join(", ")}. ${report.tool} is reported only with other evidence.`;
      print(flags, report, done);
    });
  });
  return [check, install, uninstall, importing, list, explain, unknown, feedback];
}

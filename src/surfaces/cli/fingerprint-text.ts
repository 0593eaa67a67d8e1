import type {
  FalseReport,
  FingerprintCheck,
  SetSummary,
  ToolEntry,
  ToolExplanation,
  UnknownCount,
} from "../../app/app.ts";
import { details, minuteOf } from "./details.ts";
import { plain, table } from "./table.ts";

export function checkText({ files, rules, replaced, extended, problems }: FingerprintCheck): string {
  const ids = (all: readonly string[]) => (all.length > 20 ? `${all.slice(0, 20).join(", ")} …` : all.join(", "));
  return details([
    ["Files", String(files)],
    ["Rules", String(rules)],
    ["Replace the built-in", ids(replaced)],
    ["Add to the built-in", ids(extended)],
    ["Faults", String(problems.length)],
  ]);
}

export function importText(summary: SetSummary, output: string | undefined, width: number): string {
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

export function toolsText(tools: readonly ToolEntry[], width: number): string {
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

export function explanationText(tool: ToolExplanation, width: number): string {
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

export function unknownText(seen: readonly UnknownCount[], width: number): string {
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

export function feedbackText(reports: readonly FalseReport[], width: number): string {
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

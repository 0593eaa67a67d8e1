import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, plain, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import { parseMinConfidence } from "../detection/levels.ts";
import { TABLE_FORMATS, type TableFormat } from "../tabular/table.ts";
import { writeTable } from "../tabular/write-table.ts";
import type { ToolHistory } from "./fold.ts";
import { SORTS, type Sort } from "./repository.ts";
import { EXPORT_COLUMNS, matchedTexts, type StackService } from "./service.ts";
import type { StackCondition, StackQuestion } from "./types.ts";

type StackHost = CliHost<{ readonly stack: StackService }>;

interface WhoUsesFlags extends ListFlags {
  readonly any?: readonly string[];
  readonly not?: readonly string[];
  readonly category?: readonly string[];
  readonly notCategory?: readonly string[];
  readonly script?: readonly string[];
  readonly txt?: readonly string[];
  readonly cname?: readonly string[];
  readonly top?: readonly string[];
  readonly minConfidence?: number;
  readonly seenSince?: string;
  readonly seenUntil?: string;
  readonly appearedSince?: string;
  readonly appearedUntil?: string;
  readonly goneSince?: string;
  readonly goneUntil?: string;
  readonly sort: Sort;
  readonly format: "table" | "json" | TableFormat;
  readonly output?: string;
}

const DATES = ["seen", "appeared", "gone"] as const;

/** `casefile who-uses`, `casefile history` and `casefile tools`. */
export function addStackCommands(program: Command, host: StackHost): Command[] {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  const who = program
    .command("who-uses")
    .description("List the scanned companies that use all of the given tools.")
    .argument("[tools...]", "ids, names or aliases")
    .option("--any <tool>", "uses at least one of these; repeatable", several)
    .option("--not <tool>", "does not use this tool; repeatable", several)
    .option("--category <category>", "uses a tool of this category; repeatable", several)
    .option("--not-category <category>", "uses no tool of this category; repeatable", several)
    .option("--script <host>", "loads a script from this host or a subdomain; repeatable", several)
    .option("--txt <prefix>", "has a verification record that starts so; repeatable", several)
    .option("--cname <host>", "has an alias of this host or a subdomain; repeatable", several)
    .option("--top <name>", "has this top-level domain; repeatable", several)
    .option(
      "--min-confidence <confidence>",
      "confirmed, likely, possible, or a number from 0 to 1 (default: likely)",
      readConfidence,
    );
  for (const name of DATES)
    who
      .option(
        `--${name}-since <date>`,
        `the tools were ${name === "seen" ? "seen" : `reported as ${name}`} on this date or later`,
      )
      .option(`--${name}-until <date>`, "… or earlier");
  listOptions(
    who
      .addOption(new Option("--sort <order>", "order").choices(SORTS).default("domain"))
      .addOption(
        new Option("--format <format>", "all companies in this format")
          .choices(["table", "json", ...TABLE_FORMATS])
          .default("table"),
      )
      .option("--output <file>", "write to this file"),
    "/v1/domains",
  );
  who.action((tools: readonly string[], flags: WhoUsesFlags) =>
    withApp(host, who.opts(), async ({ stack }) => {
      await stack.catchUp();
      const question = questionOf(tools, flags);
      if (tools.length > 1) await assertTools(stack, tools);
      const format = TABLE_FORMATS.find((each) => each === flags.format);
      if (format !== undefined) {
        const rows = await stack.export(question, { sort: flags.sort });
        await host.write(flags.output, writeTable(format, EXPORT_COLUMNS, rows));
        return;
      }
      const page = await stack.search(question, { sort: flags.sort, ...pageOf(flags) });
      if (flags.json || flags.format === "json") {
        host.out(`${jsonText(page)}\n`);
        return;
      }
      if (page.total === 0) {
        host.out("No scanned company matches.\n");
        return;
      }
      const rows = page.domains.map(({ domain, tools_detected, scanned_at, ...found }) => [
        domain,
        String(tools_detected),
        scanned_at.slice(0, 10),
        matchedTexts(found).join(", "),
      ]);
      host.out(`${table(COMPANIES, rows, host.columns)}\n\n${footer(rows.length, page)}\n`);
    }),
  );

  const history = program
    .command("history")
    .description("Show since when a company uses each tool, from stored scans and recordings.")
    .argument("<domain>")
    .option("--since <date>", "list changes since this date")
    .option("--until <date>", "list changes until this date")
    .option("--json", "print the same JSON as GET /v1/enrich/{domain}/history");
  history.action((domain: string, flags: { since?: string; until?: string; json?: boolean }) =>
    withApp(host, history.opts(), async ({ stack }) => {
      const found = await stack.history(domain, flags);
      if (flags.json) {
        host.out(`${jsonText(found)}\n`);
        return;
      }
      const { first_scanned_at, last_scanned_at, observations, tools, changes } = found;
      const rows = tools.map((each) => [each.tool, each.category, STATES[each.state], intervalsText(each)]);
      const changed = changes.map(({ change, at, previous_at, tool, evidence }) => [
        daysText(previous_at, at, "between", "and"),
        change,
        tool,
        evidence,
      ]);
      const asked = [
        ...(flags.since === undefined ? [] : [`since ${plain(flags.since)}`]),
        ...(flags.until === undefined ? [] : [`until ${plain(flags.until)}`]),
      ].join(" ");
      host.out(
        [
          `${plain(found.domain)}: ${observations} ${observations === 1 ? "scan or recording" : "scans and recordings"}, ${daysText(first_scanned_at, last_scanned_at, "from", "to")}`,
          ...(asked === "" ? [] : [`The changes are those ${asked}; the tools are those of all scans and recordings.`]),
          "",
          rows.length === 0 ? "No tools." : table(TOOLS_SEEN, rows, host.columns),
          "",
          changed.length === 0 ? "No changes." : table(CHANGES, changed, host.columns),
          "",
        ].join("\n"),
      );
    }),
  );

  const tools = listOptions(
    program
      .command("tools")
      .description("List tools with the number of scanned companies that use them.")
      .argument("[text]", "part of a name, an alias or an id")
      .option("--category <category>", "of this category"),
    "/v1/tools",
  );
  tools.action((q: string | undefined, { category, ...flags }: ListFlags & { category?: string }) =>
    withApp(host, tools.opts(), async ({ stack }) => {
      await stack.catchUp();
      const page = await stack.tools({ q, category }, pageOf(flags));
      if (flags.json) {
        host.out(`${jsonText(page)}\n`);
        return;
      }
      const rows = page.tools.map((each) => [
        each.id,
        each.name,
        each.category,
        String(each.companies),
        each.first_seen ?? "",
        each.last_seen ?? "",
      ]);
      const text =
        rows.length === 0 ? "No tools." : `${table(TOOLS, rows, host.columns)}\n\n${footer(rows.length, page)}`;
      host.out(`${text}\n`);
    }),
  );
  return [who, history, tools];
}

/** @throws Failure `tool.not_found` that suggests quotes: `who-uses google analytics` names two tools */
async function assertTools(stack: StackService, tools: readonly string[]): Promise<void> {
  for (const tool of tools)
    await stack.tool(tool).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== "tool.not_found") throw error;
      throw new Failure(error.code, `${error.message} A name with spaces needs quotes: "${tools.join(" ")}".`);
    });
}

const COMPANIES = [{ title: "DOMAIN" }, { title: "TOOLS" }, { title: "SCANNED" }, { title: "MATCHED", yields: true }];
const TOOLS_SEEN = [{ title: "TOOL" }, { title: "CATEGORY" }, { title: "STATE" }, { title: "SEEN", yields: true }];
const CHANGES = [{ title: "WHEN" }, { title: "CHANGE" }, { title: "TOOL" }, { title: "EVIDENCE", yields: true }];
const TOOLS = [
  { title: "ID" },
  { title: "NAME", yields: true },
  { title: "CATEGORY" },
  { title: "COMPANIES" },
  { title: "FIRST SEEN" },
  { title: "LAST SEEN" },
];
const STATES: Readonly<Record<ToolHistory["state"], string>> = {
  in_use: "in use",
  unconfirmed: "unconfirmed",
  gone: "gone",
};

const intervalsText = ({ intervals }: ToolHistory): string =>
  intervals.map(({ first_seen, last_seen }) => daysText(first_seen, last_seen, "", "to")).join(", ");

/** The days of two instants, `between 2026-03-01 and 2026-06-01`; the same day once. */
function daysText(from: string, until: string, before: string, joint: string): string {
  const [first, last] = [from.slice(0, 10), until.slice(0, 10)];
  return first === last ? first : `${before} ${first} ${joint} ${last}`.trim();
}

function readConfidence(text: string): number {
  const confidence = parseMinConfidence(text);
  if (confidence === undefined)
    throw new InvalidArgumentError("Give confirmed, likely, possible, or a number from 0 to 1.");
  return confidence;
}

function questionOf(tools: readonly string[], flags: WhoUsesFlags): StackQuestion {
  const dates = {
    seen_since: flags.seenSince,
    seen_until: flags.seenUntil,
    appeared_since: flags.appearedSince,
    appeared_until: flags.appearedUntil,
    gone_since: flags.goneSince,
    gone_until: flags.goneUntil,
  };
  const dated = (subject: "tool" | "category", names: readonly string[] = []): StackCondition[] =>
    names.map((name) => ({ [subject]: name, ...dates }));
  const signals = (["script", "txt", "cname"] as const).flatMap((kind) =>
    (flags[kind] ?? []).map((value) => ({ [kind]: value })),
  );
  return {
    all: [...dated("tool", tools), ...dated("category", flags.category), ...signals],
    any: dated("tool", flags.any),
    none: [...(flags.not ?? []), ...(flags.notCategory ?? []).map((category) => ({ category }))],
    min_confidence: flags.minConfidence,
    top_level: flags.top,
  };
}

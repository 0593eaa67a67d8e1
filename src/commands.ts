import { Command, CommanderError, type Help, Option } from "commander";
import { addKeys, addOperator } from "./accounts/commands.ts";
import { addBackupCommands, type BackupHost } from "./backup/commands.ts";
import { enrichTable } from "./batches/commands.ts";
import { readList } from "./batches/read-list.ts";
import { addAsk } from "./casestudies/answer/commands.ts";
import { addExport, addImport, addReindex, addSearch } from "./casestudies/commands.ts";
import { addCompanyCommands } from "./casestudies/companies/commands.ts";
import { addEmailCommands, addSubmissionCommands } from "./casestudies/intake/commands.ts";
import { addCrawlCommand } from "./casestudies/intake/crawl-commands.ts";
import { addReviewCommands } from "./casestudies/review/commands.ts";
import { addStarterCommands } from "./casestudies/starter/commands.ts";
import { addCompletions } from "./cli/completions.ts";
import { addExamples } from "./cli/help-examples.ts";
import type { CliHost } from "./cli/host.ts";
import { failureText } from "./cli/problems.ts";
import { addUsageHints } from "./cli/usage-hints.ts";
import type { Services } from "./compose.ts";
import type { ConfigKey } from "./config/config.ts";
import { addCaptureCommand, addDataSourcesCommand, addEnrichCommand } from "./detection/commands.ts";
import { addFingerprintCommands } from "./detection/fingerprints/commands.ts";
import { addDoctorCommand, addHealthCommand, addNodesCommand, type DoctorHost } from "./health/commands.ts";
import { addIngestCommand } from "./ingest/commands.ts";
import { addJobCommands } from "./jobs/commands.ts";
import { addLicenceCommand } from "./licences/commands.ts";
import { addMcp, type McpHost } from "./mcp/command.ts";
import { addModelCommands } from "./models/commands.ts";
import { addAuditCommand, addOperatorsCommands } from "./operators/commands.ts";
import { addOptOutCommands, addPrivacyCommands } from "./privacy/commands.ts";
import { addProspectCommands } from "./prospects/commands.ts";
import { addStackCommands } from "./stack/commands.ts";
import { addWatchCommands, addWebhookCommands } from "./watches/commands.ts";

/** What all commands together need of the machine. */
export interface ProgramHost extends CliHost<Services>, BackupHost, DoctorHost, McpHost {
  readonly configKeys: readonly ConfigKey[];
  /** Serves until the process is interrupted. */
  serve(flags: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Runs one command line.
 *
 * @param argv the arguments, without the program's name
 * @returns the exit code: 0 ok, 1 failed, 2 usage
 * @throws any error that is not an expected failure: a bug
 */
export async function runCommand(argv: readonly string[], host: ProgramHost): Promise<number> {
  const program = new Command("casefile")
    .description(
      "List the tools a company uses, with evidence, and search case studies. Everything runs on your own machine.",
    )
    .version(host.version, "-V, --version", "print the version")
    .configureOutput({ writeOut: host.out, writeErr: host.err })
    .exitOverride()
    .enablePositionalOptions();

  program.commandsGroup("Detection:");
  const commands = [
    addEnrichCommand(program, host, { enrichTable, readList }),
    addCaptureCommand(program, host),
    addIngestCommand(program, host),
    ...addStackCommands(program, host),
    ...addWatchCommands(program, host),
    ...addWebhookCommands(program, host),
    ...addFingerprintCommands(program, host),
    addDataSourcesCommand(program, host),
  ];
  program.commandsGroup("Case studies:");
  commands.push(
    addSearch(program, host),
    addAsk(program, host),
    addImport(program, host),
    addExport(program, host),
    addReindex(program, host),
    addCrawlCommand(program, host),
    ...addSubmissionCommands(program, host),
    ...addReviewCommands(program, host),
    ...addStarterCommands(program, host),
    ...addCompanyCommands(program, host),
    ...addModelCommands(program, host),
  );
  program.commandsGroup("Prospects:");
  commands.push(...addProspectCommands(program, host));
  program.commandsGroup("Service:");
  const serve = program
    .command("serve")
    .description("Start the service. Every setting is a flag, an environment variable and a key of casefile.toml.")
    .configureHelp({ formatItem: onTwoLines });
  serve.action(() => host.serve(serve.opts()));
  commands.push(
    ...addKeys(program, host),
    addOperator(program, host),
    ...addOperatorsCommands(program, host),
    addAuditCommand(program, host),
    ...addJobCommands(program, host),
    addEmailCommands(program, host),
    ...addBackupCommands(program, host),
    ...addOptOutCommands(program, host),
    ...addPrivacyCommands(program, host),
    addDoctorCommand(program, host),
    addHealthCommand(program, host),
    addNodesCommand(program, host),
  );
  program.commandsGroup("Agents and shell:");
  commands.push(addMcp(program, host));
  addCompletions(program, host);
  program
    .command("version")
    .description("Print the version.")
    .action(() => host.out(`${host.version}\n`));
  addLicenceCommand(program, host);
  program.helpCommand(true);
  addExamples(program);

  addSettings(serve, host.configKeys, () => true);
  // The other commands accept all settings too; their help shows the data directory, the settings file, and what matters most.
  for (const command of commands) {
    const settings = program.commands.includes(command) ? (SETTINGS_OF[command.name()] ?? []) : [];
    addSettings(command, host.configKeys, ({ name }) => name === "data_dir" || settings.includes(name));
    command.addHelpText("after", SETTINGS_HELP);
  }
  for (const command of [...program.commands, ...commands])
    command.exitOverride().configureOutput({ writeOut: host.out, writeErr: host.err });
  addUsageHints(program);

  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureText(error);
    if (!failure) {
      if (host.signal.aborted) return 1;
      throw error;
    }
    host.err(`${failure.text}\n`);
    return failure.exitCode;
  }
}

function addSettings(command: Command, keys: readonly ConfigKey[], shown: (key: ConfigKey) => boolean): void {
  command.option("--config <file>", "settings file (default: casefile.toml if it exists; CASEFILE_CONFIG)");
  for (const key of keys) {
    const text = `${key.doc} (${key.env}, ${key.name}; default: ${key.default})`;
    for (const [flags, hidden] of flagsOf(key)) {
      const option = new Option(flags, flags.startsWith("--no-") ? `Turn off: ${text}` : text);
      if (key.list) option.argParser((item: string, before: readonly string[] = []) => [...before, item]);
      if (hidden || !shown(key)) option.hideHelp();
      else if (key.group !== null) option.helpGroup(`${key.group}:`);
      command.addOption(option);
    }
  }
}

/** The help shows the short flag if there is one; the long one works too. */
function flagsOf({ flag, alias, bare, default: fallback }: ConfigKey): (readonly [string, boolean])[] {
  const value = bare ? "[value]" : "<value>";
  if (alias === null) return [[`${flag} ${value}`, false]];
  // A setting that is on by default gets a --no- flag. The positive flag must come first, or --no- would set its default.
  const off = bare && fallback === "true";
  return [
    [`${alias} ${value}`, off],
    ...(off ? [[alias.replace("--", "--no-"), false] as const] : []),
    [`${flag} ${value}`, true],
  ];
}

const FOR_VISITS = ["scan.contact", "net.resolvers", "net.proxy"];
/** Settings that the help of a command shows: who visits, by which rules, how much. */
const SETTINGS_OF: Readonly<Record<string, readonly string[]>> = {
  enrich: [...FOR_VISITS, "scan.robots", "scan.browser_url", "scan.deadline_ms", "scan.cache_seconds"],
  capture: [...FOR_VISITS, "scan.robots", "scan.browser_url", "scan.deadline_ms"],
  crawl: [...FOR_VISITS, "crawl.max_pages", "crawl.max_bytes", "crawl.deadline_ms", "crawl.delay_ms"],
};

const SETTINGS_HELP =
  "\nEvery setting is a flag of this command too, such as --net-proxy; casefile serve --help lists them.";

const INDENT = 6;

/** Each flag on one line and its description below, because the names are long. */
function onTwoLines(term: string, _width: number, description: string, help: Help): string {
  const lines = help.boxWrap(description, (help.helpWidth ?? 80) - INDENT).split("\n");
  return [`  ${term}`, ...lines.map((line) => `${" ".repeat(INDENT)}${line}`)].join("\n");
}

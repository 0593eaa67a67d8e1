import { Command, CommanderError, type Help, Option } from "commander";
import { addKeys, addOperator } from "./accounts/commands.ts";
import { addBackupCommands, type BackupHost } from "./backup/commands.ts";
import { addExport, addImport, addReindex, addSearch } from "./casestudies/commands.ts";
import { addCompanyCommands } from "./casestudies/companies/commands.ts";
import { addSubmissionCommands } from "./casestudies/intake/commands.ts";
import { addCrawlCommand } from "./casestudies/intake/crawl-commands.ts";
import { addEmailCommands } from "./casestudies/intake/email-commands.ts";
import { addReviewCommands } from "./casestudies/review/commands.ts";
import { addStarterCommands } from "./casestudies/starter/commands.ts";
import { addCompletions } from "./cli/completions.ts";
import { addExamples } from "./cli/help-examples.ts";
import type { CliHost } from "./cli/host.ts";
import { refusalText } from "./cli/problems.ts";
import { addUsageHints } from "./cli/usage-hints.ts";
import type { Services } from "./compose.ts";
import type { ConfigKey } from "./config/config.ts";
import { addCapture, addDataSources, addEnrich } from "./detection/commands.ts";
import { addFingerprints } from "./detection/fingerprints/commands.ts";
import { addDoctorCommand, type DoctorHost } from "./health/commands.ts";
import { addJobCommands } from "./jobs/commands.ts";
import { addLicenceCommand } from "./licences/commands.ts";
import { addMcp, type McpHost } from "./mcp/command.ts";
import { addModelCommands } from "./models/commands.ts";
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
 * @param argv the words after the program's name
 * @returns the exit code: 0 ok, 1 failed, 2 usage
 * @throws what is no refusal, a bug
 */
export async function runCommand(argv: readonly string[], host: ProgramHost): Promise<number> {
  const program = new Command("casefile")
    .description("Which tools does a company use? With the evidence, on your own machine.")
    .version(host.version, "-V, --version", "print the version")
    .configureOutput({ writeOut: host.out, writeErr: host.err })
    .exitOverride()
    .enablePositionalOptions();

  program.commandsGroup("What a company uses:");
  const others = [
    addEnrich(program, host),
    addCapture(program, host),
    ...addWatchCommands(program, host),
    ...addWebhookCommands(program, host),
    ...addFingerprints(program, host),
    addDataSources(program, host),
  ];
  program.commandsGroup("Case studies:");
  others.push(
    addSearch(program, host),
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
  program.commandsGroup("The service:");
  const serve = program
    .command("serve")
    .description("Start the service; every setting is a flag, a variable and a key of casefile.toml.")
    .configureHelp({ formatItem: onTwoLines });
  serve.action(() => host.serve(serve.opts()));
  others.push(
    ...addKeys(program, host),
    addOperator(program, host),
    ...addJobCommands(program, host),
    addEmailCommands(program, host),
    ...addBackupCommands(program, host),
    addDoctorCommand(program, host),
  );
  program.commandsGroup("Agents, shells, and the program itself:");
  others.push(addMcp(program, host));
  addCompletions(program, host);
  program
    .command("version")
    .description("Print the version.")
    .action(() => host.out(`${host.version}\n`));
  addLicenceCommand(program, host);
  program.helpCommand(true);
  addExamples(program);

  addSettings(serve, host.configKeys, () => true);
  // Elsewhere the same flags hold, and help stays short: the directory and the file are what one reaches for.
  for (const command of others) addSettings(command, host.configKeys, ({ name }) => name === "data_dir");
  for (const command of [...program.commands, ...others])
    command.exitOverride().configureOutput({ writeOut: host.out, writeErr: host.err });
  addUsageHints(program);

  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const refusal = refusalText(error);
    if (!refusal) {
      if (host.signal.aborted) return 1;
      throw error;
    }
    host.err(`${refusal.text}\n`);
    return refusal.exitCode;
  }
}

function addSettings(command: Command, keys: readonly ConfigKey[], shown: (key: ConfigKey) => boolean): void {
  command.option("--config <file>", "settings file (default: casefile.toml when there is one; CASEFILE_CONFIG)");
  for (const key of keys) {
    const text = `${key.doc} (${key.env}, ${key.name}; default: ${key.default})`;
    for (const [flags, hidden] of flagsOf(key)) {
      const option = new Option(flags, flags.startsWith("--no-") ? `Turn off: ${text}` : text);
      if (key.list) option.argParser((item: string, before: readonly string[] = []) => [...before, item]);
      command.addOption(hidden || !shown(key) ? option.hideHelp() : option);
    }
  }
}

/** The short flag stands in the help where there is one; the long one is understood all the same. */
function flagsOf({ flag, alias, bare, default: fallback }: ConfigKey): (readonly [string, boolean])[] {
  const value = bare ? "[value]" : "<value>";
  if (alias === null) return [[`${flag} ${value}`, false]];
  // What is on by itself is turned off. The positive one stands first, or the other would be its default.
  const off = bare && fallback === "true";
  return [
    [`${alias} ${value}`, off],
    ...(off ? [[alias.replace("--", "--no-"), false] as const] : []),
    [`${flag} ${value}`, true],
  ];
}

const INDENT = 6;

/** Of many flags with long names: each on a line of its own, and below it what it is. */
function onTwoLines(term: string, _width: number, description: string, help: Help): string {
  const lines = help.boxWrap(description, (help.helpWidth ?? 80) - INDENT).split("\n");
  return [`  ${term}`, ...lines.map((line) => `${" ".repeat(INDENT)}${line}`)].join("\n");
}

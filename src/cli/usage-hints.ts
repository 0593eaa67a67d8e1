import { Command, CommanderError, type Option } from "commander";
import { plain } from "./table.ts";

/** What the user probably wanted when a command has too many arguments. */
const TOO_MANY: Readonly<Record<string, string>> = {
  "casefile companies list": "Quote a query of several words.",
  "casefile fingerprints list": "Quote a query of several words.",
  "casefile enrich": "For several domains, pass a list: casefile enrich - < domains.txt",
};

/** A file that `casefile enrich --from` reads. */
const FILE = /\.(?:har|json|html?|zone|txt)$/i;

const MORE = "(add --help for all options)";

/** Ends every usage error with a hint: the usage of the command, or the commands of the group. */
export function addUsageHints(program: Command): void {
  addHint(program, program.name());
  program.showHelpAfterError(MORE);
  program.addHelpText("beforeAll", ({ error, command: { args } }) =>
    error && args[0] === "help" && args[1] !== undefined ? `error: unknown command '${args[1]}'\n` : "",
  );
  for (const command of program.commands) addHints(command, `${program.name()} ${command.name()}`);
}

function addHints(command: Command, path: string): void {
  const isGroup = command.commands.length > 0;
  const names = command.commands.map((one) => one.name()).join(", ");
  command.showHelpAfterError(
    `${isGroup ? `Commands of ${path}: ${names}` : `Usage: ${path} ${command.usage()}`}\n${MORE}`,
  );
  addHint(command, path);
  if (isGroup) command.hook("preSubcommand", refuseUnknown);
  for (const one of command.commands) addHints(one, `${path} ${one.name()}`);
}

function addHint(command: Command, path: string): void {
  command.configureOutput({
    outputError(written, write) {
      // A shell may have put the name of a file there.
      const text = written.split("\n").map(plain).join("\n");
      const flag = /^error: unknown option '(-[^']+)'/.exec(text)?.[1];
      const longer = flag === undefined ? undefined : longerFlag(command, flag);
      if (longer !== undefined) {
        write(`${text.replace(/\n\(Did you mean .*\)/, "").trimEnd()}\n(Did you mean ${longer}?)\n`);
        return;
      }
      const isTooMany = text.startsWith("error: too many arguments");
      const hint = isTooMany ? tooMany(command, path) : flag === undefined ? undefined : tooEarly(command, path, flag);
      write(hint === undefined ? text : `${text}${hint}\n`);
    },
  });
}

/** The only flag that continues the given one: `--browser-url` for `--browser`. */
function longerFlag({ options }: Command, typed: string): string | undefined {
  const [flag = typed] = typed.split("=", 1);
  const found = options.flatMap(({ long }) => (long?.startsWith(`${flag}-`) ? long : []));
  return flag.startsWith("--") && found.length === 1 ? found[0] : undefined;
}

/** Flags before the name of a subcommand are parsed as those of the group's default command. */
function tooMany(command: Command, path: string): string | undefined {
  const meant = command.parent?.commands.find((one) => one !== command && one.name() === command.args[0]);
  const [first = ""] = command.args;
  if (path === "casefile enrich" && FILE.test(first))
    return `Give a file with --from, one command for each file: casefile enrich --from ${first}; to join recordings of one company: casefile ingest FOLDER`;
  if (meant === undefined || command.parent?.parent == null) return TOO_MANY[path];
  return `Put flags after the command: ${path.slice(0, path.lastIndexOf(" "))} ${meant.name()} …`;
}

/** A flag of a subcommand that was given before its name. */
function tooEarly(group: Command, path: string, typed: string): string | undefined {
  const [flag = typed, value] = typed.split("=", 2);
  const option = optionBelow(group, flag);
  if (!option) return undefined;
  let place = group;
  let meant = path;
  for (const word of group.args.slice(option.required && value === undefined ? 2 : 1)) {
    const next = place.commands.find((one) => one.name() === word);
    if (!next) continue;
    place = next;
    meant += ` ${word}`;
  }
  return `Put it after the command: ${place === group ? `${path} COMMAND` : meant} ${flag} …`;
}

const optionBelow = (group: Command, flag: string): Option | undefined =>
  group.commands
    .flatMap((one) => one.options.find(({ long, short }) => flag === long || flag === short) ?? optionBelow(one, flag))
    .find((option) => option !== undefined);

/**
 * Refuses a mistyped subcommand. Without this, the group's default command would take it as its own argument and
 * report one argument too many or an unknown flag.
 */
function refuseUnknown(group: Command, chosen: Command): void {
  const end = group.args.findIndex((word) => word.startsWith("-"));
  const words = end === -1 ? group.args : group.args.slice(0, end);
  const [first] = words;
  if (first === undefined || words.length <= chosen.registeredArguments.length) return;
  if (group.commands.some((one) => one.name() === first || one.aliases().includes(first))) return;
  const argument = chosen.registeredArguments[0]?.name();
  const or = argument === "query" ? " (or quote a query of several words)" : ` (or more than one ${argument})`;
  group.error(`error: unknown command '${first}'${argument === undefined ? "" : or}${nearTo(first, group)}`, {
    exitCode: 2,
  });
}

/** Commander's suggestion for a mistyped command. */
function nearTo(word: string, group: Command): string {
  const named = new Command().exitOverride().configureOutput({ writeErr() {} });
  for (const one of group.commands) named.command(one.name());
  try {
    named.parse([word], { from: "user" });
  } catch (error) {
    const message = error instanceof CommanderError ? error.message : "";
    return /\n\(Did you mean .+\)$/.exec(message)?.[0] ?? "";
  }
  return "";
}

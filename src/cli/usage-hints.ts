import { Command, CommanderError, type Option } from "commander";

/** What who gave too many words probably wanted, by command. */
const TOO_MANY: Readonly<Record<string, string>> = {
  "casefile companies list": "Put quotes around a query of several words.",
  "casefile fingerprints list": "Put quotes around a query of several words.",
  "casefile enrich": "Several domains are a list: casefile enrich - < domains.txt",
};

const MORE = "(add --help for what there is)";

/** Lets every fault of a line end with what one would type instead: the usage of a command, the commands of a group. */
export function addUsageHints(program: Command): void {
  addWishes(program, program.name());
  program.showHelpAfterError(MORE);
  program.addHelpText("beforeAll", ({ error, command: { args } }) =>
    error && args[0] === "help" && args[1] !== undefined ? `error: unknown command '${args[1]}'\n` : "",
  );
  for (const command of program.commands) addHints(command, `${program.name()} ${command.name()}`);
}

function addHints(command: Command, path: string): void {
  const isGroup = command.commands.length > 0;
  const names = command.commands.map((one) => one.name()).join(", ");
  command.showHelpAfterError(`${isGroup ? `${path} has: ${names}` : `Usage: ${path} ${command.usage()}`}\n${MORE}`);
  addWishes(command, path);
  if (isGroup) command.hook("preSubcommand", refuseUnknown);
  for (const one of command.commands) addHints(one, `${path} ${one.name()}`);
}

function addWishes(command: Command, path: string): void {
  command.configureOutput({
    outputError(text, write) {
      const flag = /^error: unknown option '(-[^']+)'/.exec(text)?.[1];
      const isTooMany = text.startsWith("error: too many arguments");
      const wish = isTooMany ? tooMany(command, path) : flag === undefined ? undefined : tooEarly(command, path, flag);
      write(wish === undefined ? text : `${text}${wish}\n`);
    },
  });
}

/** Flags before the name of a group's command are taken for those of the command that may go without its name. */
function tooMany(command: Command, path: string): string | undefined {
  const meant = command.parent?.commands.find((one) => one !== command && one.name() === command.args[0]);
  if (meant === undefined || command.parent?.parent == null) return TOO_MANY[path];
  return `Flags go after the command: ${path.slice(0, path.lastIndexOf(" "))} ${meant.name()} …`;
}

/** A flag that is one of a command's, and stands before its name. */
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
  return `It goes after the command: ${place === group ? `${path} COMMAND` : meant} ${flag} …`;
}

const optionBelow = (group: Command, flag: string): Option | undefined =>
  group.commands
    .flatMap((one) => one.options.find(({ long, short }) => flag === long || flag === short) ?? optionBelow(one, flag))
    .find((option) => option !== undefined);

/**
 * One command of a group may go without its name, and takes what follows for its own: a mistyped name then is one
 * argument too many, or a flag that it does not know.
 */
function refuseUnknown(group: Command, chosen: Command): void {
  const end = group.args.findIndex((word) => word.startsWith("-"));
  const words = end === -1 ? group.args : group.args.slice(0, end);
  const [first] = words;
  if (first === undefined || words.length <= chosen.registeredArguments.length) return;
  if (group.commands.some((one) => one.name() === first || one.aliases().includes(first))) return;
  const taken = chosen.registeredArguments[0]?.name();
  const or = taken === "query" ? ", or a query of several words without quotes" : `, or more than one ${taken}`;
  group.error(`error: unknown command '${first}'${taken === undefined ? "" : or}${nearTo(first, group)}`, {
    exitCode: 2,
  });
}

/** As commander suggests it where every command goes by its name. */
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

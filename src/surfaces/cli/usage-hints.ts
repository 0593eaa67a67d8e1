import type { Command } from "commander";

/** What who gave too many words probably wanted, by command. */
const TOO_MANY: Readonly<Record<string, string>> = {
  "casefile companies list": "Put quotes around a query of several words.",
  "casefile fingerprints list": "Put quotes around a query of several words.",
  "casefile enrich": "Several domains are a list: casefile enrich - < domains.txt",
};

const MORE = "(add --help for what there is)";

/** Lets every fault of a line end with what one would type instead: the usage of a command, the commands of a group. */
export function addUsageHints(program: Command): void {
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
  const wish = TOO_MANY[path];
  if (wish !== undefined) {
    command.configureOutput({
      outputError: (text, write) => write(text.startsWith("error: too many arguments") ? `${text}${wish}\n` : text),
    });
  }
  if (isGroup) command.hook("preSubcommand", refuseUnknown);
  for (const one of command.commands) addHints(one, `${path} ${one.name()}`);
}

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
  group.error(`error: unknown command '${first}'${taken === undefined ? "" : or}`, { exitCode: 2 });
}

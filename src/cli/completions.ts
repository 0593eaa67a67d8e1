import { Argument, type Command, type Option } from "commander";
import type { CliHost } from "./host.ts";

/** A position on the command line, and the commands and flags that may follow. */
interface Place {
  /** The commands so far: `""`, `keys`, `keys issue`. */
  readonly at: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly Flag[];
}

interface Flag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The accepted values, if they are a fixed set. */
  readonly choices: readonly string[];
  /** Whether the value is a path. */
  readonly path: boolean;
}

/** Names that need no quoting in any shell; others are not completed. */
const PLAIN = /^-{0,2}[A-Za-z0-9][\w-]{0,60}$/;

/** Every position that the help shows, starting with the program. */
function placesOf(command: Command, at = ""): Place[] {
  const help = command.createHelp();
  const shown = help.visibleCommands(command);
  const commands = shown
    .flatMap((inner) =>
      [inner.name(), ...inner.aliases()].map((name) => ({ name, description: shortOf(inner.description()) })),
    )
    .filter(({ name }) => PLAIN.test(name));
  const flags = help
    .visibleOptions(command)
    .map(flagOf)
    .filter(({ name }) => PLAIN.test(name));
  const inner = shown
    .filter((one) => one.parent === command)
    .flatMap((one) => [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, `${at} ${name}`.trim())));
  return [{ at, commands, flags }, ...inner];
}

const flagOf = (option: Option): Flag => ({
  name: option.long ?? option.short ?? "",
  description: shortOf(option.description),
  takesValue: option.required || option.optional,
  choices: (option.argChoices ?? []).filter((choice) => PLAIN.test(choice)),
  path: /[<[](?:file|dir|folder|path)[>\]]/.test(option.flags),
});

/** One line, for a menu. */
const shortOf = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);

/** A bash script: commands, flags, fixed values of flags, and files for everything else. */
const bashScript = (
  places: readonly Place[],
): string => `# Completes casefile in bash: eval "$(casefile completions bash)"
_casefile() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" commands="" flags="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at:\${COMP_WORDS[i]}" in
${stepsOf(places, (from, word, to) => `      "${from}:${word}") at="${to}" ;;`)}
    esac
  done
  case "$at:$prev" in
${valuesOf(places)}
  esac
  case "$at" in
${places.map(({ at, commands, flags }) => `    "${at}") commands="${namesOf(commands)}" flags="${namesOf(flags)}" ;;`).join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  fi
}
complete -o default -F _casefile casefile
`;

/** One line for each step from a position to the next. */
const stepsOf = (places: readonly Place[], line: (from: string, word: string, to: string) => string): string =>
  places
    .filter(({ at }) => at !== "")
    .map(({ at }) => {
      const words = at.split(" ");
      return line(words.slice(0, -1).join(" "), words.at(-1) ?? "", at);
    })
    .join("\n");

const valuesOf = (places: readonly Place[]): string =>
  places
    .flatMap(({ at, flags }) =>
      flags.flatMap(({ name, choices, path }) => {
        if (choices.length > 0)
          return [`    "${at}:${name}") COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); return ;;`];
        return path ? [`    "${at}:${name}") COMPREPLY=($(compgen -f -- "$cur")); return ;;`] : [];
      }),
    )
    .join("\n");

const namesOf = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name).join(" ");

/** A fish script, with a description of each command and flag. */
const fishScript = (
  places: readonly Place[],
): string => `# Completes casefile in fish: casefile completions fish | source
function __casefile_is
    set -l at ""
    for word in (commandline -opc)[2..-1]
        switch "$at:$word"
${stepsOf(places, (from, word, to) => `            case '${from}:${word}'\n                set at '${to}'`)}
        end
    end
    test "$at" = "$argv[1]"
end
complete -c casefile -e
${places.flatMap(linesOf).join("\n")}
`;

function linesOf({ at, commands, flags }: Place): string[] {
  const here = `complete -c casefile -n '__casefile_is ${quoted(at).replaceAll("'", '"')}'`;
  return [
    ...commands.map(({ name, description }) => `${here} -f -a ${name} -d ${quoted(description)}`),
    ...flags.map((flag) => `${here} ${nameOf(flag)}${fishValue(flag)} -d ${quoted(flag.description)}`),
  ];
}

const nameOf = ({ name }: Flag) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`);

function fishValue({ takesValue, choices, path }: Flag): string {
  if (choices.length > 0) return ` -x -a '${choices.join(" ")}'`;
  if (!takesValue) return "";
  return path ? " -r -F" : " -x";
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** A zsh script, with a description of each command and flag. */
const zshScript = (places: readonly Place[]): string => `#compdef casefile
# Completes casefile in zsh: eval "$(casefile completions zsh)", after compinit.
_casefile() {
  local at="" word
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at:$word" in
${stepsOf(places, (from, word, to) => `      ("${from}:${word}") at="${to}" ;;`)}
    esac
  done
  case "$at:\${words[CURRENT-1]}" in
${zshValuesOf(places)}
  esac
  case "$at" in
${places.map(({ at, commands, flags }) => `    ("${at}") commands=(${zshItems(commands)}) flags=(${zshItems(flags)}) ;;`).join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option flags
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _casefile ]]; then _casefile "$@"; else compdef _casefile casefile; fi
`;

const zshValuesOf = (places: readonly Place[]): string =>
  places
    .flatMap(({ at, flags }) =>
      flags.flatMap(({ name, choices, path }) => {
        if (choices.length > 0) return [`    ("${at}:${name}") compadd -- ${choices.join(" ")}; return ;;`];
        return path ? [`    ("${at}:${name}") _files; return ;;`] : [];
      }),
    )
    .join("\n");

const zshItems = (named: readonly { readonly name: string; readonly description: string }[]) =>
  named.map(({ name, description }) => `'${name}:${description.replaceAll("'", "'\\''")}'`).join(" ");

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `casefile completions`: prints a completion script that is generated from the commands. */
export function addCompletions(program: Command, host: CliHost): void {
  program
    .command("completions")
    .description("Print a shell completion script.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: string) => host.out(SCRIPTS[shell]?.(placesOf(program)) ?? ""));
}

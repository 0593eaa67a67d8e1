import { Argument, type Command, type Option } from "commander";
import type { CliHost } from "./host.ts";

/** A place on the command line, and what may stand next there. */
interface Place {
  /** Words of the commands so far: `""`, `keys`, `keys issue`. */
  readonly at: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly Flag[];
}

interface Flag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly valued: boolean;
  /** The values that it takes, when they are few. */
  readonly choices: readonly string[];
  /** Whether the value is a path. */
  readonly path: boolean;
}

/** Names that need no quoting in any shell; one that does is not completed. */
const PLAIN = /^-{0,2}[A-Za-z0-9][\w-]{0,60}$/;

/** Every place that help shows, the program's own first. */
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
  valued: option.required || option.optional,
  choices: (option.argChoices ?? []).filter((choice) => PLAIN.test(choice)),
  path: /[<[](?:file|dir|folder|path)[>\]]/.test(option.flags),
});

/** A menu has one line. */
const shortOf = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);

/** A script for bash: names of commands and flags, words of flags that take few, and files elsewhere. */
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

/** From each place to the places in it. */
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

/** A script for fish, with a word on each command and flag. */
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
    ...flags.map((flag) => `${here} ${nameOf(flag)}${takenBy(flag)} -d ${quoted(flag.description)}`),
  ];
}

const nameOf = ({ name }: Flag) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`);

function takenBy({ valued, choices, path }: Flag): string {
  if (choices.length > 0) return ` -x -a '${choices.join(" ")}'`;
  if (!valued) return "";
  return path ? " -r -F" : " -x";
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** A script for zsh, with a word on each command and flag. */
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
${places.map(({ at, commands, flags }) => `    ("${at}") commands=(${openApiDetail(commands)}) flags=(${openApiDetail(flags)}) ;;`).join("\n")}
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

const openApiDetail = (named: readonly { readonly name: string; readonly description: string }[]) =>
  named.map(({ name, description }) => `'${name}:${description.replaceAll("'", "'\\''")}'`).join(" ");

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `casefile completions`: what completes commands and flags in a shell, written from the commands themselves. */
export function addCompletions(program: Command, host: CliHost): void {
  program
    .command("completions")
    .description("Print a script that completes commands and flags in your shell.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: string) => host.out(SCRIPTS[shell]?.(placesOf(program)) ?? ""));
}

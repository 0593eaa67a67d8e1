import type { Place } from "./tree.ts";

/** A script for bash: names of commands and flags, words of flags that take few, and files elsewhere. */
export const bashScript = (
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
export const stepsOf = (places: readonly Place[], line: (from: string, word: string, to: string) => string): string =>
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

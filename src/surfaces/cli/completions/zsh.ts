import { stepsOf } from "./bash.ts";
import type { Place } from "./tree.ts";

/** A script for zsh, with a word on each command and flag. */
export const zshScript = (places: readonly Place[]): string => `#compdef casefile
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
${valuesOf(places)}
  esac
  case "$at" in
${places.map(({ at, commands, flags }) => `    ("${at}") commands=(${described(commands)}) flags=(${described(flags)}) ;;`).join("\n")}
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

const valuesOf = (places: readonly Place[]): string =>
  places
    .flatMap(({ at, flags }) =>
      flags.flatMap(({ name, choices, path }) => {
        if (choices.length > 0) return [`    ("${at}:${name}") compadd -- ${choices.join(" ")}; return ;;`];
        return path ? [`    ("${at}:${name}") _files; return ;;`] : [];
      }),
    )
    .join("\n");

const described = (named: readonly { readonly name: string; readonly description: string }[]) =>
  named.map(({ name, description }) => `'${name}:${description.replaceAll("'", "'\\''")}'`).join(" ");

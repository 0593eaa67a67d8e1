import { stepsOf } from "./bash.ts";
import type { Flag, Place } from "./tree.ts";

/** A script for fish, with a word on each command and flag. */
export const fishScript = (
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

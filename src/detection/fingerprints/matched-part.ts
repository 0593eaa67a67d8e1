import { toArray } from "./conditions.ts";
import type { Rule } from "./types.ts";

/** Start and end of a part of a text. */
export type Range = readonly [from: number, to: number];

/** Values are longer only in texts, of which evidence keeps the part around the match. */
const MAX_VALUE = 2_000;

/**
 * The part of a value that a rule matched, to be marked for a reader: a host, a word or a prefix of the value.
 *
 * @returns undefined when the value, which may be cut, does not contain it
 */
export function matchedPart({ match, custom }: Pick<Rule, "match" | "custom">, value: string): Range | undefined {
  const text = value.slice(0, MAX_VALUE).toLowerCase();
  const literals = [match.contains, match.host, match.equals, match.global, match.word, match.prefix, match.path]
    .flatMap((each) => toArray(each))
    .concat(match.name ?? []);
  for (const literal of literals) {
    const from = text.indexOf(literal.toLowerCase());
    if (from >= 0) return [from, from + literal.length];
  }
  // A custom regex is not trusted to end.
  if (match.regex === undefined || custom) return undefined;
  const found = new RegExp(match.regex, "i").exec(text);
  return found && found[0] !== "" ? [found.index, found.index + found[0].length] : undefined;
}

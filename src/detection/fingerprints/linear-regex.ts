import { RE2JS } from "re2js";
import type { Expression, Expressions } from "./conditions.ts";

/**
 * Steps for one character of a text, about: linear time can still be long. Counted repeats are what makes a program
 * large, and an unbounded one costs nothing.
 */
const MAX_SIZE = 300;
/** What is compiled to learn its size; beyond it, compiling is what takes long. */
const MAX_ESTIMATE = 20_000;
const TOO_MUCH = "repeats too much; write + or * instead of a large count";

/**
 * RE2's: unbounded repeats are welcome, since every way in which a text may match is tried at once and time grows with
 * the text alone. No look-around and no back-references.
 */
export const LINEAR_REGEX: Expressions = {
  compile(source): Expression {
    const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    return {
      test: (text) => compiled.test(text),
      exec(text) {
        const matcher = compiled.matcher(text);
        if (!matcher.find()) return null;
        return Array.from({ length: compiled.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
      },
    };
  },

  faultIn(source) {
    if (estimated(source) > MAX_ESTIMATE) return TOO_MUCH;
    try {
      const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      return compiled.programSize() > MAX_SIZE ? TOO_MUCH : undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "no expression";
      return `cannot be run in linear time: ${reason}`;
    }
  },

  hasGroup: (source) => LINEAR_REGEX.faultIn(source) === undefined && RE2JS.compile(source).groupCount() > 0,
};

/** Steps that the counted repeats add at most; what stands before a group's repeat is taken for its content. */
function estimated(source: string): number {
  return [...source.matchAll(/\{\d{0,9}(?:,(\d{0,9}))?\}/g)].reduce((sum, { 0: repeat, index }) => {
    const most = Math.max(...repeat.slice(1, -1).split(",").map(Number));
    return sum + most * (source[index - 1] === ")" ? index : 1);
  }, 0);
}

import { RE2JS } from "re2js";
import type { CompiledRegex, RegexEngine } from "./conditions.ts";

/** Approximate steps per character of a text. Counted repeats make a program large; unbounded ones do not. */
const MAX_SIZE = 300;
/** Above this estimate a regex is not even compiled, because compiling takes too long. */
const MAX_ESTIMATE = 20_000;
const TOO_MUCH = "repeats too much; use + or * instead of a large count";

/** RE2's regexes, which run in linear time even with unbounded repeats. No look-around and no back-references. */
export const LINEAR_REGEX: RegexEngine = {
  compile(source): CompiledRegex {
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
    if (estimateSize(source) > MAX_ESTIMATE) return TOO_MUCH;
    try {
      const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      return compiled.programSize() > MAX_SIZE ? TOO_MUCH : undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "not a regex";
      return `cannot be run in linear time: ${reason}`;
    }
  },

  hasGroup: (source) => LINEAR_REGEX.faultIn(source) === undefined && RE2JS.compile(source).groupCount() > 0,
};

/** Upper bound of the steps that counted repeats add; everything before a group's repeat counts as its content. */
function estimateSize(source: string): number {
  return [...source.matchAll(/\{\d{0,9}(?:,(\d{0,9}))?\}/g)].reduce((sum, { 0: repeat, index }) => {
    const most = Math.max(...repeat.slice(1, -1).split(",").map(Number));
    return sum + most * (source[index - 1] === ")" ? index : 1);
  }, 0);
}

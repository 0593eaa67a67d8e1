/** A shorter literal is met on too many values to save anything. */
const LEAST = 4;
/** Any other brace stands for itself. */
const REPEAT = /^\{\d{0,9}(?:,\d{0,9})?\}/;
/** Nearly every address holds these, so a part of one tells nothing apart. */
const EVERYWHERE = ["https://www.", ".com/"];

/** One of the ways in which an expression, or a group of it, may go on. */
interface Branch {
  /** Plain characters that stand in a row, in lower case. */
  readonly runs: string[];
  /** Groups that must be there, each by its branches. */
  readonly groups: (readonly Branch[])[];
}

/**
 * The longest text that every value met by an expression must contain, letter case aside; undefined when there is none
 * of at least four characters, or when that cannot be told (an alternative at the top).
 */
export function requiredLiteral(source: string): string | undefined {
  const branches = branchesOf(source);
  let best = "";
  for (const run of branches.length === 1 ? branches[0]!.runs : []) if (run.length > best.length) best = run;
  return best.length >= LEAST ? best : undefined;
}

/**
 * Texts of which every value met by an expression must contain one, letter case aside: those that tell most, out of all
 * its plain text and its groups of alternatives. Undefined when one of its ways has none of at least four characters.
 *
 * They let an expression stand under text patterns, so that it runs only where it can match.
 */
export const requiredLiterals = (source: string): readonly string[] | undefined => literalsIn(branchesOf(source));

/** Expressions, each with what {@link requiredLiterals} tells of it; null where that is nothing. */
export type Literals = readonly (readonly [expression: string, required: readonly string[] | null])[];

function literalsIn(branches: readonly Branch[]): readonly string[] | undefined {
  const all: string[] = [];
  for (const { runs, groups } of branches) {
    let best: readonly string[] | undefined;
    for (const literals of [
      ...runs.filter((run) => run.length >= LEAST).map((run) => [run]),
      ...groups.map(literalsIn),
    ])
      if (literals && (!best || telling(literals) > telling(best))) best = literals;
    if (!best) return undefined;
    all.push(...best);
  }
  return all;
}

/** How much it tells of a value that it holds one of these. */
const telling = (literals: readonly string[]) =>
  Math.min(...literals.map((text) => (EVERYWHERE.some((common) => common.includes(text)) ? 0 : text.length)));

function branchesOf(source: string): readonly Branch[] {
  const emptyBranch = (): Branch => ({ runs: [], groups: [] });
  // The groups that are open, around them the expression itself.
  const open = [{ branches: [emptyBranch()], counts: true }];
  let run = "";
  const close = () => {
    if (run.length > 0) open.at(-1)!.branches.at(-1)!.runs.push(run.toLowerCase());
    run = "";
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === "[") {
      // A class stands for one of several characters, and a bracket inside it opens nothing.
      at = endOfClass(source, at);
      close();
    } else if (char === "(") {
      close();
      const [plain] = /^(?:\?:|\?P?<[a-z]\w{0,60}>|(?!\?))/i.exec(source.slice(at + 1, at + 70)) ?? [];
      // Anything else that begins with a question mark looks around, or sets a flag.
      open.push({ branches: [emptyBranch()], counts: plain !== undefined });
      at += plain?.length ?? 0;
    } else if (char === ")") {
      close();
      const group = open.length > 1 ? open.pop() : undefined;
      if (group?.counts && !/^(?:[?*]|\{0{0,9}[,}])/.test(source.slice(at + 1, at + 14)))
        open.at(-1)!.branches.at(-1)!.groups.push(group.branches);
    } else if (char === "|") {
      close();
      open.at(-1)!.branches.push(emptyBranch());
    } else if (char === "?" || char === "*" || (char === "{" && REPEAT.test(source.slice(at, at + 20)))) {
      // The repeated character may be missing; what stood before it may not.
      run = run.slice(0, -1);
      close();
      if (char === "{") at = source.indexOf("}", at);
    } else if (char === "+" || char === "." || char === "^" || char === "$") close();
    else if (char === "\\") {
      at += 1;
      const escaped = source[at] ?? "";
      if (/[a-z0-9]/i.test(escaped)) {
        close();
        // What follows spells a character out and is no text.
        at += /^(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z])/i.exec(source.slice(at))?.[0].slice(1).length ?? 0;
      } else run += escaped;
    } else run += char;
  }
  close();
  return open[0]!.branches;
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "]") return at;
  }
  return source.length;
}

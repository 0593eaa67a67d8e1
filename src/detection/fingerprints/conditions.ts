import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../signals.ts";
import type { Match, Rule } from "./types.ts";

/** A compiled expression, letter case ignored. A `RegExp` is one. */
export interface Expression {
  test(text: string): boolean;
  /** The match and its groups. */
  exec(text: string): ArrayLike<string | undefined> | null;
}

/** What the expressions of a rule are written in, and what runs them. */
export interface Expressions {
  /** @throws what {@link faultIn} would have told */
  compile(source: string): Expression;
  /** Why a source must not be used, after "regex: "; undefined when it may. */
  faultIn(source: string): string | undefined;
  /** Whether a match has a first group. */
  hasGroup(source: string): boolean;
}

/** JavaScript's own, kept to bounded repeats: its engine tries every way in which a text may match. */
export const BOUNDED_REGEX: Expressions = {
  compile: (source) => new RegExp(source, "i"),
  faultIn: boundedFault,
  hasGroup,
};

/** Refuses unbounded repeats, repeats of a repeat, back-references and what does not compile. */
function boundedFault(source: string): string | undefined {
  if (!compiles(source)) return "does not compile";
  const bare = source.replace(/\\[^\dk]/g, "x").replace(/\[(?:\^)?[^\]]{1,100}\]/g, "x");
  if (/\\[\dk]/.test(bare)) return "holds a back-reference";
  if (/[*+]|\{\d+,\}/.test(bare)) return "holds an unbounded repeat; write {0,200} instead";
  if (repeatsRepeat(bare)) return "repeats a group that holds a repeat";
  for (const [, low, high] of bare.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) {
    if (Number(high ?? low) > 300) return "repeats more than 300 times";
  }
  return undefined;
}

/** @param bare an expression without escapes and classes */
function repeatsRepeat(bare: string): boolean {
  // One entry for each open group: whether a repeat, however deep, stands in it.
  const open: boolean[] = [false];
  for (let at = 0; at < bare.length; at++) {
    if (bare[at] === "(") {
      open.push(false);
      // `(?:`, `(?=` and their like: no quantifier.
      if (bare[at + 1] === "?") at += 1;
    } else if (bare[at] === ")") {
      const holdsRepeat = open.pop() ?? false;
      if (holdsRepeat && bare[at + 1] === "{") return true;
      if (holdsRepeat) open[open.length - 1] = true;
    } else if (bare[at] === "{" || bare[at] === "?") open[open.length - 1] = true;
  }
  return false;
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "i") instanceof RegExp;
  } catch {
    return false;
  }
}

/** With an empty alternative every expression meets the empty text, and its match lists the groups. */
function hasGroup(source: string): boolean {
  return compiles(source) && (new RegExp(`${source}|`).exec("")?.length ?? 0) > 1;
}

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

type MatchKey = keyof Match;

/** Which match keys make sense on a value of each shape. `named` values are matched by name first. */
const KEYS: Record<Shape, readonly MatchKey[]> = {
  host: ["host", "equals", "prefix", "contains", "regex"],
  url: ["host", "path", "equals", "prefix", "contains", "regex"],
  path: ["path", "equals", "prefix", "contains", "regex"],
  word: ["equals", "prefix", "contains", "regex"],
  named: ["name", "host", "equals", "prefix", "contains", "regex"],
  text: ["prefix", "contains", "global", "word", "regex"],
};

/** The kinds that a rule asks for, groups opened, each once. */
export function kindsOf(rule: Rule): readonly SignalKind[] {
  const asked = typeof rule.see === "string" ? [rule.see] : rule.see;
  return [
    ...new Set(
      asked.flatMap((see) => (see in SIGNAL_GROUPS ? SIGNAL_GROUPS[see as SignalGroup] : [see as SignalKind])),
    ),
  ];
}

/** Whether every condition of the match can be tried on a value of this shape. */
export function applies(match: Match, shape: Shape): boolean {
  const keys = Object.keys(match) as MatchKey[];
  if (shape === "named" && match.name === undefined) return false;
  if (keys.length === 1 && match.name !== undefined && shape !== "named") return false;
  return keys.every((key) => KEYS[shape].includes(key));
}

/** The kinds on which the rule can fire at all: a group may hold kinds whose shape lacks what the match needs. */
export function firingKinds(rule: Rule): readonly SignalKind[] {
  return kindsOf(rule).filter((kind) => applies(rule.match, SIGNALS[kind].shape));
}

/**
 * {@link firingKinds} that remembers: it hangs on `see` and on which keys the match has, and thousands of rules share a
 * few hundred of these.
 */
export function createFiringKinds(): (rule: Rule) => ReadonlySet<SignalKind> {
  const known = new Map<string, ReadonlySet<SignalKind>>();
  return (rule) => {
    const form = `${rule.see} ${Object.keys(rule.match)}`;
    const before = known.get(form);
    if (before) return before;
    const kinds = new Set(firingKinds(rule));
    known.set(form, kinds);
    return kinds;
  };
}

export const toArray = <T extends string>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/**
 * What is wrong with a rule beyond its schema, one sentence each.
 * A pattern that is too short fires on noise; an unbounded expression can be made to stall a scan.
 *
 * @param expressions what the rule's own are written in
 */
export function ruleFaults(rule: Rule, expressions: Expressions = BOUNDED_REGEX): readonly string[] {
  const faults: string[] = [];
  const kinds = kindsOf(rule);
  const firing = firingKinds(rule);
  if (firing.length === 0) faults.push(`no kind in "see" has a value on which this match can be tried`);
  const single = (typeof rule.see === "string" ? [rule.see] : rule.see).filter((see) => !(see in SIGNAL_GROUPS));
  for (const see of single) {
    if (!firing.includes(see as SignalKind)) faults.push(`the match cannot be tried on ${see}`);
  }
  const shortest = (values: readonly string[], least: number, key: string) => {
    for (const value of values)
      if (value.length < least) faults.push(`${key} "${value}" is shorter than ${least} characters`);
  };
  // A cookie, a header's content or a DNS label is short by nature; only long texts drown in noise.
  const searchesText = kinds.some((kind) => SIGNALS[kind].shape === "text");
  shortest(toArray(rule.match.contains), searchesText ? 5 : 4, "contains");
  shortest(toArray(rule.match.global), 4, "global");
  shortest(toArray(rule.match.word), 4, "word");
  if (rule.match.path !== undefined && rule.match.host === undefined) shortest([rule.match.path], 4, "path");
  if (searchesText && rule.match.regex !== undefined && rule.match.contains === undefined) {
    if (!rule.own) faults.push("a regex on a text needs a contains beside it, in whose neighbourhood it looks");
    else if (requiredLiteral(rule.match.regex) === undefined)
      faults.push("a regex on a text needs a contains beside it, or four plain characters in a row that must be there");
  }
  for (const [key, source] of [
    ["regex", rule.match.regex],
    ["version", rule.version],
  ] as const) {
    const fault = source === undefined ? undefined : expressions.faultIn(source);
    if (fault) faults.push(`${key}: ${fault}`);
  }
  if (rule.means === "mentions" && rule.strength !== "weak") faults.push("a mention is weak");
  if (rule.version !== undefined && !expressions.hasGroup(rule.version)) faults.push("version needs a group");
  return faults;
}

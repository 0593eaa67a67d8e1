import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../signals.ts";
import type { Match, Rule } from "./types.ts";

/** A compiled, case-insensitive regex. A `RegExp` is one. */
export interface CompiledRegex {
  test(text: string): boolean;
  /** The match and its groups. */
  exec(text: string): ArrayLike<string | undefined> | null;
}

/** Validates and compiles the regexes of rules. */
export interface RegexEngine {
  /** @throws if {@link faultIn} returns a fault */
  compile(source: string): CompiledRegex;
  /** Why a source is refused, to follow "regex: "; undefined if it is valid. */
  faultIn(source: string): string | undefined;
  /** Whether the regex has a capturing group. */
  hasGroup(source: string): boolean;
}

/** JavaScript's regexes with bounded repeats only, because its engine backtracks. */
export const BOUNDED_REGEX: RegexEngine = {
  compile: (source) => new RegExp(source, "i"),
  faultIn: boundedFault,
  hasGroup,
};

/** Refuses unbounded repeats, nested repeats, back-references and syntax errors. */
function boundedFault(source: string): string | undefined {
  if (!compiles(source)) return "does not compile";
  const bare = source.replace(/\\[^\dk]/g, "x").replace(/\[(?:\^)?[^\]]{1,100}\]/g, "x");
  if (/\\[\dk]/.test(bare)) return "contains a back-reference";
  if (/[*+]|\{\d+,\}/.test(bare)) return "contains an unbounded repeat; use {0,200} instead";
  if (hasNestedRepeat(bare)) return "repeats a group that contains a repeat";
  for (const [, low, high] of bare.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) {
    if (Number(high ?? low) > 300) return "repeats more than 300 times";
  }
  return undefined;
}

/** @param bare a regex without escapes and classes */
function hasNestedRepeat(bare: string): boolean {
  // One entry per open group: whether it contains a repeat at any depth.
  const open: boolean[] = [false];
  for (let at = 0; at < bare.length; at++) {
    if (bare[at] === "(") {
      open.push(false);
      // `(?:`, `(?=` and the like are not quantifiers.
      if (bare[at + 1] === "?") at += 1;
    } else if (bare[at] === ")") {
      const hasRepeat = open.pop() ?? false;
      if (hasRepeat && bare[at + 1] === "{") return true;
      if (hasRepeat) open[open.length - 1] = true;
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

/** With an empty alternative every regex matches the empty text, and the match lists the groups. */
function hasGroup(source: string): boolean {
  return compiles(source) && (new RegExp(`${source}|`).exec("")?.length ?? 0) > 1;
}

/** Shorter literals occur in too many values to save anything. */
const MIN_LITERAL = 4;
/** Any other brace is a literal. */
const REPEAT = /^\{\d{0,9}(?:,\d{0,9})?\}/;
/** Nearly every URL contains these, so they do not discriminate. */
const UBIQUITOUS = ["https://www.", ".com/"];

/** One alternative of a regex or of a group. */
interface Branch {
  /** Runs of literal characters, in lower case. */
  readonly runs: string[];
  /** Groups that must match, each as its alternatives. */
  readonly groups: (readonly Branch[])[];
}

/**
 * The longest literal that every match of a regex contains, ignoring case; undefined when there is none of at least four
 * characters, or when the regex has alternatives at the top level.
 */
export function requiredLiteral(source: string): string | undefined {
  const branches = branchesOf(source);
  let best = "";
  for (const run of branches.length === 1 ? branches[0]!.runs : []) if (run.length > best.length) best = run;
  return best.length >= MIN_LITERAL ? best : undefined;
}

/**
 * Literals of which every match of a regex contains at least one, ignoring case: the most selective ones of its literal
 * runs and groups. Undefined when an alternative has none of at least four characters.
 *
 * With them a regex is indexed by text patterns and runs only where it can match.
 */
export const requiredLiterals = (source: string): readonly string[] | undefined => literalsIn(branchesOf(source));

/** Regexes with their {@link requiredLiterals}, null for none. */
export type Literals = readonly (readonly [regex: string, required: readonly string[] | null])[];

function literalsIn(branches: readonly Branch[]): readonly string[] | undefined {
  const all: string[] = [];
  for (const { runs, groups } of branches) {
    let best: readonly string[] | undefined;
    for (const literals of [
      ...runs.filter((run) => run.length >= MIN_LITERAL).map((run) => [run]),
      ...groups.map(literalsIn),
    ])
      if (literals && (!best || selectivity(literals) > selectivity(best))) best = literals;
    if (!best) return undefined;
    all.push(...best);
  }
  return all;
}

/** The length of the shortest literal; 0 for a part of a ubiquitous text. */
const selectivity = (literals: readonly string[]) =>
  Math.min(...literals.map((text) => (UBIQUITOUS.some((common) => common.includes(text)) ? 0 : text.length)));

function branchesOf(source: string): readonly Branch[] {
  const emptyBranch = (): Branch => ({ runs: [], groups: [] });
  // The open groups, outermost the regex itself.
  const open = [{ branches: [emptyBranch()], counts: true }];
  let run = "";
  const close = () => {
    if (run.length > 0) open.at(-1)!.branches.at(-1)!.runs.push(run.toLowerCase());
    run = "";
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === "[") {
      // A class matches one of several characters, and a parenthesis inside it opens no group.
      at = endOfClass(source, at);
      close();
    } else if (char === "(") {
      close();
      const [plain] = /^(?:\?:|\?P?<[a-z]\w{0,60}>|(?!\?))/i.exec(source.slice(at + 1, at + 70)) ?? [];
      // Anything else that begins with a question mark is a look-around or a flag.
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
      // The repeated character is optional; those before it are not.
      run = run.slice(0, -1);
      close();
      if (char === "{") at = source.indexOf("}", at);
    } else if (char === "+" || char === "." || char === "^" || char === "$") close();
    else if (char === "\\") {
      at += 1;
      const escaped = source[at] ?? "";
      if (/[a-z0-9]/i.test(escaped)) {
        close();
        // Skip the code of an escaped character.
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

/** The match keys for each shape of value. `named` values are matched by name first. */
const KEYS: Record<Shape, readonly MatchKey[]> = {
  host: ["host", "equals", "prefix", "contains", "regex"],
  url: ["host", "path", "equals", "prefix", "contains", "regex"],
  path: ["path", "equals", "prefix", "contains", "regex"],
  word: ["equals", "prefix", "contains", "regex"],
  named: ["name", "host", "equals", "prefix", "contains", "regex"],
  text: ["prefix", "contains", "global", "word", "regex"],
};

/**
 * The kinds that a rule names, with groups expanded, each once. What is known of the address of a script holds for one
 * that an inline script loads.
 */
export function kindsOf(rule: Rule): readonly SignalKind[] {
  const kinds = toArray(rule.see).flatMap((see) =>
    see in SIGNAL_GROUPS ? SIGNAL_GROUPS[see as SignalGroup] : [see as SignalKind],
  );
  return [...new Set(kinds.includes("html.script") ? [...kinds, "html.inline-url" as const] : kinds)];
}

/** Whether every condition of the match applies to values of this shape. */
export function applies(match: Match, shape: Shape): boolean {
  const keys = Object.keys(match) as MatchKey[];
  if (shape === "named" && match.name === undefined) return false;
  if (keys.length === 1 && match.name !== undefined && shape !== "named") return false;
  return keys.every((key) => KEYS[shape].includes(key));
}

/** The kinds that the rule can match: a group may contain kinds whose shape does not fit the match. */
export function matchableKinds(rule: Rule): readonly SignalKind[] {
  return kindsOf(rule).filter((kind) => applies(rule.match, SIGNALS[kind].shape));
}

/** {@link matchableKinds} with a cache by `see` and the keys of the match: thousands of rules share a few hundred. */
export function createMatchableKinds(): (rule: Rule) => ReadonlySet<SignalKind> {
  const known = new Map<string, ReadonlySet<SignalKind>>();
  return (rule) => {
    const key = `${rule.see} ${Object.keys(rule.match)}`;
    const before = known.get(key);
    if (before) return before;
    const kinds = new Set(matchableKinds(rule));
    known.set(key, kinds);
    return kinds;
  };
}

export const toArray = <T extends string>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/**
 * Faults of a rule that its schema cannot express, one sentence each. A pattern that is too short matches noise; an
 * unbounded regex can be made to stall a scan.
 */
export function ruleFaults(rule: Rule, engine: RegexEngine = BOUNDED_REGEX): readonly string[] {
  const faults: string[] = [];
  const kinds = kindsOf(rule);
  const firing = matchableKinds(rule);
  if (firing.length === 0) faults.push(`the match applies to none of the signal kinds in "see"`);
  for (const see of toArray(rule.see).filter((kind) => !(kind in SIGNAL_GROUPS))) {
    if (!firing.includes(see as SignalKind)) faults.push(`the match does not apply to ${see}`);
  }
  const shortest = (values: readonly string[], least: number, key: string) => {
    for (const value of values)
      if (value.length < least) faults.push(`${key} "${value}" is shorter than ${least} characters`);
  };
  // Cookies, header values and DNS labels are short by nature; only long texts contain much noise.
  const searchesText = kinds.some((kind) => SIGNALS[kind].shape === "text");
  shortest(toArray(rule.match.contains), searchesText ? 5 : 4, "contains");
  shortest(toArray(rule.match.global), 4, "global");
  shortest(toArray(rule.match.word), 4, "word");
  if (rule.match.path !== undefined && rule.match.host === undefined) shortest([rule.match.path], 4, "path");
  if (searchesText && rule.match.regex !== undefined && rule.match.contains === undefined) {
    if (!rule.custom) faults.push("a regex on a text needs a contains; the regex is tried only near that text");
    else if (requiredLiteral(rule.match.regex) === undefined)
      faults.push(
        "a regex on a text needs a contains, or four consecutive literal characters that occur in every match",
      );
  }
  for (const [key, source] of [
    ["regex", rule.match.regex],
    ["version", rule.version],
  ] as const) {
    const fault = source === undefined ? undefined : engine.faultIn(source);
    if (fault) faults.push(`${key}: ${fault}`);
  }
  if (rule.means === "mentions" && rule.strength !== "weak")
    faults.push("a rule that means mentions must have strength weak");
  if (rule.version !== undefined && !engine.hasGroup(rule.version))
    faults.push("the regex of version needs a capturing group");
  return faults;
}

import type { Match, Rule } from "../vocabulary/fingerprint.ts";
import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../vocabulary/signal.ts";
import { BOUNDED, type Expressions } from "./expressions.ts";
import { requiredLiteral } from "./required-literal.ts";

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

export const listed = <T extends string>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/**
 * What is wrong with a rule beyond its schema, one sentence each.
 * A pattern that is too short fires on noise; an unbounded expression can be made to stall a scan.
 *
 * @param expressions what the rule's own are written in
 */
export function ruleFaults(rule: Rule, expressions: Expressions = BOUNDED): readonly string[] {
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
  shortest(listed(rule.match.contains), searchesText ? 5 : 4, "contains");
  shortest(listed(rule.match.global), 4, "global");
  shortest(listed(rule.match.word), 4, "word");
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

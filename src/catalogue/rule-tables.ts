import type { Fingerprint } from "../vocabulary/fingerprint.ts";
import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../vocabulary/signal.ts";
import { createFiringKinds, listed } from "./conditions.ts";

/** A rule by the places of its tool in the list and of itself in the tool: see {@link ruleAt}. */
type RuleNumber = number;
type Table<Key extends string = string> = readonly (readonly [key: Key, rules: readonly RuleNumber[]])[];

/**
 * Under what each rule of a list of tools stands: its most telling condition, that is a name, then hosts, whole values,
 * and last the places whose signals are searched for it. Plain JSON, and so made when the executable is built: filing
 * thousands of rules is what takes longest in a new process, while a map is made of pairs at once.
 */
export interface RuleTables {
  readonly names: Table;
  readonly hosts: Table;
  readonly equals: Table;
  readonly places: Table<Place>;
}

/** Where kinds are searched together: those of one shape are, but texts only those of one group, for they are long. */
export type Place = Shape | SignalGroup | SignalKind;

const GROUPS = Object.keys(SIGNAL_GROUPS) as SignalGroup[];
/** More than a tool can have: 60, and 60 in each file that adds to it. */
const MOST_RULES = 65_536;

export function placeOf(kind: SignalKind): Place {
  const { shape } = SIGNALS[kind];
  if (shape !== "text") return shape;
  return GROUPS.find((group) => listed<SignalKind>(SIGNAL_GROUPS[group]).includes(kind)) ?? kind;
}

export function tabulate(tools: readonly Fingerprint[]): RuleTables {
  const names = new Map<string, RuleNumber[]>();
  const hosts = new Map<string, RuleNumber[]>();
  const equals = new Map<string, RuleNumber[]>();
  const places = new Map<Place, RuleNumber[]>();
  const firingKinds = createFiringKinds();
  for (const [at, tool] of tools.entries()) {
    for (const [within, rule] of tool.rules.entries()) {
      const { match } = rule;
      const number = at * MOST_RULES + within;
      if (match.name !== undefined) file(names, match.name, number);
      else if (match.host !== undefined) for (const each of listed(match.host)) file(hosts, each, number);
      else if (match.equals !== undefined)
        for (const each of listed(match.equals)) file(equals, each.toLowerCase(), number);
      else for (const place of new Set([...firingKinds(rule)].map(placeOf))) file(places, place, number);
    }
  }
  return { names: [...names], hosts: [...hosts], equals: [...equals], places: [...places] };
}

/** @param tools the list that was tabulated */
export function ruleAt(tools: readonly Fingerprint[], number: RuleNumber) {
  const tool = tools[Math.floor(number / MOST_RULES)]!;
  return { tool, rule: tool.rules[number % MOST_RULES]! };
}

export function file<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

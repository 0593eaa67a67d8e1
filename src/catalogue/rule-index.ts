import type { Fingerprint, Rule } from "../vocabulary/fingerprint.ts";
import { SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
import { createFiringKinds, listed } from "./conditions.ts";
import { BOUNDED, type Expressions } from "./expressions.ts";
import { type Literals, requiredLiterals } from "./required-literal.ts";
import { type Entry, hitOf, holds, isUnder, type RuleHit, suffixes, type Value } from "./rule-entry.ts";
import { file, type Place, placeOf, type RuleTables, ruleAt, tabulate } from "./rule-tables.ts";
import { createTextSearch, type Found, type Pattern } from "./text-search.ts";

export type { RuleHit } from "./rule-entry.ts";

/** What can be worked out of a list of tools before, and kept as JSON. */
export interface Tabulated {
  readonly tables?: RuleTables;
  /** An expression that is not among them is read when needed. */
  readonly literals?: Literals;
}

/** The entries of the rules that stand under a key. */
type Find = (key: string) => readonly Entry[] | undefined;

/** Rules by a condition that must be met whole, whatever the kinds that they see. */
interface WholeIndex {
  readonly names: Find;
  readonly hosts: Find;
  readonly equals: Find;
}

/** The other rules of kinds that share an index. */
interface PartIndex {
  /** By length of the prefix. */
  readonly prefixes: Map<number, Map<string, Entry[]>>;
  readonly search: (text: string) => readonly Found<Entry>[];
  readonly expressions: readonly Entry[];
}

/** Longest neighbourhood of a match that a regex or a version expression sees in a text, each side. */
const NEIGHBOURHOOD = 200;

/**
 * Files rules under look-ups: each rule stands under its most telling condition (name, then host, whole value, prefix,
 * text), and its other conditions are checked when that one is met. Finding a signal's rules costs a few hash look-ups,
 * whatever the size of the catalogue; a text costs one pass.
 *
 * What finds a part of a value is made for kinds of one sort when the first signal of them comes, and a rule is made ready
 * when it is first tried.
 *
 * @param own runs the expressions of a user's own files; without it there are none
 * @param made what of these very tools was worked out before
 */
export function createRuleIndex(
  tools: readonly Fingerprint[],
  own: Expressions = BOUNDED,
  { tables = tabulate(tools), literals = [] }: Tabulated = {},
): (signal: Signal) => RuleHit[] {
  const entries = new Map<number, Entry>();
  const entryAt = (number: number): Entry => {
    const before = entries.get(number);
    if (before) return before;
    const { tool, rule } = ruleAt(tools, number);
    const expressions = rule.own ? own : BOUNDED;
    const entry: Entry = { tool, rule, expressions, conditions: undefined, kinds: undefined };
    entries.set(number, entry);
    return entry;
  };
  const finderIn = (table: RuleTables[keyof RuleTables]): Find => {
    const numbers = new Map<string, readonly number[]>(table);
    return (key) => numbers.get(key)?.map(entryAt);
  };
  const whole: WholeIndex = {
    names: finderIn(tables.names),
    hosts: finderIn(tables.hosts),
    equals: finderIn(tables.equals),
  };
  const inPlace = finderIn(tables.places);
  const known = new Map(literals);
  const literalsOf = (regex: string) => {
    const required = known.get(regex);
    return required === undefined ? requiredLiterals(regex) : (required ?? undefined);
  };
  const indexes = new Map<Place, PartIndex>();
  const partsOf = (place: Place): PartIndex => {
    const before = indexes.get(place);
    if (before) return before;
    const index = indexParts(inPlace(place) ?? [], literalsOf);
    indexes.set(place, index);
    return index;
  };
  const firingKinds = createFiringKinds();
  const fires: Fires = (entry, kind) => {
    entry.kinds ??= firingKinds(entry.rule);
    return entry.kinds.has(kind);
  };

  return ({ kind, value }) =>
    SIGNALS[kind].shape === "named"
      ? matchNamed(whole, fires, kind, value)
      : matchValue(whole, partsOf(placeOf(kind)), fires, kind, value);
}

type Fires = (entry: Entry, kind: SignalKind) => boolean;

function indexParts(entries: readonly Entry[], literalsOf: typeof requiredLiterals): PartIndex {
  const prefixes: PartIndex["prefixes"] = new Map();
  const expressions: Entry[] = [];
  const patterns: Pattern<Entry>[] = [];
  for (const entry of entries) {
    const { path, prefix, contains, global, word, regex } = entry.rule.match;
    if (prefix !== undefined) {
      for (const text of listed(prefix).map((each) => each.toLowerCase())) {
        const sameLength = prefixes.get(text.length) ?? new Map<string, Entry[]>();
        file(sameLength, text, entry);
        prefixes.set(text.length, sameLength);
      }
      continue;
    }
    const before = patterns.length;
    for (const text of listed(global)) patterns.push({ text, mode: "global", entry });
    for (const text of listed(word)) patterns.push({ text, mode: "word", entry });
    for (const text of listed(contains)) patterns.push({ text: text.toLowerCase(), mode: "contains", entry });
    if (path !== undefined) patterns.push({ text: path.toLowerCase(), mode: "contains", entry });
    if (patterns.length > before || regex === undefined) continue;
    const literals = literalsOf(regex);
    if (literals === undefined) expressions.push(entry);
    else for (const text of literals) patterns.push({ text, mode: "contains", entry });
  }
  return { prefixes, search: createTextSearch(patterns), expressions };
}

function matchNamed({ names }: WholeIndex, fires: Fires, kind: SignalKind, value: string): RuleHit[] {
  const colon = value.indexOf(": ");
  const name = (colon < 0 ? value : value.slice(0, colon)).toLowerCase();
  const entries = names(name);
  if (!entries) return [];
  const written = colon < 0 ? "" : value.slice(colon + 2);
  const content: Value = { written, lower: written.toLowerCase(), path: "" };
  const host = content.lower.replace(/\.$/, "");
  return entries.flatMap((entry) =>
    fires(entry, kind) && isUnder(entry, host) && holds(entry, content) ? [hitOf(entry, written, value)] : [],
  );
}

/** Each rule fires once, however many ways lead to it. */
function matchValue(whole: WholeIndex, parts: PartIndex, fires: Fires, kind: SignalKind, written: string): RuleHit[] {
  const hits = new Map<Rule, RuleHit>();
  const { shape } = SIGNALS[kind];
  const isText = shape === "text";
  // A text is long, and all but its prefixes are found without folding it.
  const lower = isText && parts.prefixes.size === 0 ? "" : written.toLowerCase();
  const [, host = lower, path = ""] = (shape === "url" && URL_PARTS.exec(lower)) || [];
  const value: Value = { written, lower, path };
  const tryAll = (entries: readonly Entry[] | undefined) => {
    if (entries === undefined) return;
    for (const entry of entries) {
      if (!hits.has(entry.rule) && fires(entry, kind) && holds(entry, value))
        hits.set(entry.rule, hitOf(entry, written, written));
    }
  };
  if (shape === "host" || shape === "url") for (const suffix of suffixes(host)) tryAll(whole.hosts(suffix));
  if (!isText) tryAll(whole.equals(lower));
  for (const [length, sameLength] of parts.prefixes) tryAll(sameLength.get(lower.slice(0, length)));
  for (const { entry, at, length } of parts.search(written)) {
    if (hits.has(entry.rule) || !fires(entry, kind)) continue;
    if (!isText) {
      if (holds(entry, value)) hits.set(entry.rule, hitOf(entry, written, written));
    } else {
      const around = written.slice(Math.max(0, at - NEIGHBOURHOOD), at + length + NEIGHBOURHOOD);
      if (holds(entry, { written: around, lower: around.toLowerCase(), path: "" }))
        hits.set(entry.rule, hitOf(entry, around, excerptOf(written, at, length)));
    }
  }
  tryAll(parts.expressions);
  return [...hits.values()];
}

function excerptOf(text: string, at: number, length: number): string {
  const start = Math.max(0, at - 40);
  const end = Math.min(text.length, at + length + 60);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).replace(/\s+/g, " ")}${end < text.length ? "…" : ""}`;
}

const URL_PARTS = /^(?:https?:)?\/\/(?:[^/?#@]{0,200}@)?([^/?#:]{1,253})(?::\d{1,5})?([^#]{0,4000})/i;

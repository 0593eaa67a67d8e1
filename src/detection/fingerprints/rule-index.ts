import { type Shape, SIGNAL_GROUPS, SIGNALS, type Signal, type SignalGroup, type SignalKind } from "../signals.ts";
import {
  BOUNDED_REGEX,
  createFiringKinds,
  type Expression,
  type Expressions,
  type Literals,
  requiredLiterals,
  toArray,
} from "./conditions.ts";
import { createTextSearch, type Found, occursIn, type Pattern } from "./text-search.ts";
import type { Fingerprint, Rule } from "./types.ts";

/** One rule that met one signal. */
export interface RuleHit {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  /** The value, or in a text what stands around the match; at most 300 characters. */
  readonly excerpt: string;
  readonly version: string | null;
}

/** A rule as it stands in the look-ups. */
interface Entry {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  readonly expressions: Expressions;
  /** Both are made when the rule is first tried: a scan tries few of the thousands. */
  conditions: Conditions | undefined;
  /** On which it can fire. */
  kinds: ReadonlySet<SignalKind> | undefined;
}

/** What a match asks for: in lower case where a signal's letter case must not matter, undefined where it asks nothing. */
interface Conditions {
  readonly hosts: readonly string[] | undefined;
  readonly path: string | undefined;
  readonly equals: readonly string[] | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly contains: readonly string[] | undefined;
  readonly globals: readonly string[] | undefined;
  readonly words: readonly string[] | undefined;
  readonly regex: Expression | undefined;
  readonly version: Expression | undefined;
}

/** A signal's value as the conditions need it, each form made once. */
interface Value {
  readonly written: string;
  readonly lower: string;
  /** Of a URL, in lower case: from its first `/` to its fragment. */
  readonly path: string;
}

const EXCERPT = 300;
/** As much of a value as expressions see. */
const SEEN = 4_096;

function conditionsOf(entry: Entry): Conditions {
  if (entry.conditions) return entry.conditions;
  const { rule, expressions } = entry;
  const { host, path, equals, prefix, contains, global, word, regex } = rule.match;
  entry.conditions = {
    hosts: asked(host),
    path: path?.toLowerCase(),
    equals: asked(equals)?.map(lowered),
    prefixes: asked(prefix)?.map(lowered),
    contains: asked(contains)?.map(lowered),
    globals: asked(global),
    words: asked(word),
    regex: regex === undefined ? undefined : expressions.compile(regex),
    version: rule.version === undefined ? undefined : expressions.compile(rule.version),
  };
  return entry.conditions;
}

/** Every condition but the host's own, which led here. */
function holds(entry: Entry, { written, lower, path }: Value): boolean {
  const asks = conditionsOf(entry);
  if (asks.path !== undefined && !(asks.hosts ? path.startsWith(asks.path) : lower.includes(asks.path))) return false;
  if (asks.equals && !asks.equals.includes(lower)) return false;
  if (asks.prefixes && !asks.prefixes.some((prefix) => lower.startsWith(prefix))) return false;
  if (asks.contains && !asks.contains.some((part) => lower.includes(part))) return false;
  if (asks.globals && !asks.globals.some((text) => occursIn(written, text, "global"))) return false;
  if (asks.words && !asks.words.some((text) => occursIn(written, text, "word"))) return false;
  return asks.regex === undefined || asks.regex.test(written.slice(0, SEEN));
}

/** Whether a host stands under one that the rule asks for, if it asks for any. */
function isUnder(entry: Entry, host: string): boolean {
  const { hosts } = conditionsOf(entry);
  return hosts === undefined || suffixes(host).some((suffix) => hosts.includes(suffix));
}

/**
 * @param content in which the version stands
 * @param around what the excerpt is cut from
 */
function hitOf(entry: Entry, content: string, around: string): RuleHit {
  const version = conditionsOf(entry).version?.exec(content.slice(0, SEEN))?.[1] ?? null;
  return { tool: entry.tool, rule: entry.rule, excerpt: around.slice(0, EXCERPT), version };
}

/** `a.b.c` → `a.b.c`, `b.c`, `c`: a suffix that is looked up whole cannot break a label. */
export function suffixes(host: string): string[] {
  const all: string[] = [host];
  for (let dot = host.indexOf("."); dot >= 0 && all.length < 40; dot = host.indexOf(".", dot + 1)) {
    all.push(host.slice(dot + 1));
  }
  return all;
}

const asked = (texts: string | readonly string[] | undefined) => (texts === undefined ? undefined : toArray(texts));
const lowered = (text: string) => text.toLowerCase();

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
type Place = Shape | SignalGroup | SignalKind;

const GROUPS = Object.keys(SIGNAL_GROUPS) as SignalGroup[];
/** More than a tool can have: 60, and 60 in each file that adds to it. */
const MOST_RULES = 65_536;

function placeOf(kind: SignalKind): Place {
  const { shape } = SIGNALS[kind];
  if (shape !== "text") return shape;
  return GROUPS.find((group) => toArray<SignalKind>(SIGNAL_GROUPS[group]).includes(kind)) ?? kind;
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
      else if (match.host !== undefined) for (const each of toArray(match.host)) file(hosts, each, number);
      else if (match.equals !== undefined)
        for (const each of toArray(match.equals)) file(equals, each.toLowerCase(), number);
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

function file<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

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
  own: Expressions = BOUNDED_REGEX,
  { tables = tabulate(tools), literals = [] }: Tabulated = {},
): (signal: Signal) => RuleHit[] {
  const entries = new Map<number, Entry>();
  const entryAt = (number: number): Entry => {
    const before = entries.get(number);
    if (before) return before;
    const { tool, rule } = ruleAt(tools, number);
    const expressions = rule.own ? own : BOUNDED_REGEX;
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
      for (const text of toArray(prefix).map((each) => each.toLowerCase())) {
        const sameLength = prefixes.get(text.length) ?? new Map<string, Entry[]>();
        file(sameLength, text, entry);
        prefixes.set(text.length, sameLength);
      }
      continue;
    }
    const before = patterns.length;
    for (const text of toArray(global)) patterns.push({ text, mode: "global", entry });
    for (const text of toArray(word)) patterns.push({ text, mode: "word", entry });
    for (const text of toArray(contains)) patterns.push({ text: text.toLowerCase(), mode: "contains", entry });
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

import { remembered } from "../../core/remembered.ts";
import { type Excerpt, excerptOf, passageAround } from "../excerpt.ts";
import { type Shape, SIGNAL_GROUPS, SIGNALS, type Signal, type SignalGroup, type SignalKind } from "../signals.ts";
import {
  BOUNDED_REGEX,
  type CompiledRegex,
  createMatchableKinds,
  type Literals,
  type RegexEngine,
  requiredLiterals,
  toArray,
} from "./conditions.ts";
import { createTextSearch, type Found, occursIn, type Pattern, type PatternMode } from "./text-search.ts";
import type { Fingerprint, Rule } from "./types.ts";

/** A match of one rule on one signal. */
export interface RuleHit {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  /** The value, or the context of the match in a text. */
  readonly excerpt: Excerpt;
  readonly version: string | null;
  /** No evidence: the page's settings say that it does not use the tool. Code for the tool counts little then. */
  readonly isOff?: true;
  /** A setting of the page has an account of the tool, or switches it on: stronger than a setting that switches it off. */
  readonly isSetUp?: true;
}

/** A rule in the index. */
interface Entry {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  readonly regexEngine: RegexEngine;
  /** Both are computed when the rule is first tried: a scan tries few of the thousands. */
  conditions: Conditions | undefined;
  /** Kinds that it can match. */
  kinds: ReadonlySet<SignalKind> | undefined;
}

/** The prepared match of a rule: in lower case where case is ignored, undefined where there is no condition. */
interface Conditions {
  readonly hosts: readonly string[] | undefined;
  readonly path: string | undefined;
  readonly equals: readonly string[] | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly contains: readonly string[] | undefined;
  readonly globals: readonly string[] | undefined;
  readonly words: readonly string[] | undefined;
  readonly wordMode: PatternMode;
  readonly regex: CompiledRegex | undefined;
  readonly version: CompiledRegex | undefined;
}

/** A signal's value in the forms that the conditions need. */
interface Value {
  readonly original: string;
  readonly lower: string;
  /** Of a URL, in lower case: from the first `/` to the fragment. */
  readonly path: string;
}

/** Characters of a value that regexes are applied to. */
const MAX_REGEX_INPUT = 4_096;

function conditionsOf(entry: Entry): Conditions {
  if (entry.conditions) return entry.conditions;
  const { rule, regexEngine } = entry;
  const { host, path, equals, prefix, contains, global, word, regex } = rule.match;
  entry.conditions = {
    hosts: toOptionalArray(host),
    path: path?.toLowerCase(),
    equals: toOptionalArray(equals)?.map(toLower),
    prefixes: toOptionalArray(prefix)?.map(toLower),
    contains: toOptionalArray(contains)?.map(toLower),
    globals: toOptionalArray(global),
    words: toOptionalArray(word),
    wordMode: wordModeOf(rule),
    regex: regex === undefined ? undefined : regexEngine.compile(regex),
    version: rule.version === undefined ? undefined : regexEngine.compile(rule.version),
  };
  return entry.conditions;
}

/** A class is a whole token: `mega-menu-wrap` is not the class `mega-menu`. */
const wordModeOf = ({ see }: Rule): PatternMode => (toArray(see).includes("html.names") ? "token" : "word");

/** Whether every condition except the host holds. */
function holds(entry: Entry, { original, lower, path }: Value): boolean {
  const conditions = conditionsOf(entry);
  if (
    conditions.path !== undefined &&
    !(conditions.hosts ? path.startsWith(conditions.path) : lower.includes(conditions.path))
  )
    return false;
  if (conditions.equals && !conditions.equals.includes(lower)) return false;
  if (conditions.prefixes && !conditions.prefixes.some((prefix) => lower.startsWith(prefix))) return false;
  if (conditions.contains && !conditions.contains.some((part) => lower.includes(part))) return false;
  if (conditions.globals && !conditions.globals.some((text) => occursIn(original, text, "global"))) return false;
  if (conditions.words && !conditions.words.some((text) => occursIn(original, text, conditions.wordMode))) return false;
  return conditions.regex === undefined || conditions.regex.test(original.slice(0, MAX_REGEX_INPUT));
}

/** Whether a host is one of the rule's hosts or below one; true for a rule without hosts. */
function matchesHost(entry: Entry, host: string): boolean {
  const { hosts } = conditionsOf(entry);
  return hosts === undefined || suffixes(host).some((suffix) => hosts.includes(suffix));
}

/** @param content searched for the version */
function hitOf(entry: Entry, content: string, excerpt: Excerpt): RuleHit {
  const version = conditionsOf(entry).version?.exec(content.slice(0, MAX_REGEX_INPUT))?.[1] ?? null;
  return { tool: entry.tool, rule: entry.rule, excerpt, version };
}

/** `a.b.c` → `a.b.c`, `b.c`, `c`: looking up whole suffixes respects label boundaries. */
export function suffixes(host: string): string[] {
  const all: string[] = [host];
  for (let dot = host.indexOf("."); dot >= 0 && all.length < 40; dot = host.indexOf(".", dot + 1)) {
    all.push(host.slice(dot + 1));
  }
  return all;
}

const toOptionalArray = (texts: string | readonly string[] | undefined) =>
  texts === undefined ? undefined : toArray(texts);
const toLower = (text: string) => text.toLowerCase();

/** Encodes the index of a tool and of its rule, see {@link ruleAt}. */
type RuleNumber = number;
type Table<Key extends string = string> = readonly (readonly [key: Key, rules: readonly RuleNumber[]])[];

/**
 * The index of the rules of a list of tools: each rule under its most selective condition, which is its name, then its
 * hosts, whole values, and last the places whose signals are searched. Plain JSON, computed when the executable is built,
 * because indexing thousands of rules dominates the startup time.
 */
export interface RuleTables {
  readonly names: Table;
  readonly hosts: Table;
  readonly equals: Table;
  readonly places: Table<Place>;
}

/** Kinds that are searched together: those of one shape, but texts only by group, because they are long. */
type Place = Shape | SignalGroup | SignalKind;

const GROUPS = Object.keys(SIGNAL_GROUPS) as SignalGroup[];
/** More than a tool can have: 60, and 60 in each file that extends it. */
const MAX_RULES = 65_536;

function placeOf(kind: SignalKind): Place {
  const { shape } = SIGNALS[kind];
  if (shape !== "text") return shape;
  return GROUPS.find((group) => toArray<SignalKind>(SIGNAL_GROUPS[group]).includes(kind)) ?? kind;
}

export function buildRuleTables(tools: readonly Fingerprint[]): RuleTables {
  const names = new Map<string, RuleNumber[]>();
  const hosts = new Map<string, RuleNumber[]>();
  const equals = new Map<string, RuleNumber[]>();
  const places = new Map<Place, RuleNumber[]>();
  const matchableKinds = createMatchableKinds();
  for (const [at, tool] of tools.entries()) {
    for (const [within, rule] of tool.rules.entries()) {
      const { match } = rule;
      const number = at * MAX_RULES + within;
      if (match.name !== undefined) append(names, match.name, number);
      else if (match.host !== undefined) for (const each of toArray(match.host)) append(hosts, each, number);
      else if (match.equals !== undefined)
        for (const each of toArray(match.equals)) append(equals, each.toLowerCase(), number);
      else for (const place of new Set([...matchableKinds(rule)].map(placeOf))) append(places, place, number);
    }
  }
  return { names: [...names], hosts: [...hosts], equals: [...equals], places: [...places] };
}

/** @param tools the list that the tables were built for */
export function ruleAt(tools: readonly Fingerprint[], number: RuleNumber) {
  const tool = tools[Math.floor(number / MAX_RULES)]!;
  return { tool, rule: tool.rules[number % MAX_RULES]! };
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** What is computed from a list of tools at build time. */
export interface PreparedRules {
  readonly tables?: RuleTables;
  /** Literals of other regexes are computed when needed. */
  readonly literals?: Literals;
}

/** The rules indexed under a key. */
type Find = (key: string) => readonly Entry[] | undefined;

/** Rules by a condition on a whole name, host or value, for all kinds. */
interface WholeIndex {
  readonly names: Find;
  readonly hosts: Find;
  readonly equals: Find;
}

/** The other rules, for the kinds of one place. */
interface PartIndex {
  /** By the length of the prefix. */
  readonly prefixes: Map<number, Map<string, Entry[]>>;
  readonly search: (text: string) => readonly Found<Entry>[];
  /** Rules that must be tried on every value. */
  readonly regexes: readonly Entry[];
}

/** Characters before and after a match in a text that a regex is applied to. */
const CONTEXT = 200;

/**
 * Indexes rules by their most selective condition (name, then host, whole value, prefix, text); the other conditions are
 * checked when that one matches. Matching a signal takes a few hash lookups, whatever the size of the catalogue; a text
 * takes one pass. Text indexes and rules are prepared when they are first needed.
 *
 * @param customRegex compiles the regexes of custom rules
 * @param prepared what was computed for these tools at build time
 */
export function createRuleIndex(
  tools: readonly Fingerprint[],
  customRegex: RegexEngine = BOUNDED_REGEX,
  { tables = buildRuleTables(tools), literals = [] }: PreparedRules = {},
): (signal: Signal) => RuleHit[] {
  const entries = new Map<number, Entry>();
  const entryAt = (number: number): Entry => {
    const before = entries.get(number);
    if (before) return before;
    const { tool, rule } = ruleAt(tools, number);
    const regexEngine = rule.custom ? customRegex : BOUNDED_REGEX;
    const entry: Entry = { tool, rule, regexEngine, conditions: undefined, kinds: undefined };
    entries.set(number, entry);
    return entry;
  };
  const finderIn = (table: RuleTables[keyof RuleTables]): Find => {
    const numbers = new Map<string, readonly number[]>(table);
    const prepared = new Map<string, readonly Entry[]>();
    return (key) => {
      const before = prepared.get(key);
      if (before) return before;
      const found = numbers.get(key)?.map(entryAt);
      if (found) prepared.set(key, found);
      return found;
    };
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
  const entriesOf = remembered(MAX_HOSTS, (host) =>
    suffixes(host).flatMap((suffix) => {
      const found = whole.hosts(suffix);
      return found ? [found] : [];
    }),
  );
  const onHosts: HostIndex = { entriesOf, ownersOf: remembered(MAX_HOSTS, (host) => ownersOf(entriesOf(host))) };
  const matchableKinds = createMatchableKinds();
  const canMatch: CanMatch = (entry, kind) => {
    entry.kinds ??= matchableKinds(entry.rule);
    return entry.kinds.has(kind);
  };

  return ({ kind, value }) =>
    SIGNALS[kind].shape === "named"
      ? matchNamed(whole, canMatch, kind, value)
      : matchValue(whole, onHosts, partsOf(placeOf(kind)), canMatch, kind, value);
}

/** Hosts whose rules are remembered: pages name the same ones again and again. */
const MAX_HOSTS = 4_096;

/** What is known of a host and those above it. */
interface HostIndex {
  /** Rules by suffix, the longest first. */
  readonly entriesOf: (host: string) => readonly (readonly Entry[])[];
  readonly ownersOf: (host: string) => ReadonlySet<Fingerprint>;
}

type CanMatch = (entry: Entry, kind: SignalKind) => boolean;

function indexParts(entries: readonly Entry[], literalsOf: typeof requiredLiterals): PartIndex {
  const prefixes: PartIndex["prefixes"] = new Map();
  const regexes: Entry[] = [];
  const patterns: Pattern<Entry>[] = [];
  for (const entry of entries) {
    const { path, prefix, contains, global, word, regex } = entry.rule.match;
    if (prefix !== undefined) {
      for (const text of toArray(prefix).map((each) => each.toLowerCase())) {
        const sameLength = prefixes.get(text.length) ?? new Map<string, Entry[]>();
        append(sameLength, text, entry);
        prefixes.set(text.length, sameLength);
      }
      continue;
    }
    const before = patterns.length;
    for (const text of toArray(global)) patterns.push({ text, mode: "global", entry });
    for (const text of toArray(word)) patterns.push({ text, mode: wordModeOf(entry.rule), entry });
    for (const text of toArray(contains)) patterns.push({ text: text.toLowerCase(), mode: "contains", entry });
    if (path !== undefined) patterns.push({ text: path.toLowerCase(), mode: "contains", entry });
    if (patterns.length > before || regex === undefined) continue;
    const literals = literalsOf(regex);
    if (literals === undefined) regexes.push(entry);
    else for (const text of literals) patterns.push({ text, mode: "contains", entry });
  }
  return { prefixes, search: createTextSearch(patterns), regexes };
}

function matchNamed({ names }: WholeIndex, canMatch: CanMatch, kind: SignalKind, value: string): RuleHit[] {
  const colon = value.indexOf(": ");
  const name = (colon < 0 ? value : value.slice(0, colon)).toLowerCase();
  const entries = names(name);
  if (!entries) return [];
  const original = colon < 0 ? "" : value.slice(colon + 2);
  const content: Value = { original, lower: original.toLowerCase(), path: "" };
  const host = content.lower.replace(/\.$/, "");
  return entries.flatMap((entry) =>
    canMatch(entry, kind) && matchesHost(entry, host) && holds(entry, content)
      ? [hitOf(entry, original, excerptOf(value))]
      : [],
  );
}

/** Each rule matches once, however often it is found. */
function matchValue(
  whole: WholeIndex,
  onHosts: HostIndex,
  parts: PartIndex,
  canMatch: CanMatch,
  kind: SignalKind,
  original: string,
): RuleHit[] {
  const hits = new Map<Rule, RuleHit>();
  const { shape } = SIGNALS[kind];
  const isText = shape === "text";
  // Texts are long, and only prefix rules need them in lower case.
  const lower = isText && parts.prefixes.size === 0 ? "" : original.toLowerCase();
  const [, host = lower, path = ""] = (shape === "url" && URL_PARTS.exec(lower)) || [];
  const value: Value = { original, lower, path };
  let others: ReadonlySet<Fingerprint> | undefined;
  /** A file that only its path identifies, from a host of another vendor, is that vendor's file of the same name. */
  const isOfOther = ({ tool, rule }: Entry): boolean => {
    if (
      shape !== "url" ||
      rule.match.host !== undefined ||
      rule.match.path === undefined ||
      OF_ANYONE.has(tool.category)
    )
      return false;
    others ??= onHosts.ownersOf(host);
    return others.size > 0 && !others.has(tool);
  };
  const tryAll = (entries: readonly Entry[] | undefined) => {
    if (entries === undefined) return;
    for (const entry of entries) {
      if (!hits.has(entry.rule) && canMatch(entry, kind) && holds(entry, value) && !isOfOther(entry))
        hits.set(entry.rule, hitOf(entry, original, excerptOf(original)));
    }
  };
  if (shape === "host" || shape === "url") for (const entries of onHosts.entriesOf(host)) tryAll(entries);
  if (!isText) tryAll(whole.equals(lower));
  for (const [length, sameLength] of parts.prefixes)
    if (length <= lower.length) tryAll(sameLength.get(lower.slice(0, length)));
  for (const { entry, at, length } of parts.search(original)) {
    if (hits.has(entry.rule) || !canMatch(entry, kind)) continue;
    if (isText && entry.rule.match.global !== undefined && isOnlyNamed(original, at, length)) continue;
    if (!isText) {
      if (holds(entry, value) && !isOfOther(entry)) hits.set(entry.rule, hitOf(entry, original, excerptOf(original)));
    } else {
      const context = original.slice(Math.max(0, at - CONTEXT), at + length + CONTEXT);
      if (holds(entry, { original: context, lower: context.toLowerCase(), path: "" }))
        hits.set(entry.rule, hitOf(entry, context, passageAround(original, at, length)));
    }
  }
  tryAll(parts.regexes);
  return [...hits.values()];
}

/** Libraries and platforms: anyone serves their files. */
const OF_ANYONE = new Set([
  "cdn",
  "cloud",
  "cms",
  "dns",
  "e-commerce",
  "fonts",
  "forms",
  "hosting",
  "javascript-library",
  "security",
  "web-framework",
  "web-server",
  "wordpress-plugin",
  "wordpress-theme",
]);
/** The vendors whose host it is; none where a host serves the files of others. */
function ownersOf(entriesOfHost: readonly (readonly Entry[])[]): ReadonlySet<Fingerprint> {
  const owners = new Set<Fingerprint>();
  for (const { tool, rule } of entriesOfHost.flat()) {
    if (OF_ANYONE.has(tool.category)) return new Set();
    if (rule.match.path === undefined && rule.match.regex === undefined && rule.strength !== "weak") owners.add(tool);
  }
  return owners;
}

const isOnlyNamed = (text: string, at: number, length: number) =>
  isListed(text, at, length) ||
  isOfWords(text, at, length) ||
  isChecked(text, at, length) ||
  isClassName(text, at) ||
  isMissing(text, at);

/**
 * A word among words: of a sentence in a comment, and of the list of classes with which code looks for blockers of
 * advertisements. Also the whole of a short list of plain texts: `["adsbygoogle", "doubleclick"]`.
 */
function isOfWords(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - 80), at);
  const after = text.slice(at + length, at + length + 80);
  const words = WORDS_BEFORE.exec(before)?.[0];
  if (words !== undefined && WORDS_AFTER.test(after) && !KEYWORD.test(words)) return true;
  return SHORT_LIST_BEFORE.test(before) && SHORT_LIST_AFTER.test(after) && /,/.test(before.slice(-40) + after);
}
const WORDS_BEFORE = /(?:^|[\s"'])[A-Za-z][\w-]{1,40} [A-Za-z][\w-]{1,40} $/;
const WORDS_AFTER = /^ [A-Za-z][\w-]{1,40}(?: [A-Za-z][\w-]{1,40}|["'.])/;
const KEYWORD =
  /\b(?:case|const|delete|else|export|extends|function|import|in|instanceof|let|new|of|return|throw|typeof|var|void)\b/;
const SHORT_LIST_BEFORE = /[[]\s{0,2}(?:["'][\w .:-]{1,30}["']\s{0,2},\s{0,2}){0,2}["']$/;
const SHORT_LIST_AFTER = /^["']\s{0,2}(?:,\s{0,2}["'][\w .:-]{1,30}["']\s{0,2}){0,2}[\]]/;

/**
 * Whether code only asks for an object, or sends it an event where it exists, as plug-ins do for every tool that
 * they support: `typeof _paq`, `window._paq && _paq.push(…)`. A guarded `init` does set the tool up.
 */
export function isChecked(text: string, start: number, all: number): boolean {
  // A rule may say `window.X` for X.
  const [prefix = ""] = /^(?:window|self|top)\./.exec(text.slice(start, start + 7)) ?? [];
  const at = start + prefix.length;
  const length = all - prefix.length;
  const before = text.slice(Math.max(0, at - 100), at);
  if (TYPE_OF.test(before)) return true;
  // A whole object: `if (Modernizr.touch)` asks what the library found out.
  const isWhole = !text.slice(at, at + length).includes(".");
  if (isWhole && ASKED.test(before) && /^\s{0,2}(?:\)|&&|\|\|)/.test(text.slice(at + length, at + length + 4)))
    return true;
  const [name, member = "push"] = text.slice(at, at + length).split(".", 2);
  const after = text.slice(at + length, at + length + 80);
  if (IF_THERE.exec(before)?.[1] === name && !SETS_UP.test(member + after)) return true;
  if (IF_MEMBER.exec(before)?.[1] === name && !SETS_UP.test(member)) return true;
  // `a.Modernizr && Modernizr.touch ? …`: what the library found out is asked for where it exists.
  if (member !== "push") return GUARD.exec(before)?.[1] === name && !after.startsWith("(");
  if (GUARD.exec(before)?.[1] === name) return SENDS.test(after) || READS.test(after);
  return SENT_TO.exec(after)?.[1] === name;
}
const ASKED = /\bif\s{0,2}\(\s{0,2}!?(?:window\.|self\.)?$/;
const TYPE_OF = /\btypeof\s{1,3}\(?(?:window\.|self\.|top\.)?$/;
/** `window.X && `, `"object" == typeof X && `, `typeof X !== "undefined" && ` before a use of X. */
const GUARD =
  /([\w$]{3,60})(?:\s{0,2}[!=]==?\s{0,2}(?:["']\w{0,20}["']|null|void 0|undefined))?\)?\s{0,2}&&\s{0,2}\(?(?:window\.|self\.)?$/;
/** `if (typeof X === "object") { X.` before a use of X, and `if (typeof X.track === "function") { X.`. */
const IF_THERE =
  /\bif\s{0,2}\(\s{0,2}(?:["']\w{0,20}["']\s{0,2}[!=]==?\s{0,2})?(?:typeof\s{1,2}\(?)?(?:window\.|self\.)?([\w$]{2,60})(?:\.\w{1,40})?\)?\s{0,2}(?:[!=]==?\s{0,2}(?:["']\w{0,20}["']|null|void 0|undefined)\s{0,2})?\)\s{0,4}\{?\s{0,20}(?:window\.|self\.)?$/;
/** `if (X && X.track) X.track(…)`. */
const IF_MEMBER =
  /\bif\s{0,2}\(\s{0,2}(?:window\.|self\.)?([\w$]{2,60})\s{0,2}&&\s{0,2}(?:window\.|self\.)?[\w$]{2,60}\.[\w$.]{2,60}\s{0,2}\)\s{0,4}\{?\s{0,20}(?:window\.|self\.)?$/;
const SETS_UP = /^(?:\w{0,20}\.)?(?:init|config|setup|load|create|run|start)/i;
/** Of a condition: `X.member)`. */
const READS = /^\.[\w$.]{1,60}\s{0,2}[)?&|]/;
const SENDS = /^(?:\.push)?\(/;
const SENT_TO = /^\s{0,2}&&\s{0,2}\(?(?:window\.|self\.)?([\w$]{3,60})(?:\.push)?\(/;

/** Whether a word is one of a list of texts, as in a block list or a list of adapters: it names, and uses nothing. */
export function isListed(text: string, at: number, length: number): boolean {
  const quote = text[at - 1];
  // Of a regular expression that tests for many names; packed code has its words in a list like that.
  if (IN_CHOICE.test(text.slice(Math.max(0, at - 2), at)) && /^\|(?!\|)/.test(text.slice(at + length, at + length + 2)))
    return !text.includes(".split('|')", at);
  if ((quote !== '"' && quote !== "'") || text[at + length] !== quote) return false;
  return (
    LIST_BEFORE.test(text.slice(Math.max(0, at - 100), at)) ||
    LIST_AFTER.test(text.slice(at + length, at + length + 100))
  );
}
const IN_CHOICE = /(?:^|[^|])\|$/;
const LIST_BEFORE = /(?:["'][\w .:-]{1,30}["']\s{0,2},\s{0,2}){3}["']$/;
const LIST_AFTER = /^["'](?:\s{0,2},\s{0,2}["'][\w .:-]{1,30}["']){3}/;

/**
 * A class or a selector in a script: code that looks whether a visitor blocks advertisements makes an element with the
 * classes of many systems, and measures it.
 */
const isClassName = (text: string, at: number) => CLASS_NAME.test(text.slice(Math.max(0, at - 120), at));
const CLASS_NAME =
  /(?:(?:\bclassName\s{0,2}[+=:]{1,2}\s{0,2}|\bclassList\.\w{3,10}\(\s{0,2}|\b(?:add|remove|has|toggle)Class\(\s{0,2}|ByClassName\(\s{0,2}|["']class["'],\s{0,2})\\?["'`][\w -]{0,80}|["'`](?:[\w#, .>:*-]{0,80}[ ,>])?[a-z]{0,8}\.)$/;

/** `!window.X`: asks whether the object is missing. */
const isMissing = (text: string, at: number) => MISSING.test(text.slice(Math.max(0, at - 12), at));
const MISSING = /(?:^|[^!])!(?:window\.|self\.)?$/;

const URL_PARTS = /^(?:https?:)?\/\/(?:[^/?#@]{0,200}@)?([^/?#:]{1,253})(?::\d{1,5})?([^#]{0,4000})/i;

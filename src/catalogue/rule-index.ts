import type { Fingerprint, Rule } from "../vocabulary/fingerprint.ts";
import { type Shape, SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
import { firingKinds, listed } from "./conditions.ts";
import { BOUNDED, type Expression, type Expressions } from "./expressions.ts";
import { requiredLiterals } from "./required-literal.ts";
import { createTextSearch, type Found, occursIn, type Pattern } from "./text-search.ts";

/** One rule that met one signal. */
export interface RuleHit {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  /** The value, or in a text what stands around the match; at most 300 characters. */
  readonly excerpt: string;
  readonly version: string | null;
}

/** A rule made ready: what a signal's letter case must not matter to is in lower case, what is not asked for undefined. */
interface Entry {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  readonly hosts: readonly string[] | undefined;
  readonly path: string | undefined;
  readonly equals: readonly string[] | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly contains: readonly string[] | undefined;
  readonly globals: readonly string[] | undefined;
  readonly words: readonly string[] | undefined;
  readonly regex: Expression | undefined;
  /** Of which a value that the regex meets holds one. */
  readonly literals: readonly string[] | undefined;
  readonly version: Expression | undefined;
}

interface KindIndex {
  readonly shape: Shape;
  readonly hosts: Map<string, Entry[]>;
  readonly equals: Map<string, Entry[]>;
  readonly names: Map<string, Entry[]>;
  /** By length of the prefix, longest last. */
  readonly prefixes: Map<number, Map<string, Entry[]>>;
  readonly search: (text: string) => readonly Found<Entry>[];
  readonly expressions: Entry[];
}

/** A signal's value as the conditions need it, each form made once. */
interface Value {
  readonly written: string;
  readonly lower: string;
  /** Of a URL, in lower case: from its first `/` to its fragment. */
  readonly path: string;
}

/** Longest neighbourhood of a match that a regex or a version expression sees in a text, each side. */
const NEIGHBOURHOOD = 200;
const EXCERPT = 300;

/**
 * Compiles rules into look-ups: each rule stands under its most telling condition (host, then whole value, name,
 * prefix, text), and its other conditions are checked when that one is met. Finding a signal's rules costs a few
 * hash look-ups, whatever the size of the catalogue; a text costs one pass.
 *
 * @param own runs the expressions of a user's own files; without it there are none
 */
export function createRuleIndex(
  tools: readonly Fingerprint[],
  own: Expressions = BOUNDED,
): (signal: Signal) => RuleHit[] {
  const byKind = new Map<SignalKind, Entry[]>();
  for (const tool of tools) {
    for (const rule of tool.rules) {
      const entry = entryOf(tool, rule, rule.own ? own : BOUNDED);
      for (const kind of firingKinds(rule)) {
        const list = byKind.get(kind);
        if (list) list.push(entry);
        else byKind.set(kind, [entry]);
      }
    }
  }
  const indexes = new Map([...byKind].map(([kind, entries]) => [kind, indexKind(SIGNALS[kind].shape, entries)]));

  return (signal) => {
    const index = indexes.get(signal.kind);
    if (!index) return [];
    return index.shape === "named" ? matchNamed(index, signal.value) : matchValue(index, signal.value);
  };
}

function entryOf(tool: Fingerprint, rule: Rule, expressions: Expressions): Entry {
  const { host, path, equals, prefix, contains, global, word, regex } = rule.match;
  return {
    tool,
    rule,
    hosts: asked(host),
    path: path?.toLowerCase(),
    equals: folded(equals),
    prefixes: folded(prefix),
    contains: folded(contains),
    globals: asked(global),
    words: asked(word),
    regex: regex === undefined ? undefined : expressions.compile(regex),
    literals: regex === undefined ? undefined : requiredLiterals(regex),
    version: rule.version === undefined ? undefined : expressions.compile(rule.version),
  };
}

function indexKind(shape: Shape, entries: readonly Entry[]): KindIndex {
  const index = {
    shape,
    hosts: new Map<string, Entry[]>(),
    equals: new Map<string, Entry[]>(),
    names: new Map<string, Entry[]>(),
    prefixes: new Map<number, Map<string, Entry[]>>(),
    expressions: [] as Entry[],
  };
  const patterns: Pattern<Entry>[] = [];
  for (const entry of entries) {
    const { hosts, path, equals, prefixes, contains, globals, words, literals } = entry;
    const match = entry.rule.match;
    const before = patterns.length;
    if (shape === "named") file(index.names, [match.name ?? ""], entry);
    else if (hosts) file(index.hosts, hosts, entry);
    else if (equals) file(index.equals, equals, entry);
    else if (prefixes) {
      for (const prefix of prefixes) {
        const sameLength = index.prefixes.get(prefix.length) ?? new Map<string, Entry[]>();
        file(sameLength, [prefix], entry);
        index.prefixes.set(prefix.length, sameLength);
      }
    } else {
      for (const text of globals ?? []) patterns.push({ text, mode: "global", entry });
      for (const text of words ?? []) patterns.push({ text, mode: "word", entry });
      for (const text of contains ?? []) patterns.push({ text, mode: "contains", entry });
      if (path !== undefined) patterns.push({ text: path, mode: "contains", entry });
      if (patterns.length > before) continue;
      if (literals === undefined) index.expressions.push(entry);
      else for (const text of literals) patterns.push({ text, mode: "contains", entry });
    }
  }
  return { ...index, search: createTextSearch(patterns) };
}

function matchNamed(index: KindIndex, value: string): RuleHit[] {
  const colon = value.indexOf(": ");
  const name = (colon < 0 ? value : value.slice(0, colon)).toLowerCase();
  const entries = index.names.get(name);
  if (!entries) return [];
  const written = colon < 0 ? "" : value.slice(colon + 2);
  const content: Value = { written, lower: written.toLowerCase(), path: "" };
  const host = content.lower.replace(/\.$/, "");
  return entries.flatMap((entry) =>
    (entry.hosts === undefined || under(host, entry.hosts)) && holds(entry, content)
      ? [hitOf(entry, written, value)]
      : [],
  );
}

/** Each rule fires once, however many ways lead to it. */
function matchValue(index: KindIndex, written: string): RuleHit[] {
  const hits = new Map<Rule, RuleHit>();
  const isText = index.shape === "text";
  // A text is long, and all but its prefixes are found without folding it.
  const lower = isText && index.prefixes.size === 0 ? "" : written.toLowerCase();
  const [, host = lower, path = ""] = (index.shape === "url" && URL_PARTS.exec(lower)) || [];
  const value: Value = { written, lower, path };
  const tryAll = (entries: readonly Entry[] | undefined) => {
    if (entries === undefined) return;
    for (const entry of entries) {
      if (!hits.has(entry.rule) && holds(entry, value)) hits.set(entry.rule, hitOf(entry, written, written));
    }
  };
  if (index.hosts.size > 0) for (const suffix of suffixes(host)) tryAll(index.hosts.get(suffix));
  if (index.equals.size > 0) tryAll(index.equals.get(lower));
  for (const [length, sameLength] of index.prefixes) tryAll(sameLength.get(lower.slice(0, length)));
  for (const { entry, at, length } of index.search(written)) {
    if (hits.has(entry.rule)) continue;
    if (!isText) {
      if (holds(entry, value)) hits.set(entry.rule, hitOf(entry, written, written));
    } else {
      const around = written.slice(Math.max(0, at - NEIGHBOURHOOD), at + length + NEIGHBOURHOOD);
      if (holds(entry, { written: around, lower: around.toLowerCase(), path: "" }))
        hits.set(entry.rule, hitOf(entry, around, excerptOf(written, at, length)));
    }
  }
  tryAll(index.expressions);
  return [...hits.values()];
}

/** Every condition but the host, which led here. */
function holds(entry: Entry, { written, lower, path }: Value): boolean {
  if (entry.path !== undefined && !(entry.hosts ? path.startsWith(entry.path) : lower.includes(entry.path)))
    return false;
  if (entry.equals && !entry.equals.includes(lower)) return false;
  if (entry.prefixes && !entry.prefixes.some((prefix) => lower.startsWith(prefix))) return false;
  if (entry.contains && !entry.contains.some((part) => lower.includes(part))) return false;
  if (entry.globals && !entry.globals.some((text) => occursIn(written, text, "global"))) return false;
  if (entry.words && !entry.words.some((text) => occursIn(written, text, "word"))) return false;
  return entry.regex === undefined || entry.regex.test(written.slice(0, 4_096));
}

function hitOf(entry: Entry, content: string, around: string): RuleHit {
  const version = entry.version?.exec(content.slice(0, 4_096))?.[1] ?? null;
  return { tool: entry.tool, rule: entry.rule, excerpt: around.slice(0, EXCERPT), version };
}

function excerptOf(text: string, at: number, length: number): string {
  const start = Math.max(0, at - 40);
  const end = Math.min(text.length, at + length + 60);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).replace(/\s+/g, " ")}${end < text.length ? "…" : ""}`;
}

/** `a.b.c` → `a.b.c`, `b.c`, `c`: a suffix that is looked up whole cannot break a label. */
function suffixes(host: string): string[] {
  const all: string[] = [host];
  for (let dot = host.indexOf("."); dot >= 0 && all.length < 40; dot = host.indexOf(".", dot + 1)) {
    all.push(host.slice(dot + 1));
  }
  return all;
}

const URL_PARTS = /^(?:https?:)?\/\/(?:[^/?#@]{0,200}@)?([^/?#:]{1,253})(?::\d{1,5})?([^#]{0,4000})/i;
const under = (host: string, wanted: readonly string[]) => suffixes(host).some((suffix) => wanted.includes(suffix));
type Texts = string | readonly string[] | undefined;
const asked = (texts: Texts) => (texts === undefined ? undefined : listed(texts));
const folded = (texts: Texts) => asked(texts)?.map((text) => text.toLowerCase());

function file(map: Map<string, Entry[]>, keys: readonly string[], entry: Entry): void {
  for (const key of keys) {
    const list = map.get(key);
    if (list) list.push(entry);
    else map.set(key, [entry]);
  }
}

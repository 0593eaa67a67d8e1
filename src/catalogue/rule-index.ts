import type { Fingerprint, Rule } from "../vocabulary/fingerprint.ts";
import { type Shape, SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
import { firingKinds, listed } from "./conditions.ts";
import { BOUNDED, type Expression, type Expressions } from "./expressions.ts";
import { requiredLiteral } from "./required-literal.ts";
import { createTextSearch, occursIn, type Pattern, type PatternMode } from "./text-search.ts";

/** One rule that met one signal. */
export interface RuleHit {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  /** The value, or in a text what stands around the match; at most 300 characters. */
  readonly excerpt: string;
  readonly version: string | null;
}

interface Entry {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  readonly regex: Expression | undefined;
  readonly version: Expression | undefined;
}

interface KindIndex {
  readonly shape: Shape;
  readonly hosts: Map<string, Entry[]>;
  readonly equals: Map<string, Entry[]>;
  readonly names: Map<string, Entry[]>;
  /** By length of the prefix, longest last. */
  readonly prefixes: Map<number, Map<string, Entry[]>>;
  readonly search: (text: string) => { entry: Entry; at: number; length: number }[];
  readonly expressions: Entry[];
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
      const compiled = (source: string | undefined) =>
        source === undefined ? undefined : (rule.own ? own : BOUNDED).compile(source);
      const entry: Entry = { tool, rule, regex: compiled(rule.match.regex), version: compiled(rule.version) };
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
    return index ? matchSignal(index, signal.value) : [];
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
    const match = entry.rule.match;
    const texts: [PatternMode, readonly string[]][] = [
      ["global", listed(match.global)],
      ["word", listed(match.word)],
      ["contains", [...listed(match.contains), ...(match.host === undefined ? listed(match.path) : [])]],
    ];
    if (shape === "named") file(index.names, [match.name ?? ""], entry);
    else if (match.host !== undefined) file(index.hosts, listed(match.host), entry);
    else if (match.equals !== undefined) file(index.equals, folded(match.equals), entry);
    else if (match.prefix !== undefined) {
      for (const prefix of folded(match.prefix)) {
        const sameLength = index.prefixes.get(prefix.length) ?? new Map<string, Entry[]>();
        file(sameLength, [prefix], entry);
        index.prefixes.set(prefix.length, sameLength);
      }
    } else if (texts.some(([, values]) => values.length > 0)) {
      for (const [mode, values] of texts) for (const text of values) patterns.push({ text, mode, entry });
    } else {
      const literal = match.regex === undefined ? undefined : requiredLiteral(match.regex);
      if (literal === undefined) index.expressions.push(entry);
      else patterns.push({ text: literal, mode: "contains", entry });
    }
  }
  return { ...index, search: createTextSearch(patterns) };
}

function matchSignal(index: KindIndex, value: string): RuleHit[] {
  const hits = new Map<Rule, RuleHit>();
  const accept = (entry: Entry, content: string, around: string) => {
    if (!hits.has(entry.rule)) hits.set(entry.rule, hitOf(entry, content, around));
  };

  if (index.shape === "named") {
    const colon = value.indexOf(": ");
    const name = (colon < 0 ? value : value.slice(0, colon)).toLowerCase();
    const content = colon < 0 ? "" : value.slice(colon + 2);
    for (const entry of index.names.get(name) ?? []) {
      if (holds(entry, content, true)) accept(entry, content, value);
    }
    return [...hits.values()];
  }

  const lower = index.shape === "text" ? value.slice(0, NEIGHBOURHOOD).toLowerCase() : value.toLowerCase();
  if (index.hosts.size > 0) {
    for (const suffix of suffixes(index.shape === "url" ? hostOfUrl(lower) : lower)) {
      for (const entry of index.hosts.get(suffix) ?? []) if (holds(entry, value, false)) accept(entry, value, value);
    }
  }
  for (const entry of index.equals.get(lower) ?? []) if (holds(entry, value, false)) accept(entry, value, value);
  for (const [length, sameLength] of index.prefixes) {
    for (const entry of sameLength.get(lower.slice(0, length)) ?? []) {
      if (holds(entry, value, false)) accept(entry, value, value);
    }
  }
  for (const { entry, at, length } of index.search(value)) {
    const around =
      index.shape === "text" ? value.slice(Math.max(0, at - NEIGHBOURHOOD), at + length + NEIGHBOURHOOD) : value;
    if (!hits.has(entry.rule) && holds(entry, around, false)) {
      accept(entry, around, index.shape === "text" ? excerptOf(value, at, length) : value);
    }
  }
  for (const entry of index.expressions) if (holds(entry, value, false)) accept(entry, value, value);
  return [...hits.values()];
}

/** Every condition of the match on `value`, the one that led here included where it is cheap. */
function holds({ rule: { match }, regex }: Entry, value: string, named: boolean): boolean {
  const lower = value.toLowerCase();
  if (named && match.host !== undefined) {
    const wanted = listed(match.host);
    if (!suffixes(lower.replace(/\.$/, "")).some((suffix) => wanted.includes(suffix))) return false;
  }
  if (match.path !== undefined) {
    const path = match.path.toLowerCase();
    if (match.host === undefined ? !lower.includes(path) : !pathOfUrl(lower).startsWith(path)) return false;
  }
  if (match.equals !== undefined && !folded(match.equals).includes(lower)) return false;
  if (match.prefix !== undefined && !folded(match.prefix).some((prefix) => lower.startsWith(prefix))) return false;
  if (match.contains !== undefined && !folded(match.contains).some((part) => lower.includes(part))) return false;
  for (const mode of ["global", "word"] as const) {
    if (match[mode] !== undefined && !listed(match[mode]).some((text) => occursIn(value, text, mode))) return false;
  }
  return regex === undefined || regex.test(value.slice(0, 4_096));
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
const hostOfUrl = (url: string) => URL_PARTS.exec(url)?.[1] ?? url;
const pathOfUrl = (url: string) => URL_PARTS.exec(url)?.[2] ?? "";
const folded = (value: string | readonly string[]) => listed(value).map((item) => item.toLowerCase());

function file(map: Map<string, Entry[]>, keys: readonly string[], entry: Entry): void {
  for (const key of keys) {
    const list = map.get(key);
    if (list) list.push(entry);
    else map.set(key, [entry]);
  }
}

import type { Fingerprint, Rule } from "../vocabulary/fingerprint.ts";
import type { SignalKind } from "../vocabulary/signal.ts";
import { listed } from "./conditions.ts";
import type { Expression, Expressions } from "./expressions.ts";
import { occursIn } from "./text-search.ts";

/** One rule that met one signal. */
export interface RuleHit {
  readonly tool: Fingerprint;
  readonly rule: Rule;
  /** The value, or in a text what stands around the match; at most 300 characters. */
  readonly excerpt: string;
  readonly version: string | null;
}

/** A rule as it stands in the look-ups. */
export interface Entry {
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
export interface Value {
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
export function holds(entry: Entry, { written, lower, path }: Value): boolean {
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
export function isUnder(entry: Entry, host: string): boolean {
  const { hosts } = conditionsOf(entry);
  return hosts === undefined || suffixes(host).some((suffix) => hosts.includes(suffix));
}

/**
 * @param content in which the version stands
 * @param around what the excerpt is cut from
 */
export function hitOf(entry: Entry, content: string, around: string): RuleHit {
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

const asked = (texts: string | readonly string[] | undefined) => (texts === undefined ? undefined : listed(texts));
const lowered = (text: string) => text.toLowerCase();

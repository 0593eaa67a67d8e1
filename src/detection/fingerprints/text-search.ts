import { codesOf } from "../character-codes.ts";

/** An occurrence of a pattern; `at` is the index of its first character. */
export interface Found<T> {
  readonly entry: T;
  readonly at: number;
  readonly length: number;
}

/**
 * - `contains` anywhere, ignoring ASCII case
 * - `global`   not next to a character of a JavaScript identifier, case-sensitive
 * - `word`     not next to a Latin letter or digit, case-sensitive
 * - `token`    a whole token between white space, also after `#`, case-sensitive; a pattern that ends with `-` or `_` is
 *              the beginning of a token
 */
export type PatternMode = "contains" | "global" | "word" | "token";

export interface Pattern<T> {
  readonly text: string;
  readonly mode: PatternMode;
  readonly entry: T;
}

/** Maximum number of reported occurrences of one pattern. */
export const MAX_OCCURRENCES = 32;

const GRAM = 4;
const BUCKET_BITS = 16;
/** More would not fit into a processor's nearest caches, fewer let more windows pass that no pattern has. */
const FLAG_BITS = 19;
const HASH = 0x9e3779b1;

const FOLD = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

/**
 * Finds thousands of patterns in one pass over a text, with at most {@link MAX_OCCURRENCES} occurrences each.
 *
 * Each pattern is indexed by the one of its four-character grams that fewest other patterns share. The pass rolls a
 * four-byte window over the text and looks it up in a table of half a million flags; only flagged windows are compared.
 * Building is linear in the patterns, unlike that of an automaton, and a pass takes about one nanosecond per character.
 * Characters beyond Latin-1 enter the window by their low byte and are distinguished by the comparison.
 *
 * @throws RangeError for a pattern shorter than four characters
 */
export function createTextSearch<T>(patterns: readonly Pattern<T>[]): (text: string) => Found<T>[] {
  // Per bucket: a hash collision only makes the choice slightly worse.
  const sharing = new Uint16Array(1 << BUCKET_BITS);
  for (const { text } of patterns) {
    if (text.length < GRAM) throw new RangeError(`pattern "${text}" is shorter than ${GRAM} characters`);
    let window = 0;
    for (let end = 0; end < text.length; end++) {
      window = roll(window, text, end);
      if (end >= GRAM - 1) sharing[bucketOf(window)]! += 1;
    }
  }

  // One bit each.
  const flags = new Uint8Array(1 << (FLAG_BITS - 3));
  const byGram = new Map<number, { pattern: Pattern<T>; folded: string; offset: number }[]>();
  for (const pattern of patterns) {
    const { text } = pattern;
    let window = 0;
    let gram = 0;
    let offset = 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (let end = 0; end < text.length; end++) {
      window = roll(window, text, end);
      const sharers = sharing[bucketOf(window)]!;
      if (end < GRAM - 1 || sharers >= fewest) continue;
      gram = window;
      offset = end - GRAM + 1;
      fewest = sharers;
    }
    const flag = Math.imul(gram, HASH) >>> (32 - FLAG_BITS);
    flags[flag >>> 3]! |= 1 << (flag & 7);
    const entry = { pattern, folded: fold(text), offset };
    const list = byGram.get(gram);
    if (list) list.push(entry);
    else byGram.set(gram, [entry]);
  }

  return (text) => {
    const found: Found<T>[] = [];
    if (patterns.length === 0) return found;
    // Most addresses contain none.
    let occurrences: Map<Pattern<T>, number> | undefined;
    let window = 0;
    const { length } = text;
    const codes = codesOf(text);
    for (let end = 0; end < length; end++) {
      window = (window << 8) | FOLD[codes[end]! & 0xff]!;
      const flag = Math.imul(window, HASH) >>> (32 - FLAG_BITS);
      if ((flags[flag >>> 3]! & (1 << (flag & 7))) === 0 || end < GRAM - 1) continue;
      const candidates = byGram.get(window);
      if (!candidates) continue;
      for (const { pattern, folded, offset } of candidates) {
        const at = end - GRAM + 1 - offset;
        if (at < 0) continue;
        const before = occurrences?.get(pattern) ?? 0;
        if (before >= MAX_OCCURRENCES || !matchesAt(text, at, pattern.mode, pattern.text, folded)) continue;
        occurrences ??= new Map();
        occurrences.set(pattern, before + 1);
        found.push({ entry: pattern.entry, at, length: pattern.text.length });
      }
    }
    return found;
  };
}

/** Whether a pattern occurs in a short text, by the same rules as {@link createTextSearch}. */
export function occursIn(text: string, pattern: string, mode: PatternMode): boolean {
  const folded = fold(pattern);
  for (let at = 0; at + pattern.length <= text.length; at++)
    if (matchesAt(text, at, mode, pattern, folded)) return true;
  return false;
}

function matchesAt(text: string, at: number, mode: PatternMode, exact: string, folded: string): boolean {
  const end = at + folded.length;
  if (end > text.length) return false;
  if (mode === "contains") {
    for (let index = 0; index < folded.length; index++) {
      if (foldCode(text.charCodeAt(at + index)) !== folded.charCodeAt(index)) return false;
    }
    return true;
  }
  if (!text.startsWith(exact, at)) return false;
  if (mode === "token") return isTokenAt(text, at, end);
  const isPartOf = mode === "global" ? isIdentifierCode : isWordCode;
  return !isPartOf(text.charCodeAt(at - 1)) && !isPartOf(text.charCodeAt(end));
}

/** NaN, the result of `charCodeAt` beyond the ends, is a boundary. */
function isTokenAt(text: string, at: number, end: number): boolean {
  const start = text[at - 1] === "#" ? at - 1 : at;
  const isInside = (code: number) => code > 32;
  const isBeginning = text[end - 1] === "-" || text[end - 1] === "_";
  return !isInside(text.charCodeAt(start - 1)) && (isBeginning || !isInside(text.charCodeAt(end)));
}

/** The window over the last four characters, one byte each. */
const roll = (window: number, text: string, end: number) => (window << 8) | FOLD[text.charCodeAt(end) & 0xff]!;
const bucketOf = (gram: number) => Math.imul(gram, HASH) >>> (32 - BUCKET_BITS);
const foldCode = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Includes Latin letters with accents, but not other scripts, which write names next to their letters without a space.
 * NaN, the result of `charCodeAt` beyond the ends, is not a letter.
 */
const isWordCode = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7);
const isIdentifierCode = (code: number) => isWordCode(code) || code === 95 || code === 36;

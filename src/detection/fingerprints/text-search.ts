/** A pattern found in a text; `at` is the index of its first character. */
export interface Found<T> {
  readonly entry: T;
  readonly at: number;
  readonly length: number;
}

/**
 * - `contains` anywhere, letter case ignored (ASCII)
 * - `global`   between characters that cannot belong to a JavaScript identifier, exact case
 * - `word`     between characters that are no Latin letter or digit, exact case
 */
export type PatternMode = "contains" | "global" | "word";

export interface Pattern<T> {
  readonly text: string;
  readonly mode: PatternMode;
  readonly entry: T;
}

/** A pattern that fills a text is reported so often and then no more. */
export const MAX_OCCURRENCES = 32;

const GRAM = 4;
const BUCKET_BITS = 16;
const HASH = 0x9e3779b1;

const FOLD = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

/**
 * Finds thousands of patterns in one pass over a text, each at its first {@link MAX_OCCURRENCES} places.
 *
 * Each pattern is filed under one of its four-character grams, the one that fewest other patterns share. The pass
 * rolls a four-byte window over the text and looks it up in a table of 65,536 one-byte flags; only a flagged window
 * is compared for real. Building is linear in the patterns, unlike an automaton's, and a pass costs about a
 * nanosecond a character. Characters beyond Latin-1 enter the window by their low byte, and are told apart when compared.
 *
 * @throws RangeError for a pattern shorter than four characters
 */
export function createTextSearch<T>(patterns: readonly Pattern<T>[]): (text: string) => Found<T>[] {
  // By bucket: grams that share one by chance only make a choice a little worse.
  const shared = new Uint16Array(1 << BUCKET_BITS);
  for (const { text } of patterns) {
    if (text.length < GRAM) throw new RangeError(`pattern "${text}" is shorter than ${GRAM} characters`);
    let window = 0;
    for (let end = 0; end < text.length; end++) {
      window = rolled(window, text, end);
      if (end >= GRAM - 1) shared[bucketOf(window)]! += 1;
    }
  }

  const flags = new Uint8Array(1 << BUCKET_BITS);
  const filed = new Map<number, { pattern: Pattern<T>; folded: string; offset: number }[]>();
  for (const pattern of patterns) {
    const { text } = pattern;
    let window = 0;
    let gram = 0;
    let offset = 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (let end = 0; end < text.length; end++) {
      window = rolled(window, text, end);
      const sharing = shared[bucketOf(window)]!;
      if (end < GRAM - 1 || sharing >= fewest) continue;
      gram = window;
      offset = end - GRAM + 1;
      fewest = sharing;
    }
    flags[bucketOf(gram)] = 1;
    const entry = { pattern, folded: fold(text), offset };
    const list = filed.get(gram);
    if (list) list.push(entry);
    else filed.set(gram, [entry]);
  }

  return (text) => {
    const found: Found<T>[] = [];
    if (patterns.length === 0) return found;
    const times = new Map<Pattern<T>, number>();
    let window = 0;
    for (let end = 0; end < text.length; end++) {
      window = rolled(window, text, end);
      if (flags[Math.imul(window, HASH) >>> (32 - BUCKET_BITS)] === 0 || end < GRAM - 1) continue;
      const candidates = filed.get(window);
      if (!candidates) continue;
      for (const { pattern, folded, offset } of candidates) {
        const at = end - GRAM + 1 - offset;
        if (at < 0) continue;
        const before = times.get(pattern) ?? 0;
        if (before >= MAX_OCCURRENCES || !holds(text, at, pattern.mode, pattern.text, folded)) continue;
        times.set(pattern, before + 1);
        found.push({ entry: pattern.entry, at, length: pattern.text.length });
      }
    }
    return found;
  };
}

/** Whether one pattern stands anywhere in a short text, by the same rules as {@link createTextSearch}. */
export function occursIn(text: string, pattern: string, mode: PatternMode): boolean {
  const folded = fold(pattern);
  for (let at = 0; at + pattern.length <= text.length; at++) if (holds(text, at, mode, pattern, folded)) return true;
  return false;
}

function holds(text: string, at: number, mode: PatternMode, exact: string, folded: string): boolean {
  const end = at + folded.length;
  if (end > text.length) return false;
  if (mode === "contains") {
    for (let index = 0; index < folded.length; index++) {
      if (foldCode(text.charCodeAt(at + index)) !== folded.charCodeAt(index)) return false;
    }
    return true;
  }
  if (!text.startsWith(exact, at)) return false;
  const outside = mode === "global" ? isIdentifierCode : isWordCode;
  return !outside(text.charCodeAt(at - 1)) && !outside(text.charCodeAt(end));
}

/** The last four characters, one byte each. */
const rolled = (window: number, text: string, end: number) => (window << 8) | FOLD[text.charCodeAt(end) & 0xff]!;
const bucketOf = (gram: number) => Math.imul(gram, HASH) >>> (32 - BUCKET_BITS);
const foldCode = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Latin letters with accents count; other scripts do not, since they put names beside their own letters without a space.
 * NaN, which `charCodeAt` answers beyond the ends, is no letter.
 */
const isWordCode = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7);
const isIdentifierCode = (code: number) => isWordCode(code) || code === 95 || code === 36;

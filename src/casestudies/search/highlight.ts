import { splitSentences } from "../text/markdown.ts";
import { stemOf, WORD } from "../text/stem.ts";
import type { MatchedPassage } from "../types.ts";

/** English words too common to be search terms. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any are as at be been being but by can case company did do does for from get had has " +
    "have help helped helps her his how i in into is it its like looking me more most my need of on or our out over s " +
    "she so some story study such t than that the their them then there these they this those to up us use used uses " +
    "using want was we were what when where which who whose why will with would you your"
  ).split(" "),
);

const MAX_TERMS = 64;

/** A word of a text: its stem and its range in UTF-16 code units. */
interface Term {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

interface FoundTerms {
  /** In order. */
  readonly terms: readonly Term[];
  /** Number of words in the text. */
  readonly words: number;
}

type TermFinder = (text: string) => FoundTerms;

/**
 * Finds words with one of these stems; inflected forms share a stem. Stemming dominates the cost, so a word is stemmed
 * once for all texts, and only if a stem starts with the same letter: the rules change only word endings.
 */
export function termFinder(stems: readonly string[]): TermFinder {
  const wanted = new Set(stems);
  const starts = new Set(stems.map((stem) => stem[0]));
  const known = new Map<string, string | null>();
  const wantedStem = (word: string): string | null => {
    const first = word[0]?.toLowerCase() ?? "";
    if (/^[a-z]$/.test(first) && !starts.has(first)) return null;
    let stem = known.get(word);
    if (stem === undefined) {
      const stemmed = stemOf(word);
      stem = wanted.has(stemmed) ? stemmed : null;
      known.set(word, stem);
    }
    return stem;
  };
  const openings = new Set(stems.map((stem) => openingOf(stem, 0, stem.length)));
  return (text) => {
    const terms: Term[] = [];
    let words = 0;
    const addIfWanted = (word: string, start: number) => {
      const stem = wantedStem(word);
      if (stem !== null) terms.push({ stem, start, end: start + word.length });
    };
    let start = -1;
    for (let at = 0; at <= text.length; at += 1) {
      const kind = at === text.length ? SEPARATOR : kindOf(text.charCodeAt(at));
      if (kind === UNKNOWN) {
        // From this word on, the slower expression, which knows every script.
        const from = start < 0 ? at : start;
        for (const { 0: word, index } of text.slice(from).matchAll(WORD)) {
          words++;
          addIfWanted(word, from + index);
        }
        break;
      }
      if (kind === LETTER) {
        if (start < 0) start = at;
      } else if (start >= 0) {
        words++;
        // Most words are rejected by their first letters, before they are copied.
        if (openings.has(openingOf(text, start, at)) || openings.has(openingOf(text, start, start + 1)))
          addIfWanted(text.slice(start, at), start);
        start = -1;
      }
    }
    return { terms, words };
  };
}

/** The first two characters of a word as a number, in lower case; the rules keep them, but may make y an i. */
function openingOf(text: string, from: number, to: number): number {
  const second = from + 1 < to ? text.charCodeAt(from + 1) | LOWER : 0;
  return ((text.charCodeAt(from) | LOWER) << 16) | (second === LETTER_Y ? LETTER_I : second);
}

const LOWER = 0x20;
const [LETTER_I, LETTER_Y] = [0x69, 0x79];

const [SEPARATOR, LETTER, UNKNOWN] = [0, 1, 2];
const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? LETTER : SEPARATOR,
);
/** Dashes, quotation marks and spaces, among which is no letter. */
const [FIRST_PUNCTUATION, LAST_PUNCTUATION] = [0x2000, 0x206f];

function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!;
  return code >= FIRST_PUNCTUATION && code <= LAST_PUNCTUATION ? SEPARATOR : UNKNOWN;
}

/** Distinct stems of a query without stop words, in order; of all its words if there are only stop words. At most 64. */
export function queryTerms(query: string): string[] {
  const words = query.match(WORD) ?? [];
  const significant = words.filter(
    (word) => !STOP_WORDS.has(word.toLowerCase()) && (word.length > 1 || /\p{N}/u.test(word)),
  );
  return [...new Set((significant.length > 0 ? significant : words).map(stemOf))].slice(0, MAX_TERMS);
}

const MAX_MATCH_CHARS = 400;
const MAX_SENTENCES = 3;

/**
 * Extracts the best-matching sentences of passages: one to three consecutive ones with the most distinct query terms in
 * the fewest words. Without matching words (a semantic hit), the first sentences.
 *
 * @returns at most `maxChars` characters; `highlights` are the words that share a stem with the query
 */
export function passageMarker(
  query: string,
  { maxChars = MAX_MATCH_CHARS }: { readonly maxChars?: number } = {},
): (passageText: string) => MatchedPassage {
  const find = termFinder(queryTerms(query));
  return (passageText) => {
    const sentences = splitSentences(passageText).map((text) => {
      const shown = cutAround(text, find, maxChars);
      return { text: shown, found: find(shown) };
    });
    let best = { ...opening(sentences, maxChars), score: 0 };
    for (const window of windows(sentences, maxChars)) {
      const score = scoreOf(sentences.slice(window.from, window.to));
      if (score > best.score) best = { ...window, score };
    }
    return joined(sentences.slice(best.from, best.to));
  };
}

interface Sentence {
  readonly text: string;
  readonly found: FoundTerms;
}

/** A run of sentences; `to` is exclusive. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** All runs of one to three sentences within the limit. */
function windows(sentences: readonly Sentence[], maxChars: number): Window[] {
  return sentences.flatMap((_, from) => {
    const fitting: Window[] = [];
    let length = -1;
    for (let to = from + 1; to <= Math.min(from + MAX_SENTENCES, sentences.length); to++) {
      length += 1 + (sentences[to - 1]?.text.length ?? 0);
      if (length <= maxChars) fitting.push({ from, to });
    }
    return fitting;
  });
}

/** As many leading sentences as fit. */
const opening = (sentences: readonly Sentence[], maxChars: number): Window =>
  windows(sentences.slice(0, MAX_SENTENCES), maxChars).findLast(({ from }) => from === 0) ?? { from: 0, to: 0 };

/** The number of distinct terms, then their density. */
function scoreOf(sentences: readonly Sentence[]): number {
  const terms = new Set(sentences.flatMap(({ found }) => found.terms.map(({ stem }) => stem))).size;
  const words = sentences.reduce((sum, { found }) => sum + found.words, 0);
  return terms === 0 ? 0 : terms + terms / (words + 1);
}

/** Joins sentences with a space. */
function joined(sentences: readonly Sentence[]): MatchedPassage {
  const highlights: (readonly [number, number])[] = [];
  let at = 0;
  for (const { text, found } of sentences) {
    highlights.push(...found.terms.map(({ start, end }) => [at + start, at + end] as const));
    at += text.length + 1;
  }
  return { text: sentences.map(({ text }) => text).join(" "), highlights };
}

/** Shortens a long sentence to the words around its densest run of terms. */
function cutAround(sentence: string, find: TermFinder, maxChars: number): string {
  if (sentence.length <= maxChars) return sentence;
  const hits = find(sentence).terms;
  const room = maxChars - 2;
  const first = hits.reduce(
    (best, hit) => {
      const near = hits.filter(({ start, end }) => start >= hit.start && end <= hit.start + room / 2).length;
      return near > best.near ? { near, start: hit.start } : best;
    },
    { near: 0, start: 0 },
  ).start;
  const from = Math.max(0, Math.min(first - Math.floor(room / 4), sentence.length - room));
  const start = from === 0 ? 0 : afterSpace(sentence, from);
  const end = Math.min(sentence.length, from + room);
  const cut = end === sentence.length ? sentence.slice(start) : beforeSpace(sentence.slice(start, end));
  return `${start > 0 ? "…" : ""}${cut.toWellFormed()}${end < sentence.length ? "…" : ""}`;
}

function afterSpace(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  return space >= 0 && space - from < 40 ? space + 1 : from;
}

function beforeSpace(text: string): string {
  const space = text.lastIndexOf(" ");
  return space > text.length - 40 ? text.slice(0, space) : text;
}

import { stemmer } from "stemmer";
import { splitSentences } from "../text/markdown.ts";
import type { MatchedPassage } from "../types.ts";

/** English words that every query and every story has. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any are as at be been being but by can case company did do does for from get had has " +
    "have help helped helps her his how i in into is it its like looking me more most my need of on or our out over s " +
    "she so some story study such t than that the their them then there these they this those to up us use used uses " +
    "using want was we were what when where which who whose why will with would you your"
  ).split(" "),
);

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_TERMS = 64;
/** Porter's rules are for English words; longer strings are none. */
const MAX_WORD = 40;

/** A word of a text: its stem, and where it stands in UTF-16 code units. */
interface Term {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

interface FoundTerms {
  /** In order. */
  readonly terms: readonly Term[];
  /** Of the whole text. */
  readonly words: number;
}

type TermFinder = (text: string) => FoundTerms;

/**
 * Finds the words of texts that have one of these stems; the same word in another form has the same stem. Stemming is
 * nearly all of the work, so a word is stemmed once for all texts, and not at all when no stem starts as it does: the
 * rules change only how a word ends.
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
      const own = stemOf(word);
      stem = wanted.has(own) ? own : null;
      known.set(word, stem);
    }
    return stem;
  };
  return (text) => {
    const terms: Term[] = [];
    let words = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      words++;
      const stem = wantedStem(word);
      if (stem !== null) terms.push({ stem, start: index, end: index + word.length });
    }
    return { terms, words };
  };
}

/** Stems of a query's telling words, each once, in order; all its words when none is telling. At most 64. */
export function queryTerms(query: string): string[] {
  const words = query.match(WORD) ?? [];
  const telling = words.filter(
    (word) => !STOP_WORDS.has(word.toLowerCase()) && (word.length > 1 || /\p{N}/u.test(word)),
  );
  return [...new Set((telling.length > 0 ? telling : words).map(stemOf))].slice(0, MAX_TERMS);
}

function stemOf(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.length <= MAX_WORD && /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}

const MAX_MATCH_CHARS = 400;
const MAX_SENTENCES = 3;

/**
 * Marks passages for a query: of each the sentences that answer it best, one to three in a row, with most of its terms
 * in fewest words. Where nothing matches word for word (a hit by meaning), the passage's first sentences.
 *
 * @returns at most `maxChars` characters; `highlights` are the words whose stem the query has
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

/** A run of sentences: from the first to before the last. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** Every run of one to three sentences that is short enough. */
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

/** As many first sentences as fit. */
const opening = (sentences: readonly Sentence[], maxChars: number): Window =>
  windows(sentences.slice(0, MAX_SENTENCES), maxChars).findLast(({ from }) => from === 0) ?? { from: 0, to: 0 };

/** Distinct terms decide; among equals the text where they stand densest. */
function scoreOf(sentences: readonly Sentence[]): number {
  const terms = new Set(sentences.flatMap(({ found }) => found.terms.map(({ stem }) => stem))).size;
  const words = sentences.reduce((sum, { found }) => sum + found.words, 0);
  return terms === 0 ? 0 : terms + terms / (words + 1);
}

/** The sentences with a space between them. */
function joined(sentences: readonly Sentence[]): MatchedPassage {
  const highlights: (readonly [number, number])[] = [];
  let at = 0;
  for (const { text, found } of sentences) {
    highlights.push(...found.terms.map(({ start, end }) => [at + start, at + end] as const));
    at += text.length + 1;
  }
  return { text: sentences.map(({ text }) => text).join(" "), highlights };
}

/** A sentence that is too long alone: the words around its densest run of terms. */
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

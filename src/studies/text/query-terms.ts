import { stemmer } from "stemmer";

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
export interface Term {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

export interface FoundTerms {
  /** In order. */
  readonly terms: readonly Term[];
  /** Of the whole text. */
  readonly words: number;
}

export type TermFinder = (text: string) => FoundTerms;

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

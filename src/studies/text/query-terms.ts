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

/** Every word of a text in order; the same word in another form has the same stem. */
export function termsOf(text: string): Term[] {
  return [...text.matchAll(WORD)].map((match) => ({
    stem: stemOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
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

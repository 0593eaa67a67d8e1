/**
 * Words as they are compared: without case, accents, punctuation and English plurals.
 * "Financial Services" and "financial-service" fold to the same.
 */
export function foldWords(text: string): string[] {
  const plain = text
    .slice(0, MAX_CHARS)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['’]/g, "");
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

/** {@link foldWords} in one string: the key of an exact match. */
export const folded = (text: string): string => foldWords(text).join(" ");

/** Far past any name of an industry or sentence of an outcome. */
const MAX_CHARS = 1_000;

function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|ics)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Where a phrase of `phrases` stands in a run of words. */
export interface PhraseHit<T> {
  readonly value: T;
  /** Place and length in words. */
  readonly at: number;
  readonly length: number;
}

/**
 * The phrases that stand in `words`, longest first at each place and none inside another.
 *
 * @param phrases keys as {@link folded} makes them
 */
export function findPhrases<T>(words: readonly string[], phrases: ReadonlyMap<string, T>, longest: number) {
  const hits: PhraseHit<T>[] = [];
  for (let at = 0; at < words.length; ) {
    const hit = longestAt(words, at, phrases, longest);
    if (hit) hits.push(hit);
    at += hit?.length ?? 1;
  }
  return hits;
}

function longestAt<T>(words: readonly string[], at: number, phrases: ReadonlyMap<string, T>, longest: number) {
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const value = phrases.get(words.slice(at, at + length).join(" "));
    if (value !== undefined) return { value, at, length };
  }
  return undefined;
}

/** Words of the longest key. */
export const longestPhrase = (phrases: ReadonlyMap<string, unknown>): number =>
  Math.max(0, ...[...phrases.keys()].map((phrase) => phrase.split(" ").length));

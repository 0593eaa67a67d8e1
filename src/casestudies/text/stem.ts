import { stemmer } from "stemmer";

/** A word as text is split into words. */
export const WORD = /[\p{L}\p{N}]+/gu;
/** Longer strings are not English words, to which Porter's rules apply. */
const MAX_WORD = 40;

/** Inflected forms of an English word share a stem; of other words the lower case without accents. */
export function stemOf(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.length <= MAX_WORD && /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}

/** Returns a test: whether a text has a word of `given`, in any inflected form. */
export function wordSharer(given: string): (text: string) => boolean {
  const stems = new Set(Array.from(given.matchAll(WORD), ([word]) => stemOf(word)));
  return (text) => text.matchAll(WORD).some(([word]) => stems.has(stemOf(word)));
}

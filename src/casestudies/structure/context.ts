import { COMMON_WORDS, ORGANISATION, PERSON_ROLE } from "./names.ts";

/** A word or a sign of a sentence. */
export interface Token {
  readonly text: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*|[^\s\p{L}\p{N}]/gu;
const MAX_SENTENCE = 2_000;
const SAYS =
  /^(?:says?|said|explains?|explained|adds?|added|notes?|noted|recalls?|recalled|shared?|shares|comments?|commented|told|tells|continues|states?|stated|concludes?)$/;

export const tokensOf = (text: string): Token[] =>
  [...text.slice(0, MAX_SENTENCE).matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
  }));

/** A word in its class (roles, verbs of speech, numbers, organisations, other names), else in lower case. */
function classOf(token: string): string {
  const word = token.toLowerCase().replace("’", "'");
  if (/^\d/.test(word)) return "<number>";
  if (SAYS.test(word)) return "<says>";
  if (/^['’]s?$/.test(word)) return "'s";
  if (PERSON_ROLE.test(word)) return "<role>";
  if (/^\p{L}/u.test(token) && word.length > 2 && ORGANISATION.test(word)) return "<organisation>";
  if (/^\p{Lu}/u.test(token) && !COMMON_WORDS.has(word)) return "<name>";
  return word;
}

/** The two words before and after a part of a sentence, in their classes: `^` before its start, `$` after its end. */
export function neighboursOf(
  tokens: readonly Token[],
  { start, end }: { readonly start: number; readonly end: number },
) {
  let first = 0;
  while (first < tokens.length && (tokens[first]?.start ?? 0) < start) first += 1;
  let next = first;
  while (next < tokens.length && (tokens[next]?.start ?? 0) < end) next += 1;
  const at = (index: number, none: string) => {
    const token = tokens[index]?.text;
    return token === undefined ? none : classOf(token);
  };
  return {
    /** Index of the part's first token. */
    first,
    left1: at(first - 1, "^"),
    left2: at(first - 2, "^"),
    right1: at(next, "$"),
    right2: at(next + 1, "$"),
  };
}

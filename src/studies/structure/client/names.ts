/** A run of words that are written as a name is: `Palo Alto Networks`, `iFood`, `ricardo.ch`, `University of Granada`. */
export interface NameRun {
  readonly text: string;
  /** UTF-16 offsets in the sentence; a possessive `'s` stands after `end`. */
  readonly start: number;
  readonly end: number;
  /** The first word of the sentence would have a capital anyway. */
  readonly opens: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[&'’+._/-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*\+*/gu;
const POSSESSIVE = /['’]s$/;
/** Words that stand inside names of organisations. */
const LINKS: ReadonlySet<string> = new Set(["of", "de", "da", "do", "del", "della", "der", "van", "von", "du", "di"]);
/** What may be followed by "of": elsewhere it parts two names ("Head of Kubernetes"). */
const BODIES =
  /^(?:university|bank|city|college|institute|ministry|department|school|government|state|kingdom|church|museum|library|house|academy|board|office|port|house|foundation|society|association|centre|center|company|league|house|universidad|université|ville|banco|banque|universidade|republic|province|county)$/i;
const MAX_WORDS = 8;
const MAX_SENTENCE = 2_000;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly owns: boolean;
}

/** The names of a sentence in reading order; each word is looked at once. */
export function nameRuns(sentence: string): NameRun[] {
  const text = sentence.length > MAX_SENTENCE ? sentence.slice(0, MAX_SENTENCE) : sentence;
  const words: Word[] = [];
  for (const found of text.matchAll(WORD)) {
    const [whole] = found;
    const owns = POSSESSIVE.test(whole);
    const end = found.index + whole.length - (owns ? 2 : 0);
    words.push({ text: text.slice(found.index, end), start: found.index, end, owns });
  }
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; ) {
    const last = endOfRun(text, words, at);
    if (last < at) {
      at += 1;
      continue;
    }
    const [from, to] = [words[at]!, words[last]!];
    runs.push({ text: text.slice(from.start, to.end), start: from.start, end: to.end, opens: at === 0 });
    at = last + 1;
  }
  return runs;
}

/** Index of the last word of the name that begins at `first`; less than `first` when none does. */
function endOfRun(text: string, words: readonly Word[], first: number): number {
  const begin = words[first]!;
  const isNumber = /^\d+$/.test(begin.text);
  if (!isNumber && !isNameWord(begin.text)) return first - 1;
  let last = first;
  for (let at = first + 1; at < words.length && at - first < MAX_WORDS; at++) {
    const [before, word] = [words[at - 1]!, words[at]!];
    if (before.owns) break;
    const gap = text.slice(before.end, word.start);
    if (gap !== " " && gap !== " & ") break;
    if (isNameWord(word.text) || (/^\d{1,4}$/.test(word.text) && !isNumber)) {
      if (isNumber && at === first + 1 && !/^\p{Lu}/u.test(word.text)) break;
      last = at;
    } else if (LINKS.has(word.text) && at === last + 1 && BODIES.test(before.text)) continue;
    else if (word.text === "the" && at === last + 2 && LINKS.has(before.text)) continue;
    else break;
  }
  // A bare number is no name; one before a name may be its part ("6 River Systems").
  return isNumber && last === first ? first - 1 : last;
}

/** A capital first or inside, or a host's name. */
export const isNameWord = (word: string): boolean =>
  /^\p{Lu}/u.test(word) ||
  /^\p{Ll}+\p{Lu}/u.test(word) ||
  /^[\p{Ll}\d-]{2,30}\.(?:com|io|ch|cz|de|ai|org|net|dev|co|app|tv|fr|uk|nl|se)$/u.test(word);

const LEGAL: ReadonlySet<string> = new Set(
  (
    "inc incorporated llc llp ltd limited gmbh mbh kg ag se sa sas sarl srl spa sl slu ab oy oyj asa aps bv nv plc pte pty pvt private " +
    "kk co corp corporation company holdings sro zrt ooo eg ev lda ltda cv"
  ).split(" "),
);

/**
 * A name as names are compared: no case, accents, punctuation, leading "The" or legal form, in one word.
 * `Bose Corporation` and `bose` are one; so are `6 River Systems` and `6river-systems`.
 */
export function foldName(name: string): string {
  const words = nameWords(name);
  while (words.length > 1 && LEGAL.has(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words[0] === "the") words.shift();
  return words.join("");
}

/** Words of a name without case and accents. */
export function nameWords(name: string): string[] {
  const plain = name
    .slice(0, 200)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    // "S.A." and "S.r.l." are one word each; "Trip.com" is not touched.
    .replace(/\b([a-z])\.(?=[a-z]\.|[a-z]\b)/g, "$1")
    .replace(/['’‘`®™©]/g, "")
    .replace(/\ba\/s\b/g, "as");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

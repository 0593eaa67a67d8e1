import { splitSentences } from "../../text/sentences.ts";
import { figuresIn, isOneOf, writtenFiguresIn } from "./figures.ts";
import { fold } from "./folded-text.ts";
import { givesOrders } from "./orders.ts";
import { type PageGrounds, wordsOf } from "./page-grounds.ts";

/** Share of a text's longer words that the page must know in some form. */
const LEAST_SHARE = 0.5;
const LONG_WORD = 5;
const STEM = 5;

const TIMES = /^(doubl|tripl|quadrupl|halv|(two|three|four|five|six|ten)fold)/;

/** Words that open a sentence without being a name, in the languages that most pages are in. */
const OPENERS = new Set(
  `a an the this that these those they their it its he she we our his her there in on at by to for from with without
  within before after when while as since once because although though despite during through throughout using thanks
  following facing needing seeking wanting having being to both each all many most some several more however moreover
  additionally previously initially originally today now then later finally also and but or so if under over among
  between instead rather due given each every any such certain other another one two three until where which who what how not no only even based results result
  der die das den dem ein eine einer einem um im in mit bei nach vor durch dank für als sie er es wir zu zur zum auf aus
  le la les un une des du de en avec pour par dans grâce après avant il elle ils elles ce cette ces
  el los las uno una con por para tras antes gracias se su sus`
    .split(/\s+/)
    .map(fold),
);

/**
 * Why the page does not carry a text that a model wrote about it; null when it does. A figure, a name or an address that
 * the page does not hold is invented, whatever else is right.
 */
export function unsupported(text: string, grounds: PageGrounds): string | null {
  if (givesOrders(text)) return "it gives orders";
  const folded = fold(text);
  const address = text.match(
    /\S{1,200}@\S{1,200}|https?:\S{1,500}|\b[\w-]{1,60}\.(?:com|net|org|io|co|dev|example)\b/i,
  )?.[0];
  if (address !== undefined && grounds.find(address) === undefined)
    return "it names an address that is not on the page";
  const figure = figuresIn(text).find((readings) => !readings.some((value) => isOneOf(value, grounds.figures)));
  if (figure !== undefined) return "it tells a figure that is not on the page";
  const times = wordsOf(folded).find((word) => TIMES.test(word) && !isTold(word, grounds));
  if (times !== undefined) return "it tells a multiple that is not on the page";
  const stems = stemsOf(grounds.words);
  if (namesAnother(text, grounds.words, stems)) return "it names what is not on the page";
  const long = wordsOf(folded).filter((word) => word.length >= LONG_WORD);
  const known = long.filter((word) => stems.has(word.slice(0, STEM)));
  return known.length >= long.length * LEAST_SHARE ? null : "most of its words are not on the page";
}

/** "Doubled" is told by the word itself or by a figure that means it. */
function isTold(word: string, { words, figures }: PageGrounds): boolean {
  const stem = word.slice(0, STEM);
  return (
    [...words].some((known) => known.startsWith(stem)) || writtenFiguresIn(word).some((value) => figures.has(value))
  );
}

/** Whether a word is written large that the page does not hold; one that opens a sentence may have another ending. */
function namesAnother(text: string, known: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  return splitSentences(text).some((sentence) => {
    const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.&+-]{0,60}/gu) ?? [];
    return words.some((word, at) => {
      if (!/^\p{Lu}/u.test(word) || isKnown(word, known)) return false;
      const folded = fold(word);
      return at > 0 || !(OPENERS.has(folded) || (folded.length >= LONG_WORD && stems.has(folded.slice(0, STEM))));
    });
  });
}

/** Known as it stands, or but for the ending of a possessive or a plural; a compound by its parts. */
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  const bare = word.replace(/['’]s?$/u, "");
  return wordsOf(fold(bare)).every(
    (part) => known.has(part) || known.has(part.replace(/e?s$/, "")) || known.has(`${part}s`),
  );
}

const stemsOf = (words: ReadonlySet<string>): Set<string> =>
  new Set([...words].flatMap((word) => (word.length >= LONG_WORD ? word.slice(0, STEM) : [])));

/** Every number that a sentence may tell, in digits or in words. */
export const numbersOf = (sentence: string): number[] => [
  ...figuresIn(sentence).flat(),
  ...writtenFiguresIn(fold(sentence)),
];

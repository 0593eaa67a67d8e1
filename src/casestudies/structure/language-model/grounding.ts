import { type Block, readMarkdown, splitSentences } from "../../text/markdown.ts";
import type { PageText } from "../../types.ts";

/** A text as it is compared, and where each of its characters stood. */
interface FoldedText {
  readonly text: string;
  /** Place in the source of each UTF-16 code unit of `text`. */
  readonly places: Uint32Array;
}

/** Quotation marks, apostrophes, marks of emphasis and what is invisible: people and models write them as they like. */
const LEFT_OUT = /["'`´“”„‟«»‹›‘’‚‛*_~\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/;
const DASH = /[‐‑‒–—―−]/;
const SPACE = /\s/;

/** Without case, accents, quotation marks and emphasis; white space and dashes are of one kind. */
function foldWithPlaces(source: string): FoldedText {
  const places = new Uint32Array(source.length * 4 + 16);
  const parts: string[] = [];
  let length = 0;
  let wasSpace = true;
  let at = 0;
  for (const character of source) {
    const folded = foldCharacter(character);
    const isSpace = folded === " ";
    // Compatibility forms of a few characters are long (a ligature of eighteen letters): they are cut.
    const kept = isSpace && wasSpace ? "" : folded.slice(0, 4);
    for (let unit = 0; unit < kept.length; unit++) places[length + unit] = at;
    if (kept !== "") {
      parts.push(kept);
      length += kept.length;
      wasSpace = isSpace;
    }
    at += character.length;
  }
  return { text: parts.join(""), places: places.subarray(0, length) };
}

/** @see foldWithPlaces */
export function fold(source: string): string {
  return foldWithPlaces(source).text.trim();
}

function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 128) {
    if (SPACE.test(character)) return " ";
    return LEFT_OUT.test(character) ? "" : character.toLowerCase();
  }
  if (SPACE.test(character)) return " ";
  if (LEFT_OUT.test(character)) return "";
  if (DASH.test(character)) return "-";
  return character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
}

/** Writings in which words stand apart; in the others a name may be found inside a run of letters. */
const APART = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;
const MAX_TRIES = 1_000;

/** Places in `text` at which `needle` stands as words of its own. Both are folded. */
function placesOf(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle === "") return found;
  let at = text.indexOf(needle);
  for (let tried = 0; at >= 0 && tried < MAX_TRIES; tried++) {
    const end = at + needle.length;
    const isWhole = !joined(text[at - 1], text[at]) && !joined(text[end - 1], text[end]);
    if (isWhole) found.push(at);
    at = text.indexOf(needle, at + 1);
  }
  return found;
}

const joined = (left: string | undefined, right: string | undefined) =>
  left !== undefined && right !== undefined && APART.test(left) && APART.test(right);

const FIGURE =
  /(\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,15}(?:[.,]\d{1,6})?)(?![\d])(?:[\s\u00A0-]{0,2}(thousand|million|billion|trillion|mio|mrd|mn|bn|tsd|k|m|b)(?![\p{L}]))?/giu;
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  tsd: 1e3,
  k: 1e3,
  million: 1e6,
  mio: 1e6,
  mn: 1e6,
  m: 1e6,
  billion: 1e9,
  mrd: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
};

/** Figures that are written out, and what they may be told as: "doubled" is 2 times and 100 %. */
const WORDS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/\btwo\b|\btwice\b|\bdoubl\w{0,3}\b|\btwo-?fold\b/, [2, 100]],
  [/\bhalf\b|\bhalv\w{1,3}\b/, [0.5, 50, 2]],
  [/\bthree\b|\btripl\w{0,3}\b|\bthree-?fold\b|\bthrice\b/, [3, 200]],
  [/\bthird\b/, [33, 33.3]],
  [/\btwo thirds\b|\btwo-thirds\b/, [66, 67, 66.7]],
  [/\bfour\b|\bquadrupl\w{0,3}\b|\bfour-?fold\b/, [4, 300]],
  [/\bquarter\b/, [25, 0.25]],
  [/\bthree quarters\b|\bthree-quarters\b/, [75]],
  [/\bfive\b|\bfive-?fold\b/, [5, 400]],
  [/\bsix\b|\bsix-?fold\b/, [6]],
  [/\bseven\b/, [7]],
  [/\beight\b/, [8]],
  [/\bnine\b/, [9]],
  [/\bten\b|\bten-?fold\b/, [10]],
  [/\beleven\b/, [11]],
  [/\btwelve\b|\bdozen\b/, [12]],
  [/\bfifteen\b/, [15]],
  [/\btwenty\b/, [20]],
  [/\bthirty\b/, [30]],
  [/\bforty\b/, [40]],
  [/\bfifty\b/, [50]],
  [/\bhundred\b/, [100]],
  [/\bone\b|\bsingle\b|\ban?\b/, [1]],
];
const MAX_FIGURES = 5_000;

/** Each figure of a text as every number that it may mean: `1.200` is 1.2 and 1200, `3 million` is 3 and 3000000. */
export function figuresIn(text: string): number[][] {
  const figures: number[][] = [];
  for (const [, digits = "", scale = ""] of text.matchAll(FIGURE)) {
    const plain = readings(digits);
    const times = SCALES[scale.toLowerCase()];
    figures.push(times === undefined ? plain : [...plain, ...plain.map((value) => exact(value * times))]);
    if (figures.length >= MAX_FIGURES) break;
  }
  return figures;
}

/** Figures that are written out as words in a folded text. */
export function writtenFiguresIn(folded: string): number[] {
  return WORDS.flatMap(([pattern, values]) => (pattern.test(folded) ? values : []));
}

export const isOneOf = (value: number, numbers: Iterable<number>): boolean => {
  const size = Math.abs(value);
  for (const number of numbers) if (Math.abs(number - size) <= 1e-9 * Math.max(1, size)) return true;
  return false;
};

function readings(digits: string): number[] {
  const spaced = digits.split(/[\s\u00A0\u202F]/);
  const joined = digits.replace(/[\s\u00A0\u202F'’]/g, "");
  const values = [joined.replace(/[.,]/g, "")];
  const mark = Math.max(joined.lastIndexOf("."), joined.lastIndexOf(","));
  if (mark >= 0) {
    const last = joined[mark] ?? ".";
    const isDecimal = joined.indexOf(last) === mark;
    if (isDecimal) values.push(`${joined.slice(0, mark).replace(/[.,]/g, "")}.${joined.slice(mark + 1)}`);
    // A comma or a point before fewer than three digits groups nothing.
    if (isDecimal && joined.length - mark - 1 !== 3) values.shift();
  }
  if (spaced.length > 1) values.push(...spaced.map((part) => part.replace(/,/g, ".")));
  return values.map(Number).filter(Number.isFinite);
}

/** Without the dust of binary fractions. */
const exact = (value: number) => Number(value.toPrecision(12));

/** How text speaks to a model instead of to a reader. Folded text: lower case, no quotation marks, one kind of space. */
const ORDERS: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(instructions?|prompts?|rules|directions|commands?|guidelines|constraints)\b/,
  /\b(ignore|disregard|forget)\b.{0,20}\b(all|everything|anything)\b.{0,20}\b(above|before|previous|said|told)\b/,
  /\bignorier\w{0,3}\b.{0,40}\b(anweisung|vorgabe|regel)/,
  /\b(ignore[zr]?|oublie[zr]?)\b.{0,40}\b(instructions|consignes)\b/,
  /\b(ignor[ae]n?|olvida)\b.{0,40}\binstrucciones\b/,
  /\b(you are|act as|pretend to be|behave as|roleplay as)\b.{0,30}\b(ai|assistant|language model|llm|chatbot|gpt)\b/,
  /\b(system|developer)[ -](prompt|message|instructions?)\b/,
  /\b(new|updated|real|following) instructions?\b.{0,5}:/,
  /\b(note|instructions?|message|attention)\s(to|for)\s(any |all |the )?(ai|llm|language model|assistant|model|crawler|bot)s?\b/,
  /\b(dear|attention|hey),? (ai|llm|language model|assistant|chatbot)s?\b/,
  /\b(ai|llm|language models?|assistants?)\b.{0,40}\b(reading|processing|parsing|summari[sz]ing) this\b/,
  /(^|[.!?:;,-] ?|\b(and|then|please|instead|must|should|always|only|simply|just) )(say|output|respond|reply|answer|claim|return|print|pretend|report|write|state|set|fill)\b.{0,30}\b(client|customer|outcomes?|industry|summary|quote|results?|json|fields?)\b.{0,15}( is | are | was | as | to | with |:|=)/,
  /<\|[a-z_]{1,30}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(system|assistant|instructions?)>/,
  /^(system|assistant|user|human)\s?:/,
];

/** Longer than any paragraph that a person reads; what an order hides behind is looked at too. */
const MAX_ORDER_CHARS = 20_000;

/**
 * Whether a paragraph gives orders to a model. It is then neither shown to one nor taken for the page's own word. Text
 * that talks about such orders is lost too, which costs less than one order that is obeyed.
 */
export function givesOrders(text: string): boolean {
  const folded = fold(text.slice(0, MAX_ORDER_CHARS));
  return ORDERS.some((pattern) => pattern.test(folded));
}

/** How a sentence shows units that change what a figure means, folded. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  "%": /%|\bper ?cent|\bpercentage|\bpct\b|\bprozent|\bpour ?cent|\bpor ?ciento|\bper ?cento|процент|パーセント|百分/,
  x: /\dx\b|×|\btimes\b|\bfold\b|fold\b|\bdoubl|\btripl|\bquadrupl|\btwice\b|\bmal\b|\bfois\b|\bveces\b|\bhalv|\bhalf\b|倍/,
  USD: /\$|\busd\b|\bdollar/,
  EUR: /€|\beur\b|\beuro/,
  GBP: /£|\bgbp\b|\bpound|\bsterling/,
  JPY: /¥|\bjpy\b|\byen\b|円/,
  INR: /₹|\binr\b|\brupee|\blakh|\bcrore/,
};
const STEM = 4;

/**
 * The unit when the sentence shows it; null when it is a count or cannot be told; undefined when the sentence must show
 * it and does not, as 40 hours are not 40 %.
 */
export function unitIn(unit: string | null, sentence: string): string | null | undefined {
  if (unit === null) return null;
  const folded = fold(sentence);
  const shown = SHOWN[unit];
  if (shown) return shown.test(folded) ? unit : undefined;
  const isCurrency = /^[A-Z]{3}$/.test(unit);
  if (isCurrency) return folded.includes(unit.toLowerCase()) ? unit : undefined;
  return folded.includes(fold(unit).slice(0, STEM)) || ABBREVIATED[unit]?.test(folded) ? unit : null;
}

const ABBREVIATED: Readonly<Record<string, RegExp>> = {
  milliseconds: /\dms\b|\bms\b/,
  seconds: /\ds\b|\bsecs?\b/,
  minutes: /\dm\b|\bmins?\b/,
  hours: /\dh\b|\bhrs?\b|\bstunden?\b|\bheures?\b|\bhoras?\b/,
  days: /\dd\b|\btage?n?\b|\bjours?\b|\bdias?\b|\bday\b/,
  weeks: /\bwochen?\b|\bsemaines?\b|\bsemanas?\b|\bwk\b/,
  months: /\bmonaten?\b|\bmois\b|\bmeses\b/,
  years: /\bjahren?\b|\bans\b|\bannees?\b|\banos?\b|\byr\b/,
};

/** What a page says, ready to be asked whether it says something. */
export interface PageGrounds {
  /** The story's headings and paragraphs, without those that give orders to a model. */
  readonly story: readonly Block[];
  /** Title, description, labels and logos: beside the story, and without such orders too. */
  readonly facts: readonly string[];
  /** Paragraphs that were left out for their orders. */
  readonly leftOut: number;
  /** The page's own words where a text stands, in the story or in the facts. */
  readonly find: (text: string) => string | undefined;
  /** The whole sentences around a text that stands inside one paragraph. */
  readonly sentenceOf: (text: string) => string | undefined;
  /** How often a name stands in the story. */
  readonly mentions: (name: string) => number;
  /** Whether a name stands in a fact or a heading. */
  readonly isProminent: (name: string) => boolean;
  /** Words of story and facts, folded. */
  readonly words: ReadonlySet<string>;
  /** Every number that a figure of the page may mean. */
  readonly figures: ReadonlySet<number>;
}

/** Far past any case study; what follows is neither shown nor believed. */
const MAX_CHARS = 300_000;
const MAX_FACTS = 40;
const MAX_FACT = 500;
const MAX_NAME = 100;
/** A longer label or logo text is no name. */
const MAX_TELLING = 200;
const MAX_SENTENCES = 2;
/** A longer one is no paragraph of prose. */
const MAX_PARAGRAPH = 20_000;

export function readGrounds(page: PageText): PageGrounds {
  const read = readMarkdown(page.markdown.slice(0, MAX_CHARS));
  const told = [
    { name: null, value: page.title },
    { name: null, value: page.description },
    ...page.labels.slice(0, MAX_FACTS),
    ...page.images.slice(0, MAX_FACTS).map(({ alt }) => ({ name: null, value: alt })),
  ].map(({ name, value }) => ({ name: lineOf(name ?? "", MAX_NAME), value: lineOf(value ?? "", MAX_FACT) }));
  const story = read.filter(({ text }) => !givesOrders(text));
  const honest = told.filter(({ name, value }) => !givesOrders(name) && !givesOrders(value));
  const facts = [
    ...new Set(honest.flatMap(({ name, value }) => (value === "" ? [] : name === "" ? value : `${name}: ${value}`))),
  ];
  const storyText = story.map(({ text }) => text).join("\n");
  const source = `${storyText}\n${facts.join("\n")}`;
  const folded = foldWithPlaces(source);
  const foldedStory = fold(storyText);
  const prominent = [
    ...facts.filter(({ length }) => length <= MAX_TELLING),
    ...story.flatMap((block) => (block.kind === "heading" ? block.text : [])),
  ].map(fold);

  const spanOf = (text: string): { start: number; end: number } | undefined => {
    const needle = trimmed(fold(text));
    const [at] = placesOf(folded.text, needle);
    if (at === undefined) return undefined;
    const last = folded.places[at + needle.length - 1] ?? 0;
    return { start: folded.places[at] ?? 0, end: last + ((source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
  };

  return {
    story,
    facts,
    leftOut: read.length - story.length + told.length - honest.length,
    find(text) {
      const span = spanOf(text);
      if (!span) return undefined;
      const stop = /[.!?…]\W{0,3}$/.test(text) ? (/^[.!?…]/.exec(source.slice(span.end, span.end + 1))?.[0] ?? "") : "";
      return `${source.slice(span.start, span.end)}${stop}`.replace(/\s+/g, " ").trim();
    },
    sentenceOf(text) {
      const span = spanOf(text);
      if (!span || span.end > storyText.length) return undefined;
      const from = storyText.lastIndexOf("\n", span.start - 1) + 1;
      const until = storyText.indexOf("\n", span.start);
      const end = until < 0 ? storyText.length : until;
      if (span.end > end || end - from > MAX_PARAGRAPH) return undefined;
      return sentencesAround(storyText.slice(from, end), span.start - from, span.end - from);
    },
    mentions: (name) => placesOf(foldedStory, trimmed(fold(name))).length,
    isProminent(name) {
      const needle = trimmed(fold(name));
      return prominent.some((text) => placesOf(text, needle).length > 0);
    },
    words: new Set(wordsOf(folded.text)),
    figures: new Set(figuresIn(source).flat()),
  };
}

const lineOf = (text: string, max: number) =>
  text
    .slice(0, max * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, max)
    .toWellFormed();

/** Words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];

/** What ends or opens a sentence is copied or not. */
const trimmed = (folded: string) => folded.replace(/^[\s.,:;!?…-]+/, "").replace(/[\s.,:;!?…-]+$/, "");

function sentencesAround(paragraph: string, start: number, end: number): string | undefined {
  const around: string[] = [];
  let at = 0;
  for (const sentence of splitSentences(paragraph)) {
    const from = paragraph.indexOf(sentence, at);
    if (from < 0) return undefined;
    at = from + sentence.length;
    if (from < end && at > start) around.push(sentence);
  }
  return around.length > 0 && around.length <= MAX_SENTENCES ? around.join(" ") : undefined;
}

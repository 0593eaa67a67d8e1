import { wordsIn } from "../../../core/text.ts";
import { type Block, readMarkdown, splitSentences } from "../../text/markdown.ts";
import type { PageText } from "../../types.ts";

/** A normalised text that can be mapped back to its source. */
interface NormalisedText {
  readonly text: string;
  /** Offset in the source of each UTF-16 code unit of `text`. */
  readonly offsets: Uint32Array;
}

/** Quotation marks, apostrophes, emphasis and invisible characters: pages and models write them inconsistently. */
const IGNORED_CHARACTERS = /["'`´“”„‟«»‹›‘’‚‛*_~\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/;
const DASH = /[‐‑‒–—―−]/;
const SPACE = /\s/;

/** Removes case, accents, quotation marks and emphasis, and unifies white space and dashes. */
function normaliseWithOffsets(source: string): NormalisedText {
  const offsets = new Uint32Array(source.length * 4 + 16);
  const parts: string[] = [];
  let length = 0;
  let wasSpace = true;
  let at = 0;
  for (const character of source) {
    const normalised = normaliseCharacter(character);
    const isSpace = normalised === " ";
    // A few characters decompose into many (one Arabic ligature into eighteen letters); four are kept.
    const kept = isSpace && wasSpace ? "" : normalised.slice(0, 4);
    for (let unit = 0; unit < kept.length; unit++) offsets[length + unit] = at;
    if (kept !== "") {
      parts.push(kept);
      length += kept.length;
      wasSpace = isSpace;
    }
    at += character.length;
  }
  return { text: parts.join(""), offsets: offsets.subarray(0, length) };
}

/** The form in which texts are compared; see {@link normaliseWithOffsets}. */
export const normaliseForMatch = (source: string): string => normaliseWithOffsets(source).text.trim();

function normaliseCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 128) {
    if (SPACE.test(character)) return " ";
    return IGNORED_CHARACTERS.test(character) ? "" : character.toLowerCase();
  }
  if (SPACE.test(character)) return " ";
  if (IGNORED_CHARACTERS.test(character)) return "";
  if (DASH.test(character)) return "-";
  return character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
}

/** Scripts with spaces between words. In other scripts a name may be found inside a run of letters. */
const SPACED_SCRIPTS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;
const MAX_MATCHES = 1_000;

/** Offsets in `text` at which `needle` occurs as whole words. Both are normalised. */
function positionsOf(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle === "") return found;
  let at = text.indexOf(needle);
  for (let tried = 0; at >= 0 && tried < MAX_MATCHES; tried++) {
    const end = at + needle.length;
    const isWhole = !isInsideWord(text[at - 1], text[at]) && !isInsideWord(text[end - 1], text[end]);
    if (isWhole) found.push(at);
    at = text.indexOf(needle, at + 1);
  }
  return found;
}

const isInsideWord = (left: string | undefined, right: string | undefined) =>
  left !== undefined && right !== undefined && SPACED_SCRIPTS.test(left) && SPACED_SCRIPTS.test(right);

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

/** Numbers written as words, and the values that they may mean: "doubled" is 2 times and 100%. */
const SPELLED_NUMBERS: readonly (readonly [RegExp, readonly number[]])[] = [
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
const NEGATION =
  /^(?:not|never|no|none|nor|neither|nothing|nobody|nowhere|cannot|cant|wont|(?:do|does|did|is|was|are|were|has|have|had|could|would|should)nt|without|nicht|nie|niemals|kein\w{0,2}|ohne|jamais|aucune?|nunca|ning[uú]n\w{0,2})$/;

/** Words of a normalised text that deny something. "Not only" denies nothing. */
export const negationsIn = (words: readonly string[]): number =>
  words.filter((word, at) => NEGATION.test(word) && !/^(?:only|nur)$/.test(words[at + 1] ?? "")).length;

const MAX_FIGURES = 5_000;

/** Each figure of a text with every number that it may mean: `1.200` is 1.2 and 1200, `3 million` is 3 and 3000000. */
export function figuresIn(text: string): number[][] {
  const figures: number[][] = [];
  for (const [, digits = "", scale = ""] of text.matchAll(FIGURE)) {
    const plain = readings(digits);
    const times = SCALES[scale.toLowerCase()];
    figures.push(times === undefined ? plain : [...plain, ...plain.map((value) => withoutFloatError(value * times))]);
    if (figures.length >= MAX_FIGURES) break;
  }
  return figures;
}

/** Numbers written as words in a normalised text. */
export const spelledNumbersIn = (normalised: string): number[] =>
  SPELLED_NUMBERS.flatMap(([pattern, values]) => (pattern.test(normalised) ? values : []));

export const includesNumber = (value: number, numbers: Iterable<number>): boolean => {
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
    // A comma or point separates thousands only before three digits.
    if (isDecimal && joined.length - mark - 1 !== 3) values.shift();
  }
  if (spaced.length > 1) values.push(...spaced.map((part) => part.replace(/,/g, ".")));
  return values.map(Number).filter(Number.isFinite);
}

/** 1.1 * 1e6 is 1100000.0000000001 in binary floating point. */
const withoutFloatError = (value: number) => Number(value.toPrecision(12));

/** Text that addresses a model instead of a reader. For normalised text: lower case, no quotation marks. */
const INJECTION_PATTERNS: readonly RegExp[] = [
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

/** Longer than any real paragraph, so that an instruction cannot be hidden behind filler. */
const MAX_INJECTION_CHARS = 20_000;

/**
 * Whether a paragraph contains instructions to a model. Such a paragraph is neither sent to a model nor used as
 * evidence. Text that merely talks about such instructions is lost too, which costs less than one obeyed instruction.
 */
export function isPromptInjection(text: string): boolean {
  const normalised = normaliseForMatch(text.slice(0, MAX_INJECTION_CHARS));
  return INJECTION_PATTERNS.some((pattern) => pattern.test(normalised));
}

/** How a normalised sentence may write the units that change a figure's meaning. */
const UNIT_PATTERNS: Readonly<Record<string, RegExp>> = {
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
 * The unit when the sentence contains it; null for a count or a unit that cannot be verified; undefined when the unit
 * must be in the sentence and is not: 40 hours are not 40%.
 */
export function unitIn(unit: string | null, sentence: string): string | null | undefined {
  if (unit === null) return null;
  const normalised = normaliseForMatch(sentence);
  const pattern = UNIT_PATTERNS[unit];
  if (pattern) return pattern.test(normalised) ? unit : undefined;
  const isCurrency = /^[A-Z]{3}$/.test(unit);
  if (isCurrency) return normalised.includes(unit.toLowerCase()) ? unit : undefined;
  const isStated = normalised.includes(normaliseForMatch(unit).slice(0, STEM));
  return isStated || UNIT_ABBREVIATIONS[unit]?.test(normalised) ? unit : null;
}

const UNIT_ABBREVIATIONS: Readonly<Record<string, RegExp>> = {
  milliseconds: /\dms\b|\bms\b/,
  seconds: /\ds\b|\bsecs?\b/,
  minutes: /\dm\b|\bmins?\b/,
  hours: /\dh\b|\bhrs?\b|\bstunden?\b|\bheures?\b|\bhoras?\b/,
  days: /\dd\b|\btage?n?\b|\bjours?\b|\bdias?\b|\bday\b/,
  weeks: /\bwochen?\b|\bsemaines?\b|\bsemanas?\b|\bwk\b/,
  months: /\bmonaten?\b|\bmois\b|\bmeses\b/,
  years: /\bjahren?\b|\bans\b|\bannees?\b|\banos?\b|\byr\b/,
};

/** The text of a page, prepared for checking claims against it. Paragraphs with instructions to a model are removed. */
export interface PageEvidence {
  /** Headings and paragraphs of the story. */
  readonly story: readonly Block[];
  /** Title, description, labels and logos. */
  readonly facts: readonly string[];
  /** Number of removed paragraphs. */
  readonly hiddenParagraphs: number;
  /** The page's own wording of a text, from the story or the facts; undefined when it is not there. */
  readonly find: (text: string) => string | undefined;
  /** The whole sentences around a text that is inside one paragraph. */
  readonly sentenceOf: (text: string) => string | undefined;
  /** Number of times that a name occurs in the story. */
  readonly mentions: (name: string) => number;
  /** Whether a name occurs in a fact or a heading. */
  readonly isProminent: (name: string) => boolean;
  /** Normalised words of story and facts. */
  readonly words: ReadonlySet<string>;
  /** Every number that a figure of the page may mean. */
  readonly figures: ReadonlySet<number>;
  /** Number of words that deny something. */
  readonly negations: number;
}

/** Longer than any case study; the rest is ignored. */
const MAX_CHARS = 300_000;
const MAX_FACTS = 40;
const MAX_FACT = 500;
const MAX_NAME = 100;
/** A longer label or logo text is no name. */
const MAX_PROMINENT = 200;
const MAX_SENTENCES = 2;
/** A longer paragraph is no prose. */
const MAX_PARAGRAPH = 20_000;

export function readPageEvidence(page: PageText): PageEvidence {
  const blocks = readMarkdown(page.markdown.slice(0, MAX_CHARS));
  const labels = [
    { name: null, value: page.title },
    { name: null, value: page.description },
    ...page.labels.slice(0, MAX_FACTS),
    ...page.images.slice(0, MAX_FACTS).map(({ alt }) => ({ name: null, value: alt })),
  ].map(({ name, value }) => ({ name: lineOf(name ?? "", MAX_NAME), value: lineOf(value ?? "", MAX_FACT) }));
  const story = blocks.filter(({ text }) => !isPromptInjection(text));
  const safeLabels = labels.filter(({ name, value }) => !isPromptInjection(name) && !isPromptInjection(value));
  const facts = [
    ...new Set(
      safeLabels.flatMap(({ name, value }) => (value === "" ? [] : name === "" ? value : `${name}: ${value}`)),
    ),
  ];
  const storyText = story.map(({ text }) => text).join("\n");
  const source = `${storyText}\n${facts.join("\n")}`;
  const normalised = normaliseWithOffsets(source);
  const words = wordsIn(normalised.text);
  const normalisedStory = normaliseForMatch(storyText);
  const prominent = [
    ...facts.filter(({ length }) => length <= MAX_PROMINENT),
    ...story.flatMap((block) => (block.kind === "heading" ? block.text : [])),
  ].map(normaliseForMatch);

  const spanOf = (text: string): { start: number; end: number } | undefined => {
    const needle = searchKey(text);
    const [at] = positionsOf(normalised.text, needle);
    if (at === undefined) return undefined;
    const last = normalised.offsets[at + needle.length - 1] ?? 0;
    return { start: normalised.offsets[at] ?? 0, end: last + ((source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
  };

  return {
    story,
    facts,
    hiddenParagraphs: blocks.length - story.length + labels.length - safeLabels.length,
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
    mentions: (name) => positionsOf(normalisedStory, searchKey(name)).length,
    isProminent(name) {
      const needle = searchKey(name);
      return prominent.some((text) => positionsOf(text, needle).length > 0);
    },
    words: new Set(words),
    negations: negationsIn(words),
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

/** Normalised, without punctuation at both ends, which a model may or may not copy. */
const searchKey = (text: string) =>
  normaliseForMatch(text)
    .replace(/^[\s.,:;!?…-]+/, "")
    .replace(/[\s.,:;!?…-]+$/, "");

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

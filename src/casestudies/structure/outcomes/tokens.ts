import { wordMap, wordSet } from "../word-lists.ts";

/**
 * A token of a sentence. A `figure` is one number in digits; other digits (version, date, time, ordinal) are `other`.
 */
export interface Token {
  readonly kind: "word" | "figure" | "other" | "mark";
  /** As in the text. */
  readonly text: string;
  /** In lower case. */
  readonly word: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** No white space precedes it. */
  readonly glued: boolean;
}

export const CLAUSE_ENDS = wordSet("; : . — ? !");

/** Longer than any sentence; the rest is ignored. */
const MAX_TOKENS = 4_000;

/** Splits a text into tokens in one pass. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let glued = false;
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS; ) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      glued = false;
      at += 1;
      continue;
    }
    const [kind, end] = isDigit(code)
      ? endOfFigure(text, at)
      : isLetter(code)
        ? (["word", endOfWord(text, at)] as const)
        : (["mark", at + 1] as const);
    const piece = text.slice(at, end);
    tokens.push({ kind, text: piece, word: kind === "mark" ? piece : piece.toLowerCase(), start: at, end, glued });
    glued = true;
    at = end;
  }
  return tokens;
}

const isSpace = (code: number) => code <= 32 || code === 0xa0 || code === 0x2009 || code === 0x202f || code === 0x200b;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x2fff) && code < 0xfe00);
const isApostrophe = (code: number) => code === 39 || code === 0x2019;

/** Words include digits and apostrophes inside them: `p99`, `x86_64`, `we've`. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isInside = isApostrophe(code) && at + 1 < text.length && isLetter(text.charCodeAt(at + 1));
    if (!isLetter(code) && !isDigit(code) && !isInside) break;
    at += 1;
  }
  return at;
}

/** Recognises digits that are joined to something other than a number: `10:30`, `1.2.3`, `2019-09-03`, `24/7`. */
function endOfFigure(text: string, from: number): readonly ["figure" | "other", number] {
  const grouped = THOUSANDS.exec(text.slice(from, from + 24))?.[0];
  if (grouped !== undefined && !isDigit(text.charCodeAt(from - 1))) return ["figure", from + grouped.length];
  let at = endOfDigits(text, from);
  let points = 0;
  for (;;) {
    const mark = text[at];
    if ((mark !== "." && mark !== "," && mark !== ":" && mark !== "/") || !isDigit(text.charCodeAt(at + 1))) break;
    const end = endOfDigits(text, at + 1);
    const isThousands = mark === "," && end - at === 4;
    if (!isThousands) points += mark === "." || (mark === "," && end - at < 4) ? 1 : 2;
    at = end;
  }
  if (text[at] === "-" && isDate(text, from, at)) return ["other", endOfDate(text, at)];
  if (text[at] === "-" && isPartNumber(text, from, at)) return ["other", endOfDigits(text, at + 1)];
  const isOrdinal = /^(?:st|nd|rd|th)(?![a-z])/i.test(text.slice(at, at + 3));
  return [points > 1 || isOrdinal || isGluedToWord(text, from) ? "other" : "figure", isOrdinal ? at + 2 : at];
}

/** "120 000", "1 200 000", "1.200.000" and "1'200": thousands as French, German and Swiss pages write them. */
const THOUSANDS = /^[1-9]\d{0,2}(?:(?:[ \u00a0\u202f\u2009]\d{3})+|(?:\.\d{3}){2,}|(?:['’]\d{3})+)(?![\d.,:/%]*\d)/;

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** "oilfield 32-6": a name, because the second number of a range is larger. */
const isPartNumber = (text: string, from: number, at: number) => {
  const end = endOfDigits(text, at + 1);
  const isBare = end > at + 1 && !/[\d.,%a-z]/i.test(text[end] ?? "") && !/[.,]/.test(text.slice(from, at));
  return isBare && Number(text.slice(at + 1, end)) < Number(text.slice(from, at));
};

const isDate = (text: string, from: number, at: number) =>
  at - from === 4 && /^-\d\d(?!\d)/.test(text.slice(at, at + 4));
function endOfDate(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at)) || text[at] === "-" || text[at] === ":") at += 1;
  return at;
}

/** `log4j-2`, `#12`, `/v2/300`: names and paths. */
function isGluedToWord(text: string, from: number): boolean {
  const before = text[from - 1];
  if (before === "#" || before === "@" || before === "/" || before === "\\" || before === "=") return true;
  return before === "." && /[\w)]/.test(text[from - 2] ?? "");
}

/** `2,000` and `2 000` are 2000, `99,9` is 99.9. */
function figureValue(text: string): number {
  if (THOUSANDS.test(text)) return Number(text.replace(/\D/g, ""));
  const comma = text.lastIndexOf(",");
  const isDecimalComma = comma > 0 && text.length - comma !== 4 && !text.includes(".");
  return Number(
    isDecimalComma ? `${text.slice(0, comma).replaceAll(",", "")}.${text.slice(comma + 1)}` : text.replaceAll(",", ""),
  );
}

/** A number in digits, words or both. */
interface Numeral {
  readonly value: number;
  /** Index of the token after it. */
  readonly end: number;
  readonly inWords: boolean;
  /** It contains a scale word or letter: "3k", "two million". */
  readonly scaled: boolean;
}

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SMALL: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);
const SCALES = wordMap([
  [1e2, "hundred"],
  [12, "dozen"],
  [1e3, "thousand"],
  [1e5, "lakh"],
  [1e6, "million mio mn mln"],
  [1e7, "crore"],
  [1e9, "billion bn"],
  [1e12, "trillion"],
]);
const LETTERS = wordMap([
  [1e3, "k K"],
  [1e6, "M MM"],
  [1e9, "B"],
  [1e12, "T"],
]);

/** Parses the number that starts at `at`, with its scale: `3.5k`, `two hundred thousand`, `350-million`, `a dozen`. */
export function readNumeral(tokens: readonly Token[], at: number): Numeral | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "figure") return scaled(tokens, at + 1, figureValue(token.text));
  return token.kind === "word" ? inWords(tokens, at) : undefined;
}

function scaled(tokens: readonly Token[], at: number, value: number): Numeral {
  let next = at;
  let factor = 1;
  for (let words = 0; words < 2; words++) {
    const joined = tokens[next]?.word === "-" && tokens[next]?.glued ? next + 1 : next;
    const token = tokens[joined];
    const scale =
      token &&
      (SCALES.get(token.word) ??
        SCALES.get(token.word.replace(/s$/, "")) ??
        (token.glued ? LETTERS.get(token.text) : undefined));
    if (scale === undefined) break;
    factor *= scale;
    next = joined + 1;
  }
  return { value: rounded(value * factor), end: next, inWords: false, scaled: factor !== 1 };
}

/** 1.1 * 1e6 is 1100000.0000000001 in binary floating point. */
const rounded = (value: number) => Number(value.toPrecision(12));

function inWords(tokens: readonly Token[], start: number): Numeral | undefined {
  let at = start;
  let total = 0;
  let part = 0;
  let read = 0;
  let hasScale = false;
  const first = tokens[at]?.word;
  if (first === "half" && tokens[at + 1]?.word === "a" && (SCALES.get(tokens[at + 2]?.word ?? "") ?? 0) >= 1e3) {
    return { value: (SCALES.get(tokens[at + 2]?.word ?? "") ?? 0) / 2, end: at + 3, inWords: true, scaled: true };
  }
  if (first === "couple") {
    const end = tokens[at + 1]?.word === "of" ? at + 2 : at + 1;
    return { value: 2, end, inWords: true, scaled: false };
  }
  if (first === "a" || first === "an" || first === "first") {
    if (!SCALES.has(tokens[at + 1]?.word ?? "")) return undefined;
    at += 1;
    part = 1;
  }
  for (; at < tokens.length && read < 12; ) {
    const joined = read > 0 && tokens[at]?.word === "-" && tokens[at]?.glued ? at + 1 : at;
    const isAnd = tokens[joined]?.word === "and" && part >= 100 && SMALL.has(tokens[joined + 1]?.word ?? "");
    const place = isAnd ? joined + 1 : joined;
    const word = tokens[place]?.word ?? "";
    const small = SMALL.get(word);
    const scale = SCALES.get(word);
    if (small !== undefined && (part === 0 ? read === 0 || hasScale : canFollow(part, small))) part += small;
    else if (scale !== undefined && part > 0) {
      hasScale = true;
      if (scale >= 1e3) {
        total += part * scale;
        part = 0;
      } else part *= scale;
    } else break;
    read += 1;
    at = place + 1;
  }
  return read === 0 ? undefined : { value: total + part, end: at, inWords: true, scaled: hasScale };
}

/** "twenty five", "two hundred five", and not "four five". */
const canFollow = (part: number, small: number) =>
  (part % 100 === 0 && part >= 100) || (part % 10 === 0 && part % 100 >= 20 && small < 10);

/**
 * A piece of a sentence. A `figure` is written in digits and is one number; digits that are none (a version, a date, a
 * clock, an ordinal) are `other`.
 */
export interface Token {
  readonly kind: "word" | "figure" | "other" | "mark";
  /** As it stands in the text. */
  readonly text: string;
  /** The same in lower case. */
  readonly word: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** No white space stands before it. */
  readonly glued: boolean;
}

/** Far past any sentence; what follows is not read. */
const MAX_TOKENS = 4_000;

/** Cuts a text into tokens, in one pass over its characters. */
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

/** Words keep the digits and apostrophes inside them: `p99`, `x86_64`, `we've`. */
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

/** Characters that join digits to something that is no number: `10:30`, `1.2.3`, `2019-09-03`, `24/7`. */
function endOfFigure(text: string, from: number): readonly ["figure" | "other", number] {
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

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** "oilfield 32-6": a name, where a range would rise. */
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

/** A figure's number: `2,000` is 2000, `99,9` is 99.9. */
export function figureValue(text: string): number {
  const comma = text.lastIndexOf(",");
  const isDecimalComma = comma > 0 && text.length - comma !== 4 && !text.includes(".");
  return Number(
    isDecimalComma ? `${text.slice(0, comma).replaceAll(",", "")}.${text.slice(comma + 1)}` : text.replaceAll(",", ""),
  );
}

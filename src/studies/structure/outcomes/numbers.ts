import { figureValue, type Token } from "./tokens.ts";

/** A number that starts at a token, in digits, in words or both. */
export interface Numeral {
  readonly value: number;
  /** Token after it. */
  readonly end: number;
  readonly inWords: boolean;
  /** A scale word or letter stands in it: "3k", "two million". */
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
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 1e2],
  ["dozen", 12],
  ["thousand", 1e3],
  ["lakh", 1e5],
  ["million", 1e6],
  ["mio", 1e6],
  ["mn", 1e6],
  ["mln", 1e6],
  ["crore", 1e7],
  ["billion", 1e9],
  ["bn", 1e9],
  ["trillion", 1e12],
]);
const LETTERS: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["K", 1e3],
  ["M", 1e6],
  ["MM", 1e6],
  ["B", 1e9],
  ["T", 1e12],
]);

/** Reads the number that starts at `at`, with its scale: `3.5k`, `two hundred thousand`, `350-million`, `a dozen`. */
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

/** Binary fractions leave dust: 1.1 × 1e6. */
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

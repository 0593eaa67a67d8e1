import { wordMap, wordSet } from "../word-lists.ts";
import { readNumeral, type Token } from "./tokens.ts";
import { type Dimension, GLUED_UNITS, MONEY_CODES, MONEY_SIGNS, UNIT_WORDS, type UnitWord } from "./units.ts";
import { changeOf, isPlural, nounClassOf, singularOf } from "./words.ts";

/** Words that end the phrase with the counted noun. */
const PHRASE_STOPS = wordSet(`
  a an the of in on at for from by with to and or but per each every is are was were be been has have had do does did
  can could will would should may might that which who whose while when where than as if it its they their we our you
  your he she this these those into over under across within through during after before since so because not no more
  less fewer using running without between among against out up down about around via plus then also now today only
`);
const MAX_PHRASE = 6;
/** Maximum number of tokens before the colon of a metric tile. */
const MAX_TILE = 4;

interface CountedNoun {
  /** Lower case, singular. */
  readonly noun: string;
  /** Index of the token after it. */
  readonly end: number;
  /** Joined by a hyphen: "a 60-node cluster". */
  readonly glued: boolean;
}

/** The noun of a count: "100 million monthly active users" counts users. */
function nounAfter(tokens: readonly Token[], at: number): CountedNoun | null {
  let index = at;
  const isGlued = tokens[index]?.word === "-" && tokens[index]?.glued === true && tokens[index + 1]?.glued === true;
  if (isGlued) index += 1;
  // A metric tile: "5M: votes cast".
  if (tokens[index]?.word === ":" && at <= MAX_TILE) index += 1;
  if (tokens[index]?.word === "of" && PHRASE_STOPS.has(tokens[index + 1]?.word ?? "")) index += 2;
  // "12 more shifts".
  else if (MORE.has(tokens[index]?.word ?? "") && tokens[index + 1]?.word !== "than") index += 1;
  let last: { noun: string; end: number } | null = null;
  for (let read = 0; read < MAX_PHRASE && index < tokens.length; read++, index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.kind === "mark" && (token.word === "-" || token.word === "/") && token.glued) continue;
    if (token.kind !== "word" || PHRASE_STOPS.has(token.word)) break;
    last = { noun: singularOf(token.word), end: index + 1 };
    if (isGlued) break;
    if (isPlural(token.word) && nounClassOf(token.word) !== "unknown") break;
  }
  return last && { ...last, glued: isGlued };
}

const MORE = wordSet("more fewer additional extra");
const PERIODS = wordSet("second sec s minute min hour hr day week month quarter year night");
const ADVERBS: ReadonlyMap<string, string> = new Map([
  ["daily", "day"],
  ["weekly", "week"],
  ["monthly", "month"],
  ["hourly", "hour"],
  ["yearly", "year"],
  ["annually", "year"],
]);

/** The period of "per second", "a day", "/s", "every month" or "daily", within the next three tokens. */
function perAfter(tokens: readonly Token[], at: number): string | null {
  for (let place = at; place < at + 3; place++) {
    const word = tokens[place]?.word ?? "";
    const next = tokens[place + 1]?.word ?? "";
    if (ADVERBS.has(word)) return ADVERBS.get(word) ?? null;
    if (
      (word === "per" || word === "a" || word === "an" || word === "each" || word === "every" || word === "/") &&
      PERIODS.has(next)
    )
      return next;
    if (word === "times" || word === "x" || word === "in") continue;
    if (tokens[place]?.kind !== "word") return null;
  }
  return null;
}

/** A unit after a number. */
interface FoundUnit {
  readonly word: UnitWord;
  readonly end: number;
  readonly hyphened: boolean;
  /** The number is a power of ten. */
  readonly power?: boolean;
}

/** Words after which "times" is a frequency and not a factor. */
const FREQUENCY_WORDS = wordSet("a an per each every daily weekly monthly");

/** The unit at a token: "%", "per cent", "-minute", "orders of magnitude", "ms". */
function unitAt(tokens: readonly Token[], at: number): FoundUnit | undefined {
  const isHyphened = tokens[at]?.word === "-" && tokens[at]?.glued === true && tokens[at + 1]?.glued === true;
  const index = isHyphened ? at + 1 : at;
  const token = tokens[index];
  if (token === undefined) return undefined;
  const next = tokens[index + 1]?.word ?? "";
  const sign = MONEY_SIGNS.get(token.text);
  // "120 000 €".
  if (sign && tokens[index + 1]?.kind !== "figure") return { word: sign, end: index + 1, hyphened: false };
  if (token.word === "percentage" && /^points?$/.test(next)) return unitFound("%", index + 2, isHyphened);
  if (token.word === "per" && next === "cent") return unitFound("%", index + 2, isHyphened);
  if (/^orders?$/.test(token.word) && next === "of" && tokens[index + 2]?.word === "magnitude") {
    return { ...unitFound("x", index + 3, false), power: true };
  }
  const isEvery = FREQUENCY_WORDS.has(next) || (next === "in" && FREQUENCY_WORDS.has(tokens[index + 2]?.word ?? ""));
  if ((token.word === "times" && isEvery) || (/^(?:times|x)$/.test(token.word) && next === "/")) return undefined;
  if (token.text === "s" && isPluralFigure(tokens, index - 1)) return undefined;
  if (token.word === "x" && !token.glued && /^\d/.test(next)) return undefined;
  if (token.word === "us" && !token.glued) return undefined;
  const glued = token.glued ? GLUED_UNITS.get(token.text) : undefined;
  const word = glued ?? UNIT_WORDS.get(token.word);
  if (!word) return undefined;
  if (word.dimension === "bytes" && next === "ps") return undefined;
  const isPoints = word.unit === "%" && /^points?$/.test(next);
  return { word, end: index + (isPoints ? 2 : 1), hyphened: isHyphened };
}

/** "five 9s", "the 90s", "the 1990s". */
function isPluralFigure(tokens: readonly Token[], at: number): boolean {
  const digits = tokens[at]?.text ?? "";
  return (
    digits === "9" || /^(?:1[89]|20)\d0$/.test(digits) || (/^[1-9]0$/.test(digits) && tokens[at - 1]?.word === "the")
  );
}

const unitFound = (unit: string, end: number, hyphened: boolean): FoundUnit => ({
  word: UNIT_WORDS.get(unit) ?? { dimension: "count", unit: "count", size: 1 },
  end,
  hyphened,
});

const MULTIPLES = wordMap([
  [2, "doubled doubling doubles twofold"],
  [3, "tripled tripling triples threefold"],
  [4, "quadrupled quadrupling fourfold"],
  [5, "quintupled fivefold"],
  [6, "sixfold"],
  [7, "sevenfold"],
  [8, "eightfold"],
  [10, "tenfold"],
  [20, "twentyfold"],
  [100, "hundredfold"],
]);

/** Before these words "twice" is a frequency. */
const FREQUENCY_PERIODS = wordSet("a an per each every daily weekly monthly yearly");
const FRACTIONS = wordMap([
  [50, "half"],
  [33, "third thirds"],
  [25, "quarter quarters"],
  [20, "fifth"],
  [12.5, "eighth"],
  [10, "tenth"],
]);
/** A fraction counts only after one of the first words (the size of a change) or before one of the second (a share). */
const WORDS_BEFORE_FRACTION = wordSet(
  "by in to than over almost nearly about roughly down up fell dropped rose another",
);
const WORDS_AFTER_FRACTION = wordSet("the of as our their its his her that what");

/** Amounts in words: "doubled", "tenfold", "twice as fast", "in half", "half the time", "half an hour". */
function readWordAmount(tokens: readonly Token[], at: number): Amount | undefined {
  const word = tokens[at]?.word ?? "";
  const next = tokens[at + 1]?.word ?? "";
  if (next === "-" && tokens[at + 1]?.glued && /^(?:doubl|tripl|quadrupl)/.test(word)) return undefined;
  const multiple = MULTIPLES.get(word);
  if (multiple !== undefined) return wordAmount(at, at + 1, multiple, "x");
  const before = tokens[at - 1]?.word ?? "";
  if (word === "double" && (next === "the" || before === "to" || before === "than"))
    return wordAmount(at, at + 1, 2, "x");
  if ((word === "triple" || word === "quadruple") && before !== "a" && before !== "the")
    return wordAmount(at, at + 1, word === "triple" ? 3 : 4, "x");
  if (word === "halved" || word === "halving" || word === "halves") return wordAmount(at, at + 1, 50, "%");
  if (word === "twice" || word === "thrice") {
    const value = word === "twice" ? 2 : 3;
    return FREQUENCY_PERIODS.has(next) ? undefined : wordAmount(at, at + 1, value, "x");
  }
  if ((word === "half" && (next === "a" || next === "an")) || (word === "half" && next === "-"))
    return readHalf(tokens, at);
  return readSingleUnit(tokens, at, word) ?? readFraction(tokens, at, word);
}

/** Words after which "a minute" is an amount. */
const DURATION_LEADS = wordSet(
  "under within in to inside of than just only about every take takes took taking lasts lasted",
);

/** "under a minute", "in an hour", "in a fortnight", "every day". */
function readSingleUnit(tokens: readonly Token[], at: number, word: string): Amount | undefined {
  const isEvery = word === "every" && tokens[at - 1]?.word === "to";
  if (!isEvery && !((word === "a" || word === "an") && DURATION_LEADS.has(tokens[at - 1]?.word ?? "")))
    return undefined;
  const name = tokens[at + 1]?.word ?? "";
  const isFortnight = name === "fortnight";
  const unit = UNIT_WORDS.get(isFortnight ? "weeks" : name);
  if (unit?.dimension !== "duration" || name === "quarter") return undefined;
  return { ...wordAmount(at, at + 2, isFortnight ? 2 : 1, unit.unit), dimension: "duration", size: unit.size };
}

/** "half an hour" is 30 minutes; "half a week" 0.5 weeks. */
function readHalf(tokens: readonly Token[], at: number): Amount | undefined {
  const unit = UNIT_WORDS.get(tokens[at + 2]?.word ?? "");
  if (unit?.dimension !== "duration") return undefined;
  const isHour = unit.unit === "hours";
  return {
    ...wordAmount(at, at + 3, isHour ? 30 : 0.5, isHour ? "minutes" : unit.unit),
    dimension: "duration",
    size: isHour ? 60 : unit.size,
  };
}

function readFraction(tokens: readonly Token[], at: number, word: string): Amount | undefined {
  const isArticle = word === "a" || word === "one";
  const count = readNumeral(tokens, at);
  const place = isArticle ? pastHyphen(tokens, at + 1) : count?.inWords ? pastHyphen(tokens, count.end) : at;
  const name = tokens[place]?.word ?? "";
  const share = FRACTIONS.get(name);
  if (share === undefined || (place === at && name !== "half")) return undefined;
  const parts = isArticle || !count || place === at ? 1 : count.value;
  if (parts * share > 100) return undefined;
  const before = tokens[at - 1]?.word ?? "";
  const after = tokens[place + 1]?.word ?? "";
  if (!WORDS_BEFORE_FRACTION.has(before) && !WORDS_AFTER_FRACTION.has(after)) return undefined;
  if (before === "and") return undefined;
  const value = parts === 2 && share === 33 ? 67 : parts * share;
  return wordAmount(at, place + 1, isRemainder(tokens, at, place + 1) ? 100 - value : value, "%");
}

const FORMER = /^(?:of )?(?:the|its|their|our) (?:previous|original|former|earlier|old|usual|initial)\b/;

/** "cut to a third", "at a tenth of the previous cost": what is left, so the change is the rest. */
export function isRemainder(tokens: readonly Token[], from: number, to: number): boolean {
  const words = (start: number, end: number) =>
    tokens
      .slice(Math.max(0, start), end)
      .map(({ word }) => word)
      .join(" ");
  if (FORMER.test(words(to, to + 4))) return true;
  return (
    tokens[from - 1]?.word === "to" &&
    tokens.slice(Math.max(0, from - 9), from - 1).some(({ word }) => changeOf(word) === "down")
  );
}

const pastHyphen = (tokens: readonly Token[], at: number) => (tokens[at]?.word === "-" ? at + 1 : at);

function wordAmount(from: number, to: number, value: number, unit: string): Amount {
  return {
    from,
    to,
    value,
    high: null,
    dimension: unit === "%" ? "percent" : "multiple",
    unit,
    size: 1,
    noun: null,
    per: null,
    inWords: true,
    hyphened: false,
  };
}

/** A figure with its unit and its position in the tokens. */
export interface Amount {
  /** Index of the first token, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The lower end of a range. */
  readonly value: number;
  readonly high: number | null;
  readonly dimension: Dimension;
  /** Canonical unit; null for a bare number. */
  readonly unit: string | null;
  /** Size of the unit in seconds or bytes, else 1. */
  readonly size: number;
  /** The counted noun, in the singular. */
  readonly noun: string | null;
  /** "second", "day", … for a rate. */
  readonly per: string | null;
  readonly inWords: boolean;
  /** "a 10-minute build": the figure describes a noun. */
  readonly hyphened: boolean;
}

const MAX_AMOUNTS = 60;
const DASHES = wordSet("- – — ~ ‑");

/** The figures of a sentence in order, without overlaps. */
export function findAmounts(tokens: readonly Token[]): Amount[] {
  const unitFound: Amount[] = [];
  for (let at = 0; at < tokens.length && unitFound.length < MAX_AMOUNTS; ) {
    const amount = readAmountAt(tokens, at);
    if (amount && !isYear(tokens, amount)) unitFound.push(amount);
    at = amount ? Math.max(amount.to, at + 1) : at + 1;
  }
  return unitFound;
}

const isYear = (tokens: readonly Token[], { from, to, value, dimension, noun, inWords }: Amount) =>
  to === from + 1 &&
  dimension === "count" &&
  !inWords &&
  value >= 1_900 &&
  value <= 2_099 &&
  tokens[from]?.text.length === 4 &&
  (noun === null || ["unknown", "vague"].includes(nounClassOf(noun)) || YEAR_LEAD.has(tokens[from - 1]?.word ?? ""));
const YEAR_LEAD = wordSet("in since by early late mid until during of summer spring end");

function readAmountAt(tokens: readonly Token[], at: number): Amount | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind === "other") return undefined;
  if (token.kind === "mark") return MONEY_SIGNS.has(token.text) ? readMoney(tokens, at) : undefined;
  if (token.kind === "word") {
    if (MONEY_CODES.has(token.word) && tokens[at + 1]?.kind === "figure") return readMoney(tokens, at);
    const wordAmount = readWordAmount(tokens, at);
    if (wordAmount) return wordAmount;
  }
  return readFigure(tokens, at);
}

function readMoney(tokens: readonly Token[], at: number): Amount | undefined {
  const sign = MONEY_SIGNS.get(tokens[at]?.text ?? "") ?? UNIT_WORDS.get(tokens[at]?.word ?? "");
  if (!sign) return undefined;
  const low = readMoneyNumeral(tokens, at + 1);
  if (!low) return undefined;
  const dash = tokens[low.end];
  const second =
    dash && DASHES.has(dash.word) ? low.end + (MONEY_SIGNS.has(tokens[low.end + 1]?.text ?? "") ? 2 : 1) : -1;
  const high = second < 0 ? undefined : readMoneyNumeral(tokens, second);
  const isRange = high !== undefined && high.value > low.value;
  const factor = isRange && high.scaled && !low.scaled ? scaleOf(high.value, low.value) : 1;
  const end = isRange ? high.end : low.end;
  return amountOf(tokens, {
    from: at,
    to: pastPlus(tokens, end),
    value: low.value * factor,
    unit: sign,
    high: isRange ? high.value : null,
  });
}

function readMoneyNumeral(tokens: readonly Token[], at: number) {
  const numeral = readNumeral(tokens, at);
  const letter = numeral && tokens[numeral.end];
  if (numeral && letter?.glued && !numeral.scaled && (letter.text === "m" || letter.text === "b")) {
    return { ...numeral, value: numeral.value * (letter.text === "m" ? 1e6 : 1e9), end: numeral.end + 1, scaled: true };
  }
  return numeral;
}

/** "2-3 million": the scale of the second number also applies to the first. */
function scaleOf(high: number, low: number): number {
  for (const scale of [1e12, 1e9, 1e6, 1e3]) if (high >= scale && low < 1e3) return scale;
  return 1;
}

const MAX_FACTOR = 100_000;

function readFigure(tokens: readonly Token[], at: number): Amount | undefined {
  const first = readNumeral(tokens, at);
  if (!first) return undefined;
  let end = pastPlus(tokens, first.end);
  let value = first.value;
  let high: number | null = null;
  const joint = tokens[end]?.word ?? "";
  if (DASHES.has(joint) || joint === "to" || joint === "or") {
    const second = readNumeral(tokens, end + 1);
    const isWordRange = !DASHES.has(joint) && tokens[at - 1]?.word === "from";
    if (second && second.value > value && !isWordRange && isSameWriting(first.inWords, second.inWords, joint)) {
      if (second.scaled && !first.scaled) value *= scaleOf(second.value, value);
      high = second.value;
      end = pastPlus(tokens, second.end);
    }
  }
  // "two and a half weeks".
  if (tokens[end]?.word === "and" && tokens[end + 1]?.word === "a" && tokens[end + 2]?.word === "half") {
    value += 0.5;
    end += 3;
  }
  const found = unitAt(tokens, end);
  // "started 30 million times": a count, not a factor.
  const unit = found?.word.unit === "x" && value > MAX_FACTOR ? undefined : found;
  if (!unit && end === first.end && !first.inWords && isNamePart(tokens[end])) return undefined;
  if (unit) {
    const base = {
      from: at,
      to: unit.end,
      value: unit.power ? 10 ** Math.min(value, 9) : value,
      high,
      unit: unit.word,
      inWords: first.inWords,
      hyphened: unit.hyphened,
    };
    return withRepeatedUnit(tokens, amountOf(tokens, base), tokens[at - 1]?.word === "from");
  }
  const isFactor = tokens[at - 1]?.word === "of" && tokens[at - 2]?.word === "factor";
  const factor = isFactor ? (UNIT_WORDS.get("x") ?? null) : null;
  return amountOf(tokens, { from: at, to: end, value, high, unit: factor, inWords: first.inWords });
}

/** "5G", "3D": part of a name. */
const isNamePart = (token: Token | undefined) => token?.kind === "word" && token.glued && token.word !== "x";

const isSameWriting = (left: boolean, right: boolean, joint: string) => left === right || joint === "to";

function pastPlus(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.word === "+" && tokens[at]?.glued) return at + 1;
  return tokens[at]?.word === "-" && tokens[at + 1]?.word === "plus" ? at + 2 : at;
}

/** "60% to 70%", "2 weeks – 3 weeks": one range, unless "from" shows a change from one to the other. */
function withRepeatedUnit(tokens: readonly Token[], low: Amount, isFrom: boolean): Amount {
  const joint = tokens[low.to]?.word ?? "";
  if (isFrom || low.high !== null || !(DASHES.has(joint) || joint === "to" || joint === "or")) return low;
  const second = readNumeral(tokens, low.to + 1);
  const unit = second && unitAt(tokens, pastPlus(tokens, second.end));
  if (!second || !unit || unit.word.unit !== low.unit || second.value <= low.value) return low;
  return { ...low, high: second.value, to: unit.end };
}

interface AmountParts {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly high: number | null;
  readonly unit: UnitWord | null;
  readonly inWords?: boolean;
  readonly hyphened?: boolean;
}

function amountOf(tokens: readonly Token[], parts: AmountParts): Amount {
  const { unit } = parts;
  // "0-1 ms": the upper end says something.
  if (parts.value === 0 && parts.high !== null) return amountOf(tokens, { ...parts, value: parts.high, high: null });
  const counted = unit === null || unit.unit === "count" ? nounAfter(tokens, parts.to) : null;
  const end = counted?.end ?? parts.to;
  return {
    from: parts.from,
    to: counted?.glued ? end : parts.to,
    value: Number(parts.value.toPrecision(12)),
    high: parts.high,
    dimension: unit?.dimension ?? "count",
    unit: unit?.unit ?? (counted ? "count" : null),
    size: unit?.size ?? 1,
    noun: unit?.unit === "count" ? "request" : (counted?.noun ?? null),
    per: unit?.unit === "count" ? "second" : perAfter(tokens, end),
    inWords: parts.inWords ?? false,
    hyphened: parts.hyphened ?? counted?.glued ?? false,
  };
}

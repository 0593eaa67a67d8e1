import { nounAfter, perAfter } from "./counted.ts";
import { nounClassOf } from "./nouns.ts";
import { readNumeral } from "./numbers.ts";
import type { Token } from "./tokens.ts";
import { unitAt } from "./unit-at.ts";
import { type Dimension, MONEY_CODES, MONEY_SIGNS, UNIT_WORDS, type UnitWord } from "./units.ts";
import { readWordAmount } from "./word-amounts.ts";

/** A figure with its unit, where it stands in the tokens. */
export interface Amount {
  /** First token, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The lower end of a range. */
  readonly value: number;
  readonly high: number | null;
  readonly dimension: Dimension;
  /** Canonical; null for a bare number. */
  readonly unit: string | null;
  /** In seconds, bytes or one. */
  readonly size: number;
  /** What is counted, in the singular. */
  readonly noun: string | null;
  /** "second", "day", …, where it is told per time. */
  readonly per: string | null;
  readonly inWords: boolean;
  /** "a 10-minute build": it describes a thing. */
  readonly hyphened: boolean;
}

const MAX_AMOUNTS = 60;
const DASHES: ReadonlySet<string> = new Set(["-", "–", "—", "~", "‑"]);

/** Every figure of a sentence, in order, none inside another. */
export function findAmounts(tokens: readonly Token[]): Amount[] {
  const found: Amount[] = [];
  for (let at = 0; at < tokens.length && found.length < MAX_AMOUNTS; ) {
    const amount = readAmountAt(tokens, at);
    if (amount && !isYear(tokens, amount)) found.push(amount);
    at = amount ? Math.max(amount.to, at + 1) : at + 1;
  }
  return found;
}

const isYear = (tokens: readonly Token[], { from, to, value, dimension, noun, inWords }: Amount) =>
  to === from + 1 &&
  dimension === "count" &&
  !inWords &&
  value >= 1_900 &&
  value <= 2_099 &&
  tokens[from]?.text.length === 4 &&
  (noun === null || ["unknown", "vague"].includes(nounClassOf(noun)) || YEAR_LEAD.has(tokens[from - 1]?.word ?? ""));
const YEAR_LEAD: ReadonlySet<string> = new Set([
  "in",
  "since",
  "by",
  "early",
  "late",
  "mid",
  "until",
  "during",
  "of",
  "summer",
  "spring",
  "end",
]);

function readAmountAt(tokens: readonly Token[], at: number): Amount | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind === "other") return undefined;
  if (token.kind === "mark") return MONEY_SIGNS.has(token.text) ? readMoney(tokens, at) : undefined;
  if (token.kind === "word") {
    if (MONEY_CODES.has(token.word) && tokens[at + 1]?.kind === "figure") return readMoney(tokens, at);
    const told = readWordAmount(tokens, at);
    if (told) return told;
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

/** "2-3 million": the scale of the second holds for the first. */
function scaleOf(high: number, low: number): number {
  for (const scale of [1e12, 1e9, 1e6, 1e3]) if (high >= scale && low < 1e3) return scale;
  return 1;
}

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
  const unit = unitAt(tokens, end);
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

/** "5G", "3D": a name and no figure. */
const isNamePart = (token: Token | undefined) => token?.kind === "word" && token.glued && token.word !== "x";

const isSameWriting = (left: boolean, right: boolean, joint: string) => left === right || joint === "to";

function pastPlus(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.word === "+" && tokens[at]?.glued) return at + 1;
  return tokens[at]?.word === "-" && tokens[at + 1]?.word === "plus" ? at + 2 : at;
}

/** "60% to 70%", "2 weeks – 3 weeks": one range, where nothing says that it went from one to the other. */
function withRepeatedUnit(tokens: readonly Token[], low: Amount, isFrom: boolean): Amount {
  const joint = tokens[low.to]?.word ?? "";
  if (isFrom || low.high !== null || !(DASHES.has(joint) || joint === "to" || joint === "or")) return low;
  const second = readNumeral(tokens, low.to + 1);
  const unit = second && unitAt(tokens, pastPlus(tokens, second.end));
  if (!second || !unit || unit.word.unit !== low.unit || second.value <= low.value) return low;
  return { ...low, high: second.value, to: unit.end };
}

interface Parts {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly high: number | null;
  readonly unit: UnitWord | null;
  readonly inWords?: boolean;
  readonly hyphened?: boolean;
}

function amountOf(tokens: readonly Token[], parts: Parts): Amount {
  const { unit } = parts;
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

import type { Token } from "./tokens.ts";
import { GLUED_UNITS, UNIT_WORDS, type UnitWord } from "./units.ts";

/** A unit that stands after a number. */
export interface FoundUnit {
  readonly word: UnitWord;
  readonly end: number;
  readonly hyphened: boolean;
  /** The number is a power of ten. */
  readonly power?: boolean;
}

/** Words after "times" that make it a frequency. */
const EVERY: ReadonlySet<string> = new Set(["a", "an", "per", "each", "every", "daily", "weekly", "monthly"]);

/** The unit at a token: "%", "per cent", "-minute", "orders of magnitude", "ms". */
export function unitAt(tokens: readonly Token[], at: number): FoundUnit | undefined {
  const isHyphened = tokens[at]?.word === "-" && tokens[at]?.glued === true && tokens[at + 1]?.glued === true;
  const place = isHyphened ? at + 1 : at;
  const token = tokens[place];
  if (token === undefined) return undefined;
  const next = tokens[place + 1]?.word ?? "";
  if (token.word === "percentage" && /^points?$/.test(next)) return found("%", place + 2, isHyphened);
  if (token.word === "per" && next === "cent") return found("%", place + 2, isHyphened);
  if (/^orders?$/.test(token.word) && next === "of" && tokens[place + 2]?.word === "magnitude") {
    return { ...found("x", place + 3, false), power: true };
  }
  const isEvery = EVERY.has(next) || (next === "in" && EVERY.has(tokens[place + 2]?.word ?? ""));
  if ((token.word === "times" && isEvery) || (/^(?:times|x)$/.test(token.word) && next === "/")) return undefined;
  if (token.text === "s" && isPluralFigure(tokens, place - 1)) return undefined;
  if (token.word === "x" && !token.glued && /^\d/.test(next)) return undefined;
  if (token.word === "us" && !token.glued) return undefined;
  const glued = token.glued ? GLUED_UNITS.get(token.text) : undefined;
  const word = glued ?? UNIT_WORDS.get(token.word);
  if (!word) return undefined;
  if (word.dimension === "bytes" && next === "ps") return undefined;
  const isPoints = word.unit === "%" && /^points?$/.test(next);
  return { word, end: place + (isPoints ? 2 : 1), hyphened: isHyphened };
}

/** "five 9s", "the 90s", "the 1990s". */
function isPluralFigure(tokens: readonly Token[], at: number): boolean {
  const digits = tokens[at]?.text ?? "";
  return (
    digits === "9" || /^(?:1[89]|20)\d0$/.test(digits) || (/^[1-9]0$/.test(digits) && tokens[at - 1]?.word === "the")
  );
}

const found = (unit: string, end: number, hyphened: boolean): FoundUnit => ({
  word: UNIT_WORDS.get(unit) ?? { dimension: "count", unit: "count", size: 1 },
  end,
  hyphened,
});

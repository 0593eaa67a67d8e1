import type { Amount } from "./amounts.ts";
import { readNumeral } from "./numbers.ts";
import type { Token } from "./tokens.ts";
import { UNIT_WORDS } from "./units.ts";

const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ["doubled", 2],
  ["doubling", 2],
  ["doubles", 2],
  ["tripled", 3],
  ["tripling", 3],
  ["triples", 3],
  ["quadrupled", 4],
  ["quadrupling", 4],
  ["quintupled", 5],
  ["twofold", 2],
  ["threefold", 3],
  ["fourfold", 4],
  ["fivefold", 5],
  ["sixfold", 6],
  ["sevenfold", 7],
  ["eightfold", 8],
  ["tenfold", 10],
  ["twentyfold", 20],
  ["hundredfold", 100],
]);

/** After these words "twice" is a frequency. */
const PER: ReadonlySet<string> = new Set(["a", "an", "per", "each", "every", "daily", "weekly", "monthly", "yearly"]);
const FRACTIONS: ReadonlyMap<string, number> = new Map([
  ["half", 50],
  ["third", 33],
  ["quarter", 25],
  ["fifth", 20],
  ["eighth", 12.5],
  ["tenth", 10],
  ["thirds", 33],
  ["quarters", 25],
]);
/** Words before a fraction that make it the size of a change, and words after it that make it a share. */
const BEFORE_SHARE: ReadonlySet<string> = new Set([
  "by",
  "in",
  "to",
  "than",
  "over",
  "almost",
  "nearly",
  "about",
  "roughly",
]);
const AFTER_SHARE: ReadonlySet<string> = new Set([
  "the",
  "of",
  "as",
  "our",
  "their",
  "its",
  "his",
  "her",
  "that",
  "what",
]);

/** Figures without a number: "doubled", "tenfold", "twice as fast", "in half", "half the time", "half an hour". */
export function readWordAmount(tokens: readonly Token[], at: number): Amount | undefined {
  const word = tokens[at]?.word ?? "";
  const next = tokens[at + 1]?.word ?? "";
  if (next === "-" && tokens[at + 1]?.glued && /^(?:doubl|tripl|quadrupl)/.test(word)) return undefined;
  const multiple = MULTIPLES.get(word);
  if (multiple !== undefined) return told(at, at + 1, multiple, "x");
  const before = tokens[at - 1]?.word ?? "";
  if (word === "double" && (next === "the" || before === "to" || before === "than")) return told(at, at + 1, 2, "x");
  if ((word === "triple" || word === "quadruple") && before !== "a" && before !== "the")
    return told(at, at + 1, word === "triple" ? 3 : 4, "x");
  if (word === "halved" || word === "halving" || word === "halves") return told(at, at + 1, 50, "%");
  if (word === "twice" || word === "thrice") {
    const value = word === "twice" ? 2 : 3;
    return PER.has(next) ? undefined : told(at, at + 1, value, "x");
  }
  if ((word === "half" && (next === "a" || next === "an")) || (word === "half" && next === "-"))
    return readHalf(tokens, at);
  return readSingle(tokens, at, word) ?? readFraction(tokens, at, word);
}

/** Words before "a minute" that make it a figure. */
const WITHIN: ReadonlySet<string> = new Set([
  "under",
  "within",
  "in",
  "to",
  "inside",
  "of",
  "than",
  "just",
  "only",
  "about",
  "every",
]);

/** "under a minute", "in an hour", "in a fortnight", "every day". */
function readSingle(tokens: readonly Token[], at: number, word: string): Amount | undefined {
  const isEvery = word === "every" && tokens[at - 1]?.word === "to";
  if (!isEvery && !((word === "a" || word === "an") && WITHIN.has(tokens[at - 1]?.word ?? ""))) return undefined;
  const name = tokens[at + 1]?.word ?? "";
  const isFortnight = name === "fortnight";
  const unit = UNIT_WORDS.get(isFortnight ? "weeks" : name);
  if (unit?.dimension !== "duration" || name === "quarter") return undefined;
  return { ...told(at, at + 2, isFortnight ? 2 : 1, unit.unit), dimension: "duration", size: unit.size };
}

/** "half an hour" is 30 minutes; "half a week" 0.5 weeks. */
function readHalf(tokens: readonly Token[], at: number): Amount | undefined {
  const unit = UNIT_WORDS.get(tokens[at + 2]?.word ?? "");
  if (unit?.dimension !== "duration") return undefined;
  const isHour = unit.unit === "hours";
  return {
    ...told(at, at + 3, isHour ? 30 : 0.5, isHour ? "minutes" : unit.unit),
    dimension: "duration",
    size: isHour ? 60 : unit.size,
  };
}

function readFraction(tokens: readonly Token[], at: number, word: string): Amount | undefined {
  const isArticle = word === "a" || word === "one";
  const count = readNumeral(tokens, at);
  const place = isArticle ? at + 1 : count?.inWords ? pastHyphen(tokens, count.end) : at;
  const name = tokens[place]?.word ?? "";
  const share = FRACTIONS.get(name);
  if (share === undefined || (place === at && name !== "half")) return undefined;
  const parts = isArticle || !count || place === at ? 1 : count.value;
  if (parts * share > 100) return undefined;
  const before = tokens[at - 1]?.word ?? "";
  const after = tokens[place + 1]?.word ?? "";
  if (!BEFORE_SHARE.has(before) && !AFTER_SHARE.has(after)) return undefined;
  if (before === "and") return undefined;
  return told(at, place + 1, parts === 2 && share === 33 ? 67 : parts * share, "%");
}

const pastHyphen = (tokens: readonly Token[], at: number) => (tokens[at]?.word === "-" ? at + 1 : at);

function told(from: number, to: number, value: number, unit: string): Amount {
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

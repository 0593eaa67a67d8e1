import { isPlural, nounClassOf, singularOf } from "./nouns.ts";
import type { Token } from "./tokens.ts";

/** Words that end the phrase in which a count's noun stands. */
const STOPS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at for from by with to and or but per each every is are was were be been has have had do does did can " +
    "could will would should may might that which who whose while when where than as if it its they their we our you your he " +
    "she this these those into over under across within through during after before since so because not no more less fewer " +
    "using running without between among against out up down about around via plus then also now today only"
  ).split(" "),
);
const MAX_PHRASE = 6;
/** Tokens before the colon of a tile. */
const MAX_TILE = 4;

export interface CountedNoun {
  /** Lower case, singular. */
  readonly noun: string;
  /** Token after it. */
  readonly end: number;
  /** "a 60-node cluster". */
  readonly glued: boolean;
}

/** The noun of a count: "100 million monthly active users" counts users. */
export function nounAfter(tokens: readonly Token[], at: number): CountedNoun | null {
  let place = at;
  const isGlued = tokens[place]?.word === "-" && tokens[place]?.glued === true && tokens[place + 1]?.glued === true;
  if (isGlued) place += 1;
  // A tile of figures: "5M: votes cast".
  if (tokens[place]?.word === ":" && at <= MAX_TILE) place += 1;
  if (tokens[place]?.word === "of" && STOPS.has(tokens[place + 1]?.word ?? "")) place += 2;
  let last: { noun: string; end: number } | null = null;
  for (let read = 0; read < MAX_PHRASE && place < tokens.length; read++, place++) {
    const token = tokens[place];
    if (token === undefined) break;
    if (token.kind === "mark" && (token.word === "-" || token.word === "/") && token.glued) continue;
    if (token.kind !== "word" || STOPS.has(token.word)) break;
    last = { noun: singularOf(token.word), end: place + 1 };
    if (isGlued) break;
    if (isPlural(token.word) && nounClassOf(token.word) !== "unknown") break;
  }
  return last && { ...last, glued: isGlued };
}

const PERIODS: ReadonlySet<string> = new Set(
  "second sec s minute min hour hr day week month quarter year night".split(" "),
);
const ADVERBS: ReadonlyMap<string, string> = new Map([
  ["daily", "day"],
  ["weekly", "week"],
  ["monthly", "month"],
  ["hourly", "hour"],
  ["yearly", "year"],
  ["annually", "year"],
]);

/** "per second", "a day", "/s", "every month", "daily", at most two words further. */
export function perAfter(tokens: readonly Token[], at: number): string | null {
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

import type { StorySentence } from "../story.ts";
import type { Amount } from "./amounts.ts";
import { addNext, addPrevious } from "./neighbours.ts";
import { nounClassOf } from "./nouns.ts";
import type { Pairs } from "./pairs.ts";
import type { Token } from "./tokens.ts";
import { classesOf, type WordClass } from "./word-classes.ts";

/** A figure in its sentence. */
export interface Candidate {
  readonly sentence: StorySentence;
  readonly tokens: readonly Token[];
  readonly amounts: readonly Amount[];
  readonly pairs: Pairs;
  /** Index in `amounts`. */
  readonly index: number;
  readonly amount: Amount;
}

/** What holds for the page as a whole. */
export interface StorySigns {
  /** How often the figure is told. */
  readonly mentions: number;
  /** 0 at the story's start, 1 at its end. */
  readonly position: number;
  /** Words of the vendor's name, in lower case. */
  readonly productWords: ReadonlySet<string>;
}

const NEAR = 4;
const FAR = 12;
const ENDS: ReadonlySet<string> = new Set([";", ".", ":", "—", "?", "!"]);
/** Classes that are told apart by how near they stand before the figure. */
const GRADED: ReadonlySet<WordClass> = new Set(["down", "up", "handle", "take", "before", "hold"]);
/** The nearest of these before a figure governs it. */
const GOVERNING: ReadonlySet<WordClass> = new Set([
  "down",
  "up",
  "handle",
  "take",
  "before",
  "plan",
  "price",
  "able",
  "now",
  "deploy",
  "hold",
]);

/**
 * What is seen of a figure, as names; each has a weight in `weights.ts`.
 *
 * @param story what holds for the page as a whole
 */
export function featuresOf(candidate: Candidate, story: StorySigns): string[] {
  const { amount, sentence, tokens, pairs, index } = candidate;
  const found = new Set<string>();
  const kind = amount.unit === null ? "bare" : amount.dimension;
  found.add(`is ${kind}`);
  const { section, place } = sentence;
  found.add(`section ${section}`);
  if (place !== "body") found.add(`in ${place}`);
  const noun = nounClassOf(amount.noun);
  if (kind === "count") found.add(`counts ${noun}`);
  if (amount.per !== null) found.add(`per ${amount.per === "month" || amount.per === "year" ? "month" : "second"}`);
  if (amount.high !== null) found.add("range");
  if (amount.hyphened) found.add(`hyphened ${kind}`);
  if (amount.inWords) found.add(kind === "count" || kind === "bare" ? "word count" : "word figure");
  addSize(found, amount, kind);
  if (pairs.beforeOf.has(index)) found.add("pair after");
  if (kind === "duration")
    found.add(
      amount.size * amount.value < 7_200 ? "duration short" : amount.size < 2e6 ? "duration days" : "duration long",
    );
  if (amount.value === 0) found.add(ZERO_OF.test(amount.noun ?? "") ? "zero of" : "zero");
  if (story.mentions > 1) found.add("repeated");
  found.add(`position ${Math.min(3, Math.floor(story.position * 4))}`);
  addContext(found, candidate, kind, noun);
  if (tokens.some(({ word }) => story.productWords.has(word))) found.add("names product");
  if (tokens.length > 60) found.add("long sentence");
  return [...found];
}

const ZERO_OF =
  /^(?:downtime|outage|incident|loss|effort|work|impact|disruption|interruption|touch|error|defect|bug|failure|breach|vulnerability|maintenance|service)$/;

const NONE: readonly WordClass[] = [];
/** "more than", "less than": they soften a figure and tell of no change. "used to" tells of the past. */
function classesAt(tokens: readonly Token[], at: number): readonly WordClass[] {
  const next = tokens[at + 1]?.word;
  if (next === "than") return NONE;
  return next === "to" && tokens[at]?.word === "used" ? ["before"] : classesOf(tokens[at]?.word ?? "");
}

const CONTRAST =
  /\b(?:instead of|rather than|as opposed to|compared (?:to|with)|used to|no longer|would (?:\w+ )?have (?:\w+ )?(?:taken|cost|needed|required|been)|previously (?:took|taken|required|needed|had))\b/i;

/** "80 percent of its workload runs on it": a share that came over. */
const MOVES =
  /^(?:migrated?|migrating|moved?|moving|run|runs|running|containeri[sz]ed|deployed|onboarded|handled|handles|ported|converted|adopted|using|uses|automated|covered|covers|saved|reclaimed)$/;

function addSize(found: Set<string>, amount: Amount, kind: string): void {
  if (kind !== "count" && kind !== "bare") return;
  const { value } = amount;
  found.add(
    value <= 1
      ? "size 1"
      : value <= 4
        ? "size 4"
        : value < 20
          ? "size 20"
          : value < 100
            ? "size 100"
            : value < 10_000
              ? "size 10k"
              : "size large",
  );
  if (kind === "bare" && value >= 1900 && value <= 2100) found.add("year");
}

function addContext(found: Set<string>, { tokens, amount, sentence }: Candidate, kind: string, noun: string): void {
  let governed = false;
  for (let steps = 1; steps <= FAR; steps++) {
    const token = tokens[amount.from - steps];
    if (token === undefined) break;
    if (token.kind === "mark" && ENDS.has(token.word)) break;
    for (const word of classesAt(tokens, amount.from - steps)) {
      found.add(`${word} before${GRADED.has(word) ? (steps <= NEAR ? " near" : " far") : ""}`);
    }
    const governing: readonly WordClass[] = governed
      ? []
      : classesAt(tokens, amount.from - steps).filter((word) => GOVERNING.has(word));
    for (const word of governing) found.add(`governed by ${word}`);
    governed ||= governing.length > 0;
    if (steps === 1) addPrevious(found, token.word);
    if (token.word === "from" && steps > 2) found.add("from before");
  }
  for (let steps = 0; steps < 8; steps++) {
    const token = tokens[amount.to + steps];
    if (token === undefined || (token.kind === "mark" && ENDS.has(token.word))) break;
    for (const word of classesOf(token.word)) {
      if (word === "down" || word === "up") found.add(`${word} after ${steps < 3 ? "near" : "far"}`);
      else found.add(`${word} after`);
    }
    if (steps === 0) addNext(found, token.word, kind);
  }
  for (const token of tokens.slice(0, 80)) {
    if (token.kind === "other" && /^(?:19|20)\d\d-/.test(token.text)) found.add("date in sentence");
    for (const word of classesOf(token.word)) {
      if (
        word === "market" ||
        word === "plan" ||
        word === "maybe" ||
        word === "before" ||
        word === "now" ||
        word === "live" ||
        word === "if" ||
        word === "company" ||
        word === "you"
      )
        found.add(`${word} in sentence`);
    }
  }
  if (/["“]/.test(sentence.text)) found.add("quoted");
  if (CONTRAST.test(sentence.text)) found.add(kind === "duration" ? "duration contrast" : "contrast");
  if (found.has("if in sentence") && found.has("plan in sentence")) found.add("conditional");
  if (amount.from <= 1) {
    const isTile = sentence.isTile || tokens.slice(amount.to, amount.to + 2).some(({ word }) => word === ":");
    found.add(isTile ? "tile" : "starts sentence");
  }
  if (tokens.length <= 10) found.add("short sentence");
  if (amount.from === 1 && /^[+−–↑↓▲▼-]$/.test(tokens[0]?.word ?? "")) found.add("signed");
  if (kind === "percent" && found.has("next of")) {
    const isMove = tokens.some(({ word }) => MOVES.test(word));
    found.add(isMove ? "share moved" : "share");
  }
  if (noun === "parts" && found.has("handle before near")) found.add("handles parts");
  if (noun === "load" && (found.has("handle before near") || found.has("handle before far"))) found.add("handles load");
  if (kind === "duration") {
    for (const name of [
      "down before near",
      "down before far",
      "take before near",
      "take before far",
      "now before",
      "able before",
      "before before",
      "plan before",
    ]) {
      if (found.has(name)) found.add(`duration ${name}`);
    }
  }
  if (kind === "percent") {
    for (const name of [
      "down before near",
      "up before near",
      "down after near",
      "up after near",
      "next of",
      "market in sentence",
    ])
      if (found.has(name)) found.add(`percent ${name}`);
  }
}

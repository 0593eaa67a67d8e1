import type { StorySentence } from "../story.ts";
import { wordMap, wordSet } from "../word-lists.ts";
import { type Amount, findAmounts } from "./amounts.ts";
import { CLAUSE_ENDS, classesOf, nounClassOf, type Token, tokensOf, type WordClass } from "./tokens.ts";

/** The feature of the word before a figure. */
const PREVIOUS = wordMap([
  ["by", "by"],
  ["to", "to"],
  ["in", "in"],
  ["within", "within under"],
  ["for", "for"],
  ["last", "last past next first"],
  ["every", "every"],
  ["after", "after"],
  ["of", "of"],
  ["more than", "than over ~ >"],
  ["about", "about around approximately nearly almost roughly"],
  ["bracket", "( ["],
  ["only", "only just"],
  ["the", "the these those our its their"],
  ["all", "all"],
  ["a", "a an"],
  ["label", "step figure version v day phase chapter layer top"],
  ["least", "least"],
  ["from", "from between"],
]);
/** The feature of the word after a figure. */
const NEXT = wordMap([
  ["of", "of"],
  ["ago", "ago old before"],
  ["later", "later after"],
  ["from", "from"],
  ["in", "in"],
  ["to", "to"],
  ["for", "for"],
]);

/** Which figures of a sentence give an earlier state, and which later figure belongs to it. */
interface Pairs {
  /** Index of the later figure to the index of the earlier one. */
  readonly beforeOf: ReadonlyMap<number, number>;
  /** Indexes of figures of an earlier state. */
  readonly before: ReadonlySet<number>;
}

/** Words between "from" or "to" and the figure. */
const QUALIFIERS =
  wordSet(`over about more fewer than around nearly roughly as few little much many up a an the under less
  just only some approximately almost at least initial ~ < > ≈ well somewhere between original previous down every below
  within merely mere close our an average of [ ( " ' “ *`);
const MAX_BETWEEN = 16;
const ARROWS = wordSet("→ ➔ ➜ ⇒ ►");

/** Finds "from three hours to ten minutes", "3 h → 10 min", "10 instead of 40", "used to take a day, now an hour". */
export function findPairs(tokens: readonly Token[], amounts: readonly Amount[]): Pairs {
  const beforeOf = new Map<number, number>();
  const before = new Set<number>();
  for (let first = 0; first + 1 < amounts.length; first++) {
    const left = amounts[first];
    const right = amounts[first + 1];
    if (!left || !right || before.has(first) || beforeOf.has(first)) continue;
    if (!areComparable(left, right)) continue;
    const order = right.from - left.to > MAX_BETWEEN ? null : pairDirection(tokens, left, right);
    if (order === null) continue;
    const [was, is] = order === "rising" ? [first, first + 1] : [first + 1, first];
    beforeOf.set(is, was);
    before.add(was);
  }
  amounts.forEach((amount, index) => {
    if (beforeOf.has(index) || before.has(index) || !isStateBefore(tokens, amount)) return;
    before.add(index);
    // "in two days what would have taken a month", "the original took a year; this one took a week".
    const after = [index - 1, index + 1].find((other) => {
      const text = amounts[other];
      return (
        text !== undefined &&
        !before.has(other) &&
        !beforeOf.has(other) &&
        text.dimension === amount.dimension &&
        text.unit !== null
      );
    });
    if (after !== undefined && amount.dimension !== "count") beforeOf.set(after, index);
  });
  return { beforeOf, before };
}

/** "from four hours to a few minutes", "used to take a day", "would have taken a month", "instead of 20". */
function isStateBefore(tokens: readonly Token[], amount: Amount): boolean {
  const precedingWords = tokens.slice(Math.max(0, amount.from - 9), amount.from).map(({ word }) => word);
  const text = precedingWords.join(" ");
  const previous = wordBefore(tokens, amount.from);
  if (previous === "from") {
    const followingWords = tokens.slice(amount.to, amount.to + 12).map(({ word }) => word);
    const to = followingWords.indexOf("to");
    if (
      to >= 0 &&
      /^(?:a|an|just|mere|under|less|few|several|tens|dozens|hundreds|thousands|seconds|minutes|hours|days|weeks|near|almost|zero|within|multiple)$/.test(
        followingWords[to + 1] ?? "",
      )
    )
      return true;
    return hasChange(tokens, amount.from) || /\b(?:went|gone|go|going|moved|down|up)\b/.test(text);
  }
  if (/\b(?:instead of|rather than|as opposed to|down from|up from)\b[^;]{0,30}$/.test(text)) return true;
  const followingWords = tokens
    .slice(amount.to, amount.to + 6)
    .map(({ word }) => word)
    .join(" ");
  if (/^(?:(?:was|were|been|is|are) (?:\w+ )?(?:shaved|cut|reduced|lowered|shortened) by)\b/.test(followingWords))
    return true;
  if (/\b(?:now|today|currently)\b/.test(text)) return false;
  if (/^(?:" )?before ,.*\b(?:took|needed|required|cost)\b/.test(text)) return true;
  return /\b(?:used to (?:be|take|have|do|need|require|cost|spend|run|wait)|would have (?:\w+ )?(?:taken|cost|needed|required|been)|would (?:previously|normally|usually|typically|otherwise)|previously (?:took|needed|required|had|took us)|(?:original|old|previous|legacy)(?: \w+)? (?:took|required|needed|cost|had|system|version))\b/.test(
    text,
  );
}

const areComparable = (left: Amount, right: Amount) =>
  left.dimension === right.dimension || left.unit === null || right.unit === null;

/** `rising` when the left figure is the earlier state, `falling` when the right one is; null when they are no pair. */
function pairDirection(tokens: readonly Token[], left: Amount, right: Amount): "rising" | "falling" | null {
  const beforeLeft = wordBefore(tokens, left.from);
  const beforeRight = wordBefore(tokens, right.from);
  if (beforeLeft === "from" && (beforeRight === "to" || beforeRight === "into" || beforeRight === "till"))
    return "rising";
  // "rose by 20 points to 64": the first is the change itself.
  if (beforeLeft === "by") return null;
  const between = tokens.slice(left.to, right.from).map(({ word }) => word);
  if (isArrow(between)) return "rising";
  const text = between.join(" ");
  if (beforeLeft === "to" && beforeRight === "from") return "falling";
  if (/\b(?:instead of|rather than|compared (?:to|with)|as opposed to|down from|up from|versus|vs)\b/.test(text))
    return "falling";
  if (beforeRight === "to" && !isSameRange(left, right) && between.length <= 8 && hasChange(tokens, left.from))
    return "rising";
  if (
    beforeRight === "to" &&
    left.unit === right.unit &&
    /\b(?:reduced|down|cut|lowered|shortened|dropped|decreased|increased|grew|grown|rose|improved|up)\b/.test(
      between.slice(-6).join(" "),
    ) &&
    left.value !== right.value &&
    between.length > 3
  )
    return "rising";
  if (/\bbefore\b/.test(text.slice(0, 40)) && /\bafter\b/.test(`${text} ${tokens[right.to]?.word ?? ""}`))
    return "rising";
  return isPastThenPresent(tokens, left, between) ? "rising" : null;
}

const isSameRange = (left: Amount, right: Amount) => left.unit === right.unit && left.value < right.value;

function isArrow(between: readonly string[]): boolean {
  const [first, second, third] = between;
  if (between.length > 4) return false;
  return (
    between.some((word) => ARROWS.has(word)) ||
    ((first === "-" || first === "=") && second === ">" && third === undefined)
  );
}

/** The word before a figure, skipping up to six qualifiers. */
function wordBefore(tokens: readonly Token[], at: number): string {
  let index = at - 1;
  for (let steps = 0; steps < 6 && QUALIFIERS.has(tokens[index]?.word ?? ""); steps++) index -= 1;
  return tokens[index]?.word ?? "";
}

const hasChange = (tokens: readonly Token[], at: number) =>
  tokens
    .slice(Math.max(0, at - 10), at)
    .some(({ word }) => classesOf(word).some((kind) => kind === "down" || kind === "up"));

const PAST_VERBS = wordSet("took taken take required needed had was were");
const PRESENT_WORDS = wordSet("now today currently nowadays");

/** "It used to take two hours; now it takes five minutes." */
function isPastThenPresent(tokens: readonly Token[], left: Amount, between: readonly string[]): boolean {
  if (!between.some((word) => PRESENT_WORDS.has(word))) return false;
  const precedingWords = tokens.slice(Math.max(0, left.from - 10), left.from).map(({ word }) => word);
  return precedingWords.some((word) => PAST_VERBS.has(word) || classesOf(word).includes("before"));
}

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

/** Facts about the whole story. */
interface StoryFacts {
  /** Number of mentions of the figure. */
  readonly mentions: number;
  /** 0 at the story's start, 1 at its end. */
  readonly position: number;
  /** Words of the vendor's name, in lower case. */
  readonly productWords: ReadonlySet<string>;
}

const NEAR = 4;
const FAR = 12;
/** Classes with separate features for a near and a far position before the figure. */
const GRADED: ReadonlySet<WordClass> = new Set(["down", "up", "handle", "take", "before", "hold"]);
/** Classes with a feature for any position in the sentence. */
const SENTENCE_CLASSES: ReadonlySet<string> = wordSet("market plan maybe before now live if company you");
/** The nearest word of these classes before a figure is said to govern it. */
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

/** The names of a figure's features. `weights.ts` has the weight of each. */
function describeFigure(candidate: Candidate, story: StoryFacts): string[] {
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
  if (amount.value === 0) found.add(ABSENT_PROBLEM.test(amount.noun ?? "") ? "zero of" : "zero");
  if (story.mentions > 1) found.add("repeated");
  found.add(`position ${Math.min(3, Math.floor(story.position * 4))}`);
  addContext(found, candidate, kind, noun);
  if (tokens.some(({ word }) => story.productWords.has(word))) found.add("names product");
  if (tokens.length > 60) found.add("long sentence");
  return [...found];
}

const ABSENT_PROBLEM =
  /^(?:downtime|outage|incident|loss|effort|work|impact|disruption|interruption|touch|error|defect|bug|failure|breach|vulnerability|maintenance|service)$/;

const NO_CLASSES: readonly WordClass[] = [];
/** "more than" and "less than" qualify a figure without a change. "used to" refers to the past. */
function wordClassesAt(tokens: readonly Token[], at: number): readonly WordClass[] {
  const next = tokens[at + 1]?.word;
  if (next === "than") return NO_CLASSES;
  return next === "to" && tokens[at]?.word === "used" ? ["before"] : classesOf(tokens[at]?.word ?? "");
}

const CONTRAST =
  /\b(?:instead of|rather than|as opposed to|compared (?:to|with)|used to|no longer|would (?:\w+ )?have (?:\w+ )?(?:taken|cost|needed|required|been)|previously (?:took|taken|required|needed|had))\b/i;

/** "80 percent of its workload runs on it": the share that was migrated. */
const MIGRATION_VERB =
  /^(?:migrated?|migrating|moved?|moving|run|runs|running|containeri[sz]ed|deployed|onboarded|handled|handles|ported|converted|adopted|using|uses|automated|covered|covers|saved|reclaimed)$/;

/** Upper limits of sizes: inclusive up to 4, exclusive above. */
const SIZES = [
  [1, "size 1"],
  [4, "size 4"],
  [20, "size 20"],
  [100, "size 100"],
  [10_000, "size 10k"],
] as const;

function addSize(found: Set<string>, amount: Amount, kind: string): void {
  if (kind !== "count" && kind !== "bare") return;
  const { value } = amount;
  const [, size] = SIZES.find(([limit]) => (limit <= 4 ? value <= limit : value < limit)) ?? [0, "size large"];
  found.add(size);
  if (kind === "bare" && value >= 1900 && value <= 2100) found.add("year");
}

function addContext(found: Set<string>, { tokens, amount, sentence }: Candidate, kind: string, noun: string): void {
  let governed = false;
  for (let steps = 1; steps <= FAR; steps++) {
    const token = tokens[amount.from - steps];
    if (token === undefined) break;
    if (token.kind === "mark" && CLAUSE_ENDS.has(token.word)) break;
    for (const word of wordClassesAt(tokens, amount.from - steps)) {
      found.add(`${word} before${GRADED.has(word) ? (steps <= NEAR ? " near" : " far") : ""}`);
    }
    const governing: readonly WordClass[] = governed
      ? []
      : wordClassesAt(tokens, amount.from - steps).filter((word) => GOVERNING.has(word));
    for (const word of governing) found.add(`governed by ${word}`);
    governed ||= governing.length > 0;
    if (steps === 1 && PREVIOUS.has(token.word)) found.add(`previous ${PREVIOUS.get(token.word)}`);
    if (token.word === "from" && steps > 2) found.add("from before");
  }
  for (let steps = 0; steps < 8; steps++) {
    const token = tokens[amount.to + steps];
    if (token === undefined || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    for (const word of classesOf(token.word)) {
      if (word === "down" || word === "up") found.add(`${word} after ${steps < 3 ? "near" : "far"}`);
      else found.add(`${word} after`);
    }
    const next = steps === 0 ? NEXT.get(token.word) : undefined;
    if (next !== undefined)
      found.add(kind === "duration" && (next === "ago" || next === "later") ? "time ago" : `next ${next}`);
  }
  for (const token of tokens.slice(0, 80)) {
    if (token.kind === "other" && /^(?:19|20)\d\d-/.test(token.text)) found.add("date in sentence");
    for (const word of classesOf(token.word)) {
      if (SENTENCE_CLASSES.has(word)) found.add(`${word} in sentence`);
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
    const isMove = tokens.some(({ word }) => MIGRATION_VERB.test(word));
    found.add(isMove ? "share moved" : "share");
  }
  if (noun === "parts" && found.has("handle before near")) found.add("handles parts");
  if (noun === "load" && (found.has("handle before near") || found.has("handle before far"))) found.add("handles load");
  const combined = kind === "duration" ? DURATION_CONTEXT : kind === "percent" ? PERCENT_CONTEXT : [];
  for (const name of combined) if (found.has(name)) found.add(`${kind} ${name}`);
}

/** Features that have a separate weight for durations and for percentages. */
const DURATION_CONTEXT = `down before near|down before far|take before near|take before far|now before|able before
  |before before|plan before`.split(/\s*\|/);
const PERCENT_CONTEXT =
  "down before near|up before near|down after near|up after near|next of|market in sentence".split("|");

export interface FeaturedCandidate extends Candidate {
  readonly features: readonly string[];
  /** The same for all mentions of one figure. */
  readonly key: string;
}

const MAX_CANDIDATES = 1_500;
/** Every sentence with a figure matches this. */
const HAS_FIGURE =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zero|hundred|thousand|[mbtr]{1,2}illion|dozen|twice|half|halv\w{2,3}|doubl\w{1,3}|tripl\w{1,3}|quadrupl\w{1,3}|\w{3,7}fold|thirds?|quarters?|an?\s(?:second|minute|hour|day|week|month|year|fortnight)|every\sday)\b/i;

/** Every figure of a story with its features, in reading order. */
export function findCandidates(
  story: readonly StorySentence[],
  productWords: ReadonlySet<string>,
): FeaturedCandidate[] {
  const candidates: Candidate[] = [];
  for (const sentence of story) {
    if (candidates.length >= MAX_CANDIDATES) break;
    if (!HAS_FIGURE.test(sentence.text)) continue;
    const tokens = tokensOf(sentence.text);
    const amounts = findAmounts(tokens);
    if (amounts.length === 0) continue;
    const pairs = findPairs(tokens, amounts);
    amounts.forEach((amount, index) => {
      if (pairs.before.has(index) || isArticle(amount, pairs.beforeOf.has(index))) return;
      const before = pairs.beforeOf.get(index);
      const was = before === undefined ? undefined : amounts[before];
      candidates.push({ sentence, tokens, amounts, pairs, index, amount: was ? withUnitOf(amount, was) : amount });
    });
  }
  const mentions = new Map<string, number>();
  for (const { amount } of candidates) mentions.set(keyOf(amount), (mentions.get(keyOf(amount)) ?? 0) + 1);
  const places = new Map(story.map((sentence, at) => [sentence, at / Math.max(1, story.length)]));
  return candidates.map((candidate) => {
    const key = keyOf(candidate.amount);
    const position = places.get(candidate.sentence) ?? 0;
    return {
      ...candidate,
      key,
      features: describeFigure(candidate, { mentions: mentions.get(key) ?? 1, position, productWords }),
    };
  });
}

/** "one of our services", "one platform": an article rather than a figure. */
const isArticle = ({ value, inWords, dimension }: Amount, isAfter: boolean) =>
  value === 1 && inWords && dimension === "count" && !isAfter;

/** "from 10 hours to 2": the second figure takes the unit of the first. */
function withUnitOf(amount: Amount, was: Amount): Amount {
  if (amount.unit !== null && !(amount.unit === "count" && was.dimension !== "count" && amount.noun === null))
    return amount;
  return { ...amount, unit: was.unit, dimension: was.dimension, size: was.size, noun: amount.noun ?? was.noun };
}

/** Two mentions of the same large count are one fact, even with different nouns. */
const keyOf = ({ value, unit, noun }: Amount) =>
  `${value} ${unit === "count" || unit === null ? (value < 20 ? (noun ?? "") : "") : unit}`;

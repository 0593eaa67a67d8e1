import type { StorySentence } from "../story.ts";
import { type Amount, findAmounts } from "./amounts.ts";
import { glossed } from "./gloss.ts";
import { findPairs } from "./pairs.ts";
import { findChange, type Place, readStatement, type Statement, skipQualifiers } from "./statement.ts";
import { CLAUSE_ENDS, type Token, tokensOf } from "./tokens.ts";
import { changeOf, isBurden, meaningOf, nounClassOf } from "./words.ts";

/** What may be an outcome: a figure in its sentence, or a change without a figure. */
export interface Candidate extends Place {
  readonly sentence: StorySentence;
  /** The same for all mentions of one figure. */
  readonly key: string;
  readonly statement: Statement;
  /** Names of the properties that it has; `weights.json` has the weight of each. */
  readonly features: ReadonlySet<string>;
}

type Mention = Omit<Candidate, "features" | "statement">;

const MAX_CANDIDATES = 1_500;
/** Every sentence with a figure matches this. */
const HAS_FIGURE =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zero|hundred|thousand|[mbtr]{1,2}illion|dozen|couple|twice|half|halv\w{2,3}|doubl\w{1,3}|tripl\w{1,3}|quadrupl\w{1,3}|\w{3,7}fold|thirds?|quarters?|fifth|eighth|tenth|an?\s(?:second|minute|hour|day|week|month|year|fortnight)|every\sday)\b/i;

/**
 * Every figure of a story, and every change that its sentences state without a figure, in reading order.
 *
 * @param productWords words of the vendor's name in lower case
 */
export function findCandidates(story: readonly StorySentence[], productWords: ReadonlySet<string>): Candidate[] {
  const found: Mention[] = [];
  for (const sentence of story) {
    if (found.length >= MAX_CANDIDATES) break;
    const tokens = glossed(tokensOf(phraseOf(sentence)));
    const amounts = HAS_FIGURE.test(sentence.text)
      ? findAmounts(tokens).filter(
          (amount) =>
            (!isArticle(amount, false) || tokens[amount.to]?.word !== "of") &&
            !(sentence.place === "body" && isInName(tokens, amount)),
        )
      : [];
    const pairs = findPairs(tokens, amounts);
    for (const [index, raw] of amounts.entries()) {
      const place = pairs.beforeOf.get(index);
      if (pairs.before.has(index) || isArticle(raw, place !== undefined)) continue;
      const before = place === undefined ? null : (amounts[place] ?? null);
      const amount = before === null ? raw : withUnitOf(raw, before);
      found.push({ sentence, tokens, amount, before, from: amount.from, to: amount.to, key: keyOf(amount) });
    }
    if (amounts.length === 0) found.push(...changesIn(sentence, tokens));
  }
  const mentions = new Map<string, number>();
  for (const { key } of found) mentions.set(key, (mentions.get(key) ?? 0) + 1);
  // Pages with few figures show them because they are results.
  const figures = Math.floor(Math.log2(1 + found.filter(({ amount }) => amount !== null).length));
  const places = new Map(story.map((sentence, at) => [sentence, at / Math.max(1, story.length)]));
  return found.map((candidate) => {
    const statement = readStatement(candidate);
    const features = describe(candidate, statement);
    features.add(`position ${Math.min(3, Math.floor((places.get(candidate.sentence) ?? 0) * 4))}`);
    if (candidate.amount !== null) features.add(`figures of page ${Math.min(figures, MAX_FIGURES)}`);
    if ((mentions.get(candidate.key) ?? 1) > 1) features.add("repeated");
    if (candidate.tokens.some(({ word }) => productWords.has(word))) features.add("names product");
    return { ...candidate, statement, features };
  });
}

/** "Hours saved per week: 60" is read as "60 Hours saved per week". */
const phraseOf = ({ text, isTile }: StorySentence) =>
  isTile
    ? text.replace(/^([^\d:])([^\d:]{2,60}): (.{1,40})$/, (_, first: string, rest: string, figure: string) => {
        const isWord = /^\p{Ll}/u.test(rest);
        return `${figure} ${isWord ? first.toLowerCase() : first}${rest}`;
      })
    : text;

/** "one of our services", "one platform": an article rather than a figure. */
const isArticle = ({ value, inWords, dimension }: Amount, isAfter: boolean) =>
  value === 1 && inWords && dimension === "count" && !isAfter;

/** "6 River Systems has seen benefits". */
const isInName = (tokens: readonly Token[], { dimension, to, inWords }: Amount) =>
  dimension === "count" && !inWords && [to, to + 1].every((at) => /^\p{Lu}\p{Ll}/u.test(tokens[at]?.text ?? ""));

/** "from 10 hours to 2": the second figure takes the unit of the first. */
function withUnitOf(amount: Amount, was: Amount): Amount {
  if (amount.unit !== null && !(amount.unit === "count" && was.dimension !== "count" && amount.noun === null))
    return amount;
  return { ...amount, unit: was.unit, dimension: was.dimension, size: was.size, noun: amount.noun ?? was.noun };
}

/** Two mentions of the same large count are one fact, even with different nouns. */
const keyOf = ({ value, unit, noun }: Amount) =>
  `${value} ${unit === "count" || unit === null ? (value < 20 ? (noun ?? "") : "") : unit}`;

/** The first two words of change of a sentence without a figure. */
function changesIn(sentence: StorySentence, tokens: readonly Token[]): Mention[] {
  if (sentence.place === "title" || tokens.length < 5) return [];
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length && found.length < 2; at++) {
    const place: Place = { tokens, from: at, to: at + 1, amount: null, before: null };
    if (changeOf(tokens[at]?.word ?? "") === undefined || findChange(place) === null) continue;
    found.push({ ...place, sentence, key: `change ${sentence.text.slice(0, 200)} ${found.length}` });
  }
  return found;
}

/** Base 2 logarithm. */
const MAX_FIGURES = 6;
const WORDS_BEFORE = 12;
const WORDS_AFTER = 8;
const CONTRAST =
  /\b(?:instead of|rather than|as opposed to|compared (?:to|with)|used to|no longer|would (?:\w+ )?have (?:\w+ )?(?:taken|cost|needed|required|been)|previously (?:took|taken|required|needed|had))\b/i;
const CONDITION =
  /\b(?:if|unless)\b.{0,200}\b(?:would|could|will|might)\b|\b(?:would|could|will|might|should) (?:be able|have|likely|probably|increase|reduce|save|grow)\b|\b(?:expects?|expected|aims?|aimed|goal|potential|plans?|hopes?) (?:to|of|at|is|was)\b/i;
/** Upper limits of counts. */
const SIZES = [1, 4, 20, 100, 10_000, 1_000_000];

function describe(
  { sentence, tokens, amount, before, from, to }: Mention,
  { noun, kind: says }: Statement,
): Set<string> {
  const found = new Set([`section ${sentence.section}`, `in ${sentence.place}`]);
  const kind = amount === null ? "change" : amount.unit === null ? "bare" : amount.dimension;
  found.add(`is ${kind}`);
  if (sentence.text.endsWith("?")) found.add("question");
  if (sentence.isTile) found.add("tile");
  if (from <= 1) found.add("starts sentence");
  if (tokens.length <= 10) found.add("short sentence");
  if (tokens.length > 50) found.add("long sentence");
  if (/["“]/.test(sentence.text)) found.add("quoted");
  if (CONTRAST.test(sentence.text)) found.add(`${says} contrast`);
  const burden = noun === null ? null : isBurden(noun);
  const measure = noun === null ? "nothing" : burden === null ? "something" : burden ? "burden" : "good";
  found.add(`${says} of ${measure}`);
  if (CONDITION.test(sentence.text)) found.add(`${says} conditional`);
  if (amount !== null) {
    if (kind === "count") found.add(`counts ${nounClassOf(amount.noun)}`);
    if (says === "level" && amount.value > 1_000_000 && nounClassOf(amount.noun) === "users") found.add("audience");
    if (amount.per !== null) found.add("rate");
    if (amount.high !== null) found.add("range");
    if (amount.hyphened) found.add(`hyphened ${kind}`);
    if (amount.inWords) found.add(`${kind} in words`);
    if (before !== null) found.add("pair");
    if (amount.value === 0) found.add("zero");
    if (kind === "count" || kind === "bare") found.add(`size ${SIZES.findIndex((limit) => amount.value <= limit)}`);
    if (kind === "bare" && amount.value >= 1900 && amount.value <= 2100) found.add("year");
    if (kind === "duration")
      found.add(amount.size * amount.value < 7_200 ? "short" : amount.size < 2e6 ? "days" : "months");
  }
  const clause = clauseBefore(tokens, from);
  if (HYPOTHETICAL.test(clause)) found.add("hypothetical");
  if (before === null && EARLIER.test(clause)) found.add("earlier state");
  if (kind === "duration" && before === null && !sentence.isTile) found.add(durationUse(tokens, from, to));
  const change = findChange({ tokens, amount, before, from, to });
  found.add(change === null ? `${kind} unchanged` : `${kind} ${change.change}`);
  if (change !== null && amount !== null)
    found.add(change.at < from ? `${kind} changed before` : `${kind} changed after`);
  if (amount === null) {
    const word = tokens[from]?.word ?? "";
    found.add(`word ${word}`).add(`form ${formOf(word, tokens[from - 1]?.word)}`);
  }
  addWords(found, tokens, from, to, kind);
  return found;
}

const HYPOTHETICAL =
  /\b(?:will|should|might|may|maybe|perhaps|would|could(?! have)|if|imagine|wants?|wanted|promise|target|projected|(?:expect|aim|goal|plan|hope)\w*)\b/;
const EARLIER =
  /\b(?:before|previously|used to|formerly|originally|initially|earlier|(?:had|needed) to|at the time|traditionally|typically took|in the past|prior to|(?:was|were) taking|required|struggl\w{1,4}|challenges?|faced)\b(?!.*\b(?:now|today|currently)\b)/;

const MAX_CLAUSE = 10;
/** The words of a clause before a figure; at most ten. */
function clauseBefore(tokens: readonly Token[], from: number): string {
  let start = from;
  while (start > 0 && start > from - MAX_CLAUSE && !CLAUSE_ENDS.has(tokens[start - 1]?.word ?? "")) start -= 1;
  return tokens
    .slice(start, from)
    .map(({ word }) => word)
    .join(" ");
}

/** Whether something is done within a time, takes it, or happens in a period of that length. */
function durationUse(tokens: readonly Token[], from: number, to: number): string {
  if (/^(?:ago|later|old)$/.test(tokens[to]?.word ?? "")) return "period";
  const lead = tokens[skipQualifiers(tokens, from) - 1]?.word ?? "";
  if (/^(?:in|within|inside|under)$/.test(lead)) return "done within";
  if (/^tak(?:es?|ing|en)|took$/.test(lead)) return "takes";
  return /^(?:next|past|last|first|after|for|over|since|every|previous|)$/.test(lead) ? "period" : "other duration";
}

const PAST = /(?:ed|fell|fallen|grew|grown|rose|risen|shrank|shrunk|sped)$/;

/** How a word of change is used: the past tense states what happened, the infinitive what a product is for. */
function formOf(word: string, previous: string | undefined): string {
  if (/(?:er|ess|ore)$/.test(word) && word !== "lower") return "comparative";
  if (PAST.test(word))
    return /^(?:have|has|had|we've|was|were|been|be|is|are)$/.test(previous ?? "") ? "past after have" : "past";
  if (word.endsWith("ing")) return "gerund";
  if (previous === "to") return "infinitive";
  return word.endsWith("s") ? "third person" : "base";
}

/** The words around a figure with their distance, their meaning, and what the sentence mentions. */
function addWords(found: Set<string>, tokens: readonly Token[], from: number, to: number, kind: string): void {
  for (let steps = 1; steps <= WORDS_BEFORE; steps++) {
    const token = tokens[from - steps];
    if (token === undefined || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    const meaning = meaningOf(token.word);
    if (meaning !== undefined)
      found.add(`${meaning} ${steps <= 4 ? "near" : "far"} before`).add(`${kind} ${meaning} before`);
    if (steps === 1) found.add(`previous ${token.word}`);
  }
  for (let steps = 0; steps < WORDS_AFTER; steps++) {
    const token = tokens[to + steps];
    if (token === undefined || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    const meaning = meaningOf(token.word);
    if (meaning !== undefined) found.add(`${meaning} ${steps < 3 ? "near" : "far"} after`);
    if (steps === 0) found.add(`${kind} next ${token.word}`);
  }
  for (const { word } of tokens.slice(0, 80)) {
    const meaning = meaningOf(word);
    if (meaning !== undefined) found.add(`${meaning} in sentence`);
    if (SUBJECTS.has(word)) found.add(`${word} in sentence`);
  }
}

const SUBJECTS: ReadonlySet<string> = new Set(["we", "our", "you", "your", "i", "they", "their", "it", "not", "but"]);

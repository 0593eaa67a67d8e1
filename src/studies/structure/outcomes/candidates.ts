import type { StorySentence } from "../story.ts";
import { type Amount, findAmounts } from "./amounts.ts";
import { type Candidate, featuresOf } from "./features.ts";
import { findPairs } from "./pairs.ts";
import { tokensOf } from "./tokens.ts";

export interface FeaturedCandidate extends Candidate {
  readonly features: readonly string[];
  /** Same for each mention of one figure. */
  readonly key: string;
}

const MAX_CANDIDATES = 1_500;
/** A sentence without any of these has no figure. */
const HAS_FIGURE =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zero|hundred|thousand|[mbtr]{1,2}illion|dozen|twice|half|halv\w{2,3}|doubl\w{1,3}|tripl\w{1,3}|quadrupl\w{1,3}|\w{3,7}fold|thirds?|quarters?|an?\s(?:second|minute|hour|day|week|month|year|fortnight)|every\sday)\b/i;

/** Every figure of a story with what is seen of it, in reading order. */
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
      if (pairs.before.has(index) || isOneOf(amount, pairs.beforeOf.has(index))) return;
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
      features: featuresOf(candidate, { mentions: mentions.get(key) ?? 1, position, productWords }),
    };
  });
}

/** "one of our services", "one platform": an article more than a figure. */
const isOneOf = ({ value, inWords, dimension }: Amount, isAfter: boolean) =>
  value === 1 && inWords && dimension === "count" && !isAfter;

/** "from 10 hours to 2": the second is in hours too. */
function withUnitOf(amount: Amount, was: Amount): Amount {
  if (amount.unit !== null && !(amount.unit === "count" && was.dimension !== "count" && amount.noun === null))
    return amount;
  return { ...amount, unit: was.unit, dimension: was.dimension, size: was.size, noun: amount.noun ?? was.noun };
}

/** A large count that is told twice is one fact, whatever it is said to count. */
const keyOf = ({ value, unit, noun }: Amount) =>
  `${value} ${unit === "count" || unit === null ? (value < 20 ? (noun ?? "") : "") : unit}`;

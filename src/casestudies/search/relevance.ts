import type { Interaction } from "../../embedding/interaction.ts";
import type { Relevance } from "../types.ts";
import type { FoundPassage } from "./ranking.ts";
import fitted from "./relevance-weights.json" with { type: "json" };

/** What the rankings found for a query. */
export interface RankedEvidence {
  /** Share of each token of the query; they add up to 1. */
  readonly weights: Interaction["weights"];
  /** Passages that were compared token by token. */
  readonly compared: readonly (FoundPassage & {
    readonly matches: ArrayLike<number>;
    readonly nearest: ArrayLike<number>;
  })[];
  readonly keyword: readonly FoundPassage[];
  readonly semantic: readonly FoundPassage[];
}

export interface RelevanceModel {
  /** The id of the model whose comparisons it was fitted to. */
  readonly model: string;
  /** @param features of `createFeatures` */
  rate(features: readonly number[]): Relevance;
}

/** A logistic regression that separates right results from those of questions without an answer. */
export interface RelevanceWeights {
  readonly bias: number;
  /** One per feature. */
  readonly weights: readonly number[];
  /** From its score to the probability, after Platt: most results below a right one are wrong, too. */
  readonly calibration: { readonly slope: number; readonly offset: number };
}

/** See `test/evaluation/relevance.json` for what is lost and what is recognised at this limit. */
const GOOD = 0.2;
const STRONG = 0.7;

export function rateWith({ bias, weights, calibration }: RelevanceWeights, features: readonly number[]): Relevance {
  const score = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  const separated = logistic(score);
  return {
    level: separated >= STRONG ? "strong" : separated >= GOOD ? "good" : "weak",
    probability: logistic(calibration.slope * score + calibration.offset),
  };
}

const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

/** Fitted and measured by `npm run eval -- relevance`. */
export const RELEVANCE: RelevanceModel = { model: fitted.model, rate: (features) => rateWith(fitted, features) };

export const FEATURES = [
  "interaction",
  "similarity",
  "interaction × similarity",
  "share of the query that the passage hardly expresses",
  "share that it clearly expresses",
  "match of the rarest token",
  "least match of the three rarest tokens",
  "tokens of the query",
  "interaction × tokens",
  "similarity × tokens",
  "interaction's lead over other case studies",
  "similarity's lead over other case studies",
  "BM25",
  "similarity of the nearest tokens",
  "share that the passage contains literally",
  "least similar of the nearest to the three rarest tokens",
  "geometric mean of the nearest",
  "literal share × tokens",
  "geometric mean of the matches × similarity",
  "highest similarity of any case study",
  "its lead over the tenth",
  "share that all compared passages together contain",
  "number of the query's tokens",
  "weight of the rarest token",
] as const;

const HARDLY = 0.25;
const CLEARLY = 0.6;
/** The same token, but for rounding. */
const LITERALLY = 0.95;
/** In geometric means: a single token without a match must not decide alone. */
const LEAST_MATCH = 0.02;
const TENTH = 9;
const RAREST = 3;
/** Ranks of the other case studies: below these there may be further answers. */
const OTHERS = [5, 40] as const;
/** Others without which a lead says nothing. */
const LEAST_OTHERS = 5;
/** The lead that most answers have. */
const USUAL_LEAD = 3;
const MAX_LEAD = 8;

/** The features of a case study that was found, in the order of `FEATURES`. */
export function createFeatures({ weights, compared, keyword, semantic }: RankedEvidence) {
  // The number of tokens that count: one where a single one has all the weight.
  const tokens = Math.log(1 + 1 / Math.max(1e-9, sumOf(weights.map((weight) => weight ** 2))));
  const rarest = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]!).slice(0, RAREST);
  const interactions = bestOf(compared);
  const similarities = bestOf(semantic);
  const words = bestOf(keyword);
  const interactionLead = leadOver(interactions);
  const similarityLead = leadOver(similarities);
  const leastSimilar = Math.min(1, ...semantic.map(({ score }) => score));
  const sharesWith = (values: ArrayLike<number> | undefined, shareOf: (value: number) => number) => {
    let sum = 0;
    for (let token = 0; token < weights.length; token += 1) sum += weights[token]! * shareOf(values?.[token] ?? 0);
    return sum;
  };
  const geometricMean = (values: ArrayLike<number> | undefined) =>
    Math.exp(sharesWith(values, (value) => Math.log(Math.max(LEAST_MATCH, value))));
  const ofAll = weights.map((_, token) => Math.max(0, ...compared.map(({ nearest }) => nearest[token] ?? 0)));
  const similar = [...similarities.values()].map(({ score }) => score).sort((a, b) => b - a);
  const [mostSimilar = 0] = similar;
  const ofQuery = [
    mostSimilar,
    mostSimilar - (similar[Math.min(TENTH, similar.length - 1)] ?? 0),
    sharesWith(ofAll, (value) => value),
    weights.length,
    Math.max(0, ...weights),
  ];
  return (study: string): number[] => {
    const best = interactions.get(study);
    const matchOf = (token: number | undefined) => best?.matches[token ?? -1] ?? 0;
    const shareWhere = (holds: (match: number) => boolean) =>
      sharesWith(best?.matches, (match) => (holds(match) ? 1 : 0));
    const interaction = best?.score ?? 0;
    // Those that are not among the nearest are at most as similar as the last of them.
    const similarity = similarities.get(study)?.score ?? (semantic.length > 0 ? leastSimilar : 0);
    const literal = sharesWith(best?.nearest, (value) => (value > LITERALLY ? 1 : 0));
    const ofRarest = (values: ArrayLike<number> | undefined) =>
      rarest.reduce((least, token) => Math.min(least, values?.[token] ?? 0), 1);
    return [
      interaction,
      similarity,
      interaction * similarity,
      shareWhere((match) => match < HARDLY),
      shareWhere((match) => match > CLEARLY),
      matchOf(rarest[0]),
      ofRarest(best?.matches),
      tokens,
      interaction * tokens,
      similarity * tokens,
      interactionLead(interaction),
      similarityLead(similarity),
      Math.log(1 + (words.get(study)?.score ?? 0)),
      sharesWith(best?.nearest, (value) => value),
      literal,
      ofRarest(best?.nearest),
      geometricMean(best?.nearest),
      literal * tokens,
      geometricMean(best?.matches) * similarity,
      ...ofQuery,
    ];
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function bestOf<T extends FoundPassage>(found: readonly T[]): Map<string, T> {
  const best = new Map<string, T>();
  for (const each of found) {
    const known = best.get(each.study);
    if (!known || each.score > known.score) best.set(each.study, each);
  }
  return best;
}

/** How far a score is above those of other case studies, in their standard deviations. */
function leadOver(best: ReadonlyMap<string, FoundPassage>): (score: number) => number {
  const others = [...best.values()].map(({ score }) => score).sort((a, b) => b - a);
  const compared = others.slice(...OTHERS);
  if (compared.length < LEAST_OTHERS) return () => USUAL_LEAD;
  const mean = sumOf(compared) / compared.length;
  const deviation = Math.sqrt(sumOf(compared.map((one) => (one - mean) ** 2)) / compared.length);
  return (score) => Math.max(-MAX_LEAD, Math.min(MAX_LEAD, (score - mean) / (deviation + SMOOTHING)));
}

/** Equal scores would make any lead endless. */
const SMOOTHING = 0.02;

import type { Outcome } from "../../../vocabulary/case-study.ts";
import type { OutcomeMetrics } from "../../taxonomy/outcome-metrics.ts";
import type { StorySentence } from "../story.ts";
import { type FeaturedCandidate, findCandidates } from "./candidates.ts";
import { directionOf } from "./direction.ts";
import { metricOf } from "./metric.ts";
import { scoreOf } from "./score.ts";

/** An outcome with the sentence that states it. */
export interface FoundOutcome {
  readonly outcome: Outcome;
  /** Verbatim, cut around the figure when it is long. */
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

/** From here a figure is told as an outcome: where precision and recall of the labelled stories meet best. */
export const MIN_CONFIDENCE = 0.53;
const MAX_OUTCOMES = 30;
const MAX_SENTENCE = 400;

export interface OutcomeOptions {
  readonly metrics: OutcomeMetrics;
  /** Words of the vendor's name in lower case: what runs on the product is a result of it. */
  readonly productWords: ReadonlySet<string>;
  /** Confidence from which a figure is told. */
  readonly least?: number;
}

/**
 * The quantified results that a story tells, surest first, each figure once. At most 30.
 */
export function findOutcomes(
  story: readonly StorySentence[],
  { metrics, productWords, least = MIN_CONFIDENCE }: OutcomeOptions,
): FoundOutcome[] {
  const best = new Map<string, { candidate: FeaturedCandidate; confidence: number }>();
  for (const candidate of findCandidates(story, productWords)) {
    const confidence = scoreOf(candidate.features);
    if (confidence < least) continue;
    const known = best.get(candidate.key);
    if (known === undefined || confidence > known.confidence) best.set(candidate.key, { candidate, confidence });
  }
  return [...best.values()]
    .sort((left, right) => right.confidence - left.confidence)
    .slice(0, MAX_OUTCOMES)
    .map(({ candidate, confidence }) => told(candidate, confidence, metrics));
}

function told(candidate: FeaturedCandidate, confidence: number, metrics: OutcomeMetrics): FoundOutcome {
  const { amount } = candidate;
  const metric = metricOf(candidate, metrics);
  const text = cutAround(candidate.sentence.text, candidate.tokens[amount.from]?.start ?? 0);
  return {
    outcome: {
      metric,
      value: amount.value,
      unit: amount.unit,
      direction: directionOf(candidate, metric),
      text,
    },
    sentence: text,
    confidence: Math.round(confidence * 100) / 100,
  };
}

/** A piece of a long sentence that holds the figure, from a word's start to a word's end. */
function cutAround(text: string, at: number): string {
  if (text.length <= MAX_SENTENCE) return text;
  const from = Math.max(0, Math.min(at - MAX_SENTENCE / 2, text.length - MAX_SENTENCE));
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1 || from;
  const piece = text.slice(start, start + MAX_SENTENCE);
  const end = start + MAX_SENTENCE >= text.length ? piece.length : piece.lastIndexOf(" ");
  return piece
    .slice(0, end > MAX_SENTENCE / 2 + 20 ? end : piece.length)
    .toWellFormed()
    .trim();
}

import type { OutcomeMetrics } from "../../taxonomy/taxonomy.ts";
import { completeOutcome, type Outcome } from "../../types.ts";
import type { StorySentence } from "../story.ts";
import type { Amount } from "./amounts.ts";
import { type Candidate, findCandidates } from "./features.ts";
import { isAfterTo, isShorter } from "./statement.ts";
import weights from "./weights.json";

/** Weights of features; the probability is the logistic function of their sum. A feature without a weight counts 0. */
export interface OutcomeWeights {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** One set of weights for figures and one for changes without a figure. */
export interface OutcomeModel {
  readonly figures: OutcomeWeights;
  readonly changes: OutcomeWeights;
}

export function probabilityOf({ bias, weights: of }: OutcomeWeights, features: ReadonlySet<string>): number {
  let sum = bias;
  for (const feature of features) sum += of[feature] ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

/** An outcome with the sentence that states it. */
interface FoundOutcome {
  readonly outcome: Outcome;
  /** Verbatim; a long sentence is cut around the figure. */
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

/** Chosen for the best balance of precision and recall on vendors that the weights were not fitted on. */
const MIN_CONFIDENCE = 0.44;
/** A change without a figure is often a claim about the product, so it must be more certain. */
const MIN_CHANGE_CONFIDENCE = 0.54;
const MAX_OUTCOMES = 30;
const MAX_CHANGES = 8;
const MAX_SENTENCE = 400;

interface OutcomeOptions {
  readonly metrics: OutcomeMetrics;
  /** Words of the vendor's name in lower case. A sentence that names the product is more likely to state a result. */
  readonly productWords: ReadonlySet<string>;
  /** Minimum confidence of an outcome, in place of the built-in ones. */
  readonly minConfidence?: number;
  /** Other weights than the built-in ones, for an evaluation. */
  readonly model?: OutcomeModel;
}

interface Scored {
  readonly candidate: Candidate;
  readonly confidence: number;
}

/** The results of a story by descending confidence, without repeated figures: at most 30, of them 8 without a figure. */
export function findOutcomes(
  story: readonly StorySentence[],
  { metrics, productWords, minConfidence, model = weights }: OutcomeOptions,
): FoundOutcome[] {
  const best = new Map<string, Scored>();
  for (const candidate of findCandidates(story, productWords)) {
    const isFigure = candidate.amount !== null;
    const confidence = probabilityOf(isFigure ? model.figures : model.changes, candidate.features);
    if (confidence < (minConfidence ?? (isFigure ? MIN_CONFIDENCE : MIN_CHANGE_CONFIDENCE))) continue;
    const { statement } = candidate;
    if (statement.noun === null && (!isFigure || statement.kind === "level")) continue;
    const key = isFigure ? candidate.key : `${statement.direction} ${statement.noun}`;
    const known = best.get(key);
    if (known === undefined || rankOf(candidate, confidence) > rankOf(known.candidate, known.confidence))
      best.set(key, { candidate, confidence: Math.max(confidence, known?.confidence ?? 0) });
    else best.set(key, { ...known, confidence: Math.max(confidence, known.confidence) });
  }
  const sorted = [...best.values()].sort((left, right) => right.confidence - left.confidence);
  const changes = sorted.filter(({ candidate }) => candidate.amount === null).slice(0, MAX_CHANGES);
  return sorted
    .filter((one) => one.candidate.amount !== null || changes.includes(one))
    .slice(0, MAX_OUTCOMES)
    .map((one) => toOutcome(one, metrics));
}

/** The text states an outcome with more context than the title, the description and headings. */
const rankOf = ({ sentence }: Candidate, confidence: number) => confidence + Number(sentence.place === "body");

function toOutcome({ candidate, confidence }: Scored, metrics: OutcomeMetrics): FoundOutcome {
  const { amount, before, tokens, from, statement } = candidate;
  const text = cutAround(candidate.sentence.text, tokens[from]?.start ?? 0);
  const { noun, kind, direction, better } = statement;
  return {
    outcome: completeOutcome({
      metric: metricOf(candidate, noun, metrics),
      value: amount?.value ?? null,
      unit: amount?.unit ?? null,
      direction,
      text,
      noun,
      kind,
      from: amount === null || before === null ? null : inUnitOf(before, amount),
      to: amount !== null && isReached(candidate) ? amount.value : null,
      better,
      sentence: text,
    }),
    sentence: text,
    confidence: Math.round(confidence * 100) / 100,
  };
}

/** "from 5 to less than 1 min": a bare number has the unit of the other figure. */
const inUnitOf = (before: Amount, { size, dimension }: Amount) =>
  before.dimension === dimension ? Number(((before.value * before.size) / size).toPrecision(6)) : before.value;

/** "reduced to 10 minutes", "grew to 200", "an hour instead of days", the later figure of a pair: the figure is the new state, not the size of the change. */
function isReached(candidate: Candidate): boolean {
  const { before, tokens, from, amount, statement } = candidate;
  if (before !== null) return true;
  if (statement.kind !== "change" || amount?.dimension === "multiple") return false;
  if (amount?.dimension === "percent" && amount.inWords) return false;
  return isAfterTo(tokens, from) || isShorter(candidate);
}

/** The slug that groups the outcome: from what is measured, else from what its unit measures, else from the sentence. */
function metricOf({ amount, sentence }: Candidate, noun: string | null, metrics: OutcomeMetrics): string {
  if (noun !== null && /\bspeed\b/.test(noun)) return "performance";
  const named = noun === null ? null : headMetric(noun, metrics);
  if (named !== null) return named;
  switch (amount?.dimension) {
    case "duration":
      return "time";
    case "bytes":
    case "count":
      return "scale";
    case "rate":
      return "performance";
    case "money":
      return "cost";
    default:
      return metrics.resolveMetric(null, sentence.text);
  }
}

/** The metric of the last cue of several words, else of the last one before a preposition: "customer churn" is about churn. */
function headMetric(noun: string, metrics: OutcomeMetrics): string | null {
  const cuesIn = (text: string) =>
    metrics.findCues(text).cues.toSorted((left, right) => left.at + left.length - right.at - right.length);
  const [head = noun] = noun.split(/ (?:of|for|per|on|to) /);
  const cue = cuesIn(noun).findLast(({ length }) => length > 1) ?? cuesIn(head).at(-1) ?? cuesIn(noun).at(-1);
  return cue === undefined || cue.slug === "other" ? null : cue.slug;
}

/** The part of a long sentence around the figure, cut between words. */
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

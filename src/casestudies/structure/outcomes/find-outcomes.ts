import type { OutcomeMetrics } from "../../taxonomy/taxonomy.ts";
import { completeOutcome, type Outcome } from "../../types.ts";
import type { StorySentence } from "../story.ts";
import { wordSet } from "../word-lists.ts";
import { type Candidate, type FeaturedCandidate, findCandidates } from "./features.ts";
import { CLAUSE_ENDS, classesOf, nounClassOf, type Token } from "./tokens.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

/**
 * The probability that a figure is an outcome: the logistic function of the sum of its features' weights.
 *
 * @param features a feature without a weight counts 0
 */
function scoreOf(features: readonly string[]): number {
  let sum = BIAS;
  for (const feature of features) sum += WEIGHTS[feature] ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

const WORDS_AFTER = 5;
const WORDS_BEFORE = 12;
/** "in half", "by half", "half the cost": a decrease, unless a verb says otherwise. */
const HALF_WORDS = wordSet("half halved halving halves");

/**
 * The direction of a figure: from the order of a pair, else from the nearest word of change, first after the figure
 * ("40% fewer", "5x more"), then before it. `absolute` for a level without such a word.
 *
 * @param metric slug; what becomes faster takes less time
 */
function directionOf(candidate: Candidate, metric: string): Outcome["direction"] {
  const toOutcome = changeOfFigure(candidate);
  // "Build times are 5x faster": the time decreases.
  const isSpeed =
    toOutcome === "increase" &&
    (metric === "time" || metric === "latency") &&
    candidate.amount.dimension !== "duration";
  return isSpeed && candidate.tokens.some(({ word }) => SPEED_WORD.test(word)) ? "decrease" : toOutcome;
}

const SPEED_WORD = /^(?:faster|quicker|speed|speeds|speedup|sped|accelerat\w{1,4}|shorter)$/;

function changeOfFigure({ tokens, amount, amounts, pairs, index }: Candidate): Outcome["direction"] {
  const before = pairs.beforeOf.get(index);
  const was = before === undefined ? undefined : amounts[before];
  if (was && (was.unit === amount.unit || was.dimension === amount.dimension || was.unit === null)) {
    const scaleOf = (toOutcome: typeof was) =>
      toOutcome.value * (toOutcome.dimension === amount.dimension ? toOutcome.size : amount.size);
    return scaleOf(amount) === scaleOf(was) ? "absolute" : scaleOf(amount) < scaleOf(was) ? "decrease" : "increase";
  }
  const isChange = amount.dimension === "percent" || amount.dimension === "multiple";
  const sign = signBefore(tokens, amount.from);
  if (sign !== null) return sign;
  if (isNearSaveVerb(tokens, amount.from, amount.to)) return "decrease";
  if (amount.dimension === "duration" && hasContrastWithPast(tokens)) return "decrease";
  const after = isChange || amount.dimension === "money" ? changeAfter(tokens, amount.to) : null;
  if (after !== null) return after;
  const toOutcome = changeBefore(tokens, amount.from);
  if (toOutcome !== null && (isChange || amount.dimension === "money" || isLevelAfterChange(tokens, amount.from)))
    return toOutcome;
  if (amount.dimension === "multiple") return "increase";
  return HALF_WORDS.has(tokens[amount.to - 1]?.word ?? "") && tokens[amount.from - 1]?.word === "in"
    ? "decrease"
    : "absolute";
}

/** The sign of "+45%", "−30%", "↓ 12%". */
function signBefore(tokens: readonly Token[], from: number): "increase" | "decrease" | null {
  const mark = tokens[from - 1];
  if (mark?.kind !== "mark" || (from > 1 && mark.glued)) return null;
  if (mark.word === "+" || mark.word === "↑" || mark.word === "▲") return "increase";
  return ((mark.word === "-" || mark.word === "−" || mark.word === "–") && tokens[from]?.glued) ||
    mark.word === "↓" ||
    mark.word === "▼"
    ? "decrease"
    : null;
}

/** "saves 15 hours a week", "15 hours saved". */
function isNearSaveVerb(tokens: readonly Token[], from: number, to: number): boolean {
  const near = [...tokens.slice(Math.max(0, from - 4), from), ...tokens.slice(to, to + 3)];
  return near.some(({ word }) => /^(?:save|saves|saved|saving)$/.test(word));
}

/** Punctuation inside a clause, and words that start another. */
const MARKS_INSIDE_CLAUSE = wordSet("- ( :");
const CLAUSE_STARTERS = wordSet("and to while but with because as by");

/** "Now we can do it in 5 minutes", "in half an hour instead of days": compared with an earlier duration without a figure. */
function hasContrastWithPast(tokens: readonly Token[]): boolean {
  const toOutcome = tokens.map(({ word }) => word).join(" ");
  return /\b(?:now|instead of|compared (?:to|with)|used to|previously|(?:gone|went|go|going) from|no longer|rather than|before containers|before this)\b/.test(
    toOutcome,
  );
}

function changeAfter(tokens: readonly Token[], at: number): "increase" | "decrease" | null {
  for (let index = at; index < Math.min(tokens.length, at + WORDS_AFTER); index++) {
    const token = tokens[index];
    if (!token || (token.kind === "mark" && !MARKS_INSIDE_CLAUSE.has(token.word)) || CLAUSE_STARTERS.has(token.word))
      return null;
    const change = changeOfWord(tokens, index);
    if (change !== null) return change;
  }
  return null;
}

function changeBefore(tokens: readonly Token[], from: number): "increase" | "decrease" | null {
  for (let place = from - 1; place >= Math.max(0, from - WORDS_BEFORE); place--) {
    const token = tokens[place];
    if (!token || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) return null;
    const change = changeOfWord(tokens, place);
    if (change !== null) return change;
  }
  return null;
}

/** "reduced to 10 minutes", "grew to 200 nodes": a level after a change. */
function isLevelAfterChange(tokens: readonly Token[], from: number): boolean {
  const lead = tokens.slice(Math.max(0, from - 4), from).map(({ word }) => word);
  return lead.includes("to") || lead.includes("by");
}

/** Null for qualifiers such as "more than 60". */
function changeOfWord(tokens: readonly Token[], place: number): "increase" | "decrease" | null {
  if (tokens[place + 1]?.word === "than" && tokens[place - 1]?.kind !== "figure" && tokens[place - 1]?.word !== "%")
    return null;
  // "up to 2,500 nodes" is a level.
  const isLevel = !/^(?:went|gone|go|goes|rose|grew|shot|moved|is|are)$/.test(tokens[place - 1]?.word ?? "");
  if (tokens[place]?.word === "up" && tokens[place + 1]?.word === "to" && isLevel) return null;
  const classes = classesOf(tokens[place]?.word ?? "");
  if (classes.includes("down")) return "decrease";
  return classes.includes("up") ? "increase" : null;
}

const METRIC_BEFORE = 12;
const METRIC_AFTER = 8;
const DEPLOYS = /^(?:deploy|deployment|release|ship|rollout)$/;
const QUALITY_PROBLEM = /^(?:bug|defect|error|failure|crash|problem|issue|ticket)$/;
const SECURITY_PROBLEM = /^(?:vulnerability|incident|breach|threat|attack)$/;
const DOWNTIME = /^(?:downtime|outage)$/;
/** Cues of scale are frequent and rarely what was measured: "30% fewer instances" is about cost rather than scale. */
const SCALE_CUE_PENALTY = 7;
/** Metrics that a duration cannot measure. */
const NOT_MEASURED_BY_TIME = wordSet(`
  scale headcount growth cost revenue engagement performance quality deploy-frequency risk satisfaction
`);

/** The metric of a figure: from the counted noun, else from the nearest cue in its clause, else from the sentence. */
function metricOf(candidate: Candidate, metrics: OutcomeMetrics): string {
  const { amount, sentence } = candidate;
  const counted = countedMetric(candidate);
  if (counted !== null) return counted;
  const isTime = amount.dimension === "duration";
  const near = nearestMetric(candidate, metrics, (slug) => !(isTime && NOT_MEASURED_BY_TIME.has(slug)));
  if (near !== null) return near;
  if (amount.dimension === "percent" && candidate.tokens[amount.to]?.word === "of") return "scale";
  if (isTime) return "time";
  if (amount.dimension === "bytes" || amount.dimension === "count") return "scale";
  if (amount.dimension === "rate") return "performance";
  const toOutcome = metrics.resolveMetric(null, sentence.text);
  return toOutcome === "other" && amount.dimension === "money" ? "cost" : toOutcome;
}

function countedMetric({ amount, tokens }: Candidate): string | null {
  const noun = amount.noun ?? "";
  if (DOWNTIME.test(noun)) return "availability";
  if (amount.dimension === "bytes")
    return /\b(?:memory|ram|heap|image|binary)\b/.test(around(tokens, amount.from, amount.to))
      ? "performance"
      : "scale";
  if (amount.dimension !== "count") return null;
  if (amount.noun === null)
    return /\b(?:deploy\w*|releas\w*|ship\w*)\b/.test(around(tokens, amount.from, amount.to))
      ? "deploy-frequency"
      : null;
  if (
    DEPLOYS.test(noun) ||
    (noun === "time" && /\b(?:deploy\w*|releas\w*|ship\w*)\b/.test(around(tokens, amount.from, amount.to)))
  )
    return "deploy-frequency";
  if (QUALITY_PROBLEM.test(noun)) return "quality";
  if (SECURITY_PROBLEM.test(noun)) return "risk";
  return nounClassOf(noun) === "people" ? "headcount" : "scale";
}

const around = (tokens: readonly Token[], from: number, to: number) =>
  tokens
    .slice(Math.max(0, from - METRIC_BEFORE), to + METRIC_AFTER)
    .map(({ word }) => word)
    .join(" ");

function nearestMetric(
  { tokens, amount }: Candidate,
  metrics: OutcomeMetrics,
  accepts: (slug: string) => boolean,
): string | null {
  const before = clause(tokens, amount.from, -1, METRIC_BEFORE);
  const after = clause(tokens, amount.to, 1, METRIC_AFTER);
  let best: { slug: string; distance: number } | null = null;
  const consider = (slug: string, distance: number, length: number) => {
    // A longer cue is more specific: "page load time" beats "time".
    const cost = distance - length * 2 + (slug === "scale" ? SCALE_CUE_PENALTY : slug === "time" ? -2 : 0);
    if (accepts(slug) && (best === null || cost < (best as { distance: number }).distance))
      best = { slug, distance: cost };
  };
  const lead = metrics.findCues(before);
  for (const cue of lead.cues) consider(cue.slug, lead.words - cue.at - cue.length, cue.length);
  for (const cue of metrics.findCues(after).cues) consider(cue.slug, cue.at, cue.length);
  return (best as { slug: string } | null)?.slug ?? null;
}

/** The words of the figure's clause before or after it. */
function clause(tokens: readonly Token[], at: number, step: 1 | -1, most: number): string {
  const words: string[] = [];
  for (let index = step < 0 ? at - 1 : at; words.length < most; index += step) {
    const token = tokens[index];
    if (token === undefined || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    words.push(token.text);
  }
  return (step < 0 ? words.reverse() : words).join(" ");
}

/** An outcome with the sentence that states it. */
interface FoundOutcome {
  readonly outcome: Outcome;
  /** Verbatim; a long sentence is cut around the figure. */
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

/** Chosen for the best balance of precision and recall on the labelled stories. */
const MIN_CONFIDENCE = 0.53;
const MAX_OUTCOMES = 30;
const MAX_SENTENCE = 400;

interface OutcomeOptions {
  readonly metrics: OutcomeMetrics;
  /** Words of the vendor's name in lower case. A sentence that names the product is more likely to state a result. */
  readonly productWords: ReadonlySet<string>;
  /** Minimum confidence of an outcome. */
  readonly minConfidence?: number;
}

/** The quantified results of a story by descending confidence, without repeated figures. At most 30. */
export function findOutcomes(
  story: readonly StorySentence[],
  { metrics, productWords, minConfidence = MIN_CONFIDENCE }: OutcomeOptions,
): FoundOutcome[] {
  const best = new Map<string, { candidate: FeaturedCandidate; confidence: number }>();
  for (const candidate of findCandidates(story, productWords)) {
    const confidence = scoreOf(candidate.features);
    if (confidence < minConfidence) continue;
    const known = best.get(candidate.key);
    if (known === undefined || confidence > known.confidence) best.set(candidate.key, { candidate, confidence });
  }
  return [...best.values()]
    .sort((left, right) => right.confidence - left.confidence)
    .slice(0, MAX_OUTCOMES)
    .map(({ candidate, confidence }) => toOutcome(candidate, confidence, metrics));
}

function toOutcome(candidate: FeaturedCandidate, confidence: number, metrics: OutcomeMetrics): FoundOutcome {
  const { amount } = candidate;
  const metric = metricOf(candidate, metrics);
  const text = cutAround(candidate.sentence.text, candidate.tokens[amount.from]?.start ?? 0);
  return {
    outcome: completeOutcome({
      metric,
      value: amount.value,
      unit: amount.unit,
      direction: directionOf(candidate, metric),
      text,
      sentence: text,
    }),
    sentence: text,
    confidence: Math.round(confidence * 100) / 100,
  };
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

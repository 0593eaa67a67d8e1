import type { OutcomeMetrics } from "../../taxonomy/outcome-metrics.ts";
import type { Candidate } from "./features.ts";
import { nounClassOf } from "./nouns.ts";
import type { Token } from "./tokens.ts";

const CLAUSE_ENDS: ReadonlySet<string> = new Set([";", ":", ".", "—", "?", "!"]);
const BEFORE = 12;
const AFTER = 8;
const DEPLOYS = /^(?:deploy|deployment|release|ship|rollout)$/;
const FAULTS = /^(?:bug|defect|error|failure|crash|problem|issue|ticket)$/;
const SECURITY = /^(?:vulnerability|incident|breach|threat|attack)$/;
const STILL = /^(?:downtime|outage)$/;
/** What runs somewhere is seldom what a change is measured by: "30 % less instances" tells of cost before scale. */
const WEAK_CUE = 7;
/** What a duration or a rate cannot measure, however near its word stands. */
const NO_TIME: ReadonlySet<string> = new Set([
  "scale",
  "headcount",
  "growth",
  "cost",
  "revenue",
  "engagement",
  "performance",
  "quality",
  "deploy-frequency",
  "risk",
  "satisfaction",
]);

/** The slug of what a figure measures: by what it counts, else by the nearest cue of the taxonomy, the same clause first. */
export function metricOf(candidate: Candidate, metrics: OutcomeMetrics): string {
  const { amount, sentence } = candidate;
  const counted = countedMetric(candidate);
  if (counted !== null) return counted;
  const isTime = amount.dimension === "duration";
  const near = nearestMetric(candidate, metrics, (slug) => !(isTime && NO_TIME.has(slug)));
  if (near !== null) return near;
  if (amount.dimension === "percent" && candidate.tokens[amount.to]?.word === "of") return "scale";
  if (isTime) return "time";
  if (amount.dimension === "bytes" || amount.dimension === "count") return "scale";
  if (amount.dimension === "rate") return "performance";
  const told = metrics.resolveMetric(null, sentence.text);
  return told === "other" && amount.dimension === "money" ? "cost" : told;
}

function countedMetric({ amount, tokens }: Candidate): string | null {
  const noun = amount.noun ?? "";
  if (STILL.test(noun)) return "availability";
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
  if (FAULTS.test(noun)) return "quality";
  if (SECURITY.test(noun)) return "risk";
  return nounClassOf(noun) === "people" ? "headcount" : "scale";
}

const around = (tokens: readonly Token[], from: number, to: number) =>
  tokens
    .slice(Math.max(0, from - BEFORE), to + AFTER)
    .map(({ word }) => word)
    .join(" ");

function nearestMetric(
  { tokens, amount }: Candidate,
  metrics: OutcomeMetrics,
  accepts: (slug: string) => boolean,
): string | null {
  const before = clause(tokens, amount.from, -1, BEFORE);
  const after = clause(tokens, amount.to, 1, AFTER);
  let best: { slug: string; distance: number } | null = null;
  const offer = (slug: string, distance: number, length: number) => {
    // A longer cue says more: "page load time" against "time".
    const cost = distance - length * 2 + (slug === "scale" ? WEAK_CUE : slug === "time" ? -2 : 0);
    if (accepts(slug) && (best === null || cost < (best as { distance: number }).distance))
      best = { slug, distance: cost };
  };
  const lead = metrics.findCues(before);
  for (const cue of lead.cues) offer(cue.slug, lead.words - cue.at - cue.length, cue.length);
  for (const cue of metrics.findCues(after).cues) offer(cue.slug, cue.at, cue.length);
  return (best as { slug: string } | null)?.slug ?? null;
}

/** The words of the figure's clause on one side of it. */
function clause(tokens: readonly Token[], at: number, step: 1 | -1, most: number): string {
  const words: string[] = [];
  for (let place = step < 0 ? at - 1 : at; words.length < most; place += step) {
    const token = tokens[place];
    if (token === undefined || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    words.push(token.text);
  }
  return (step < 0 ? words.reverse() : words).join(" ");
}

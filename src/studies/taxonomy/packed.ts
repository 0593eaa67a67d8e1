import { createIndustries, type Industries } from "./industries.ts";
import { createOutcomeMetrics, type OutcomeMetrics } from "./outcome-metrics.ts";
import { packIndustries, packOutcomeMetrics } from "./pack.ts" with { type: "macro" };

/** The rows of `data/`, checked and read when the program was bundled: an executable has no folder to read. */
const INDUSTRIES: string = packIndustries();
const OUTCOME_METRICS: string = packOutcomeMetrics();

export function loadBuiltInIndustries(): Industries {
  return createIndustries(JSON.parse(INDUSTRIES));
}

export function loadBuiltInOutcomeMetrics(): OutcomeMetrics {
  return createOutcomeMetrics(JSON.parse(OUTCOME_METRICS));
}

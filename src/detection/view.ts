import type { Enrichment, Step } from "./service.ts";

/** Parts of an answer that are shown when they are asked for. */
export interface Include {
  readonly evidence: boolean;
  readonly sources: boolean;
}

export const NOTHING_MORE: Include = { evidence: false, sources: false };

/** Reads `evidence,sources`; undefined for a word that is neither. */
export function parseInclude(text: string | undefined): Include | undefined {
  const words = (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  if (words.some((word) => word !== "evidence" && word !== "sources")) return undefined;
  return { evidence: words.includes("evidence"), sources: words.includes("sources") };
}

interface Told {
  readonly tool: string;
  readonly category: string;
}

/** The enrichment result of the specification's section 2, with the parts that were asked for. */
export function enrichmentView(enrichment: Enrichment, include: Include = NOTHING_MORE) {
  const { domain, detections } = enrichment;
  return {
    domain,
    ...toolsView(
      detections,
      include.evidence
        ? detections.map(({ tool, category, confidence, vendor, website, version, product_of, roles, ...seen }) => ({
            ...{ tool, category, confidence, vendor, website, version, product_of, roles },
            ...{ first_seen: seen.first_seen, last_seen: seen.last_seen, evidence: seen.evidence },
          }))
        : undefined,
    ),
    ...(include.sources
      ? {
          sources: enrichment.sources,
          scanned_at: enrichment.scanned_at,
          duration_ms: enrichment.duration_ms,
          cached: enrichment.cached,
        }
      : {}),
  };
}

/** One event of the stream: the specification's stream event. */
export function stepView(step: Step) {
  const detections = step.phase === "complete" ? step.enrichment.detections : step.detections;
  return { phase: step.phase, ...toolsView(detections), done: step.phase === "complete" };
}

function toolsView(
  detections: readonly Told[],
  tools: readonly Told[] = detections.map(({ tool, category }) => ({ tool, category })),
) {
  const byCategory = Map.groupBy(detections, ({ category }) => category);
  return {
    tools_detected: detections.length,
    tools,
    by_category: Object.fromEntries(
      [...byCategory].map(([category, told]) => [category, told.map(({ tool }) => tool)]),
    ),
  };
}

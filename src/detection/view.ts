import type { Enrichment, Step } from "./types.ts";

/** Optional parts of an answer. */
export interface Include {
  readonly evidence: boolean;
  readonly sources: boolean;
}

export const INCLUDE_NONE: Include = { evidence: false, sources: false };

/** Parses `evidence,sources`; undefined if it contains another word. */
export function parseInclude(text: string | undefined): Include | undefined {
  const words = (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  if (words.some((word) => word !== "evidence" && word !== "sources")) return undefined;
  return { evidence: words.includes("evidence"), sources: words.includes("sources") };
}

interface NamedTool {
  readonly tool: string;
  readonly category: string;
}

/** The enrichment result of the API, section 2 of the specification. */
export function enrichmentView(enrichment: Enrichment, include: Include = INCLUDE_NONE) {
  const { domain, detections, sources, scanned_at, duration_ms, cached } = enrichment;
  const detailed = include.evidence
    ? detections.map(({ tool, category, confidence, vendor, website, version, product_of, roles, ...rest }) => {
        const { first_seen, last_seen, evidence } = rest;
        const summary = { tool, category, confidence, vendor, website, version, product_of, roles };
        return { ...summary, first_seen, last_seen, evidence };
      })
    : undefined;
  return {
    domain,
    ...toolsView(detections, detailed),
    ...(include.sources ? { sources, scanned_at, duration_ms, cached } : {}),
  };
}

/** One event of the stream. */
export function stepView(step: Step) {
  const detections = step.phase === "complete" ? step.enrichment.detections : step.detections;
  return { phase: step.phase, ...toolsView(detections), done: step.phase === "complete" };
}

function toolsView(
  detections: readonly NamedTool[],
  tools: readonly NamedTool[] = detections.map(({ tool, category }) => ({ tool, category })),
) {
  const byCategory = Map.groupBy(detections, ({ category }) => category);
  return {
    tools_detected: detections.length,
    tools,
    by_category: Object.fromEntries(
      [...byCategory].map(([category, members]) => [category, members.map(({ tool }) => tool)]),
    ),
  };
}

import { levelOf } from "./levels.ts";
import type { Enrichment, Step } from "./types.ts";

/** Optional parts of an answer. */
export const INCLUDED = ["evidence", "sources", "third_parties"] as const;
export type Include = Readonly<Record<(typeof INCLUDED)[number], boolean>>;

export const INCLUDE_NONE: Include = { evidence: false, sources: false, third_parties: false };

/** Parses `evidence,sources`; undefined if it contains another word. */
export function parseInclude(text: string | undefined): Include | undefined {
  const words = (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  if (words.some((word) => !INCLUDED.some((part) => part === word))) return undefined;
  const has = (part: keyof Include) => words.includes(part);
  return { evidence: has("evidence"), sources: has("sources"), third_parties: has("third_parties") };
}

interface NamedTool {
  readonly tool: string;
  readonly category: string;
}

/** What is added to a result that could not be renewed. Any other result has exactly the fields of the specification. */
const staleView = ({ stale_reason, scanned_at }: Pick<Enrichment, "stale_reason" | "scanned_at">) =>
  stale_reason === undefined ? {} : { stale: true as const, stale_reason, scanned_at };

/** The enrichment result of the API, section 2 of the specification. */
export function enrichmentView(enrichment: Enrichment, include: Include = INCLUDE_NONE) {
  const { domain, detections, sources, scanned_at, duration_ms, cached } = enrichment;
  const detailed = include.evidence
    ? detections.map(({ tool, category, confidence, vendor, website, version, product_of, roles, ...rest }) => {
        const { first_seen, last_seen, evidence } = rest;
        const summary = {
          tool,
          category,
          confidence,
          level: levelOf(confidence),
          vendor,
          website,
          version,
          product_of,
          roles,
        };
        return { ...summary, first_seen, last_seen, evidence };
      })
    : undefined;
  return {
    domain,
    ...toolsView(detections, detailed),
    ...staleView(enrichment),
    ...(include.third_parties ? { third_parties: enrichment.third_parties ?? [] } : {}),
    ...(include.sources ? { sources, scanned_at, duration_ms, cached } : {}),
  };
}

/** One event of the stream. */
export function stepView(step: Step) {
  if (step.phase !== "complete") return { phase: step.phase, ...toolsView(step.detections), done: false };
  const { enrichment } = step;
  return { phase: step.phase, ...toolsView(enrichment.detections), ...staleView(enrichment), done: true };
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

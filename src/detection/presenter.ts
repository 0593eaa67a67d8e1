import { inOrder, withoutRules } from "./evidence.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import { toArray } from "./fingerprints/conditions.ts";
import type { FeedbackRepository } from "./fingerprints/repository.ts";
import type { ScanRepository } from "./repository.ts";
import type { Detection, EnrichedDetection, Enrichment, Report } from "./types.ts";
import { LOWEST_MIN_CONFIDENCE } from "./weights.ts";

interface PresenterOptions {
  readonly catalogue: Catalogue;
  readonly scans: ScanRepository;
  readonly feedback: FeedbackRepository;
  readonly minConfidence: number;
}

/**
 * Which tools of a stored report count as detected, wherever they are listed or counted: those of the minimum confidence,
 * without the evidence of suppressed rules.
 */
export function detectedIn<T extends Detection>(
  { detections, possible = [] }: { readonly detections: readonly T[]; readonly possible?: readonly T[] | undefined },
  { suppressed, catalogue, minimum }: DetectedOptions,
): { readonly detections: readonly T[]; readonly possible: readonly T[] } {
  return split(withoutRules(inOrder([...detections, ...possible]), suppressed, catalogue), minimum);
}

interface DetectedOptions {
  /** `TOOL-ID/RULE-ID` of what the operator reported as false positives of the domain. */
  readonly suppressed: ReadonlySet<string>;
  readonly catalogue: Catalogue;
  readonly minimum: number;
}

/** A report with all its levels: `detections` are those of the default level, `possible` are below it. */
export interface PresentedReport extends Enrichment {
  readonly possible: readonly EnrichedDetection[];
}

/** Turns reports into what callers get. */
export function createEnrichmentPresenter({ catalogue, scans, feedback, minConfidence }: PresenterOptions) {
  const minimum = Math.max(minConfidence, LOWEST_MIN_CONFIDENCE);

  /** `TOOL-ID/RULE-ID` of what the operator reported as false positives of the domain. */
  const suppressedRules = async (domain: string): Promise<ReadonlySet<string>> =>
    new Set((await feedback.ofDomain(domain)).flatMap(({ rules }) => rules));

  const enriched = (detection: Detection, first_seen: string, last_seen: string): EnrichedDetection => {
    const tool = catalogue.tools.get(detection.id);
    const parent = tool?.product_of === undefined ? undefined : catalogue.tools.get(tool.product_of);
    return { ...detection, product_of: parent?.name ?? null, roles: toArray(tool?.role), first_seen, last_seen };
  };

  return {
    suppressedRules,

    /** A stored report, with the dates of this installation and without reported false positives. */
    async present(report: Report, cached: boolean): Promise<PresentedReport> {
      const suppressed = await suppressedRules(report.domain);
      const sightings = await scans.sightings(report.domain);
      const { detections, possible } = detectedIn(report, { suppressed, catalogue, minimum });
      const dated = (detection: Detection) => {
        const { first_seen, last_seen } = sightings.get(detection.id) ?? {};
        return enriched(detection, first_seen ?? report.scanned_at, last_seen ?? report.scanned_at);
      };
      return { ...report, detections: detections.map(dated), possible: possible.map(dated), cached };
    },

    /** A report that is not stored. */
    presentUnsaved(report: Report): PresentedReport {
      const of = (detections: readonly Detection[]) =>
        detections.map((detection) => enriched(detection, report.scanned_at, report.scanned_at));
      return { ...report, cached: false, detections: of(report.detections), possible: of(report.possible ?? []) };
    },
  };
}

/**
 * The tools of the confidence that a caller asked for; those of the default level without a number.
 *
 * @param minConfidence 0–1
 */
export function atLeast<T extends Detection>(
  { detections, possible }: { readonly detections: readonly T[]; readonly possible: readonly T[] },
  minConfidence: number | undefined,
): readonly T[] {
  if (minConfidence === undefined) return detections;
  return split(inOrder([...detections, ...possible]), minConfidence).detections;
}

const split = <T extends Detection>(detections: readonly T[], minimum: number) => ({
  detections: detections.filter(({ confidence }) => confidence >= minimum),
  possible: detections.filter(({ confidence }) => confidence < minimum),
});

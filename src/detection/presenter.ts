import { withoutRules } from "./evidence.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import { toArray } from "./fingerprints/conditions.ts";
import type { FeedbackRepository } from "./fingerprints/repository.ts";
import type { ScanRepository } from "./repository.ts";
import type { Detection, EnrichedDetection, Enrichment, Report } from "./types.ts";

interface PresenterOptions {
  readonly catalogue: Catalogue;
  readonly scans: ScanRepository;
  readonly feedback: FeedbackRepository;
  readonly minConfidence: number;
}

/** Turns reports into what callers get. */
export function createEnrichmentPresenter({ catalogue, scans, feedback, minConfidence }: PresenterOptions) {
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
    async present(report: Report, cached: boolean): Promise<Enrichment> {
      const suppressed = await suppressedRules(report.domain);
      const sightings = await scans.sightings(report.domain);
      const detections = withoutRules(report.detections, suppressed, catalogue, minConfidence).map((detection) => {
        const { first_seen, last_seen } = sightings.get(detection.id) ?? {};
        return enriched(detection, first_seen ?? report.scanned_at, last_seen ?? report.scanned_at);
      });
      return { ...report, detections, cached };
    },

    /** A report that is not stored. */
    presentUnsaved: (report: Report): Enrichment => ({
      ...report,
      cached: false,
      detections: report.detections.map((detection) => enriched(detection, report.scanned_at, report.scanned_at)),
    }),
  };
}

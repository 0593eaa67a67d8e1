import type { Catalogue } from "../catalogue/catalogue.ts";
import { listed } from "../catalogue/conditions.ts";
import type { DetectOptions } from "../detect/detect.ts";
import { withoutRules } from "../detect/suppress.ts";
import { createUnknowns } from "../detect/unknowns.ts";
import type { Store } from "../store/store.ts";
import type { MailRole } from "../vocabulary/fingerprint.ts";
import type { Detection, Report } from "../vocabulary/scan.ts";
import type { Snapshot } from "../vocabulary/snapshot.ts";

/** A report with what was known of its tools before. */
export interface Enrichment extends Omit<Report, "detections"> {
  readonly detections: readonly SeenDetection[];
  /** Whether it was told from an earlier scan. */
  readonly cached: boolean;
}

export interface SeenDetection extends Detection {
  /** ISO 8601 UTC: the first and the last scan of this installation that saw the tool. */
  readonly first_seen: string;
  readonly last_seen: string;
  /** Name of the tool of which it is a part. */
  readonly product_of: string | null;
  /** What it does with the company's mail. */
  readonly roles: readonly MailRole[];
}

export interface TellingParts {
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, "scans" | "discovery" | "feedback">;
  readonly threshold: number;
}

/** One judgement of a company: what detection needs for it, and what becomes of its report. */
export interface Judgement {
  readonly options: Pick<DetectOptions, "threshold" | "suppressed" | "onSignal">;
  /** Stores the report, what no rule knew, and the snapshot. */
  keep(report: Report, snapshot: Snapshot): Promise<void>;
}

/** What reports become before they are told, and what is kept of them. */
export function createTelling({ catalogue, store, threshold }: TellingParts) {
  const suppressedFor = async (domain: string): Promise<ReadonlySet<string>> =>
    new Set((await store.feedback.of(domain)).flatMap(({ rules }) => rules));

  const related = (detection: Detection) => {
    const tool = catalogue.tools.get(detection.id);
    const whole = tool?.product_of === undefined ? undefined : catalogue.tools.get(tool.product_of);
    return { ...detection, product_of: whole?.name ?? null, roles: listed(tool?.role) };
  };

  return {
    async judge(domain: string): Promise<Judgement> {
      const unknowns = createUnknowns({ name: domain });
      return {
        options: { threshold, suppressed: await suppressedFor(domain), onSignal: unknowns.add },
        async keep(report, snapshot) {
          await store.scans.save({ domain, report, snapshot });
          await store.discovery.keep(domain, report.scanned_at, unknowns.list());
        },
      };
    },

    /** With the dates of this installation, and without what the operator said was told wrongly. */
    async seen(report: Report, cached: boolean): Promise<Enrichment> {
      const suppressed = await suppressedFor(report.domain);
      const sightings = await store.scans.sightings(report.domain);
      const detections = withoutRules(report.detections, suppressed, catalogue, threshold).map((detection) => ({
        ...related(detection),
        first_seen: sightings.get(detection.id)?.first_seen ?? report.scanned_at,
        last_seen: sightings.get(detection.id)?.last_seen ?? report.scanned_at,
      }));
      return { ...report, detections, cached };
    },

    /** Of a recording that is not kept. */
    unseen: (report: Report): Enrichment => ({
      ...report,
      cached: false,
      detections: report.detections.map((detection) => ({
        ...related(detection),
        first_seen: report.scanned_at,
        last_seen: report.scanned_at,
      })),
    }),
  };
}

import { SIGNALS } from "../../src/detection/signals.ts";
import type { Detection } from "../../src/detection/types.ts";

export interface CrossFigures {
  /** Tools detected by direct evidence, and the share of them with evidence of two or more families. */
  readonly told: number;
  readonly agreed: number;
  /** By confidence; a share of null means that there are no labels. */
  readonly calibration: Record<
    string,
    { told: number; right: number; wrong: number; unknown: number; share_right: number | null }
  >;
}

const BANDS = [
  ["0.9 and more", 0.9],
  ["0.8 to 0.9", 0.8],
  ["0.6 to 0.8", 0.6],
  ["below 0.6", 0],
] as const;

/**
 * Counts how often independent data sources agree, and how often a detected tool is labelled. The labels are a
 * lower bound: a tool without a label is neither right nor wrong.
 */
export function createCross() {
  let told = 0;
  let agreed = 0;
  const bands = new Map(BANDS.map(([name]) => [name, { told: 0, right: 0, wrong: 0, unknown: 0 }]));
  return {
    /** @param expected ids that are labelled as there. @param forbidden ids that are labelled as not there. */
    add(detections: readonly Detection[], expected: ReadonlySet<string>, forbidden: ReadonlySet<string>) {
      for (const { id, confidence, evidence } of detections) {
        const families = new Set(
          evidence.flatMap(({ signal }) => (signal === "implied" ? [] : [SIGNALS[signal].family])),
        );
        if (families.size > 0) told += 1;
        if (families.size > 1) agreed += 1;
        const band = bands.get(BANDS.find(([, least]) => confidence >= least)?.[0] ?? "below 0.6");
        if (!band) continue;
        band.told += 1;
        band[expected.has(id) ? "right" : forbidden.has(id) ? "wrong" : "unknown"] += 1;
      }
    },
    figures(): CrossFigures {
      return {
        told,
        agreed: part(agreed, told),
        calibration: Object.fromEntries(
          [...bands].map(([name, band]) => {
            const judged = band.right + band.wrong;
            return [name, { ...band, share_right: judged === 0 ? null : part(band.right, judged) }];
          }),
        ),
      };
    },
  };
}

export function printCross({ told, agreed, calibration }: CrossFigures): void {
  console.log(`\ntwo or more independent families agree on ${(100 * agreed).toFixed(1)} % of ${told} tools told`);
  console.log("\ncalibration: of the tools told at a confidence, those that the labels can judge");
  for (const [name, { told: count, right, wrong, unknown, share_right }] of Object.entries(calibration)) {
    const share = share_right === null ? "  –  " : share_right.toFixed(3);
    console.log(
      `  ${name.padEnd(14)} ${share} right  (${right} right, ${wrong} wrong, ${unknown} not labelled, of ${count})`,
    );
  }
}

const part = (count: number, of: number) => Math.round((1_000 * count) / Math.max(1, of)) / 1_000;

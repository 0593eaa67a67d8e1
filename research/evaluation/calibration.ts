import type { Detection } from "../../src/detection/types.ts";

/** A detection compared with the labels of its page. */
export interface Judgement {
  readonly detection: Detection;
  /** A labeller named the tool for the page. */
  readonly isLabelled: boolean;
  /** A labeller named the tool as one that the page must not be said to use. */
  readonly isForbidden: boolean;
}

export interface Bin {
  readonly detected: number;
  readonly labelled: number;
  readonly forbidden: number;
  /** Mean confidence of the detections. */
  readonly confidence: number | null;
  /** Share of the detections that a labeller named: a lower bound of the precision. */
  readonly labelled_share: number | null;
}

/** By confidence, `0.9–1` first. */
export type Calibration = Readonly<Record<string, Bin>>;

export const BINS = [
  ["0.9–1", 0.9],
  ["0.8–0.9", 0.8],
  ["0.7–0.8", 0.7],
  ["0.6–0.7", 0.6],
  ["0.5–0.6", 0.5],
  ["0.4–0.5", 0.4],
  ["0.3–0.4", 0.3],
  ["0–0.3", 0],
] as const;

/** How often a confidence is right. */
export function createCalibration() {
  const bins = BINS.map(([name, least]) => ({ name, least, detected: 0, labelled: 0, forbidden: 0, sum: 0 }));
  return {
    add({ detection: { confidence }, isLabelled, isForbidden }: Judgement) {
      const bin = bins.find(({ least }) => confidence >= least);
      if (!bin) return;
      bin.detected += 1;
      bin.sum += confidence;
      if (isLabelled) bin.labelled += 1;
      if (isForbidden) bin.forbidden += 1;
    },
    figures: (): Calibration =>
      Object.fromEntries(
        bins.map(({ name, detected, labelled, forbidden, sum }) => [
          name,
          {
            detected,
            labelled,
            forbidden,
            confidence: detected === 0 ? null : rounded(sum / detected),
            labelled_share: detected === 0 ? null : rounded(labelled / detected),
          },
        ]),
      ),
  };
}

export function printCalibration(calibration: Calibration): void {
  const bins = Object.entries(calibration).filter(([, { detected }]) => detected > 0);
  const text = bins.map(([name, { labelled, detected }]) => `${name}: ${labelled}/${detected}`).join("  ");
  console.log(`  labelled  ${text}`);
}

const rounded = (share: number) => Math.round(share * 1_000) / 1_000;

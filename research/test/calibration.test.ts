import { expect, test } from "bun:test";
import { type Calibration, createCalibration } from "../evaluation/calibration.ts";
import { chartOf, merged, tableOf } from "../evaluation/calibration-chart.ts";

function calibrationOf(...judged: (readonly [confidence: number, isLabelled: boolean])[]): Calibration {
  const calibration = createCalibration();
  for (const [confidence, isLabelled] of judged) {
    const detection = { id: "x", tool: "X", category: "", vendor: "", website: "", version: null, confidence };
    calibration.add({ detection: { ...detection, means: "runs", evidence: [] }, isLabelled, isForbidden: !isLabelled });
  }
  return calibration.figures();
}

test("a bin counts what was reported with its confidence and the share that is labelled", () => {
  const figures = calibrationOf([0.9, true], [0.99, false], [0.89, true], [0.2, false]);
  expect(figures["0.9–1"]).toEqual({ detected: 2, labelled: 1, forbidden: 1, confidence: 0.945, labelled_share: 0.5 });
  expect(figures["0.8–0.9"]).toMatchObject({ detected: 1, labelled: 1 });
  expect(figures["0.5–0.6"]).toMatchObject({ detected: 0, confidence: null, labelled_share: null });
});

test("parts are added, and empty bins have no row", () => {
  const both = merged([calibrationOf([0.9, true]), calibrationOf([0.95, false], [0.5, true])]);
  expect(both["0.9–1"]).toMatchObject({ detected: 2, labelled: 1, confidence: 0.925, labelled_share: 0.5 });
  const table = tableOf(both, { "0.9–1": { right: 1, of: 2 } });
  expect(table.split("\n").slice(2)).toEqual(["| 0.9–1 | 2 | 1 | 50% | 50% of 2 |", "| 0.5–0.6 | 1 | 1 | 100% |  |"]);
});

test("a bar stands for a bin with enough detections", () => {
  const many = Array.from({ length: 12 }, () => [0.9, true] as const);
  expect(chartOf(calibrationOf(...many, [0.5, true]), {}).match(/fill="#3b6ea8"/g)).toHaveLength(1);
});

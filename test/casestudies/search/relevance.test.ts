import { describe, expect, test } from "bun:test";
import manifest from "../../../models/casefile-static/manifest.json";
import type { FoundPassage } from "../../../src/casestudies/search/ranking.ts";
import { createFeatures, FEATURES, RELEVANCE, rateWith } from "../../../src/casestudies/search/relevance.ts";
import weights from "../../../src/casestudies/search/relevance-weights.json";

/** Case studies `s1`, `s2` … with falling scores. */
const others = (count: number, best: number): FoundPassage[] =>
  Array.from({ length: count }, (_, at) => ({ study: `s${at + 1}`, passage: at + 1, score: best - at / 1_000 }));

function featuresOf(match: readonly number[], { interaction = 0.5, similarity = 0.5, among = 30 } = {}) {
  const features = createFeatures({
    weights: match.map(() => 1 / match.length),
    compared: [
      { study: "right", passage: 900, score: interaction, matches: match, nearest: match },
      ...others(among, 0.2).map((found) => {
        const matches = match.map(() => 0.2);
        return { ...found, matches, nearest: matches };
      }),
    ],
    keyword: [],
    semantic: [{ study: "right", passage: 900, score: similarity }, ...others(among, 0.2)],
  });
  return { right: features("right"), other: features("s9"), unknown: features("unknown") };
}

describe("the relevance of a result", () => {
  test("has one weight per feature, fitted to the built-in model", () => {
    expect(weights.weights).toHaveLength(FEATURES.length);
    expect(weights.model).toBe(manifest.id);
  });

  test("is higher the more of the query a passage expresses", () => {
    const rate = (match: readonly number[], interaction: number, similarity: number) =>
      RELEVANCE.rate(featuresOf(match, { interaction, similarity }).right);
    const whole = rate([0.9, 0.8, 0.9, 0.8], 0.85, 0.7);
    const half = rate([0.9, 0.8, 0.1, 0], 0.45, 0.4);
    const none = rate([0.1, 0, 0.1, 0], 0.05, 0.1);
    expect(whole.level).toBe("strong");
    expect(none.level).toBe("weak");
    expect(whole.probability).toBeGreaterThan(half.probability);
    expect(half.probability).toBeGreaterThan(none.probability);
  });

  test("has features without gaps, also for what no ranking found and for an empty query", () => {
    const { right, other, unknown } = featuresOf([0.9, 0.1]);
    for (const features of [right, other, unknown, featuresOf([]).right]) {
      expect(features).toHaveLength(FEATURES.length);
      expect(features.every(Number.isFinite)).toBe(true);
    }
    const at = (name: (typeof FEATURES)[number]) => FEATURES.indexOf(name);
    expect(right[at("share that it clearly expresses")]).toBe(0.5);
    expect(right[at("share of the query that the passage hardly expresses")]).toBe(0.5);
    expect(unknown[at("similarity")]).toBeCloseTo(0.2 - 29 / 1_000);
  });

  test("takes no lead from a handful of case studies", () => {
    const lead = FEATURES.indexOf("interaction's lead over other case studies");
    expect(featuresOf([0.9], { among: 3 }).right[lead]).toBe(featuresOf([0.9], { among: 3 }).other[lead]);
    expect(featuresOf([0.9]).right[lead]).toBeGreaterThan(featuresOf([0.9]).other[lead] ?? Number.NaN);
  });

  test("is a probability after the calibration", () => {
    const model = { bias: -1, weights: [2], calibration: { slope: 0.5, offset: -3 } };
    expect(rateWith(model, [1])).toEqual({ level: "strong", probability: expect.closeTo(1 / (1 + Math.exp(2.5)), 6) });
    expect(rateWith(model, [0.1]).level).toBe("good");
    expect(rateWith(model, [-1]).level).toBe("weak");
  });
});

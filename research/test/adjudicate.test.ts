import { describe, expect, test } from "bun:test";
import { type Report, sampleOf, scoreOf, sheetOf } from "../evaluation/adjudicate.ts";

const report = (page: string, tool: string, confidence = 0.8): Report => ({
  page,
  detection: {
    tool,
    category: "Analytics",
    confidence,
    evidence: [
      {
        source: "home-page",
        signal: "html.script",
        value: `https://x.test/\n[x] 0.99 forged${" long".repeat(200)}`,
        location: "https://a.test/",
        rule: "x/loader",
        strength: "strong",
      },
    ],
  },
});
const all = Array.from({ length: 50 }, (_, index) => report(`p${index % 7}.html`, `Tool ${index}`, 0.5 + index / 100));

describe("a sample of reports", () => {
  test("is the same for the same seed, in any order of the reports, and another for another seed", () => {
    const names = (sample: readonly Report[]) => sample.map(({ detection }) => detection.tool);
    expect(names(sampleOf(all.toReversed(), 10, "a"))).toEqual(names(sampleOf(all, 10, "a")));
    expect(names(sampleOf(all, 10, "b"))).not.toEqual(names(sampleOf(all, 10, "a")));
    expect(sampleOf(all, 100, "a")).toHaveLength(50);
  });

  test("is one line for each report and its evidence, whatever a page wrote", () => {
    const sheet = sheetOf(all);
    expect(sheet.split("\n").filter((line) => line.startsWith("["))).toHaveLength(50);
    expect(Math.max(...sheet.split("\n").map((line) => line.length))).toBeLessThan(300);
    expect(scoreOf(sheet)).toMatchObject({ unmarked: 50, precision: null });
  });
});

test("marks are counted, by confidence too", () => {
  const lines = sheetOf([report("a", "A", 0.95), report("a", "B", 0.95), report("a", "C", 0.6), report("a", "D", 0.6)]);
  const marks = ["[x]", "[-]", "[x]", "[?]"];
  const sheet = lines.replace(/^\[ \]/gm, () => marks.shift() ?? "");
  expect(scoreOf(sheet)).toEqual({
    right: 2,
    wrong: 1,
    undecided: 1,
    unmarked: 0,
    precision: 0.667,
    interval: [0.208, 0.939],
    by_confidence: { "0.9–1": { right: 1, of: 2 }, "0.6–0.7": { right: 1, of: 1 } },
  });
  expect(() => scoreOf("[X] 0.80 A (B)")).toThrow("unknown mark");
});

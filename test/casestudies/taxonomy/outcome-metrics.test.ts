import { describe, expect, test } from "bun:test";
import { parseAmount, resolveDirection } from "../../../src/casestudies/taxonomy/taxonomy.ts";
import { tools } from "../examples.ts";

const { outcomeMetrics: metrics } = tools;

describe("what an outcome measures", () => {
  test.each([
    ["Costs", "", "cost"],
    [null, "Cut hosting bills by 40%", "cost"],
    ["build time", "from two hours to ten minutes", "time"],
    [null, "deploys fifty times a day", "deploy-frequency"],
    [null, "99.99% uptime over the year", "availability"],
    [null, "page load time fell to 300 ms", "latency"],
    ["NPS", "up 20 points", "satisfaction"],
    ["barnacles", "scraped 40 of them", "barnacles"],
    [null, "scraped 40 of them", "other"],
  ])("%p in %p is %p", (raw, text, slug) => {
    expect(metrics.resolveMetric(raw, text)).toBe(slug);
  });
});

test("the cues of a text are found with their positions, without overlaps", () => {
  expect(metrics.findCues("Our page load time and hosting bills fell.")).toEqual({
    cues: [
      { slug: "latency", at: 1, length: 3 },
      { slug: "cost", at: 5, length: 2 },
    ],
    words: 8,
  });
  expect(metrics.findCues("")).toEqual({ cues: [], words: 0 });
});

describe("a unit", () => {
  test.each([
    ["percent", "%"],
    ["Percentage", "%"],
    ["times", "x"],
    ["X", "x"],
    ["hrs.", "hours"],
    ["$", "USD"],
    ["US dollars", "USD"],
    ["RMB", "CNY"],
    ["MB", "MB"],
    ["megabytes", "MB"],
    ["µs", "microseconds"],
    ["usd", "USD"],
    ["sek", "SEK"],
    ["barnacles", "barnacles"],
    [" ", null],
    [null, null],
  ])("%p is written %p", (raw, unit) => {
    expect(metrics.normaliseUnit(raw)).toBe(unit);
  });
});

test.each([
  ["down", "", "decrease"],
  ["Reduction", "", "decrease"],
  [null, "reduced costs by 40%", "decrease"],
  [null, "Build times are 40% lower", "decrease"],
  [null, "increased sales while cutting costs", "increase"],
  [null, "ten times faster", "increase"],
  [null, "serves 40 million users", "absolute"],
  ["absolute", "reduced to 4", "absolute"],
] as const)("direction %p of %p is %p", (raw, text, direction) => {
  expect(resolveDirection(raw, text)).toBe(direction);
});

test("faster means a decrease of time and an increase of other metrics", () => {
  expect(resolveDirection(null, "Builds are ten times faster", "time")).toBe("decrease");
  expect(resolveDirection(null, "Pages answer faster", "latency")).toBe("decrease");
  expect(resolveDirection(null, "Sales grow faster", "revenue")).toBe("increase");
  expect(resolveDirection("increase", "Builds are ten times faster", "time")).toBe("increase");
});

test.each([
  ["40%", { value: 40, unit: "%" }],
  ["$1.1 million", { value: 1_100_000, unit: "$" }],
  ["€3,500", { value: 3_500, unit: "€" }],
  ["10x", { value: 10, unit: "x" }],
  ["3.5k users", { value: 3_500, unit: "users" }],
  ["-12 %", { value: -12, unit: "%" }],
  ["5 minutes", { value: 5, unit: "minutes" }],
  ["12", { value: 12, unit: null }],
  ["half", null],
  ["", null],
])("the figure %p is %p", (text, amount) => {
  expect(parseAmount(text)).toEqual(amount);
});

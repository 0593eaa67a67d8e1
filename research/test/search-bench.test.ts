import { expect, test } from "bun:test";
import { join } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import { createParseContext, isProblems, parseRecord } from "../../src/casestudies/record.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";
import { firstDistinct, fuseRanks } from "../benchmarks/engines/fusion.ts";
import { callersChartOf, chartOf, growthChartOf } from "../benchmarks/search-chart.ts";
import type { Growth } from "../benchmarks/search-growth.ts";
import { measureLatency, quantile } from "../benchmarks/search-latency.ts";
import { generateQueries, generateStories } from "../benchmarks/search-stories.ts";
import { inventedWording } from "../benchmarks/search-wording.ts";

const industries = loadBuiltInIndustries();
const tools = createParseContext({ industries, outcomeMetrics: loadBuiltInOutcomeMetrics() });

function stories(count: number) {
  const random = createRandom(3);
  const names = [...industries.nameBySlug.values()].slice(0, 40);
  return [...generateStories(inventedWording(random), { count, companies: 200, industries: names, random })];
}

test("the same seed generates the same case studies", () => {
  expect(stories(20)).toEqual(stories(20));
});

test("a generated case study is marked as generated in its id, title and licence", () => {
  for (const { id, title, licence } of stories(20)) {
    expect(id).toStartWith("generated-");
    expect(title).toEndWith("(generated)");
    expect(licence).toBe("generated");
  }
});

test("a generated case study parses without errors and has about four passages", () => {
  const counts = stories(200).map((story) => {
    const study = parseRecord(story, tools);
    if (isProblems(study)) throw new Error(JSON.stringify(study));
    return study.passages.length;
  });
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(mean).toBeGreaterThan(3.5);
  expect(mean).toBeLessThan(4.5);
});

test("the first company has far more case studies than the tenth", () => {
  const all = stories(3_000);
  const of = (slug: string) => all.filter(({ company }) => company.slug === slug).length;
  expect(of("vendor-0001")).toBeGreaterThan(5 * of("vendor-0010"));
  expect(of("vendor-0010")).toBeGreaterThan(0);
});

test("further questions are distinct mixtures of the given ones", () => {
  const given = ["one two three four", "five six seven eight", "nine ten eleven twelve"];
  const queries = generateQueries(given, 8, createRandom(1));
  expect(queries.slice(0, 3)).toEqual(given);
  expect(new Set(queries).size).toBe(8);
});

test.each([
  [0.5, 5],
  [0.95, 10],
  [0.99, 10],
  [0, 1],
])("the quantile %p of one to ten is %p", (part, value) => {
  expect(quantile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], part)).toBe(value);
});

test("each question is asked once per repetition, whatever the number of concurrent callers", async () => {
  const asked: number[] = [];
  const latency = await measureLatency(
    [1, 2, 3, 4, 5],
    async (question) => {
      asked.push(question);
    },
    { callers: 3, repetitions: 2, seconds: 60 },
  );
  expect(asked.toSorted()).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  expect(latency).toMatchObject({ questions: 5, repetitions: 2 });
});

test("a measurement stops at its time limit and returns the number of questions asked", async () => {
  const latency = await measureLatency([1, 2, 3], async () => {}, { callers: 1, repetitions: 3, seconds: 0 });
  expect(latency).toMatchObject({ questions: 1, repetitions: 1 });
});

test("results of both lists rank above results of one, and each case study appears once", () => {
  expect(
    fuseRanks([
      ["a", "b"],
      ["b", "c"],
    ]),
  ).toEqual(["b", "a", "c"]);
  expect(firstDistinct(["a", "b", "a", "c"], 2)).toEqual(["a", "b"]);
});

test("the pictures in the documents show the kept figures", async () => {
  const root = join(import.meta.dir, "../..");
  const kept = (name: string) => Bun.file(join(root, "test/evaluation", name)).json();
  const { rows }: { rows: Parameters<typeof callersChartOf>[0] } = await kept("search-bench.json");
  expect(await Bun.file(join(root, "docs/search-latency.svg")).text()).toBe(chartOf(rows));
  if (rows.some(({ asked }) => asked?.between))
    expect(await Bun.file(join(root, "docs/search-callers.svg")).text()).toBe(callersChartOf(rows));
  const growth = await kept("search-growth.json");
  expect(await Bun.file(join(root, "docs/search-growth.svg")).text()).toBe(growthChartOf(growth));
});

test("a line for each percentile of each engine that took several callers, at the largest size", () => {
  const times = { p50: 5, p95: 9 };
  const asked = {
    alone: { none: times },
    between: { 2: times, 4: times, 8: times },
    together: { none: { p50: 50, p95: 90 } },
  };
  const svg = callersChartOf([
    { engine: "casefile", studies: 1_000, asked },
    { engine: "sqlite-vec", studies: 1_000, asked: { ...asked, between: null } },
    { engine: "casefile", studies: 500, asked },
  ]);
  expect(svg.match(/<polyline/g)).toHaveLength(2);
  expect(svg).toContain("Casefile p95, 16: 90 ms");
  expect(svg).toContain("1,000 case studies");
});

test("each size is a point of each line of the picture of growth", () => {
  const row = (studies: number): Growth => ({
    ...{ studies, added: studies / 2, passages: studies * 4, databaseMb: studies / 100, indexMb: studies / 400 },
    ...{ importSeconds: studies / 2_000, indexSeconds: studies / 2_000, importPeakMb: 300, indexPeakMb: 600 },
    ...{ loadSeconds: 1, loadProcessorSeconds: 1, residentMb: 512, recall: 1, load: 1 },
    ...{ wall: { p50: 5, p95: 8 }, processor: { p50: 5, p95: 8 } },
  });
  const svg = growthChartOf([row(10_000), row(100_000), row(1_000_000)]);
  expect(svg.match(/<polyline/g)).toHaveLength(7);
  expect(svg.match(/<circle/g)).toHaveLength(21);
  expect(svg).toContain("database, 1M: 10 GB");
  expect(svg).toContain(", 10k: 500 a second");
});

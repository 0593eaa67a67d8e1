import { describe, expect, test } from "bun:test";
import { findOutcomes } from "../../../../src/casestudies/structure/outcomes/find-outcomes.ts";
import { readStory } from "../../../../src/casestudies/structure/story.ts";
import { tools } from "../../examples.ts";

const productWords = new Set(["quayline"]);
const outcomesOf = (markdown: string, title: string | null = null) =>
  findOutcomes(readStory({ title, description: null, markdown }), { metrics: tools.outcomeMetrics, productWords });
const outcomesIn = (markdown: string) =>
  outcomesOf(markdown).map(
    ({ outcome: { metric, value, unit, direction } }) => `${metric} ${direction} ${value} ${unit}`,
  );

describe("a change without a figure", () => {
  test.each([
    ["reduced", "Brackwater has reduced manual work across its teams.", 1],
    ["to reduce", "Brackwater wanted to reduce manual work across its teams.", 0],
    ["reduce", "You reduce manual work across your teams.", 0],
  ])("is a result where it happened: %s", (_, sentence, found) => {
    expect(outcomesOf(`## How\n\n${sentence}`).map(({ outcome: { kind } }) => kind)).toEqual(
      Array.from({ length: found }, () => "qualitative" as const),
    );
  });
});

describe("a result is an outcome", () => {
  test.each([
    ["## Results\n\nQuayline reduced hosting costs by 60%.", "cost decrease 60 %"],
    ["## Impact\n\nBuild time went down from three hours to 10 minutes.", "time decrease 10 minutes"],
    ["## Results\n\nDeployments are now 5x faster.", "performance increase 5 x"],
    ["## Results\n\nReleases with Quayline are now 40% faster.", "performance increase 40 %"],
    ["## Results\n\nThe team now ships 50 deployments a day.", "deploy-frequency absolute 50 count"],
    ["## Results\n\nRevenue grew by 30 percent with Quayline.", "revenue increase 30 %"],
    [
      "## Results\n\nToday the platform handles more than 2 million requests per second.",
      "scale absolute 2000000 count",
    ],
    ["## Results\n\nUpgrades now run with zero downtime.", "availability absolute 0 count"],
    ["## Results\n\n45%\n\nincrease in revenue", "revenue increase 45 %"],
    ["## Results\n\n### 3x\n\nrevenue in the first year", "revenue increase 3 x"],
    ["## Results\n\n**-30%** churn", "retention decrease 30 %"],
    ["## Results\n\n+12% conversion rate", "conversion increase 12 %"],
    ["## Results\n\nNPS rose by 20 points.", "satisfaction increase 20 points"],
    ["## Results\n\nThe team now saves 15 hours per week.", "time decrease 15 hours"],
    ["## Results\n\nEmail open rates went up to 42%.", "conversion increase 42 %"],
    ["## Impact\n\nBrackwater saved $2 million in infrastructure costs.", "cost decrease 2000000 USD"],
    ["## Results\n\nThe cluster now runs on more than 300 nodes in production.", "scale absolute 300 count"],
  ])("%p", (markdown, outcome) => {
    expect(outcomesIn(markdown)).toEqual([outcome]);
  });
});

describe("an outcome says what it measures, how it changed, and whether that is better", () => {
  const readingOf = (text: string) =>
    outcomesOf(`## Results\n\n${text}`).map(({ outcome }) =>
      [
        outcome.noun,
        outcome.kind,
        outcome.direction,
        outcome.from,
        outcome.to,
        outcome.better ? "better" : "worse",
      ].join(", "),
    );

  test.each([
    ["Outage time went down by 88%.", "outage time, change, decrease, , , better"],
    ["Patient satisfaction rose from 78% to 91%.", "patient satisfaction, change, increase, 78, 91, better"],
    ["Loan approval time shrank from 14 days to 36 hours.", "loan approval time, change, decrease, 336, 36, better"],
    ["Claims are settled in 3 days, down from 17.", "time until claims are settled, change, decrease, 17, 3, better"],
    ["Nurses save 45 minutes per shift on documentation.", "time spent on documentation, change, decrease, , , better"],
    ["The out-of-stock rate was cut in half with Quayline.", "out-of-stock rate, change, decrease, , , better"],
    ["Contract review is 60% faster.", "contract review speed, change, increase, , , better"],
    ["Data preparation time was reduced to 20 minutes.", "data preparation time, change, decrease, , 20, better"],
    ["In the pilot, error rates increased by 12%.", "error rates, change, increase, , , worse"],
    ["The team ships to production 20 times a day.", "releases per day, level, absolute, , , better"],
    ["The platform handles 5,000 card payments per second.", "card payments per second, level, absolute, , , better"],
    ["A new release is done in half an hour instead of days.", "new release time, change, decrease, , 30, better"],
    ["The clusters now run at a tenth of the previous cost.", "cost, change, decrease, , , better"],
    ["It now takes 10 minutes.", "time taken, level, absolute, , , better"],
    ["Manual work is greatly reduced.", "manual work, qualitative, decrease, , , better"],
  ])("%p", (text, reading) => {
    expect(readingOf(text)).toEqual([reading]);
  });
});

describe("other figures are not outcomes", () => {
  test.each([
    [
      "a fact about the client",
      "## About Brackwater\n\nBrackwater was founded in 1987 and has 4,000 employees in 12 countries.",
    ],
    ["a team", "## Background\n\nThe platform group is a team of five engineers."],
    ["how long the work took", "## Background\n\nThe company started the project 18 months ago."],
    ["a plan", "## What is next\n\nThe company plans to move 80 services by 2027."],
    ["a market's figure", "## Background\n\nAccording to a market report, 80% of firms will use containers by 2027."],
    ["the state before", "## Challenge\n\nA release used to take two weeks."],
    ["a condition", "## Background\n\nIf we had 100 nodes, it would cost 50 dollars."],
    ["settings", "## Solution\n\n```yaml\nreplicas: 3\ncpu: 80%\nmemory: 2000 nodes now faster by 60%\n```"],
    ["a version", "## Solution\n\nThe team chose version 1.29.6 of the operator."],
    ["a list's numbers", "## Solution\n\n1. First step\n2. Second step\n3. Third step"],
  ])("%s", (_name, markdown) => {
    expect(outcomesIn(markdown)).toEqual([]);
  });
});

test("a repeated figure is one outcome", () => {
  const markdown =
    "## Results\n\nCosts fell by 60%.\n\n> In the end our costs fell by 60%.\n\nCosts were reduced by 60 percent.";
  expect(outcomesIn(markdown)).toEqual(["cost decrease 60 %"]);
});

test("an outcome has its sentence, which is cut around the figure when it is long", () => {
  const filler = "which the port had wanted for many years because of the many ferries ".repeat(12);
  const [short] = outcomesOf("## Results\n\nAll was well. Quayline cut costs by 60% in a year. More to come.");
  expect(short?.sentence).toBe("Quayline cut costs by 60% in a year.");
  expect(short?.confidence).toBeGreaterThan(0.5);
  const [long] = outcomesOf(`## Results\n\nQuayline, ${filler}reduced costs by 60%, ${filler}too.`);
  expect(long?.sentence.length).toBeLessThanOrEqual(400);
  expect(long?.sentence).toContain("reduced costs by 60%");
});

describe("confidence is higher", () => {
  const sure = (markdown: string) =>
    findOutcomes(readStory({ title: null, description: null, markdown }), {
      metrics: tools.outcomeMetrics,
      productWords,
      minConfidence: 0,
    })[0]?.confidence ?? 0;

  test.each([
    [
      "under a heading of results",
      "## Results\n\nIt handles 5,000 requests.",
      "## Challenge\n\nIt handles 5,000 requests.",
    ],
    ["next to an earlier state", "A build takes 10 minutes instead of days.", "A build takes 10 minutes on some days."],
    ["with a word of change", "Costs fell by 30%.", "Costs make up 30%."],
    ["when it is repeated", "It handles 5,000 requests.\n\nIt handles 5,000 requests.", "It handles 5,000 requests."],
    ["when nothing is conditional", "With it they run 100 nodes.", "If they had it they would run 100 nodes."],
  ])("%s", (_name, surer, less) => {
    expect(sure(surer)).toBeGreaterThan(sure(less));
  });
});

test("outcomes are sorted by confidence", () => {
  const outcomes = outcomesOf(
    "## Results\n\nQuayline reduced costs by 60%, from $10 million to $4 million. The port runs 40 cranes on it now.",
  );
  const order = outcomes.map(({ confidence }) => confidence);
  expect(order).toEqual([...order].sort((left, right) => right - left));
  expect(order.length).toBeGreaterThan(1);
});

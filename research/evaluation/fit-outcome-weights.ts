import { join } from "node:path";
import { parseArgs } from "node:util";
import { fitLogistic, type Model } from "./structure/logistic.ts";
import { type FeaturedRecord, loadFeaturedRecords, tallyAt } from "./structure/outcome-features.ts";
import { TUNED_ON } from "./structure/outcomes.ts";

/**
 * Fits the weight of each feature that classifies a figure as an outcome, on the labels of half of the vendors, and
 * writes `src/casestudies/structure/outcomes/weights.ts`: `bun research/evaluation/fit-outcome-weights.ts --corpus DIR`. With `--cross`
 * it writes nothing and prints how well weights fitted without a vendor find the outcomes of that vendor.
 */

const { values } = parseArgs({ options: { corpus: { type: "string" }, cross: { type: "boolean" } } });
if (values.corpus === undefined) {
  console.error("usage: bun research/evaluation/fit-outcome-weights.ts --corpus DIR [--cross]");
  process.exit(2);
}

const RIDGE = 3;
/** Features with fewer occurrences are dropped. */
const MIN_SEEN = 8;
/** Smaller weights are dropped. */
const MIN_WEIGHT = 0.05;
/** Priors of the penalty, where domain knowledge is better than few examples. */
const PRIORS: Readonly<Record<string, number>> = {
  "zero of": 5,
  "pair after": 2,
  tile: 2,
  conditional: -1.5,
  year: -2,
};

const HEAD = `/**
 * Weights of the features of a figure in favour of (+) or against (−) its being an outcome.
 *
 * Fitted by logistic regression with a ridge penalty of ${RIDGE} on the figures of hand-labelled case studies of half of the
 * vendors, with features that occur at least ${MIN_SEEN} times. The penalty draws weights to 0, except for the later figure of a
 * pair and a metric tile (2), "zero downtime" and similar (5), a conditional sentence (−1.5) and a year (−2). Weights
 * below ${MIN_WEIGHT} are omitted. \`research/evaluation/fit-outcome-weights.ts\` generates this file.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {`;

const records = await loadFeaturedRecords(values.corpus);
if (values.cross) cross();
else await write(fit(records.filter(({ vendor }) => TUNED_ON.has(vendor))));

function fit(from: readonly FeaturedRecord[]): Model {
  const rows = from.flatMap(({ candidates }) => candidates).filter(({ truth }) => truth !== "unclear");
  return fitLogistic(
    rows.map(({ features, truth }) => ({ features, isTrue: truth === "outcome" })),
    { ridge: RIDGE, minSeen: MIN_SEEN, priors: PRIORS },
  );
}

function cross(): void {
  const vendors = [...new Set(records.map(({ vendor }) => vendor))].sort();
  const models = new Map(vendors.map((left) => [left, fit(records.filter(({ vendor }) => vendor !== left))]));
  for (const least of [0.4, 0.45, 0.5, 0.55, 0.6]) {
    const tallies = records.map((record) => tallyAt(record, models.get(record.vendor), least));
    const sum = (of: (tally: (typeof tallies)[number]) => number) =>
      tallies.reduce((total, tally) => total + of(tally), 0);
    const right = sum(({ right }) => right);
    const precision = right / sum(({ found }) => found);
    const recall = right / sum(({ labels }) => labels);
    console.log(`from ${least}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  }
}

async function write({ weights, bias }: Model): Promise<void> {
  const rows = [...weights]
    .filter(([, weight]) => Math.abs(weight) >= MIN_WEIGHT)
    .sort(([left, a], [right, b]) => b - a || (left < right ? -1 : 1))
    .map(([name, weight]) => `  ${/^[a-z]+$/.test(name) ? name : JSON.stringify(name)}: ${Number(weight.toFixed(2))},`);
  const path = join(import.meta.dir, "../../src/casestudies/structure/outcomes/weights.ts");
  await Bun.write(
    path,
    `${HEAD}\n${rows.join("\n")}\n};\n\n/** The score of a figure without features. */\nexport const BIAS = ${Number(bias.toFixed(2))};\n`,
  );
  console.log(`${rows.length} weights written`);
}

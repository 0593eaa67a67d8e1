import { distinctiveWords } from "../../../src/casestudies/structure/local-engine.ts";
import { findOutcomes } from "../../../src/casestudies/structure/outcomes/find-outcomes.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import { loadBuiltInOutcomeMetrics } from "../../../src/casestudies/taxonomy/packed.ts";
import type { CorpusRecord, StructureCorpus } from "./corpus.ts";
import { isSameFigure, labelText, loadOutcomeLabels, overlaps, piecesOf, runsOf } from "./outcome-labels.ts";

/** Vendors whose labels the weights were fitted on; the others are held out. */
export const TUNED_ON: ReadonlySet<string> = new Set([
  "chaos-mesh",
  "cncf",
  "falco",
  "go",
  "ipfs",
  "jenkins",
  "kubernetes",
  "prometheus",
  "supabase",
]);

export interface OutcomeFigures {
  readonly records: number;
  readonly labels: number;
  readonly found: number;
  readonly right: number;
  readonly precision: number;
  readonly recall: number;
}

export interface OutcomeEvaluation {
  readonly all: OutcomeFigures;
  readonly tuned: OutcomeFigures;
  readonly held_out: OutcomeFigures;
  /** Of the right ones. */
  readonly metric_accuracy: number;
  readonly direction_accuracy: number;
  /** "label → found" with its count, most frequent first, without the correct ones. */
  readonly metric_confusion: Readonly<Record<string, number>>;
  readonly direction_confusion: Readonly<Record<string, number>>;
}

interface Tally {
  records: number;
  labels: number;
  found: number;
  right: number;
}

/**
 * Compares the local engine's outcomes with the labels. An outcome is right if it has a label's value and unit in a
 * sentence that overlaps the label's piece; a label counts once. Labels without a value are skipped.
 */
export async function evaluateOutcomes(
  records: readonly CorpusRecord[],
  { misses = false }: { readonly misses?: boolean } = {},
): Promise<OutcomeEvaluation> {
  const metrics = loadBuiltInOutcomeMetrics();
  const labelled = await loadOutcomeLabels();
  const tallies = { tuned: emptyTally(), held: emptyTally() };
  const metricPairs = new Map<string, number>();
  const directionPairs = new Map<string, number>();
  for (const record of records) {
    const known = labelled.get(record.id);
    if (known === undefined) continue;
    const tally = TUNED_ON.has(known.vendor) ? tallies.tuned : tallies.held;
    const open = known.labels
      .filter(({ value }) => value !== null)
      .map((label) => ({ label, pieces: piecesOf(record, label) }));
    const page = { title: record.title, description: record.summary, markdown: record.body_markdown };
    const found = findOutcomes(readStory(page), { metrics, productWords: distinctiveWords(record.vendor) });
    tally.records += 1;
    tally.labels += open.length;
    tally.found += found.length;
    for (const { outcome, sentence, confidence } of found) {
      const words = runsOf(sentence);
      const at = open.findIndex(({ label, pieces }) => isSameFigure(label, outcome) && overlaps(pieces, words));
      const [match] = at < 0 ? [] : open.splice(at, 1);
      if (match === undefined) {
        if (misses)
          console.log(
            `  wrong  ${record.id}: ${outcome.value} ${outcome.unit} (${confidence}) ${sentence.slice(0, 160)}`,
          );
        continue;
      }
      tally.right += 1;
      count(metricPairs, match.label.metric, outcome.metric);
      count(directionPairs, match.label.direction, outcome.direction);
    }
    if (misses)
      for (const { label } of open)
        console.log(
          `  missed ${record.id}: ${label.value} ${label.unit} ${labelText(record).slice(label.start, label.end)}`,
        );
  }
  return {
    all: figuresOf(sumOf(tallies.tuned, tallies.held)),
    tuned: figuresOf(tallies.tuned),
    held_out: figuresOf(tallies.held),
    metric_accuracy: shareEqual(metricPairs),
    direction_accuracy: shareEqual(directionPairs),
    metric_confusion: wrongOf(metricPairs),
    direction_confusion: wrongOf(directionPairs),
  };
}

const emptyTally = (): Tally => ({ records: 0, labels: 0, found: 0, right: 0 });
const sumOf = (left: Tally, right: Tally): Tally => ({
  records: left.records + right.records,
  labels: left.labels + right.labels,
  found: left.found + right.found,
  right: left.right + right.right,
});
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
const figuresOf = (tally: Tally): OutcomeFigures => ({
  ...tally,
  precision: rounded(tally.right / Math.max(1, tally.found)),
  recall: rounded(tally.right / Math.max(1, tally.labels)),
});

const ARROW = " → ";
function count(pairs: Map<string, number>, label: string, found: string): void {
  const key = `${label}${ARROW}${found}`;
  pairs.set(key, (pairs.get(key) ?? 0) + 1);
}
const isEqual = (pair: string) => pair.split(ARROW)[0] === pair.split(ARROW)[1];
const total = (rows: readonly (readonly [string, number])[]) => rows.reduce((sum, [, times]) => sum + times, 0);
const shareEqual = (pairs: ReadonlyMap<string, number>) =>
  rounded(total([...pairs].filter(([pair]) => isEqual(pair))) / Math.max(1, total([...pairs])));
const wrongOf = (pairs: ReadonlyMap<string, number>) =>
  Object.fromEntries([...pairs].filter(([pair]) => !isEqual(pair)).sort((left, right) => right[1] - left[1]));

/** {@link evaluateOutcomes} with its table printed. */
export async function measureOutcomes(
  { records }: Pick<StructureCorpus, "records">,
  options: { readonly misses: boolean },
): Promise<OutcomeEvaluation> {
  const figures = await evaluateOutcomes(records, options);
  console.log("records        labelled  found  right  precision  recall");
  for (const [name, of] of [
    ["all", figures.all],
    ["tuned on", figures.tuned],
    ["held out", figures.held_out],
  ] as const) {
    const counts = [of.labels, of.found, of.right]
      .map((count, at) => String(count).padStart(at === 0 ? 8 : 7))
      .join("");
    console.log(
      `${name.padEnd(9)} ${String(of.records).padStart(3)} ${counts}  ${of.precision.toFixed(3).padStart(9)}  ${of.recall.toFixed(3).padStart(6)}`,
    );
  }
  for (const [name, share, wrong] of [
    ["metric", figures.metric_accuracy, figures.metric_confusion],
    ["direction", figures.direction_accuracy, figures.direction_confusion],
  ] as const) {
    console.log(`${name} right in ${share.toFixed(3)} of the right ones; taken for another (label → found):`);
    for (const [pair, times] of Object.entries(wrong).slice(0, 8))
      console.log(`  ${String(times).padStart(3)}  ${pair}`);
  }
  return figures;
}

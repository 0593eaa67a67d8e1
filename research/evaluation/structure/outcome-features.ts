import { join } from "node:path";
import { distinctiveWords } from "../../../src/casestudies/structure/local-engine.ts";
import { findCandidates } from "../../../src/casestudies/structure/outcomes/features.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import type { CorpusRecord } from "./corpus.ts";
import { likelihood, type Model } from "./logistic.ts";
import { isSameFigure, loadOutcomeLabels, overlaps, piecesOf, runsOf } from "./outcome-labels.ts";

/** A figure of a labelled record, as the weights see it. */
export interface FeaturedFigure {
  readonly features: readonly string[];
  readonly key: string;
  /** Index of the label that it is; -1 for none. */
  readonly label: number;
  /** `unclear`: a label's figure in another sentence, which may make the same statement or not. */
  readonly truth: "outcome" | "none" | "unclear";
}

export interface FeaturedRecord {
  readonly id: string;
  readonly vendor: string;
  readonly labels: number;
  readonly candidates: readonly FeaturedFigure[];
}

/** Every figure of every labelled record with its features, and whether it is labelled as an outcome. */
export async function loadFeaturedRecords(corpus: string): Promise<FeaturedRecord[]> {
  const lines = (await Bun.file(join(corpus, "case-studies.jsonl")).text()).split("\n").filter(Boolean);
  const labelled = await loadOutcomeLabels();
  return lines.flatMap((line): FeaturedRecord[] => {
    const record = JSON.parse(line) as CorpusRecord;
    const known = labelled.get(record.id);
    if (known === undefined) return [];
    const labels = known.labels
      .filter(({ value }) => value !== null)
      .map((label) => ({ label, pieces: piecesOf(record, label) }));
    const story = readStory({ title: record.title, description: record.summary, markdown: record.body_markdown });
    const candidates = findCandidates(story, distinctiveWords(record.vendor)).map(
      ({ amount, sentence, features, key }) => {
        const words = runsOf(sentence.text);
        const same = labels.filter(({ label }) => isSameFigure(label, amount));
        const told = labels.findIndex(({ label, pieces }) => isSameFigure(label, amount) && overlaps(pieces, words));
        const truth = told >= 0 ? ("outcome" as const) : same.length > 0 ? ("unclear" as const) : ("none" as const);
        return { features, key, label: told, truth };
      },
    );
    return [{ id: record.id, vendor: known.vendor, labels: labels.length, candidates }];
  });
}

/** The figures that a model finds in a record with a score of at least `least`: the best mention of each. */
export function tallyAt(
  { labels, candidates }: FeaturedRecord,
  model: Model | undefined,
  least: number,
): { labels: number; found: number; right: number } {
  const best = new Map<string, { score: number; label: number }>();
  for (const { features, key, label } of candidates) {
    const score = model === undefined ? 0 : likelihood(model, features);
    if (score >= least && score > (best.get(key)?.score ?? 0)) best.set(key, { score, label });
  }
  const right = new Set([...best.values()].map(({ label }) => label).filter((label) => label >= 0)).size;
  return { labels, found: best.size, right };
}

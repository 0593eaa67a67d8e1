import { distinctiveWords } from "../../../src/casestudies/structure/local-engine.ts";
import { findCandidates } from "../../../src/casestudies/structure/outcomes/features.ts";
import type { OutcomeModel } from "../../../src/casestudies/structure/outcomes/find-outcomes.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import type { Case, TrainingPage } from "./cases.ts";
import { isSameFigure, type OutcomeTruth, outcomeTruth, overlaps, runsOf } from "./outcome-labels.ts";
import { type Choice, fitSoftmax, sharedFeatures } from "./softmax.ts";

export type OutcomeChoice = Choice & { readonly vendor: string; readonly isFigure: boolean };

/** Every figure and every change without a figure of every labelled page, each a choice of its own. */
export async function outcomeChoices(cases: readonly Case[]): Promise<OutcomeChoice[]> {
  const truths = await outcomeTruth(cases.map(({ record }) => record));
  const sizes = new Map<string, number>();
  for (const { record } of cases)
    if (truths.has(record.id)) sizes.set(record.vendor_slug, (sizes.get(record.vendor_slug) ?? 0) + 1);
  return cases.flatMap(({ record, forms }) => {
    const truth = truths.get(record.id);
    if (truth === undefined) return [];
    const weight = 1 / Math.sqrt(sizes.get(record.vendor_slug) ?? 1) / 2;
    return forms
      .filter(({ form }) => form !== "markdown")
      .flatMap(({ page, vendor }) =>
        findCandidates(readStory(page), distinctiveWords(vendor.name)).flatMap((candidate): OutcomeChoice[] => {
          const words = runsOf(candidate.sentence.text);
          const isFigure = candidate.amount !== null;
          // Only newer labels have results without a figure.
          if (!isFigure && !truth.hasQualitative) return [];
          const same = truth.labels.filter((label) => isSameLabel(label, candidate.amount));
          const isRight = same.some(({ pieces }) => overlaps(pieces, words));
          // A label's figure in another sentence, which may make the same statement or not.
          if (isFigure && !isRight && same.length > 0) return [];
          const features = new Map([...candidate.features].map((name) => [name, 1]));
          return [{ vendor: record.vendor_slug, isFigure, weight, isNone: !isRight, options: [{ features, isRight }] }];
        }),
      );
  });
}

/** Every figure of pages of invented vendors. */
export const pageOutcomeChoices = (pages: readonly TrainingPage[]): OutcomeChoice[] =>
  pages.flatMap(({ record, forms, figures }) =>
    forms.flatMap(({ page, vendor }) =>
      findCandidates(readStory(page), distinctiveWords(vendor.name)).flatMap(({ amount, features }) => {
        if (amount === null) return [];
        const isRight = figures.includes(`${amount.value} ${amount.unit ?? "count"}`);
        const options = [{ features: new Map([...features].map((name) => [name, 1])), isRight }];
        return [{ vendor: record.vendor_slug, isFigure: true, weight: 0.5, isNone: !isRight, options }];
      }),
    ),
  );

const isSameLabel = (label: OutcomeTruth, amount: Parameters<typeof isSameFigure>[1] | null) =>
  amount === null ? label.kind === "qualitative" : label.kind !== "qualitative" && isSameFigure(label, amount);

const MIN_VENDORS = 3;
const RIDGE = 1;
/** Where what is known of other industries is better than few examples from software. */
const PRIORS = {
  pair: 2,
  "change of good": 2,
  "change of burden": 1,
  tile: 2,
  zero: 1,
  "percent down": 1.5,
  "percent up": 2,
  "percent save": 1.5,
  "percent better": 1.5,
  "percent faster": 1.5,
  "multiple faster": 1,
  "multiple up": 1,
  "duration save": 1.5,
  "money save": 1.5,
  "money down": 1,
  year: -2,
  "level contrast": 1,
  "change conditional": -1,
  "counts work": 1,
  audience: -1,
  hypothetical: -1,
  "earlier state": -1,
  "done within": 1,
  takes: 0.5,
  period: -1.5,
};

/** The weights of `outcomes/weights.json`. */
export function fitOutcomes(choices: readonly OutcomeChoice[]): OutcomeModel {
  const fit = (isFigure: boolean) => {
    const own = choices.filter((choice) => choice.isFigure === isFigure);
    return fitSoftmax(own, {
      ridge: RIDGE,
      priors: isFigure ? PRIORS : {},
      features: sharedFeatures(own, MIN_VENDORS),
    });
  };
  return { figures: fit(true), changes: fit(false) };
}

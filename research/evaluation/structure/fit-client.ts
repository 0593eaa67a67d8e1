import type { NameKnowledge } from "../../../src/casestudies/structure/client/candidates.ts";
import { findCandidates } from "../../../src/casestudies/structure/client/candidates.ts";
import { organisationKey } from "../../../src/casestudies/structure/names.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import type { TrainingCase } from "./cases.ts";
import { type Choice, fitSoftmax, type SoftmaxModel, sharedFeatures } from "./softmax.ts";

export type ClientChoice = Choice & { readonly vendor: string };

/** The names of every page of every case with their features, and which of them is the client's. */
export function clientChoices(cases: readonly TrainingCase[], knowledge: NameKnowledge): ClientChoice[] {
  const sizes = new Map<string, number>();
  for (const { record } of cases) sizes.set(record.vendor_slug, (sizes.get(record.vendor_slug) ?? 0) + 1);
  return cases.flatMap(({ record, client, forms }) => {
    if (client === undefined) return [];
    const keys = new Set(client.map(organisationKey));
    const vendor = record.vendor_slug;
    return forms.map(({ page, vendor: publisher }) => ({
      vendor,
      // A vendor with 170 case studies counts as much as 13 vendors with one.
      weight: 1 / Math.sqrt(sizes.get(vendor) ?? 1) / forms.length,
      isNone: keys.size === 0,
      options: findCandidates(page, publisher, readStory(page), knowledge).map(({ key, features }) => ({
        features,
        isRight: keys.has(key),
      })),
    }));
  });
}

const MIN_VENDORS = 4;
/** Fields that pages of vendors have and the corpus, which is Markdown, has not. */
const PRIORS = {
  label: 6,
  logo: 3,
  "json-ld": 4,
  "title-labelled": 2.5,
  "title-piece-only": 1,
  "title-paired": 2.5,
  "title-subject": 0.5,
  "title-subject-with-vendor": 2,
  attribution: 2,
  speaker: -2,
  "part-of-speaker": -2,
  person: -3,
  "only-starts-sentences": -1,
};

/** The weights of `client/weights.json`. */
export const fitClient = (choices: readonly ClientChoice[]): SoftmaxModel =>
  fitSoftmax(choices, { ridge: 0.5, priors: PRIORS, features: sharedFeatures(choices, MIN_VENDORS) });

import {
  createIndustrySimilarity,
  type Embed,
  findIndustryCandidates,
  type IndustryKnowledge,
} from "../../../src/casestudies/structure/industry.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import type { Industries } from "../../../src/casestudies/taxonomy/taxonomy.ts";
import type { TrainingCase } from "./cases.ts";
import { type Choice, fitSoftmax, type SoftmaxModel, sharedFeatures } from "./softmax.ts";

/** The industries of the labels, and the slugs of the product's finer taxonomy that each contains. */
const SLUGS: Readonly<Record<string, string>> = {
  aerospace: "aerospace-and-defence",
  agriculture: "agriculture",
  automotive: "automotive",
  education: "education",
  energy: "energy mining",
  finance: "financial-services crypto",
  food: "food-and-beverage",
  gaming: "gaming gambling",
  government: "government",
  healthcare: "healthcare life-sciences",
  insurance: "insurance",
  manufacturing: "manufacturing robotics semiconductors consumer-electronics consumer-goods",
  media: "media social-media sports",
  nonprofit: "non-profit",
  "professional-services": "consulting legal marketing-and-advertising human-resources",
  "real-estate": "real-estate construction",
  research: "research",
  retail: "retail fashion",
  security: "cybersecurity",
  software:
    "software cloud-and-hosting artificial-intelligence open-source information-technology internet-of-things cybersecurity social-media",
  telecom: "telecommunications",
  transport: "transport-and-logistics",
  travel: "travel hospitality",
};

const slugsOf = (label: string | null): readonly string[] => (label === null ? [] : (SLUGS[label]?.split(" ") ?? []));

/** Slugs that a reading accepts; empty where the page does not say. Undefined: nobody read it. */
export function acceptedIndustries({
  readings,
  industry,
  industries,
}: Pick<TrainingCase, "readings" | "industry" | "industries">): ReadonlySet<string> | undefined {
  if (industries !== undefined) return new Set(industries);
  if (readings.length > 0) return new Set(readings.flatMap((reading) => slugsOf(reading.industry)));
  return industry === undefined ? undefined : new Set(industry === null ? [] : [industry]);
}

export type IndustryChoice = Choice & { readonly vendor: string };

export async function industryChoices(
  cases: readonly TrainingCase[],
  knowledge: {
    readonly industries: Industries;
    readonly organisations: IndustryKnowledge["organisations"];
    readonly embed: Embed;
  },
): Promise<IndustryChoice[]> {
  const similarity = createIndustrySimilarity(knowledge.embed, knowledge.industries);
  const sizes = new Map<string, number>();
  for (const { record } of cases) sizes.set(record.vendor_slug, (sizes.get(record.vendor_slug) ?? 0) + 1);
  const choices: IndustryChoice[] = [];
  for (const one of cases) {
    const accepted = acceptedIndustries(one);
    if (accepted === undefined) continue;
    const vendor = one.record.vendor_slug;
    const [name] = one.client ?? [];
    const client = name === undefined ? null : { name, spellings: one.client ?? [] };
    // The finer slug of the included case studies, where the reading agrees with it.
    const exact = one.industry && accepted.has(one.industry) ? new Set([one.industry]) : accepted;
    for (const { page, form } of one.forms) {
      if (form === "html") continue;
      const candidates = await findIndustryCandidates(readStory(page), client, { ...knowledge, similarity });
      choices.push({
        vendor,
        weight: 1 / Math.sqrt(sizes.get(vendor) ?? 1) / 2,
        isNone: accepted.size === 0,
        options: candidates.map(({ slug, features }) => ({ features, isRight: exact.has(slug) })),
      });
    }
  }
  return choices;
}

/** The weights of `industry-weights.json`. */
export const fitIndustry = (choices: readonly IndustryChoice[]): SoftmaxModel =>
  fitSoftmax(choices, { ridge: 0.5, features: sharedFeatures(choices, 2) });

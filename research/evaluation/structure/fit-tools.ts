import { organisationKey } from "../../../src/casestudies/structure/names.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import { createToolIndex, findToolCandidates, type ToolName } from "../../../src/casestudies/structure/tools.ts";
import type { TrainingCase } from "./cases.ts";
import { type Choice, fitSoftmax, type SoftmaxModel, sharedFeatures } from "./softmax.ts";

export type ToolChoice = Choice & { readonly vendor: string };

/** Compares names of tools without the company that makes them: `Amazon S3` equals `S3`. */
export function createToolKeys(toolNames: readonly ToolName[]): (name: string) => string {
  const names = new Map<string, string>();
  for (const { name, aliases } of toolNames)
    for (const each of [name, ...aliases])
      if (!names.has(organisationKey(each))) names.set(organisationKey(each), name);
  return (name) =>
    organisationKey(names.get(organisationKey(name)) ?? name).replace(
      /^(?:apache|amazonaws|amazon|aws|googlecloud|google|microsoftazure|azure|microsoft)(?=.{2})/,
      "",
    );
}

/** Whether each tool is used, by its key, as the readings say; what the client moved away from is undefined. */
export function toolTruth(
  { readings }: Pick<TrainingCase, "readings">,
  keyOf: (name: string) => string,
): ReadonlyMap<string, boolean | undefined> {
  const truth = new Map<string, boolean | undefined>();
  for (const status of ["mentioned", "migrated_from", "uses"] as const)
    for (const { tools } of readings)
      for (const tool of tools)
        if (tool.status === status)
          truth.set(keyOf(tool.name), status === "migrated_from" ? undefined : status === "uses");
  return truth;
}

/** Every name that may be a tool of every page that was read for them, each a choice of its own. */
export function toolChoices(cases: readonly TrainingCase[], toolNames: readonly ToolName[]): ToolChoice[] {
  const index = createToolIndex(toolNames);
  const keyOf = createToolKeys(toolNames);
  const read = cases.filter(({ readings }) => readings.length > 0);
  const sizes = new Map<string, number>();
  for (const { record } of read) sizes.set(record.vendor_slug, (sizes.get(record.vendor_slug) ?? 0) + 1);
  return read.flatMap((one) => {
    const truth = toolTruth(one, keyOf);
    const vendor = one.record.vendor_slug;
    const client = { spellings: one.client ?? [] };
    return one.forms
      .filter(({ form }) => form !== "markdown")
      .flatMap(({ page, vendor: publisher }) =>
        findToolCandidates(page, publisher, readStory(page), client, index).flatMap(({ name, features }) => {
          const key = keyOf(name);
          if (truth.has(key) && truth.get(key) === undefined) return [];
          const isUsed = truth.get(key) === true;
          return [
            {
              vendor,
              // With the weight of a vendor each, short invented pages cost 1 point of precision on pages of real vendors.
              weight: 1 / Math.sqrt(one.siblings ?? sizes.get(vendor) ?? 1) / 2,
              isNone: !isUsed,
              options: [{ features, isRight: isUsed }],
            },
          ];
        }),
      );
  });
}

const MIN_VENDORS = 3;
/** A sentence that says that the client uses it counts on short pages too. */
const PRIORS = {
  direct: 3,
  used: 2,
  linked: 0.8,
  labelled: 6,
  "others:unlike": -2,
};

/** The weights of `tools-weights.json`. */
export const fitTools = (choices: readonly ToolChoice[]): SoftmaxModel =>
  fitSoftmax(choices, { ridge: 1, priors: PRIORS, features: sharedFeatures(choices, MIN_VENDORS) });

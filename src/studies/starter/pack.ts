import { join } from "node:path";
import { packedBefore } from "../../packing/packed-before.ts";
import { createStudyTools } from "../record.ts";
import { createIndustries } from "../taxonomy/industries.ts";
import { createOutcomeMetrics } from "../taxonomy/outcome-metrics.ts";
import { packIndustries, packOutcomeMetrics } from "../taxonomy/pack.ts";
import { checkStarter, isFaulty } from "./faults.ts";
import { readStarterFiles } from "./files.ts";

const MADE_FROM = [
  "data/starter",
  "data/industries.yaml",
  "data/outcome-metrics.yaml",
  "src/studies",
  "src/vocabulary",
];

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked `StarterSet`
 * @throws Error that names every fault, so that a bad record breaks the build and not a user's start
 */
export const packStarter = (): string => packedBefore({ name: "starter", from: MADE_FROM, pack });

function pack(): string {
  const tools = createStudyTools({
    industries: createIndustries(JSON.parse(packIndustries())),
    metrics: createOutcomeMetrics(JSON.parse(packOutcomeMetrics())),
  });
  const checked = checkStarter(readStarterFiles(join(import.meta.dir, "../../../data/starter")), tools);
  if (!isFaulty(checked)) return JSON.stringify(checked);
  // The bundler hides what a macro throws; the faults must be seen where they can be mended.
  for (const { file, detail } of checked) console.error(`starter/${file}.yaml: ${detail}`);
  throw new Error(`The starter records have ${checked.length} faults.`);
}

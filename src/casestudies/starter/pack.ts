import { join } from "node:path";
import { builtInCache } from "../../core/built-in-cache.ts";
import { createParseContext } from "../record.ts";
import { packIndustries, packOutcomeMetrics } from "../taxonomy/pack.ts";
import { createIndustries, createOutcomeMetrics } from "../taxonomy/taxonomy.ts";
import { readStarterFiles } from "./files.ts";
import { checkStarter, isFaulty } from "./starter.ts";

const MADE_FROM = ["data/starter", "data/industries.yaml", "data/outcome-metrics.yaml", "src/casestudies", "src/core"];

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked `StarterSet`
 * @throws Error that names every fault, so that a bad record breaks the build and not a user's start
 */
export const packStarter = (): string => builtInCache({ name: "starter", from: MADE_FROM, pack });

function pack(): string {
  const tools = createParseContext({
    industries: createIndustries(JSON.parse(packIndustries())),
    outcomeMetrics: createOutcomeMetrics(JSON.parse(packOutcomeMetrics())),
  });
  const checked = checkStarter(readStarterFiles(join(import.meta.dir, "../../../data/starter")), tools);
  if (!isFaulty(checked)) return JSON.stringify(checked);
  // The bundler hides what a macro throws; the faults must be seen where they can be mended.
  for (const { file, detail } of checked) console.error(`starter/${file}.yaml: ${detail}`);
  throw new Error(`The starter records have ${checked.length} faults.`);
}

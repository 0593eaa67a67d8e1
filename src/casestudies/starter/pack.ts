import { join } from "node:path";
import { builtInCache } from "../../core/built-in-cache.ts";
import { createParseContext } from "../record.ts";
import { packIndustries, packOutcomeMetrics } from "../taxonomy/pack.ts";
import { createIndustries, createOutcomeMetrics } from "../taxonomy/taxonomy.ts";
import { readStarterFiles } from "./files.ts";
import { checkStarterRecords, hasFaults } from "./records.ts";

const SOURCES = ["data/starter", "data/industries.yaml", "data/outcome-metrics.yaml", "src/casestudies", "src/core"];

/**
 * Runs when an executable is built, or at each start when the program runs from source.
 *
 * @returns JSON of the checked `StarterSet`
 * @throws Error when a record is faulty, so that the build fails instead of a user's start
 */
export const packStarter = (): string => builtInCache({ name: "starter", from: SOURCES, pack });

function pack(): string {
  const context = createParseContext({
    industries: createIndustries(JSON.parse(packIndustries())),
    outcomeMetrics: createOutcomeMetrics(JSON.parse(packOutcomeMetrics())),
  });
  const checked = checkStarterRecords(readStarterFiles(join(import.meta.dir, "../../../data/starter")), context);
  if (!hasFaults(checked)) return JSON.stringify(checked);
  for (const { file, detail } of checked) console.error(`starter/${file}.yaml: ${detail}`);
  throw new Error(`The starter records have ${checked.length} faults, listed above.`);
}

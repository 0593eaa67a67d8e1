import { join } from "node:path";
import { packedBefore } from "../packing/packed-before.ts";
import { Failure } from "../vocabulary/failure.ts";
import type { Fingerprint } from "../vocabulary/fingerprint.ts";
import { type CheckedCatalogue, loadCatalogue } from "./catalogue.ts";
import { readCatalogueFiles } from "./files.ts";
import { type Literals, requiredLiterals } from "./required-literal.ts";
import { tabulate } from "./rule-tables.ts";

const MADE_FROM = ["data/categories.yaml", "data/fingerprints", "src/catalogue", "src/vocabulary"];

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked catalogue, for `loadCheckedCatalogue`
 * @throws Failure `catalogue.invalid`, so that a bad record breaks the build and not a user's start
 */
export const packCatalogue = (): string => packedBefore({ name: "catalogue", from: MADE_FROM, pack });

function pack(): string {
  try {
    const catalogue = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
    const tools = [...catalogue.tools.values()];
    const checked: CheckedCatalogue = {
      categories: [...catalogue.categories.values()],
      tools,
      tables: tabulate(tools),
      literals: literalsOf(tools),
    };
    return JSON.stringify(checked);
  } catch (error) {
    // The bundler hides what a macro throws; the faults must be seen where they can be mended.
    const problems = error instanceof Failure ? (error.details.problems ?? []) : [];
    console.error(error instanceof Error ? error.message : error);
    for (const { pointer, detail } of problems) console.error(`  ${pointer}: ${detail}`);
    throw error;
  }
}

/** Of the expressions under which a rule may have to be filed; in a new process they take longer to read than the rest. */
function literalsOf(tools: readonly Fingerprint[]): Literals {
  const alone = tools.flatMap(({ rules }) =>
    rules.flatMap(({ match: { name, host, equals, prefix, regex } }) =>
      regex === undefined || (name ?? host ?? equals ?? prefix) !== undefined ? [] : [regex],
    ),
  );
  return [...new Set(alone)].map((regex) => [regex, requiredLiterals(regex) ?? null]);
}

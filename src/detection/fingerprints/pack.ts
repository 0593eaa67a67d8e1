import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { builtInCache } from "../../core/built-in-cache.ts";
import { Failure } from "../../core/errors.ts";
import { type CatalogueSource, type CheckedCatalogue, loadCatalogue } from "./catalogue.ts";
import { type Literals, requiredLiterals } from "./conditions.ts";
import { tabulate } from "./rule-index.ts";
import type { Fingerprint } from "./types.ts";

/**
 * Reads `categories.yaml` and `fingerprints/*.yaml` of a folder, unchecked.
 *
 * @throws Error for a file that cannot be read or is no YAML; the message names it
 */
export function readCatalogueFiles(folder: string): CatalogueSource {
  const fingerprints = join(folder, "fingerprints");
  const names = readdirSync(fingerprints)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  return {
    categories: readYaml(join(folder, "categories.yaml")),
    records: Object.fromEntries(
      names.map((name) => [name.slice(0, -".yaml".length), readYaml(join(fingerprints, name))]),
    ),
  };
}

function readYaml(path: string): unknown {
  try {
    return YAML.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const MADE_FROM = ["data/categories.yaml", "data/fingerprints", "src/detection", "src/core"];

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked catalogue, for `loadCheckedCatalogue`
 * @throws Failure `catalogue.invalid`, so that a bad record breaks the build and not a user's start
 */
export const packCatalogue = (): string => builtInCache({ name: "catalogue", from: MADE_FROM, pack });

function pack(): string {
  try {
    const catalogue = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../../data")));
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

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { builtInCache } from "../../core/built-in-cache.ts";
import { Failure } from "../../core/errors.ts";
import { type CatalogueSource, type CheckedCatalogue, loadCatalogue } from "./catalogue.ts";
import { type Literals, requiredLiterals } from "./conditions.ts";
import { buildRuleTables } from "./rule-index.ts";
import type { Fingerprint } from "./types.ts";

/**
 * Reads `categories.yaml` and `fingerprints/*.yaml` of a folder without validating them.
 *
 * @throws Error naming a file that cannot be read or is not YAML
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
 * Runs when an executable is built; when the program runs from source, at each start.
 *
 * @returns JSON of the validated catalogue, for `loadCheckedCatalogue`
 * @throws Failure `catalogue.invalid`, so that an invalid record breaks the build
 */
export const packCatalogue = (): string => builtInCache({ name: "catalogue", from: MADE_FROM, pack });

function pack(): string {
  try {
    const catalogue = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../../data")));
    const tools = [...catalogue.tools.values()];
    const checked: CheckedCatalogue = {
      categories: [...catalogue.categories.values()],
      tools,
      tables: buildRuleTables(tools),
      literals: literalsOf(tools),
    };
    return JSON.stringify(checked);
  } catch (error) {
    const problems = error instanceof Failure ? (error.details.problems ?? []) : [];
    console.error(error instanceof Error ? error.message : error);
    for (const { pointer, detail } of problems) console.error(`  ${pointer}: ${detail}`);
    throw error;
  }
}

/** Literals of the regexes that are the only condition of a rule; parsing them is slow at startup. */
function literalsOf(tools: readonly Fingerprint[]): Literals {
  const regexes = tools.flatMap(({ rules }) =>
    rules.flatMap(({ match: { name, host, equals, prefix, regex } }) =>
      regex === undefined || (name ?? host ?? equals ?? prefix) !== undefined ? [] : [regex],
    ),
  );
  return [...new Set(regexes)].map((regex) => [regex, requiredLiterals(regex) ?? null]);
}

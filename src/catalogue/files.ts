import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import type { CatalogueSource } from "./catalogue.ts";

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

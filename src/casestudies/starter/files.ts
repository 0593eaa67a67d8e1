import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";

/** The parsed, unchecked files of `data/starter`. */
export interface StarterSource {
  readonly vendors: unknown;
  /** By `VENDOR/NAME`, sorted. */
  readonly records: ReadonlyMap<string, unknown>;
}

/**
 * Reads `vendors.yaml` and `VENDOR/NAME.yaml` of a folder.
 *
 * @throws Error for a file that cannot be read or is not YAML, with the file's path
 */
export function readStarterFiles(folder: string): StarterSource {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: vendor }) =>
      readdirSync(join(folder, vendor))
        .filter((file) => file.endsWith(".yaml"))
        .map((file) => `${vendor}/${file.slice(0, -".yaml".length)}`),
    )
    .sort();
  return {
    vendors: readYaml(join(folder, "vendors.yaml")),
    records: new Map(names.map((name) => [name, readYaml(join(folder, `${name}.yaml`))])),
  };
}

function readYaml(path: string): unknown {
  try {
    return YAML.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

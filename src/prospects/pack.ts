import { readFileSync } from "node:fs";
import { YAML } from "bun";

/** Vendor slug to tool ids, as JSON. Runs when the program is bundled. */
export function packVendorTools(): string {
  return JSON.stringify(YAML.parse(readFileSync(`${import.meta.dir}/../../data/vendor-tools.yaml`, "utf8")));
}

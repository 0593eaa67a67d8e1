import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import * as simpleIcons from "simple-icons";
import { builtInCache } from "../../core/built-in-cache.ts";
import type { BrandIcons } from "./types.ts";

const FINGERPRINTS = join(import.meta.dir, "../../../data/fingerprints");

/**
 * Picks the brand icons of the catalogue's tools: by the tool's name, an alias, or the vendor in its name.
 *
 * @returns JSON of `BrandIcons`
 */
export const packIcons = (): string =>
  builtInCache({ name: "icons", from: ["data/fingerprints", "src/console/icons", "package-lock.json"], pack });

interface Icon {
  readonly title: string;
  readonly hex: string;
  readonly path: string;
  /** Set where a brand gave its icon a licence of its own; all others are CC0. */
  readonly license?: unknown;
}

function pack(): string {
  const byName = new Map<string, Icon>();
  for (const icon of Object.values(simpleIcons) as readonly Icon[])
    if (icon.license === undefined) byName.set(keyOf(icon.title), icon);
  const icons: [hex: string, path: string][] = [];
  const places = new Map<Icon, number>();
  const tools: Record<string, number> = {};
  for (const file of readdirSync(FINGERPRINTS)) {
    const head = readFileSync(join(FINGERPRINTS, file), "utf8").split("\nrules:")[0] ?? "";
    const {
      name,
      vendor,
      aliases = [],
    } = YAML.parse(head) as Record<"name" | "vendor", string> & {
      readonly aliases?: readonly string[];
    };
    // Another product of a vendor looks like the vendor only when it is named after it.
    const ofVendor = keyOf(name).startsWith(keyOf(vendor)) ? [vendor] : [];
    const icon = [name, ...aliases, ...ofVendor].map((each) => byName.get(keyOf(each))).find(Boolean);
    if (!icon) continue;
    if (!places.has(icon)) places.set(icon, icons.push([icon.hex, icon.path]) - 1);
    tools[name] = places.get(icon) ?? 0;
  }
  return JSON.stringify({ icons, tools } satisfies BrandIcons);
}

const keyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "");

import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Rule } from "../fingerprints/types.ts";
import { hasSecret } from "../redaction.ts";
import { compactName, type NameIndex } from "./names.ts";
import { EXTENSION_CATEGORIES, isExtensionCategory, platformOf } from "./platforms.ts";

/** The tool that a name means, in or outside the catalogue; `category` is what is known about it from where it was found. */
export type ToolNamed = (name: string, category: string) => Fingerprint;

/**
 * Which tool a name means, for every table and mechanism: the one of the catalogue if its category fits, else one outside
 * of the catalogue.
 */
export function createToolNaming(names: () => NameIndex): ToolNamed {
  /** A library is written with and without its suffix: `WOW` and `WOW.js`. */
  const libraryOf = (name: string, category: string): Fingerprint | undefined => {
    if (category !== "javascript-library") return undefined;
    const compact = compactName(name);
    return [`${compact}js`, compact.replace(/js$/, "")]
      .map((other) => names().exact(other))
      .find((tool) => tool?.category === category);
  };
  return (name, category) => {
    const known = names().exact(compactName(name)) ?? libraryOf(name, category);
    if (known && isOfCategory(known, category, name, names())) return known;
    // Pages choose these names, so none is kept for the next page.
    return { id: `${category}.${selfNamedSlug(name)}`, name, vendor: name, website: "", category, rules: UNLISTED };
  };
}
/** Of tools outside the catalogue, whose names a page chose. */
const UNLISTED: readonly Rule[] = [];
/** Whether a hit's tool has a name: a key or an id that a page wrote in the place of a name is none. */
export const hasName = ({ tool }: RuleHit): boolean => tool.rules !== UNLISTED || !hasSecret(tool.name);

/** The part of the id of a tool outside the catalogue that its name gives: `wordpress-plugin.contact-form-7`. */
export const selfNamedSlug = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "unnamed";

/** Categories that only tools outside the catalogue are in. */
export const SELF_NAMING_CATEGORIES: readonly string[] = [...EXTENSION_CATEGORIES, "site-generator"];

/** Categories of tools that a theme may be; `themes/foundation` is a theme of that name, whatever it is made with. */
const THEMES = new Set(["cms", "wordpress-theme", "drupal-theme"]);
/** Categories of tools that a package or an extension may be, when they are named by an everyday word. */
const CODE_CATEGORIES = new Set([
  "cms",
  "fonts",
  "forms",
  "javascript-library",
  "learning",
  "maps",
  "seo",
  "social",
  "video",
  "web-framework",
]);

/**
 * Whether an extension, a package or a generator of a category may be this tool: extensions, themes and packages have the
 * names of unrelated products too.
 *
 * @param written the name or alias by which it was found; a distinct one means no other product
 */
function isOfCategory(tool: Fingerprint, category: string, written: string, names: NameIndex): boolean {
  if (category === tool.category) return true;
  const [platform, other] = [platformOf(category), platformOf(tool.category)];
  if (platform !== undefined && other !== undefined && platform !== other) return false;
  if (category.endsWith("-theme")) return THEMES.has(tool.category);
  if (category === "site-generator") return tool.category !== "javascript-library";
  if (names.distinct(compactName(written)) ?? names.distinct(compactName(tool.name)) ?? names.distinct(tool.id))
    return true;
  if (tool.name.includes(" ")) return true;
  return CODE_CATEGORIES.has(tool.category) || isExtensionCategory(tool.category) || (tool.implies ?? []).length > 0;
}

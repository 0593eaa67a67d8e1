import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { DRUPAL_MODULES, WORDPRESS_PLUGINS } from "./extension-names.ts";
import {
  drupalLibrariesIn,
  drupalModulesIn,
  drupalSettingsIn,
  type Extension,
  extensionsIn,
  mayHaveModules,
} from "./extensions.ts";
import { LIBRARIES } from "./library-files.ts";
import { NOTHING } from "./mechanism.ts";
import { compactName, LINKED, type NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { isAbbreviationOfSite, isOfTheSite, isOwnAddress, isServedForSite } from "./own-site.ts";
import type { ToolNamed } from "./tool-naming.ts";

const EXTENSION = "files are served from the extension's own directory";
const PARENT = "the directory of a child theme names the theme that it is based on";

/** Extensions and themes whose own directory an address of the site or a text contains, and what they extend. */
export function extensionHits({ kind, value, location }: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const extensions = extensionsIn(value);
  // Most addresses hold none: only the others are worth parsing.
  if (extensions.length === 0 || (/^https?:/.test(value) && !isServedForSite(value, location))) return [];
  return [
    ...extensions
      .filter(
        ({ slug, name, isMostlyPrivate, at }) =>
          !isOfTheSite(slug, location) &&
          !(isMostlyPrivate && names.distinct(compactName(name)) === undefined) &&
          (kind.startsWith("html.path") || isOwnAddress(value, at, location)),
      )
      .map(({ type, slug, name, isParent, at, length }) => ({
        tool: toolNamed(name, type),
        rule: isParent
          ? rule("parent-theme", kind, "strong", PARENT)
          : rule(type, kind, isAbbreviationOfSite(type, slug, location) ? "weak" : "strong", EXTENSION),
        excerpt: excerptOf(value, at - 40, at + length + 60),
        version: /[?&]ver=(\d[\w.]{0,20})/.exec(value.slice(at, at + 300))?.[1] ?? null,
      })),
    ...addOnHits(extensions, kind, names),
  ];
}

/** `webform_confirm_email` extends Webform, `cf7-styler-for-divi` Divi: what an extension that has their names is for. */
function addOnHits(extensions: readonly Extension[], kind: SignalKind, names: NameIndex): RuleHit[] {
  return extensions.flatMap(({ type, slug, isMostlyPrivate }) => {
    const known =
      type === "wordpress-plugin" ? WORDPRESS_PLUGINS : type === "drupal-module" ? DRUPAL_MODULES : undefined;
    if (known === undefined || isMostlyPrivate) return [];
    const [, extended] = /[-_]for[-_]([a-z0-9][a-z0-9_-]{3,40})$/.exec(slug) ?? [];
    const bases = extended === undefined ? [] : [extended];
    for (let end = lastGap(slug, slug.length); end >= 4; end = lastGap(slug, end)) bases.push(slug.slice(0, end));
    for (const base of bases) {
      const name = known.get(base);
      const tool = name === undefined ? names.distinct(compactName(base)) : names.exact(compactName(name));
      if (tool && OF_ADD_ONS.has(tool.category) && !LINKED.has(compactName(tool.id)))
        return [{ tool, rule: rule("add-on", kind, "weak", ADD_ON), excerpt: excerptOf(slug), version: null }];
    }
    return [];
  });
}
const lastGap = (slug: string, end: number) => Math.max(slug.lastIndexOf("-", end - 1), slug.lastIndexOf("_", end - 1));
const ADD_ON = "an extension that the site has is named as one for it";
/** Categories of software that extensions extend. */
const OF_ADD_ONS = new Set([
  "cms",
  "drupal-module",
  "e-commerce",
  "forms",
  "learning",
  "wordpress-plugin",
  "wordpress-theme",
]);

/** A module whose name is not known may be the site's own. */
export function moduleHits(
  { kind, value, location }: Signal,
  names: NameIndex,
  toolNamed: ToolNamed,
): readonly RuleHit[] {
  if (!mayHaveModules(value)) return NOTHING;
  const isKnown = (name: string) => names.exact(compactName(name)) !== undefined;
  const listed = drupalModulesIn(value)
    .filter(({ slug }) => !isOfTheSite(slug, location))
    .map((module) => ({ ...module, strength: module.isKnown || isKnown(module.name) ? "strong" : "weak" }) as const);
  const set = drupalSettingsIn(value).map((module) => ({ ...module, strength: "strong" }) as const);
  const libraries = drupalLibrariesIn(value).flatMap((file) => {
    const name = LIBRARIES.get(file);
    return name ? [{ slug: file, name, strength: "weak" } as const] : [];
  });
  return [
    ...[...listed, ...set].map(({ slug, name, strength }) => ({
      tool: toolNamed(name, "drupal-module"),
      rule: rule("drupal-library", kind, strength, "the settings that Drupal writes list its libraries"),
      excerpt: excerptOf(slug),
      version: null,
    })),
    ...libraries.map(({ slug, name, strength }) => ({
      tool: toolNamed(name, "javascript-library"),
      rule: rule("drupal-library", kind, strength, "a library of the site is named after it"),
      excerpt: excerptOf(slug),
      version: null,
    })),
  ];
}

import type { Catalogue } from "../fingerprints/catalogue.ts";
import { WORDPRESS_HANDLES, WORDPRESS_PLUGINS, WORDPRESS_THEMES } from "./extension-names.ts";

/** Fewer may be products that share a word. */
const LEAST_MEMBERS = 3;
/** `wp`, `wpzoom`, `woo`: words of products for everybody. */
const OF_PLATFORM = /^(?:wp|woo|wordpress|drupal)/;
const ID = /^(?:wordpress-plugin|drupal-module)\.([a-z0-9]+)[-_]/;

/**
 * The ids among these that are extensions a company wrote for its own sites: at least three that begin with the same word
 * (`wordpress-plugin.acme-ads`, `…acme-footer`, `…acme-login`), with which no known tool or extension begins.
 *
 * @param ids of tools outside the catalogue on one page
 */
export function privateFamilies(ids: readonly string[], catalogue: Catalogue): ReadonlySet<string> {
  const families = Map.groupBy(ids, (id) => ID.exec(id)?.[1]);
  families.delete(undefined);
  const found = new Set<string>();
  for (const [word, members] of families)
    if (word && members.length >= LEAST_MEMBERS && !OF_PLATFORM.test(word) && !knownWords(catalogue).has(word))
      for (const id of members) found.add(id);
  return found;
}

const remembered = new WeakMap<Catalogue, ReadonlySet<string>>();

/** The first words of the tools and extensions that are known. */
function knownWords(catalogue: Catalogue): ReadonlySet<string> {
  const kept = remembered.get(catalogue);
  if (kept) return kept;
  const slugs = [WORDPRESS_PLUGINS, WORDPRESS_THEMES, WORDPRESS_HANDLES].flatMap((table) => [...table.keys()]);
  const words = new Set([...catalogue.tools.keys(), ...slugs].map((slug) => slug.split(/[-_.]/, 1)[0] ?? ""));
  remembered.set(catalogue, words);
  return words;
}

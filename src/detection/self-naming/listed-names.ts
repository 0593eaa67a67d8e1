import {
  DRUPAL_DIRECTORIES,
  DRUPAL_MODULES,
  REST_NAMESPACES,
  TYPO3_EXTENSIONS,
  WORDPRESS_HANDLES,
  WORDPRESS_PLUGINS,
  WORDPRESS_THEMES,
} from "./extension-names.ts";
import { LIBRARIES } from "./library-files.ts";

let listed: ReadonlySet<string> | undefined;

/** Whether a name of a tool outside the catalogue is in a table of names: a page cannot make it up. */
export function isListedName(name: string): boolean {
  listed ??= new Set(
    [
      ...[DRUPAL_DIRECTORIES, DRUPAL_MODULES, REST_NAMESPACES, TYPO3_EXTENSIONS],
      ...[WORDPRESS_HANDLES, WORDPRESS_PLUGINS, WORDPRESS_THEMES, LIBRARIES],
    ].flatMap((names) => [...names.values()]),
  );
  return listed.has(name);
}

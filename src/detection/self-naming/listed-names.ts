import { CALL_MARKS } from "./call-marks.ts";
import { classRows } from "./class-marks.ts";
import { CONSTRUCTORS, METHODS, SETTINGS, THEME_SETTINGS } from "./code-marks.ts";
import { commentRows } from "./comment-marks.ts";
import {
  DRUPAL_DIRECTORIES,
  DRUPAL_MODULES,
  REST_NAMESPACES,
  TYPO3_EXTENSIONS,
  WORDPRESS_HANDLES,
  WORDPRESS_PLUGINS,
  WORDPRESS_THEMES,
} from "./extension-names.ts";
import { faceRows } from "./font-faces.ts";
import { LIBRARIES } from "./library-files.ts";
import { wordRows } from "./word-marks.ts";

let listed: ReadonlySet<string> | undefined;

/** Whether a name of a tool outside the catalogue is in a table of names: a page cannot make it up. */
export function isListedName(name: string): boolean {
  listed ??= new Set([
    ...[DRUPAL_DIRECTORIES, DRUPAL_MODULES, REST_NAMESPACES, TYPO3_EXTENSIONS].flatMap(namesOf),
    ...[WORDPRESS_HANDLES, WORDPRESS_PLUGINS, WORDPRESS_THEMES, LIBRARIES].flatMap(namesOf),
    ...[METHODS, CONSTRUCTORS, CALL_MARKS, SETTINGS, THEME_SETTINGS].flatMap(namesOf),
    ...[classRows, wordRows, commentRows, faceRows].flatMap((rows) => rows().map(({ name }) => name)),
  ]);
  return listed.has(name);
}
const namesOf = (names: ReadonlyMap<string, string>): readonly string[] => [...names.values()];

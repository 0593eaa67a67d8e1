import { CALL_MARKS } from "../../../src/detection/self-naming/call-marks.ts";
import { classRows } from "../../../src/detection/self-naming/class-marks.ts";
import { CONSTRUCTORS, METHODS, SETTINGS, THEME_SETTINGS } from "../../../src/detection/self-naming/code-marks.ts";
import { commentRows } from "../../../src/detection/self-naming/comment-marks.ts";
import * as extensions from "../../../src/detection/self-naming/extension-names.ts";
import { faceRows } from "../../../src/detection/self-naming/font-faces.ts";
import { LIBRARIES } from "../../../src/detection/self-naming/library-files.ts";
import { wordRows } from "../../../src/detection/self-naming/word-marks.ts";

/** What a table says: a page with this key uses the tool of this name. */
export interface Row {
  readonly table: string;
  readonly category: string;
  readonly key: string;
  readonly name: string;
}

const rowsOf = (table: string, category: string, map: ReadonlyMap<string, string>): Row[] =>
  [...map].map(([key, name]) => ({ table, category, key, name }));

/** Every row of every table of names. */
export const ROWS: readonly Row[] = [
  ...rowsOf("LIBRARIES", "javascript-library", LIBRARIES),
  ...rowsOf("CALL_MARKS", "javascript-library", CALL_MARKS),
  ...rowsOf("METHODS", "javascript-library", METHODS),
  ...rowsOf("CONSTRUCTORS", "javascript-library", CONSTRUCTORS),
  ...rowsOf("SETTINGS", "wordpress-plugin", SETTINGS),
  ...rowsOf("THEME_SETTINGS", "wordpress-theme", THEME_SETTINGS),
  ...rowsOf("WORDPRESS_PLUGINS", "wordpress-plugin", extensions.WORDPRESS_PLUGINS),
  ...rowsOf("WORDPRESS_THEMES", "wordpress-theme", extensions.WORDPRESS_THEMES),
  ...rowsOf("WORDPRESS_HANDLES", "wordpress-plugin", extensions.WORDPRESS_HANDLES),
  ...rowsOf("REST_NAMESPACES", "wordpress-plugin", extensions.REST_NAMESPACES),
  ...rowsOf("DRUPAL_MODULES", "drupal-module", extensions.DRUPAL_MODULES),
  ...rowsOf("DRUPAL_DIRECTORIES", "drupal-module", extensions.DRUPAL_DIRECTORIES),
  ...rowsOf("TYPO3_EXTENSIONS", "typo3-extension", extensions.TYPO3_EXTENSIONS),
  ...classRows().flatMap(({ category, name, tokens }) =>
    tokens.map((token) => ({ table: "class-marks", category, key: token.replace("?", ""), name })),
  ),
  ...wordRows().flatMap(({ category, name, words }) =>
    words.map((word) => ({ table: "word-marks", category, key: word.replace("?", ""), name })),
  ),
  ...faceRows().flatMap(({ category, name, families }) =>
    families.map((family) => ({ table: "font-faces", category, key: family, name })),
  ),
  ...commentRows().map(({ category, name, start }) => ({ table: "comment-marks", category, key: start, name })),
];

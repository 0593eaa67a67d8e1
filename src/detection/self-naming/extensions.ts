import type { SignalKind } from "../signals.ts";
import { readableSlug, WORDPRESS_PLUGINS, WORDPRESS_THEMES } from "./extension-names.ts";

/** An extension of a platform, named by the directory that its files are served from. */
export interface Extension {
  /** `wordpress-plugin`: also the category's id. */
  readonly type: string;
  readonly slug: string;
  readonly name: string;
  /** Where the match begins in the text. */
  readonly at: number;
  readonly length: number;
}

interface ExtensionType {
  readonly type: string;
  /** Letters that every such path has: a cheap test before the expression. */
  readonly needle: string;
  /** The slug is its first group. Global; linear in the text. `S` is a slash, escaped in JSON and JavaScript. */
  readonly path: RegExp;
  readonly names?: Readonly<Record<string, string>>;
}

const S = String.raw`(?:\\?/|%2F)`;
const SLUG = "([a-z0-9][a-z0-9_.-]{1,79})";
const path = (...parts: readonly string[]) => new RegExp(`(?:^|[^a-z0-9-])${parts.join(S)}${S}`, "gi");

/**
 * The directories in which platforms keep extensions. Sources: the developer handbooks of WordPress, Drupal, Joomla and
 * TYPO3.
 */
const TYPES: readonly ExtensionType[] = [
  {
    type: "wordpress-plugin",
    needle: "wp-content",
    path: path("wp-content", "(?:mu-)?plugins", SLUG),
    names: WORDPRESS_PLUGINS,
  },
  { type: "wordpress-theme", needle: "wp-content", path: path("wp-content", "themes", SLUG), names: WORDPRESS_THEMES },
  { type: "drupal-module", needle: "contrib", path: path("modules", "contrib", SLUG) },
  {
    type: "drupal-module",
    needle: "sites",
    path: path("sites", "[a-z0-9_.-]{1,60}", "modules", `(?:contrib${S})?${SLUG}`),
  },
  { type: "drupal-theme", needle: "contrib", path: path("themes", "contrib", SLUG) },
  { type: "joomla-extension", needle: "com_", path: path("(?:components|media)", `com_${SLUG}`) },
  { type: "joomla-extension", needle: "mod_", path: path("(?:modules|media)", `mod_${SLUG}`) },
  { type: "joomla-extension", needle: "plugins", path: path("plugins", "(?:system|content)", SLUG) },
  { type: "typo3-extension", needle: "typo3conf", path: path("typo3conf", "ext", SLUG) },
];

/** Folders that hold a site's own code, and the platforms' own parts: no extension of anybody. */
const NO_EXTENSION =
  /^(?:custom|common|core|all|contrib|dist|assets|js|css|images?|img|content|includes?|cache|min|index\.php)$/i;
/** A file in the extensions' folder itself. */
const FILE = /\.(?:php|js|css|png|jpe?g|gif|svg|txt|html?)$/i;

/** At most this many extensions are read out of one text. */
const MAX_EXTENSIONS = 200;

/** Kinds of signal whose value may hold such a path. */
export const EXTENSION_KINDS: ReadonlySet<SignalKind> = new Set([
  "html.path",
  "html.script",
  "html.link",
  "html.image",
  "html.inline",
  "html.markup",
]);

/**
 * The extensions whose paths a text holds: addresses, inline code, mark-up. Each slug once, in the order of types.
 *
 * @returns at most {@link MAX_EXTENSIONS}
 */
export function extensionsIn(text: string): Extension[] {
  const found = new Map<string, Extension>();
  for (const { type, needle, path: pattern, names } of TYPES) {
    if (!text.includes(needle)) continue;
    for (const match of text.matchAll(pattern)) {
      const slug = (match[1] ?? "").toLowerCase();
      const key = `${type}/${slug}`;
      if (found.has(key) || found.size >= MAX_EXTENSIONS || NO_EXTENSION.test(slug) || FILE.test(slug)) continue;
      const name = names?.[slug] ?? readableSlug(slug);
      found.set(key, { type, slug, name, at: match.index, length: match[0].length });
    }
  }
  return [...found.values()];
}

import type { SignalKind } from "../signals.ts";
import {
  DRUPAL_MODULES,
  readableSlug,
  TYPO3_EXTENSIONS,
  WORDPRESS_PLUGINS,
  WORDPRESS_THEMES,
} from "./extension-names.ts";

/** An extension of a platform, named by the directory that its files are served from. */
export interface Extension {
  /** `wordpress-plugin`: also the category's id. */
  readonly type: string;
  readonly slug: string;
  readonly name: string;
  /** In a folder that mostly holds a site's own code: only a product that is known by its name counts. */
  readonly isMostlyPrivate: boolean;
  /** The parent of a child theme, which is named after it and does not work without it. */
  readonly isParent: boolean;
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
  readonly names?: ReadonlyMap<string, string>;
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
    needle: "plugins",
    // Bedrock and others rename wp-content; assets, dist and vendor folders hold plug-ins of other software.
    path: path("(?:wp-content|wp-content/[a-z-]{1,20}|app|content|files|extensions)", "(?:mu-)?plugins", SLUG),
    names: WORDPRESS_PLUGINS,
  },
  {
    // A plug-in of one file, without a directory.
    type: "wordpress-plugin",
    needle: "plugins",
    path: new RegExp(`wp-content${S}plugins${S}(?!index\\.)([a-z0-9][a-z0-9_-]{3,60})\\.php`, "gi"),
    names: WORDPRESS_PLUGINS,
  },
  {
    type: "wordpress-theme",
    needle: "themes",
    path: path("(?:wp-content|app|content)", "themes", `(?:(?:vip|pub|premium|a8c)${S})?${SLUG}`),
    names: WORDPRESS_THEMES,
  },
  { type: "drupal-module", names: DRUPAL_MODULES, needle: "contrib", path: path("modules", "contrib", SLUG) },
  {
    type: "drupal-module",
    names: DRUPAL_MODULES,
    needle: "profiles",
    path: path("profiles", "[a-z0-9_.-]{1,60}", "modules", `(?:contrib${S})?${SLUG}`),
  },
  {
    type: "drupal-module",
    names: DRUPAL_MODULES,
    needle: "sites",
    path: path("sites", "[a-z0-9_.-]{1,60}", "modules", `(?:contrib${S})?${SLUG}`),
  },
  // Sites name their own themes as they like, so only themes that others build on are read here.
  {
    type: "drupal-theme",
    needle: "themes",
    path: path(
      "sites",
      "[a-z0-9_.-]{1,60}",
      "themes",
      "(adaptivetheme|at_core|at_subtheme|omega|zen|bootstrap|zurb_foundation|adminimal|basic|fusion|mothership|boilerplate|danland|marinelli|nexus|tao|rubik|aurora|radix|sasson|corolla|pixture_reloaded|bootstrap_barrio|danland|bartik|garland|seven|stark)",
    ),
  },
  { type: "drupal-theme", needle: "contrib", path: path("themes", "contrib", SLUG) },
  { type: "joomla-extension", needle: "com_", path: path("(?:components|media)", `com_${SLUG}`) },
  { type: "joomla-extension", needle: "mod_", path: path("(?:modules|media)", `mod_${SLUG}`) },
  { type: "joomla-extension", needle: "plugins", path: path("plugins", "(?:system|content)", SLUG) },
  { type: "typo3-extension", names: TYPO3_EXTENSIONS, needle: "typo3conf", path: path("typo3conf", "ext", SLUG) },
];

const NEEDLE_LIST = [...new Set(TYPES.map(({ needle }) => needle))];
/** One pass in place of one for each needle, which pays for short texts. */
const NEEDLES = new RegExp(NEEDLE_LIST.join("|"));
const SHORT = 4_096;

/** Folders that hold a site's own code, and the platforms' own parts: no extension of anybody. */
const NO_EXTENSION =
  /^(?:(?:my|our|site|custom|client|wp)[-_.])?(?:addons?|all|api|app|assets|base|blocks?|cache|classes|client|common|components?|composer|content|contrib|core|css|custom|default|dev|dist|extensions?|features?|framework|functions?|functionality|general|global|images?|img|includes?|index\.php|js|legacy|lib(?:rary|raries)?|main|min|misc|mods?|modules?|new|old|plugins?|scripts?|search|settings?|shared|shortcodes?|sites?|premium|pub|a8c|standard|static|templates?|tests?|themes?|tools?|utils?|utilities|vendors?|vip|widgets?)$/i;
/** What a folder's name has after the product's: a branch, a version and what its owner changed. */
const EDITION = /-(?:master|main|v?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-._][a-z0-9.-]{1,40})?)$/;
/** `amazon-feed-plugin`: a directory of plug-ins says so itself. */
const SELF_EVIDENT = /[-_](?:(?:wp|wordpress)[-_])?plug-?in$/;
/** WordPress.com serves parts of itself from such directories, and themes of its customers one level deeper. */
const OF_WORDPRESS_COM = /wp\.com(?:\\?\/|%2F){1}wp-content(?:\\?\/|%2F)mu-plugins/i;
/** A file in the extensions' folder itself. */
const FILE = /\.(?:php|js|css|png|jpe?g|gif|svg|txt|html?)$/i;
/** `huber-child`, `divi-child-theme` */
const CHILD = /[-_]child(?:[-_].{1,40})?$/;

/** At most this many extensions are read out of one text. */
const MAX_EXTENSIONS = 200;

/** Kinds of signal whose value may hold such a path. */
export const EXTENSION_KINDS: ReadonlySet<SignalKind> = new Set([
  "html.path",
  "html.script",
  "html.link",
  "html.image",
  "html.inline",
  "html.data",
  "html.markup",
]);

/**
 * The extensions whose paths a text holds: addresses, inline code, mark-up. Each slug once, in the order of types.
 *
 * @returns at most {@link MAX_EXTENSIONS}
 */
export function extensionsIn(text: string): Extension[] {
  // Most addresses hold none.
  if (text.length < SHORT && !NEEDLES.test(text)) return [];
  const found = new Map<string, Extension>();
  const needles = new Set(NEEDLE_LIST.filter((needle) => text.includes(needle)));
  if (needles.size === 0) return [];
  for (const { type, needle, path: pattern, names } of TYPES) {
    if (!needles.has(needle)) continue;
    for (const match of text.matchAll(pattern)) {
      const written = (match[1] ?? "").toLowerCase();
      const isParent = type === "wordpress-theme" && CHILD.test(written);
      const slug = isParent ? written.replace(CHILD, "") : written;
      if (OF_WORDPRESS_COM.test(text.slice(Math.max(0, match.index - 10), match.index + 40))) continue;
      const key = `${type}/${slug}`;
      if (found.has(key) || found.size >= MAX_EXTENSIONS || NO_EXTENSION.test(slug) || FILE.test(slug)) continue;
      const name = names?.get(slug) ?? readableSlug(plainSlug(slug, type));
      const isMostlyPrivate = !names?.has(slug) && match[0].includes("mu-plugins");
      found.set(key, { type, slug, name, isMostlyPrivate, isParent, at: match.index, length: match[0].length });
    }
  }
  return [...found.values()];
}

/** Without what is no part of the name: `blogstar-wp`, `greenery-10`. */
function plainSlug(slug: string, type: string): string {
  const plain = slug.replace(EDITION, "").replace(SELF_EVIDENT, "");
  return type === "wordpress-theme" ? plain.replace(/(?<=\w{4})-(?:wp|wordpress|theme|\d{1,2})$/, "") : plain;
}

const LIBRARIES = /"libraries":"([a-z0-9_.,/\\-]{3,20000})"/;
/** Parts of Drupal itself, and of themes: no modules that a site chose. */
const NO_MODULE =
  /^(?:core|system|user|node|views|classy|stable\d?|olivero|claro|starterkit_theme|toolbar|contextual|big_pipe|filter|.*_theme|.*theme|custom_.*|.*_custom|.*_(?:global|base|site|core|common))$/;

/** Modules in the settings that Drupal 8 and later write into a page: `"libraries":"blazy/load,webform/webform.form"`. */
export function drupalModulesIn(
  text: string,
): readonly { readonly slug: string; readonly name: string; readonly isKnown: boolean }[] {
  const [, list = ""] = text.includes("ajaxPageState") ? (LIBRARIES.exec(text) ?? []) : [];
  const slugs = new Set(
    list
      .replaceAll("\\/", "/")
      .split(",", MAX_EXTENSIONS)
      .map((library) => library.split("/", 1)[0] ?? ""),
  );
  return [...slugs]
    .filter((slug) => slug.length > 2 && !NO_MODULE.test(slug))
    .map((slug) => ({
      slug,
      name: DRUPAL_MODULES.get(slug) ?? readableSlug(slug),
      isKnown: DRUPAL_MODULES.has(slug),
    }));
}

const SETTINGS_KEY = /[{,]"([a-z][a-z0-9_]{3,40})":\{/g;
/** Known modules that have a block in the settings that Drupal writes into a page: `"better_exposed_filters":{`. */
export function drupalSettingsIn(text: string): readonly { readonly slug: string; readonly name: string }[] {
  if (!text.includes('"ajaxPageState"') && !text.includes('"pathPrefix"')) return [];
  const found = new Map<string, string>();
  for (const [, key = ""] of text.matchAll(SETTINGS_KEY)) {
    const name = DRUPAL_MODULES.get(key);
    if (name !== undefined && found.size < MAX_EXTENSIONS) found.set(key, name);
  }
  return [...found].map(([slug, name]) => ({ slug, name }));
}

/** Names of libraries in the same list, of the core and of themes: `core/jquery`, `mytheme/swiper`. */
export function drupalLibrariesIn(text: string): readonly string[] {
  const [, list = ""] = text.includes("ajaxPageState") ? (LIBRARIES.exec(text) ?? []) : [];
  const names = list
    .replaceAll("\\/", "/")
    .split(",", MAX_EXTENSIONS)
    .map((library) => library.split("/")[1] ?? "");
  return [...new Set(names)].filter(Boolean);
}

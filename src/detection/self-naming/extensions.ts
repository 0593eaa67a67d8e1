import { codesOf } from "../character-codes.ts";
import type { SignalKind } from "../signals.ts";
import {
  DRUPAL_DIRECTORIES,
  DRUPAL_MODULES,
  REST_NAMESPACES,
  readableSlug,
  TYPO3_EXTENSIONS,
  WORDPRESS_PLUGINS,
  WORDPRESS_THEMES,
} from "./extension-names.ts";
import type { ExtensionCategory } from "./platforms.ts";

/** An extension of a platform, named by the directory that its files are served from. */
export interface Extension {
  /** `wordpress-plugin`: also the category's id. */
  readonly type: ExtensionCategory;
  readonly slug: string;
  readonly name: string;
  /** In a folder or of a name that mostly means a site's own code: only a product that is known by its name counts. */
  readonly isMostlyPrivate: boolean;
  /** The parent of a child theme, which is named after it and does not work without it. */
  readonly isParent: boolean;
  /** Where the match begins in the text. */
  readonly at: number;
  readonly length: number;
}

interface ExtensionType {
  readonly type: ExtensionCategory;
  /** Letters that every such path has: the expression is tried only near them. */
  readonly needle: string;
  /** Characters of a path before its needle, at most. */
  readonly before: number;
  /** The slug is its first group. Global; linear in the text. `S` is a slash, escaped in JSON and JavaScript. */
  readonly path: RegExp;
  readonly names?: ReadonlyMap<string, string>;
}

const S = String.raw`(?:\\?/|%2F)`;
const SLUG = "([a-z0-9][a-z0-9_.-]{1,79})";
/** Folders of Drupal's sites; those of Jahia are at `/files/live/sites/NAME/` and, for editors, `/files/default/sites/NAME/`. */
const SITES = `(?<!files${S}(?:live|default)${S})sites`;
/** `/`, `\\/`, `%2F` */
const SLASH_LENGTH = 3;
/** After the name of a folder that was copied: `acme-forms%203`. */
const COPIED = "(?:%20[\\w%.()-]{1,20})?";
const path = (...parts: readonly string[]) => new RegExp(`(?:^|[^a-z0-9-])${parts.join(S)}${COPIED}${S}`, "gi");

/**
 * The directories in which platforms keep extensions. Sources: the developer handbooks of WordPress, Drupal, Joomla and
 * TYPO3.
 */
export const EXTENSION_TYPES: readonly ExtensionType[] = [
  {
    type: "wordpress-plugin",
    needle: "plugins",
    before: 1 + 31 + SLASH_LENGTH + 3,
    // Bedrock and others rename wp-content; assets, dist and vendor folders hold plug-ins of other software.
    path: path("(?:wp-content|wp-content/[a-z-]{1,20}|app|content|files|extensions)", "(?:mu-)?plugins", SLUG),
    names: WORDPRESS_PLUGINS,
  },
  {
    // A plug-in of one file, without a directory.
    type: "wordpress-plugin",
    needle: "plugins",
    before: 10 + SLASH_LENGTH,
    path: new RegExp(`wp-content${S}plugins${S}(?!index\\.)([a-z0-9][a-z0-9_-]{3,60})\\.php`, "gi"),
    names: WORDPRESS_PLUGINS,
  },
  {
    type: "wordpress-theme",
    needle: "themes",
    before: 1 + 10 + SLASH_LENGTH,
    path: path("(?:wp-content|app|content)", "themes", `(?:(?:vip|pub|premium|a8c)${S})?${SLUG}`),
    names: WORDPRESS_THEMES,
  },
  {
    type: "drupal-module",
    names: DRUPAL_MODULES,
    needle: "contrib",
    before: 1 + 7 + SLASH_LENGTH,
    path: path("modules", "contrib", SLUG),
  },
  {
    type: "drupal-module",
    names: DRUPAL_MODULES,
    needle: "profiles",
    before: 1,
    path: path("profiles", "[a-z0-9_.-]{1,60}", "modules", `(?:contrib${S})?${SLUG}`),
  },
  {
    type: "drupal-module",
    names: DRUPAL_MODULES,
    needle: "sites",
    before: 1,
    path: path(SITES, "[a-z0-9_.-]{1,60}", "modules", `(?:contrib${S})?${SLUG}`),
  },
  {
    // What a module writes into the folder of files.
    type: "drupal-module",
    names: DRUPAL_DIRECTORIES,
    needle: "sites",
    before: 1,
    path: path(SITES, "[a-z0-9_.-]{1,60}", "files", `(${[...DRUPAL_DIRECTORIES.keys()].join("|")})`),
  },
  {
    // Addresses of the interface that a plug-in adds to WordPress.
    type: "wordpress-plugin",
    names: REST_NAMESPACES,
    needle: "wp-json",
    before: 1,
    path: path("wp-json", `(${[...REST_NAMESPACES.keys()].join("|")})`),
  },
  // Sites name their own themes as they like, so only themes that others build on are read here.
  {
    type: "drupal-theme",
    needle: "themes",
    before: 1 + 5 + SLASH_LENGTH + 60 + SLASH_LENGTH,
    path: path(
      SITES,
      "[a-z0-9_.-]{1,60}",
      "themes",
      "(adaptivetheme|at_core|at_subtheme|omega|zen|bootstrap|zurb_foundation|adminimal|basic|fusion|mothership|boilerplate|danland|marinelli|nexus|tao|rubik|aurora|radix|sasson|corolla|pixture_reloaded|bootstrap_barrio|danland|bartik|garland|seven|stark)",
    ),
  },
  { type: "drupal-theme", needle: "contrib", before: 1 + 6 + SLASH_LENGTH, path: path("themes", "contrib", SLUG) },
  {
    type: "joomla-extension",
    needle: "com_",
    before: 1 + 10 + SLASH_LENGTH,
    path: path("(?:components|media)", `com_${SLUG}`),
  },
  {
    type: "joomla-extension",
    needle: "mod_",
    before: 1 + 7 + SLASH_LENGTH,
    path: path("(?:modules|media)", `mod_${SLUG}`),
  },
  { type: "joomla-extension", needle: "plugins", before: 1, path: path("plugins", "(?:system|content)", SLUG) },
  {
    type: "typo3-extension",
    names: TYPO3_EXTENSIONS,
    needle: "typo3conf",
    before: 1,
    path: path("typo3conf", "ext", SLUG),
  },
];

const NEEDLE_LIST = [...new Set(EXTENSION_TYPES.map(({ needle }) => needle))];
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

/** `twentyten-ab`: what a site adds to the slug of a theme that it changed. */
const COPY = /^(.{4,60})[-_](?!pro|neo|one|two|max|air|evo|new|vip|amp|rtl|app|ii)[a-z]{2,3}$/;

/** The theme that a child, or a copy with a few letters of its site, is named after. */
const parentOf = (slug: string, names: ReadonlyMap<string, string> | undefined): string | undefined => {
  if (CHILD.test(slug)) return slug.replace(CHILD, "");
  const [, original = ""] = COPY.exec(slug) ?? [];
  return names?.has(original) && !names.has(slug) ? original : undefined;
};

/** `brightpine2015`: sites number their own themes by the year. */
const OF_YEAR = /[a-z][-_]?20[012]\d$/;

/** In an attribute whose text a visitor reads: `<input placeholder="wp-content/plugins/…">`. */
const FOR_READERS = /\s(?:placeholder|alt|title|aria-label)\s?=\s?(?:"[^"]*|'[^']*)$/i;

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
  "html.style",
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
  for (const { type, names, match } of pathsIn(text)) {
    const written = (match[1] ?? "").toLowerCase();
    const parent = type === "wordpress-theme" ? parentOf(written, names) : undefined;
    const isParent = parent !== undefined;
    const slug = parent ?? written;
    const key = `${type}/${slug}`;
    if (found.has(key)) continue;
    if (OF_WORDPRESS_COM.test(text.slice(Math.max(0, match.index - 10), match.index + 40))) continue;
    if (FOR_READERS.test(text.slice(Math.max(0, match.index - 120), match.index))) continue;
    if (found.size >= MAX_EXTENSIONS || NO_EXTENSION.test(slug) || FILE.test(slug)) continue;
    const plain = plainSlug(slug, type);
    const name = names?.get(slug) ?? names?.get(plain) ?? readableSlug(plain);
    const isMostlyPrivate =
      !names?.has(slug) && (match[0].includes("mu-plugins") || (type === "wordpress-theme" && OF_YEAR.test(slug)));
    found.set(key, { type, slug, name, isMostlyPrivate, isParent, at: match.index, length: match[0].length });
  }
  return [...found.values()];
}

/** The matches of each type whose needle a text has, in the order of types. */
export function* pathsIn(text: string) {
  const places = needlePlaces(text);
  if (places === undefined) return;
  for (const { type, needle, before, path, names } of EXTENSION_TYPES) {
    const at = places.get(needle);
    if (at !== undefined) for (const match of matchesNear(text, at, before, path)) yield { type, names, match };
  }
}

/** The first four characters by which each needle is found, and where in the needle they are: rarely in other words. */
const GRAMS = new Map(
  (
    [
      ["plugins", 1],
      ["themes", 1],
      ["contrib", 3],
      ["profiles", 1],
      ["sites", 1],
      ["com_", 0],
      ["mod_", 0],
      ["typo3conf", 2],
      ["wp-json", 0],
    ] as const
  ).map(([needle, offset]) => [gramAt(needle, offset), { needle, offset }]),
);
const GRAM_BITS = 12;
const gramBit = (gram: number) => Math.imul(gram, 0x9e3779b1) >>> (32 - GRAM_BITS);
const GRAM_FLAGS = new Uint8Array(1 << GRAM_BITS);
for (const gram of GRAMS.keys()) GRAM_FLAGS[gramBit(gram)] = 1;
const FOLD = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

function gramAt(text: string, at: number): number {
  let gram = 0;
  for (let end = at; end < at + 4; end++) gram = (gram << 8) | text.charCodeAt(end);
  return gram;
}

/**
 * The places of the needles that a text has, in one pass. Ignores case, as the expressions do, but a needle that the text
 * has in capitals alone is none.
 */
function needlePlaces(text: string): ReadonlyMap<string, readonly number[]> | undefined {
  const { length } = text;
  const codes = codesOf(text);
  let places: Map<string, number[]> | undefined;
  const written = new Set<string>();
  let window = 0;
  for (let end = 0; end < length; end++) {
    window = (window << 8) | FOLD[codes[end]! & 0xff]!;
    if (GRAM_FLAGS[gramBit(window)] === 0) continue;
    const candidate = GRAMS.get(window);
    if (candidate === undefined) continue;
    const { needle, offset } = candidate;
    const at = end - 3 - offset;
    if (at < 0) continue;
    if (text.startsWith(needle, at)) written.add(needle);
    else if (text.slice(at, at + needle.length).toLowerCase() !== needle) continue;
    places ??= new Map();
    const same = places.get(needle);
    if (same) same.push(at);
    else places.set(needle, [at]);
  }
  for (const needle of places?.keys() ?? []) if (!written.has(needle)) places?.delete(needle);
  return written.size > 0 ? places : undefined;
}

/**
 * The same matches as `text.matchAll(pattern)`, in their order. Each holds one of the needles, so the pattern is tried only
 * where it may begin: a few characters before one.
 */
function* matchesNear(text: string, needles: readonly number[], before: number, pattern: RegExp) {
  const sticky = stickyOf.get(pattern) ?? new RegExp(pattern.source, "iy");
  stickyOf.set(pattern, sticky);
  const isBounded = pattern.source.startsWith("(?:^|[^a-z0-9-])");
  let next = 0;
  for (const needle of needles) {
    for (let start = Math.max(next, needle - before); start <= needle; start++) {
      next = start + 1;
      if (isBounded && start > 0 && isOfWord(text.charCodeAt(start))) continue;
      sticky.lastIndex = start;
      const match = sticky.exec(text);
      if (match === null) continue;
      next = start + match[0].length;
      start = next - 1;
      yield match;
    }
  }
}
const stickyOf = new Map<RegExp, RegExp>();
/** Letters, digits and hyphens. */
const isOfWord = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45;

/**
 * Without what is no part of the name: `blogstar-wp`, `greenery-10`, `greenery-v440`, `greenery-v1-09`, `thesis_186`,
 * `acme-forms-premium`.
 */
function plainSlug(slug: string, type: ExtensionCategory): string {
  const plain = slug.replace(EDITION, "").replace(SELF_EVIDENT, "");
  if (type === "wordpress-plugin") return plain.replace(/(?<=\w{4})-premium$/, "");
  return type === "wordpress-theme"
    ? plain.replace(/(?<=\w{4})(?:-(?:wp|wordpress|theme|v?\d{1,2}|v\d{3}|v\d{1,2}(?:-\d{1,2}){1,3})|_v?\d{2,3})$/, "")
    : plain;
}

const LIBRARIES = /"libraries":"([a-z0-9_.,/\\-]{3,20000})"/;
/** Parts of Drupal itself, and of themes: no modules that a site chose. */
const NO_MODULE =
  /^(?:core|system|user|node|views|classy|stable\d?|olivero|claro|starterkit_theme|toolbar|contextual|big_pipe|filter|.*_theme|.*theme|custom_.*|.*_custom|.*_(?:global|base|site|core|common))$/;

/** Whether a text may hold the settings that Drupal writes into a page. */
export const mayHaveModules = (text: string): boolean =>
  text.includes("ajaxPageState") || text.includes('"pathPrefix"');

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
  for (const [, folder = ""] of text.matchAll(PUBLIC_FOLDER)) {
    const name = DRUPAL_DIRECTORIES.get(folder);
    if (name !== undefined && found.size < MAX_EXTENSIONS) found.set(folder, name);
  }
  return [...found].map(([slug, name]) => ({ slug, name }));
}
/** A folder of a module's files, as Drupal 7 lists it: `"public:\/\/honeypot\/honeypot.css":1`. */
const PUBLIC_FOLDER = /"public:\\?\/\\?\/([a-z_]{3,40})\\?\//g;

/** Names of libraries in the same list, of the core and of themes: `core/jquery`, `mytheme/swiper`. */
export function drupalLibrariesIn(text: string): readonly string[] {
  const [, list = ""] = text.includes("ajaxPageState") ? (LIBRARIES.exec(text) ?? []) : [];
  const names = list
    .replaceAll("\\/", "/")
    .split(",", MAX_EXTENSIONS)
    .map((library) => library.split("/")[1] ?? "");
  return [...new Set(names)].filter(Boolean);
}

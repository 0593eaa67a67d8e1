import { hostOfUrl } from "../../core/domain.ts";
import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Meaning, Rule, Strength } from "../fingerprints/types.ts";
import { hasSecret } from "../redaction.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { biddersIn } from "./bidders.ts";
import { classMarksIn } from "./class-marks.ts";
import { codeMarksIn } from "./code-marks.ts";
import { commentMarkIn } from "./comment-marks.ts";
import { DRUPAL_MODULES, readableSlug, WORDPRESS_PLUGINS, WORDPRESS_THEMES } from "./extension-names.ts";
import {
  drupalLibrariesIn,
  drupalModulesIn,
  drupalSettingsIn,
  EXTENSION_KINDS,
  type Extension,
  extensionsIn,
  mayHaveModules,
} from "./extensions.ts";
import { fontFacesIn, fontFileIn } from "./font-faces.ts";
import { keysIn } from "./keys.ts";
import { LIBRARIES } from "./library-files.ts";
import { namedHandles, namedMarks } from "./marks.ts";
import { compactName, createNameIndex, LINKED, type NameIndex, thirdPartyId, wordEnds } from "./names.ts";
import { jqueryPlugin, PACKAGE_KINDS, packageIn, toolFileIn, type WebPackage } from "./packages.ts";
import { platformOf } from "./platforms.ts";
import { type NamedCode, namedCode } from "./settings.ts";
import { shopifyAppIn } from "./shopify-apps.ts";
import { createVendorDomainMatcher } from "./vendor-domains.ts";
import { createVerificationNameMatcher } from "./verifications.ts";
import { WORD_KINDS, wordMarksIn } from "./word-marks.ts";

/** Matches signals without rules of the catalogue. */
export interface SelfNaming {
  /**
   * Tools that name themselves, by the structure of what a page shows: extension directories of platforms, packages of
   * content delivery networks, generators, comments, settings, classes. One mechanism over the names of the catalogue in
   * place of a rule for each of thousands of tools; an extension that is not in the catalogue becomes a tool in a
   * category of extensions.
   */
  readonly byName: (signal: Signal) => readonly RuleHit[];
  /** For signals that no rule matches: verifications with a tool's name, and hosts of a tool's own domain. */
  readonly byOwner: (signal: Signal) => RuleHit[];
}

type ToolNamed = (name: string, category: string) => Fingerprint;
type Mechanism = (signal: Signal, names: NameIndex, toolNamed: ToolNamed) => readonly RuleHit[];

const NOTHING: readonly RuleHit[] = [];

/** By kind of signal what may name tools there, in the order of their evidence. */
const byKind: ReadonlyMap<SignalKind, readonly Mechanism[]> = mechanismsByKind([
  [[...EXTENSION_KINDS], extensionHits],
  [[...PACKAGE_KINDS], packageHits],
  [["html.path"], directoryHits],
  [["html.meta"], metaHits],
  [["html.markup", "html.inline"], commentHits],
  [["html.inline", "html.data"], codeHits],
  [["html.inline", "html.data"], keyHits],
  [["html.inline", "html.data"], bidderHits],
  [["html.inline"], callHits],
  [["html.inline", "html.data"], moduleHits],
  [["html.inline", "html.style"], bannerHits],
  [["consent.service"], declaredHits],
  [["html.names"], markHits],
  [[...WORD_KINDS], wordHits],
  [["html.style"], faceHits],
  [["html.link", "html.path"], fontFileHits],
]);

function mechanismsByKind(all: readonly (readonly [kinds: readonly SignalKind[], mechanism: Mechanism])[]) {
  const kinds = new Set(all.flatMap(([each]) => each));
  return new Map([...kinds].map((kind) => [kind, all.flatMap(([each, run]) => (each.includes(kind) ? run : []))]));
}

export function createSelfNaming(tools: readonly Fingerprint[]): SelfNaming {
  let index: NameIndex | undefined;
  const names = () => (index ??= createNameIndex(tools));
  const toolNamed = createToolNaming(names);
  const byVerification = createVerificationNameMatcher(names);
  const byDomain = createVendorDomainMatcher(tools);

  return {
    byName(signal) {
      const mechanisms = byKind.get(signal.kind);
      if (mechanisms === undefined) return NOTHING;
      const index = names();
      let all = NOTHING;
      for (const mechanism of mechanisms) {
        const hits = mechanism(signal, index, toolNamed);
        const named = hits.every(hasName) ? hits : hits.filter(hasName);
        if (named.length > 0) all = all.length > 0 ? [...all, ...named] : named;
      }
      return all;
    },
    byOwner: (signal) => [...byVerification(signal), ...byDomain(signal)],
  };
}

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
/** A key or an id that a page wrote in the place of a name is no name. */
const hasName = ({ tool }: RuleHit): boolean => tool.rules !== UNLISTED || !hasSecret(tool.name);

/** The part of the id of a tool outside the catalogue that its name gives: `wordpress-plugin.contact-form-7`. */
export const selfNamedSlug = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "unnamed";

/** Categories that only tools outside the catalogue are in. */
export const SELF_NAMING_CATEGORIES: readonly string[] = [
  "wordpress-plugin",
  "wordpress-theme",
  "drupal-module",
  "drupal-theme",
  "joomla-extension",
  "typo3-extension",
  "site-generator",
];

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
  return CODE_CATEGORIES.has(tool.category) || PLATFORM_CATEGORY.test(tool.category) || (tool.implies ?? []).length > 0;
}

/** Ids of the rules that this module makes: what a report's evidence names in place of a rule of the catalogue. */
export const NAMING_RULES = [
  ...["add-on", "attribute", "banner", "class-mark", "comment", "declared", "directory", "drupal-library", "generator"],
  ...["app-block", "font-face", "word-mark"],
  ...[
    "handle",
    "key",
    "library-call",
    "mark",
    "meta-name",
    "named-file",
    "package",
    "parent-theme",
    "printed-settings",
  ],
  ...["signed-comment", "vocabulary"],
  // Kinds of settings.
  ...["adapter", "credential", "identifier", "object", "off", "setting"],
  ...["wordpress-plugin", "wordpress-theme", "drupal-module", "drupal-theme", "joomla-extension", "typo3-extension"],
] as const;

const rules = new Map<string, Rule>();

/** One object for each rule: evidence is merged by the identity of its rule. There are a few dozen. */
function rule(
  id: (typeof NAMING_RULES)[number],
  see: SignalKind,
  strength: Strength,
  why: string,
  means: Meaning = "runs",
): Rule {
  const key = `${id} ${see} ${strength}`;
  const made = rules.get(key) ?? { id, see, match: {}, strength, means, why, hit: "", miss: "" };
  rules.set(key, made);
  return made;
}

const DECLARED = "the configuration of the page's consent platform lists it";

function declaredHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  const tool = names.distinct(compactName(value));
  return tool
    ? [{ tool, rule: rule("declared", kind, "weak", DECLARED, "declares"), excerpt: excerptOf(value), version: null }]
    : [];
}

const EXTENSION = "files are served from the extension's own directory";
const PARENT = "the directory of a child theme names the theme that it is based on";
const PACKAGE = "the page loads the package";
const GENERATOR = "the generator tag names it";
const META_NAME = "the name of a meta tag begins with its name";
const COPIED = "the comment at the head of a copied file names it";
const COMMENT = "a comment that it writes into the page names it";
const APP_BLOCK = "Shopify writes this comment around what the app prints";
const SIGNED = "a comment in the wording of this software";
const FILE = "a file of the site is named after it";
const HANDLE = "WordPress prints the name under which it registered a file";
const CALLED = "a script calls a method or an object that only the library defines";
const PRINTED = "a variable in which only this extension prints its settings";
const ATTRIBUTE = "a data attribute that only its script reads is named after it";
const CLASS = "classes, ids and attributes of the mark-up that only this tool prints";
const FONT_FILE = "the page loads the font from a file of the site";
const FACE = "the styles of the page load the font from a file";
const WORD = "names that only this tool gives to its state, custom properties, elements or attributes";
const MARK = "a class or an id is named after it";
const VOCABULARY = "several different classes and ids begin with its name";
const OFF = "the settings of the page switch it off, or have no account";
const CODE: Readonly<Record<Exclude<NamedCode["kind"], "off">, readonly [strength: Strength, why: string]>> = {
  credential: ["strong", "a key or an address of an account is named after it"],
  adapter: ["strong", "a setting names it as the tool to use"],
  object: ["strong", "a script sets up the object or queue that is named after it"],
  setting: ["weak", "a block or a switch of the page's settings is named after it"],
  identifier: ["weak", "an identifier in the page's code is named after it"],
};

function extensionHits({ kind, value, location }: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
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

/** A directory of the site's scripts or styles that is named after a tool: `/vendor/flowplayer/skin.js`. */
function directoryHits({ kind, value, location }: Signal, names: NameIndex): readonly RuleHit[] {
  const path = value.split(/[?#]/, 1)[0] ?? "";
  if (!/\.(?:m?js|css)$/i.test(path)) return NOTHING;
  const tools = new Set<Fingerprint>();
  for (const segment of path.split("/", 20).slice(1, -1)) {
    const tool = segment.length >= 5 && segment.length <= 40 ? names.distinct(compactName(segment)) : undefined;
    if (!tool || tool.category === "social" || LINKED.has(compactName(segment)) || isOfTheSite(segment, location))
      continue;
    tools.add(tool);
  }
  if (tools.size === 0 || extensionsIn(value).length > 0) return NOTHING;
  return [...tools].map((tool) => ({
    tool,
    rule: rule("directory", kind, "weak", DIRECTORY_OF),
    excerpt: excerptOf(value),
    version: null,
  }));
}
const DIRECTORY_OF = "a directory of the site's scripts and styles is named after it";

/** A module whose name is not known may be the site's own. */
function moduleHits({ kind, value, location }: Signal, names: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
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

/** The first line of a comment at the head of a library: `normalize.css v8.0.1`, `JavaScript Cookie v2.1.4`. */
const BANNER =
  /\/\*[!*]{0,2}[\s*=-]{0,16}(?:@(?:preserve|license|name)[ \t]{1,3})?([A-Za-z][\w.+&'-]{1,30}(?:[ \t][\w.+&'-]{1,24}){0,4}?)[ \t]{0,3}(?:[-–|:,@][ \t]{0,3})?(?:[Vv](?:ersion)?[ .:]{0,2})?(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?)/g;
/** Of each form in one text. */
const MAX_BANNERS = 100;

/** A licence that minifiers keep, without a version: `loadCSS rel=preload polyfill. [c]2017`, `loadJS: load a JS file`. */
const KEPT_BANNER =
  /\/\*!\s{0,4}(?:\*\s{0,4})?(?:@preserve\s)?([A-Za-z][\w.-]{3,30})(?=\s{0,2}(?:[:|(]|[-–]\s|\.?\s\[c\]|\srel=|©))/g;

/** A copyright without a version: `frac.js (C) 2012-present`. */
const COPYRIGHT = /\/\*[!*]?\s{0,4}([a-z][\w-]{2,30}\.js)\s\(c\)\s?(?:19|20)\d\d/gi;

function bannerHits({ kind, value }: Signal, names: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
  if (!value.includes("/*")) return NOTHING;
  const hits = new Map<string, RuleHit>();
  for (const { 0: banner, 1: written = "", 2: version = null, index } of value.matchAll(BANNER).take(MAX_BANNERS)) {
    const name = written.trim();
    const library = libraryNamed(name.toLowerCase()) ?? libraryCalled(name);
    const named =
      names.distinct(compactName(name)) ??
      (BANNERS.has(name.toLowerCase()) ? names.exact(compactName(name)) : undefined);
    const tool = library ? toolNamed(library, "javascript-library") : named;
    if (tool && !hits.has(tool.id))
      hits.set(tool.id, {
        tool,
        rule: rule("banner", kind, "strong", COPIED),
        excerpt: excerptOf(value, index, index + Math.min(banner.length, 120)),
        version,
      });
  }
  const kept = [...value.matchAll(KEPT_BANNER).take(MAX_BANNERS), ...value.matchAll(COPYRIGHT).take(MAX_BANNERS)];
  for (const { 0: banner, 1: name = "", index } of kept) {
    const library = libraryNamed(name.toLowerCase()) ?? libraryCalled(name);
    if (library === undefined || GENERIC_FILES.has(name.toLowerCase())) continue;
    const tool = toolNamed(library, "javascript-library");
    const excerpt = excerptOf(value, index, index + banner.length);
    if (!hits.has(tool.id))
      hits.set(tool.id, { tool, rule: rule("banner", kind, "strong", COPIED), excerpt, version: null });
  }
  return [...hits.values()];
}
let libraryNames: ReadonlyMap<string, string> | undefined;
/** A library by its own name. */
function libraryCalled(name: string): string | undefined {
  libraryNames ??= new Map([...LIBRARIES.values()].map((each) => [compactName(each), each]));
  return libraryNames.get(compactName(name));
}
/** Names of libraries that are everyday words: with a version at the head of a file they mean nothing else. */
const BANNERS = new Set([
  "bootstrap",
  "foundation",
  "modernizr",
  "jquery",
  "swiper",
  "slick",
  "skeleton",
  "prism",
  "velocity",
]);

function callHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return codeMarksIn(value).map(({ name, category, excerpt }) => ({
    tool: toolNamed(name, category),
    rule:
      category === "javascript-library"
        ? rule("library-call", kind, "strong", CALLED)
        : rule("printed-settings", kind, "strong", PRINTED),
    excerpt,
    version: null,
  }));
}

function wordHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return wordMarksIn(kind, value).map(({ name, category, strength, excerpt }) => ({
    tool: toolNamed(name, category),
    rule: rule("word-mark", kind, strength, WORD),
    excerpt,
    version: null,
  }));
}

function faceHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return fontFacesIn(value).map(({ name, category, excerpt }) => ({
    tool: toolNamed(name, category),
    rule: rule("font-face", kind, "strong", FACE),
    excerpt,
    version: null,
  }));
}

function fontFileHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
  const name = fontFileIn(value);
  return name === undefined
    ? NOTHING
    : [
        {
          tool: toolNamed(name, "fonts"),
          rule: rule("font-face", kind, "strong", FONT_FILE),
          excerpt: excerptOf(value),
          version: null,
        },
      ];
}

function keyHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  return keysIn(value).flatMap(({ tool: name, at, length, strength }) => {
    const tool = names.exact(name);
    if (!tool) return [];
    const excerpt = excerptOf(value, at - 20, at + length + 20);
    const keyRule = rule("key", kind, strength, "a key has the shape of its keys");
    return [{ tool, rule: keyRule, excerpt, version: null, isSetUp: true }];
  });
}

const thirdParty = (name: string): Fingerprint => ({
  id: thirdPartyId(name),
  name,
  vendor: name,
  website: "",
  category: "advertising",
  rules: [],
});

function bidderHits({ kind, value }: Signal, names: NameIndex): readonly RuleHit[] {
  return biddersIn(value).map(({ name, at, length }) => {
    const tool = names.exact(compactName(name)) ?? thirdParty(name);
    const bidder = rule("adapter", kind, ...CODE.adapter);
    return { tool, rule: bidder, excerpt: excerptOf(value, at, at + length + 60), version: null, isSetUp: true };
  });
}

let lastLocation = "";
let lastSite = "";
/** The host of a location, which hundreds of signals in a row share; empty for none. */
function siteOf(location: string): string {
  if (location !== lastLocation) {
    lastSite = hostOfUrl(location);
    lastLocation = location;
  }
  return lastSite;
}

/** Extensions named after the site, or for children of them, are private code, not products. */
function isOfTheSite(slug: string, location: string): boolean {
  if (/[-_]child(?:$|[-_])/.test(slug)) return true;
  const name = slug.toLowerCase().replace(/[^a-z0-9]/g, "");
  return labelsOf(siteOf(location)).some(({ site, words }) => {
    if (site === name) return true;
    if (site.length >= 4 && (name.includes(site) || (name.length >= 4 && site.startsWith(name)))) return true;
    return words.length > 0 && slug.split(/[-_]/).some((word) => words.includes(word));
  });
}

/**
 * Whether an unknown theme begins with an abbreviation of the site (`hn-2024` of harbournews.example): two or three letters,
 * the first of them the site's first. Such a theme is mostly the site's own.
 */
function isAbbreviationOfSite(type: string, slug: string, location: string): boolean {
  if (type !== "wordpress-theme" || WORDPRESS_THEMES.has(slug)) return false;
  const [, letters = ""] = /^([a-z]{2,3})(?:\d{1,4})?(?:[-_.]|$)/.exec(slug) ?? [];
  if (letters === "" || MAKERS.has(letters)) return false;
  return labelsOf(siteOf(location)).some(({ site }) => {
    let at = site.startsWith(letters[0]!) ? 0 : -1;
    for (const letter of letters.slice(1)) at = at < 0 ? -1 : site.indexOf(letter, at + 1);
    return at > 0;
  });
}
/** Words and makers with which the names of published themes begin. */
const MAKERS = new Set(
  "the my pro one big new neo max zen fox evo era sky air art box fit pet spa tea red dt et gp hu ja kt mh mk pt rt td th tm vw wp bb".split(
    " ",
  ),
);

interface SiteLabel {
  /** Letters and digits. */
  readonly site: string;
  /** `mmo-home` on `mein-mmo`: the words of a name of several, without those that products have. */
  readonly words: readonly string[];
}

let labelled = "";
let siteLabels: readonly SiteLabel[] = [];
/** The labels of a host that say whose it is. */
function labelsOf(host: string): readonly SiteLabel[] {
  if (host === labelled) return siteLabels;
  labelled = host;
  siteLabels = host
    .split(".")
    .slice(0, -1)
    .map((label) => ({
      site: label.replace(/[^a-z0-9]/g, ""),
      words: label.includes("-") ? label.split("-").filter((word) => word.length >= 3 && !PRODUCT_WORDS.has(word)) : [],
    }))
    .filter(({ site }) => !PRODUCT_WORDS.has(site));
  return siteLabels;
}

const PRODUCT_WORDS = new Set([
  "app",
  "blog",
  "forum",
  "mobile",
  "store",
  "www2",
  "ads",
  "amp",
  "magazin",
  "magazine",
  "news",
  "seo",
  "shop",
  "the",
  "web",
  "wordpress",
]);

/** Whether the address around a match in a text is relative or belongs to the site. */
function isOwnAddress(text: string, at: number, location: string): boolean {
  const before = text.slice(Math.max(0, at - 120), at + 1).replaceAll("\\/", "/");
  const [address] = /https?:\/\/[^\s"'<>()]*$/.exec(before) ?? [];
  return address === undefined || isServedForSite(address, location);
}

/** Delivery networks that serve copies of a site's files. */
const SITE_CDN =
  /(?:^|\.)(?:cloudfront\.net|b-cdn\.net|kxcdn\.com|kinstacdn\.com|stackpathcdn\.com|netdna-ssl\.com|azureedge\.net|fastly\.net|akamaized\.net|edgecastcdn\.net|wp\.com|rocketcdn\.me|cdn77\.org|imgix\.net|staticflickr\.com|pressidium\.com|wpenginepowered\.com|wpengine\.com|pantheonsite\.io|nitrocdn\.com|shortpixel\.ai|exactdn\.com|smushcdn\.com|cdn\.digitaloceanspaces\.com)$/;

/** A widget that a page loads from its vendor's WordPress says nothing about the page's own extensions. */
function isServedForSite(url: string, location: string): boolean {
  const host = hostOfUrl(url);
  const own = siteOf(location).replace(/^www\./, "");
  const label = own.split(".")[0] ?? "";
  if (own === "") return false;
  if (host === own || host.endsWith(`.${own}`) || SITE_CDN.test(host)) return true;
  // `cdn.acme.net`, `acme-static.com`, `acme.de` of `acme.com`: the site's label is a whole part of the host.
  return label.length >= 4 && (host.split(".").includes(label) || host.split(/[.-]/).includes(label));
}

/** File names that sites also use for private files: these count only with a version or when minified. */
const GENERIC_FILES = new Set([
  "animate",
  "chart",
  "chosen",
  "choices",
  "foundation",
  "history",
  "ie7",
  "ie8",
  "ie9",
  "hls",
  "lazyload",
  "less",
  "parallax",
  "pushy",
  "spin",
  "svelte",
  "swipe",
  "toastr",
  "velocity",
  "prototype",
  "angular",
  "anime",
  "camera",
  "masonry",
  "stomp",
  "vegas",
  "odometer",
  "bootstrap",
  "d3",
  "moment",
  "mustache",
  "normalize",
  "prism",
  "react",
  "respond",
  "slick",
  "three",
  "vue",
  "wow",
  "waypoints",
  "ace",
  "breakpoints",
  "driver",
  "glider",
  "hint",
  "hover",
  "pdf",
  "raven",
  "sly",
  "snap",
  "sortable",
  "spectrum",
  "turn",
  "two",
  "unveil",
  "video",
  "highlight",
  "intersectionobserver",
]);

/** File names that several libraries have: these count only in the folder of one that has it, or next to its code. */
const SHARED_FILES = new Set(["lazyload", "smooth-scroll"]);
/** Plug-ins that bring the library under the shared name. */
const OF_LIBRARY = /\/plugins\/(?:wp-rocket|w3-total-cache)\//;

/** Everyday words that sections of sites and extensions are named with. */
const SECTIONS = new Set([
  "video",
  "camera",
  "history",
  "choices",
  "chart",
  "hint",
  "hover",
  "pdf",
  "driver",
  "two",
  "turn",
]);
/** The directory of an extension, which is named after the extension. */
const OF_EXTENSION = /\/(?:plugins|modules|modules\/contrib|extensions|ext|components)\/$/i;
/**
 * A folder of other people's code, or of the file's own name: `/vendor/foundation/foundation.js`. An extension's own directory
 * says nothing of the library: `/modules/contrib/slick/slick.js`.
 */
function isOfVendor(name: string, address: string): boolean {
  if (/\/(?:vendors?|libs?|libraries|third[-_]?party|3rdparty|externals?|bower|components\/bootstrap)\//i.test(address))
    return true;
  const at = address.toLowerCase().indexOf(`/${name}/`);
  return at >= 0 && !SECTIONS.has(name) && !OF_EXTENSION.test(address.slice(0, at + 1));
}

/** `/plugins/acme-prices/js/jquery.prices.js`: a plug-in of jQuery that an extension brings for itself. */
function isOfExtension({ name, isPackage }: WebPackage, address: string, isListed: boolean): boolean {
  const [, bare = ""] = isPackage ? [] : (/^jquery[._-](.+)$/.exec(name) ?? []);
  if (bare.length < 4 || (isListed && !GENERIC_FILES.has(bare))) return false;
  return extensionsIn(address).some(({ slug }) =>
    isListed ? slug === bare : compactName(slug).includes(compactName(bare)),
  );
}

/** `/jquery/ui/sortable.min.js`, `/jquery-ui/ui/tooltip.js`: a part of jQuery UI that has another library's name. */
const isPartOfUi = (name: string, address: string) =>
  !name.startsWith("jquery") &&
  /\/jquery(?:[/-]ui)?[/.-](?:\d[\d.]{0,8}\/)?ui\/(?:minified\/|widgets\/)?[^/]{1,60}$/i.test(address);

/** `/_nuxt/AudioPlayer.b26e2fa6.js`: a chunk of the site's own, which its bundler named after a component. */
const isComponent = (address: string) =>
  /\/(?:_nuxt|_next\/static\/chunks|_astro|_app\/immutable\/\w{1,20}|assets|chunks)\/[A-Z][A-Za-z0-9_]{2,60}[.-][A-Za-z0-9_-]{8,20}\.(?:m?js|css)(?:[?#]|$)/.test(
    address,
  );

/** The first script of a service, which is named as if it were a library: that of Batch. */
const FIRST_SCRIPT = /^https?:\/\/via\.batch\.com\/v\d\/bootstrap\./i;

/** Parts of platforms, which have the names of other products: WordPress brings jQuery UI's Sortable. */
const OF_PLATFORM = /\/wp-(?:includes|admin)\/|\/typo3\/sysext\/|\/core\/(?:misc|assets|modules)\/|\/jquery[/-]ui\//;
/** Tools that serve a site as a whole: another vendor's file of that name is its integration with them. */
const PLATFORMS = new Set([
  "cms",
  "e-commerce",
  "hosting",
  "crm",
  "communication",
  "wordpress-plugin",
  "wordpress-theme",
]);

/**
 * How much a file named after a tool counts: nothing as a part of a platform or as the file of another vendor for it, little
 * as the file of an extension that has another name.
 */
function fileStrength(tool: Fingerprint, { value, location }: Signal, names: NameIndex): Strength | undefined {
  if (OF_PLATFORM.test(value)) return undefined;
  if (PLATFORMS.has(tool.category) && /^https?:/.test(value) && !isServedForSite(value, location)) return undefined;
  const [extension] = extensionsIn(value);
  if (!extension) return "strong";
  const slug = compactName(extension.slug);
  const isSame = [tool.id, tool.name, ...(tool.aliases ?? [])].map(compactName).some((name) => {
    return slug.includes(name) || name.includes(slug);
  });
  return isSame || names.exact(compactName(extension.name)) === tool ? "strong" : "weak";
}

function packageHits(signal: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const { kind, value, location } = signal;
  const found = packageIn(value);
  // In code, only a package network says that an address is a library.
  if (!found || (kind === "html.inline-url" && !found.isPackage)) return [];
  // The parts of jQuery UI and the chunks of a bundler have names of their own.
  if (!found.isPackage && (isPartOfUi(found.name, value) || isComponent(value) || FIRST_SCRIPT.test(value))) return [];
  const isOwnName =
    GENERIC_FILES.has(found.name) &&
    !found.isPackage &&
    found.version === null &&
    !/[.-]min\./.test(value) &&
    !isOfVendor(found.name, value);
  const listed = libraryNamed(found.name);
  const library =
    listed ??
    (found.isPackage || isOfTheSite(found.name.replace("jquery.", ""), location)
      ? undefined
      : jqueryPlugin(found.name));
  const copied = library || found.isPackage ? undefined : libraryNamed(PREFIXED_FILE.exec(found.name)?.[1] ?? "");
  if (copied)
    return [
      {
        tool: toolNamed(copied, "javascript-library"),
        rule: rule("named-file", kind, "weak", FILE),
        excerpt: excerptOf(value),
        version: null,
      },
    ];
  if (!library && !found.isPackage) {
    const tool = isOfTheSite(found.name, location) ? undefined : toolFileIn(found.name, value, names);
    const strength = tool && fileStrength(tool, signal, names);
    return strength
      ? [{ tool, rule: rule("named-file", kind, strength, FILE), excerpt: excerptOf(value), version: found.version }]
      : [];
  }
  const isShared =
    (SHARED_FILES.has(found.name) && !found.isPackage && !OF_LIBRARY.test(value)) ||
    (library !== undefined && isOfExtension(found, value, listed !== undefined));
  const name = library ?? (/^jquery[.-]|[.-]jquery$/.test(found.name) ? readableSlug(found.name) : found.name);
  return [
    {
      tool: toolNamed(name, "javascript-library"),
      rule: rule("package", kind, isOwnName || isShared ? "weak" : "strong", PACKAGE),
      excerpt: excerptOf(value),
      version: found.version,
    },
  ];
}

/** `um-jquery-form`, `upme_fitvids`: a copy of a library that an extension has given its own prefix. */
const PREFIXED_FILE = /^[a-z0-9]{2,12}[-_]((?=[a-z0-9._-]{5})[a-z][a-z0-9._-]+)$/;
const MIN_LIBRARY = 5;

/** A library by the name of its file, also where that says for what it is a plug-in: `jquery.parsley`, `cookie.jquery`. */
function libraryNamed(file: string): string | undefined {
  const plain = file.replace(/\.(?:css|js)$/, "");
  const [, bare = ""] = /^jquery[._-](.+)$/.exec(plain) ?? /^(.+)[._-]jquery$/.exec(plain) ?? [];
  const known = LIBRARIES.get(file) ?? LIBRARIES.get(plain) ?? LIBRARIES.get(plain.replace(/^jquery-/, "jquery."));
  const named = known ?? (bare.length >= MIN_LIBRARY && !GENERIC_FILES.has(bare) ? LIBRARIES.get(bare) : undefined);
  if (named !== undefined) return named;
  const translated = plain.replace(OF_LANGUAGE, "");
  return translated !== plain && translated.length >= MIN_LIBRARY && !GENERIC_FILES.has(translated)
    ? libraryNamed(translated)
    : undefined;
}
/** The texts of a library in a language: `jquery.countdown-de`, `globalize.culture.de-at`, `bootstrap-datepicker.fr`. */
const OF_LANGUAGE =
  /[._-](?:(?:culture|lang|locales?|i18n)[._-])?(?:ar|bg|ca|cs|da|de|el|en|es|et|fi|fr|he|hr|hu|it|ja|ko|lt|lv|nb|nl|pl|pt|ro|ru|sk|sl|sr|sv|tr|uk|vi|zh)(?:[_-][a-z]{2})?$/;

/** White space as one space each: expressions that allow it in several places take cubic time on a long run. */
const spacedOnce = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * `Powered by Slider Revolution 6.5.11 - responsive, …`, `Elementor 3.17.2; features: …`, `Site Kit by Google 1.0`. The framework
 * of a theme names itself in the same way in a tag of its own.
 */
const NAMES_SOFTWARE = /^(?:generator|framework): /;
const GENERATOR_NAME =
  /^(?:powered by )?([A-Z][\w!.+&' -]{1,60}?)(?: CMS)?(?: (?:v\.?|ver\.?|version)?:? ?(\d[\w.]{0,20}))?(?: ?[-–;,(|/].*)?$/i;
const MAX_GENERATOR = 300;

function metaHits(signal: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const { value, kind } = signal;
  const [start] = NAMES_SOFTWARE.exec(value) ?? [];
  if (start === undefined) return metaNameHits(value, kind, names);
  const stated = spacedOnce(value.slice(start.length, MAX_GENERATOR));
  const [, written, version] = GENERATOR_NAME.exec(stated) ?? [];
  if (!written) return [];
  // `Redux 4.3.9` is Redux Framework, not Redux, and `Anchor CMS` not Spotify's Anchor.
  const whole = stated.startsWith(`${written} CMS`) ? `${written} CMS` : `${written} Framework`;
  const name = names.exact(compactName(whole)) ? whole : written;
  // A theme of the site's own has a version too.
  const isProduct =
    names.exact(compactName(name)) !== undefined ||
    (version !== undefined &&
      !isOfTheSite(selfNamedSlug(name), signal.location) &&
      !isAfterSite(name, signal.location));
  return [
    {
      tool: toolNamed(name.trim(), "site-generator"),
      rule: rule("generator", kind, isProduct ? "strong" : "weak", GENERATOR),
      excerpt: excerptOf(value),
      version: version ?? null,
    },
  ];
}

/** `Acme Blog 1.0` on `acmeondemand.example`: the site begins with the first word of the name. */
function isAfterSite(name: string, location: string): boolean {
  const [first = ""] = compactName(name.split(" ", 1)[0] ?? "").match(/^.{4,}/) ?? [];
  return first !== "" && compactName(siteOf(location).replace(/^www\./, "")).startsWith(first);
}

/** `parsely-title`, `sailthru.date`, `brightspot.contentId`: the first word of a meta tag's name is a tool's name. */
function metaNameHits(value: string, kind: SignalKind, names: NameIndex): RuleHit[] {
  const [, first = ""] = /^([a-z0-9]{4,30})(?:[-_.:][a-z0-9._:-]{2,60})?: ./i.exec(value) ?? [];
  if (STANDARD_META.has(first.toLowerCase()) || VERIFICATION.test(value) || ABOUT_TOOL.test(value)) return [];
  const tool = names.distinct(first);
  // Themes and extensions are recognised by their platform's directories.
  if (!tool || PLATFORM_CATEGORY.test(tool.category) || LINKED.has(first.toLowerCase())) return [];
  return [{ tool, rule: rule("meta-name", kind, "strong", META_NAME), excerpt: excerptOf(value), version: null }];
}
/** An article about the tool: `harbour-review`. */
const ABOUT_TOOL = /^[a-z0-9]+[-_.:](?:alternatives?|comparison|guide|pricing|reviews?|tips|tutorials?|vs)\b/i;
/** Names that pages give to facts about themselves, whatever made them. */
const STANDARD_META = new Set(
  (
    "abstract article author authors brand category channel city classification contact copyright coverage creator date " +
    "designer distribution editor framework generator geography identifier language locality location organization owner " +
    "pagename pagetype producer provider publisher rating reference region resource robots section site sitename source " +
    "subject template theme topic translator type viewport"
  ).split(" "),
);
const PLATFORM_CATEGORY = /-(?:theme|plugin|module|extension)$/;
const VERIFICATION = /^[^:]*(?:verif|validat|twitter|facebook|google|apple|msapplication)/i;

function codeHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  return namedCode(value, names).map(({ tool, kind: place, at, end }) => ({
    tool,
    rule: place === "off" ? rule(place, kind, "weak", OFF) : rule(place, kind, ...CODE[place]),
    excerpt: excerptOf(value, at - 20, end + 60),
    version: null,
    ...(place === "off" ? { isOff: true } : place !== "identifier" && { isSetUp: true }),
  }));
}

function markHits({ kind, value, location }: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const marks = namedMarks(value, names)
    .filter(({ tool }) => !tool.category.endsWith("-theme"))
    .map(({ tool, kind: place, excerpt }) => ({
      tool,
      rule:
        place === "attribute"
          ? rule("attribute", kind, "strong", ATTRIBUTE)
          : place === "vocabulary"
            ? rule("vocabulary", kind, "strong", VOCABULARY)
            : rule("mark", kind, "weak", MARK),
      excerpt,
      version: null,
    }));
  const handles = namedHandles(value, names).map(({ name, category, strength, handle }) => ({
    tool: toolNamed(name, category),
    rule: rule("handle", kind, strength, HANDLE),
    excerpt: excerptOf(handle),
    version: null,
  }));
  const found = classMarksIn(value, names).filter(
    ({ name, category }) =>
      category !== "wordpress-theme" || !isOfTheSite(name.toLowerCase().replace(/\W+/g, "-"), location),
  );
  const classes = found.map(({ name, category, strength, token }) => ({
    tool: toolNamed(name, category),
    rule: rule("class-mark", kind, strength, CLASS),
    excerpt: excerptOf(token),
    version: null,
  }));
  // Each page is evidence once for each tool, by the best of its marks.
  return [...bestOf([...handles, ...classes]), ...marks];
}

/** One hit for each tool: the first, or the first that is no hint. */
function bestOf(hits: readonly RuleHit[]): RuleHit[] {
  const best = new Map<string, RuleHit>();
  for (const hit of hits) {
    const before = best.get(hit.tool.id);
    if (!before || (before.rule.strength === "weak" && hit.rule.strength !== "weak")) best.set(hit.tool.id, hit);
  }
  return [...best.values()];
}

/** Also in scripts: a block comment, and comments of mark-up that a script writes. */
const CODE_COMMENTS = /(?:\/\*!?|<!--)([^*<>]{6,240}?)(?:\*\/|-->)/g;
const COMMENTS = /<!--([^<>]{5,240}?)-->/g;
/** A sentence that software writes about itself; a name without one of these is a note of the site's own people. */
const BY_SOFTWARE =
  /\s\d{1,3}\.\d{1,4}(?:\.\d{1,5})?(?:\s*$|\srun time:)|wordpress\.org\/(?:extend\/)?plugins\/|\b(?:optimi[sz]ed|powered|generated|cached|created|added|minified|served|built|compressed|delivered)\b|\bplug-?in\b|\bv\d+\.\d|https?:\/\/|^\s*(?:begin|start|end(?: of)?|\/)?\s*[\w .&+-]{3,40}\s(?:code|tag|pixel|snippet|script|widget)s?\s*$|^\s*\/{0,2}\s?(?:beginn?|start|anfang|ende?|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)[\s:=-](?:(?:of|del?|des|da|do|di|du|von|der|the|la|el|le)\s)?[\w .&+-]{3,30}$|^[\w .&+-]{3,40}\s(?:begin|start|anfang|ende?|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)\s*$|^\s*(?:c[óo]digo|codice|kod|код|etiqueta|balise|tag|pixel|script)\s(?:(?:del?|da|do|di|du)\s)?[\w .&+-]{3,40}$|\b(?:optimi[sz]ada?|optimizado|ottimizzat[oa]|optimisée?|optimiert|generad[oa]|gerad[oa]|generat[oa]|générée?|generiert|bereitgestellt)\s(?:con|por|com|da|par|mit|von|durch|per|avec|dal)\s/i;
/** A sentence in which an extension names itself: `This site uses the X plugin v1.2`, `Performance optimized by X`. */
const BY_EXTENSION =
  /[a-z]\s\d{1,3}\.\d{1,4}(?:\.\d{1,5})?(?:\s*$|\srun time:)|wordpress\.org\/(?:extend\/)?plugins\/|\bplug-?in\b|\b(?:optimi[sz]ed|powered|generated|cached|minified|compressed|served|added|created|built|supported)\s(?:by|with|using|from)\b|\bv\d+\.\d|^\s*(?:begin|start)(?: of)?\s[\w .&+-]{3,40}\s(?:code|tag|pixel|snippet|script|widget)s?\s*$/i;
const MAX_COMMENTS = 2_000;

/** Where the tag of a service begins or ends: the comments stay in a page when the tag between them is removed. */
const FRAME =
  /^\s*(?:\/{0,2}\s?(?:begin(?:s|ning|n)?|start(?:s|ing)?|end(?:s|e)?|anfang|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)(?=[\s:=-])|[\w .&+-]{3,40}\s(?:begin(?:s|ning|n)?|start|ende?|anfang|in[ií]cio|inizio|d[ée]but|fin|fine|fim|pocz[ąa]tek|koniec|начало|конец)s?\s*$|[\w .&+-]{3,40}\s(?:code|c[óo]digo|codice|kod|tag|etiqueta|balise|pixel|snippet|script|код)s?\s*$)/i;
/** A note in the place of a tag that is there no more: `Acme tag moved to the footer`, `Acme code removed`. */
const OF_REMOVED =
  /\b(?:moved|removed|deleted|disabled|deactivated|retired|deprecated|obsolete|replaced|commented out|turned off|switched off|no longer|not used|unused)\b/i;
/** A note with advice for people. */
const OF_ADVICE = /^\s*(?:fixme|how to|if you|install|make sure|note|please|remember|see|to[ -]?do|why)\b/i;
/** Words before the name of the software: `This site uses the X`, `Snippet added by X`. */
const LEAD =
  /^.{0,80}?\b(?:uses(?: the)?|(?:optimi[sz]ed|generated|powered|added|created|crafted|built|cached|made|minified|compressed|supported) (?:by|with|using)(?: the)?|managing ads with|begin|start(?: of)?|end(?: of)?)[\s:-]{1,3}/i;
/** `X plugin v1.2`, `X 1.2.3 by …`, `X v1.2 - https://…`: a plug-in that the catalogue may not have. */
const OF_PLUGIN =
  /^\s*([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+()-]{1,30}){0,7}?)(?:\s(?:WordPress\s)?[Pp]lug-?in\b(?:\s[Vv]ersion)?[\s,-]{0,3}v?\.?\s?\d{1,3}\.\d|\s[Vv]?(?:er|ersion)?[.:]?\s?(?:\d{1,3}\.\d[\d./]{0,12}\s{0,2}(?:$|by\s|run time:|[-–|(]|START|BEGIN)|\d{1,4}\s{0,2}[-–|(]\s?https?:))/;
/** `Performance optimized by X. Learn more`: the lead, and what follows it. */
const OF_CACHE = /\b(?:performance optimi[sz]ed|cached|minified|compressed)\b/i;
const CACHE = /^([A-Z][\w'’&+-]{1,30}(?:\s[A-Z][\w'’&+-]{1,30}){0,5})(?:\s[Pp]lugin)?(?:\.|\s[-–@]|$)/;
/** A licence and an author are no proof of use. */
const OF_LICENCE = /@author|\blicen[cs]ed?\b/i;
/** What people and other software number too. */
const NO_PLUGIN =
  /^(?:(?:ad|article|block|bootstrap|build|chrome|column|copyright|css|end|file|font|footer|form|generator|google|header|html|ie|image|internet|item|jquery|js|last|layout|line|menu|mobile|module|navigation|new|notice|page|part|post|powered|release|revision|row|script|section|sidebar|slide|step|style|svg|table|template|test|theme|update|version|web|widget|windows|wordpress|xhtml)\b|.*\btheme$)/i;

/** Where a tag begins, before its name. */
const OPENING =
  /^\s*(?:(?:begin(?:s|ning|n)?|start(?:s|ing)?|anfang|in[ií]cio|inizio|d[ée]but|pocz[ąa]tek|начало)[\s:=-]{1,3}(?:of\s|del?\s|von\s)?)?/i;
const CLOSES = /\b(?:ends?|ende|fin|fine|fim|koniec)\b|конец/i;
const TAG = /\s{0,20}<(?:script|noscript|iframe)\b/iy;

/** Whether a comment is directly before a script or frame: the tag that it announces is still there. */
function opensTag(comment: string, text: string, end: number): boolean {
  TAG.lastIndex = end;
  if (!TAG.test(text) || CLOSES.test(comment)) return false;
  // "call Acme after consent" is a note.
  return /^[A-Z\d]/.test(comment.replace(OPENING, ""));
}

function commentHits({ kind, value }: Signal, names: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
  if (!value.includes("<!--") && (kind !== "html.inline" || !value.includes("/*"))) return NOTHING;
  const hits: RuleHit[] = [];
  const isOfWordPress = kind === "html.markup" && value.includes("wp-content");
  const isOfShopify = kind === "html.markup" && value.includes("shopify://apps/");
  let read = 0;
  for (const { 0: whole, 1: written = "", index } of value.matchAll(
    kind === "html.inline" ? CODE_COMMENTS : COMMENTS,
  )) {
    if (++read > MAX_COMMENTS) break;
    const comment = spacedOnce(written);
    const app = isOfShopify ? shopifyAppIn(comment, names) : undefined;
    if (app !== undefined) {
      const tool = names.exact(compactName(app.name)) ?? toolNamed(app.name, app.category);
      const block = rule("app-block", kind, "strong", APP_BLOCK);
      hits.push({ tool, rule: block, excerpt: excerptOf(comment.trim()), version: null });
      continue;
    }
    const isFrame = FRAME.test(comment);
    const isOpening = isFrame && opensTag(comment, value, index + whole.length);
    const mark = kind === "html.markup" ? commentMarkIn(comment) : undefined;
    if (mark !== undefined) {
      const tool = toolNamed(mark.name, mark.category);
      const isHint = (!PLATFORM_CATEGORY.test(mark.category) && isFrame && !isOpening) || OF_REMOVED.test(comment);
      const signed = rule("signed-comment", kind, isHint ? "weak" : "strong", SIGNED);
      hits.push({ tool, rule: signed, excerpt: excerptOf(comment.trim()), version: null });
      continue;
    }
    if (!BY_SOFTWARE.test(comment) || OF_LICENCE.test(comment) || OF_ADVICE.test(comment)) continue;
    const plugin = isOfWordPress ? pluginIn(comment, names) : undefined;
    const isSure = plugin !== undefined || isOpening || (BY_EXTENSION.test(comment) && !isFrame);
    const signing = rule("comment", kind, isSure && !OF_REMOVED.test(comment) ? "strong" : "weak", COMMENT);
    for (const tool of plugin ? [toolNamed(plugin, "wordpress-plugin")] : namesWithin(comment, names))
      hits.push({ tool, rule: signing, excerpt: excerptOf(comment.trim()), version: null });
  }
  return bestOf(hits);
}

/** The page of a plug-in in the directory of WordPress. */
const DIRECTORY = /\bwordpress\.org\/(?:extend\/)?plugins\/([a-z0-9][a-z0-9-]{2,79})\b/i;
/** `X plugin` at the end of a comment or before an address: `/ Cookie Notice plugin`. */
const CALLED_PLUGIN =
  /^(?:the\s)?([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+()-]{1,30}){0,6}?)\s[Pp]lug-?in(?:\s?[-.:|]?\s?https?:|[.!]?\s*$)/;
/** `X for WordPress: https://…/wordpress-plugins/x` */
const LINKED_PLUGIN =
  /^([A-Z][\w'’&+.-]{1,30}(?:\s[\w'’&+.-]{1,30}){0,6}?)\s?[-:|]\s?(?:URL:\s?)?https?:\/\/\S{0,80}plug-?ins?\b/i;

/** The plug-in that a comment of a page of WordPress names as its author. */
function pluginIn(comment: string, names: NameIndex): string | undefined {
  const slug = DIRECTORY.exec(comment)?.[1]?.toLowerCase();
  if (slug !== undefined) return WORDPRESS_PLUGINS.get(slug) ?? readableSlug(slug);
  const text = comment.trim().replace(/^[/*\s-]{1,6}/, "");
  // `Start of script generated by X`: one lead may follow another.
  const [first = ""] = LEAD.exec(text) ?? [];
  const lead = first + (LEAD.exec(text.slice(first.length))?.[0] ?? "");
  const rest = text.slice(lead.length);
  const written =
    OF_PLUGIN.exec(rest)?.[1] ??
    CALLED_PLUGIN.exec(rest)?.[1] ??
    LINKED_PLUGIN.exec(rest)?.[1] ??
    (OF_CACHE.test(lead) ? CACHE.exec(rest)?.[1] : undefined);
  const name = written
    ?.replace(/^.*\sby\s/, "")
    .replace(/^the\s/i, "")
    .replace(/\s(?:for WordPress|(?:WordPress )?plugin|WordPress)$/i, "")
    .replace(/[\s-]+$/, "");
  if (name === undefined || name.length < 4 || NO_PLUGIN.test(name)) return undefined;
  // Tags of services have versions too; they are found by their names.
  const isPlugin = /plug-?in|wordpress|\sby\s/i.test(comment) || names.exact(compactName(name)) !== undefined;
  return isPlugin || namesWithin(name, names).length === 0 ? name : undefined;
}

/** After the name of a network: its own code. */
const OF_TAG = /\b(?:code|pixel|tag|snippet|sdk|script|api|tracking|conversion|universal|insight|connect)\b/i;

/** The longest capitalised tool names of one to five words in a text. */
function namesWithin(text: string, names: NameIndex): Fingerprint[] {
  const words = text
    .split(/[\s,;()"']+/)
    .filter(Boolean)
    .slice(0, 40);
  const found: Fingerprint[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = Math.min(5, words.length - at); length > 0; length--) {
      const written = words
        .slice(at, at + length)
        .join(" ")
        .replace(/[^A-Za-z0-9]+$/, "");
      const name = compactName(written);
      const tool = names.distinct(name);
      // Cards, buttons and feeds of a network have its name, also those of a plug-in.
      if (LINKED.has(name) && !OF_TAG.test(words.slice(at + length, at + length + 3).join(" "))) continue;
      // A name in small letters is a word, unless the vendor writes it so: "emetriq".
      if (!/[A-Z]/.test(written) && written !== tool?.name) continue;
      // "Consent Manager" is none of consentmanager.
      if (!tool || !names.isWrittenSo(name, wordEnds(written)[0], 0)) continue;
      found.push(tool);
      at += length - 1;
      break;
    }
  }
  return found;
}

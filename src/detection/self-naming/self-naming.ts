import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Rule, Strength } from "../fingerprints/types.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { EXTENSION_KINDS, extensionsIn } from "./extensions.ts";
import { namedSettings } from "./identifiers.ts";
import { LIBRARIES } from "./library-files.ts";
import { PACKAGE_KINDS, packageIn } from "./packages.ts";
import { compactName, type ToolsByName, toolsByName } from "./tool-names.ts";

/**
 * Detects tools that name themselves, by the structure of what a page shows: extension directories of platforms, packages
 * of content delivery networks, generators, comments of plug-ins. One mechanism over the names of the catalogue in place of
 * a rule for each of thousands of tools; a name that is not in the catalogue becomes a tool in a category of extensions.
 */
export function createSelfNaming(tools: readonly Fingerprint[]): (signal: Signal) => RuleHit[] {
  let names: ToolsByName | undefined;
  const byName = () => (names ??= toolsByName(tools));
  const made = new Map<string, Fingerprint>();
  const toolNamed = (name: string, category: string): Fingerprint => {
    const known = byName().get(compactName(name));
    if (known) return known;
    const id = `${category}.${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
    const existing = made.get(id);
    if (existing) return existing;
    // Pages choose these names, so their number is limited; evidence of one scan needs one object for each tool.
    if (made.size >= MAX_MADE) made.clear();
    const tool: Fingerprint = { id, name, vendor: name, website: "", category, rules: [] };
    made.set(id, tool);
    return tool;
  };

  return (signal) => [
    ...(EXTENSION_KINDS.has(signal.kind) ? extensionHits(signal, toolNamed) : []),
    ...(PACKAGE_KINDS.has(signal.kind) ? packageHits(signal, toolNamed) : []),
    ...(signal.kind === "html.meta" ? generatorHits(signal, byName(), toolNamed) : []),
    ...(signal.kind === "html.markup" ? commentHits(signal, byName()) : []),
    ...(signal.kind === "html.inline" ? settingHits(signal, byName()) : []),
  ];
}

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

const MAX_MADE = 20_000;

type ToolNamed = (name: string, category: string) => Fingerprint;

const rules = new Map<string, Rule>();

/** One object for each rule: evidence is merged by the identity of its rule. There are a few dozen. */
function rule(id: string, see: SignalKind, strength: Strength, why: string): Rule {
  const key = `${id} ${see} ${strength}`;
  const made = rules.get(key) ?? { id, see, match: {}, strength, means: "runs", why, hit: "", miss: "" };
  rules.set(key, made);
  return made;
}

const EXTENSION = "files are served from the extension's own directory";
const PACKAGE = "the page loads the package";
const GENERATOR = "the generator tag names it";
const META_NAME = "the name of a meta tag begins with its name";
const COMMENT = "a comment that it writes into the page names it";

function extensionHits({ kind, value, location }: Signal, toolNamed: ToolNamed): RuleHit[] {
  const extensions = extensionsIn(value);
  // Most addresses hold none: only the others are worth parsing.
  if (extensions.length === 0 || (/^https?:/.test(value) && !isServedForSite(value, location))) return [];
  return extensions
    .filter(
      ({ slug, at }) =>
        !isOfTheSite(slug, location) && (kind.startsWith("html.path") || isOwnAddress(value, at, location)),
    )
    .map(({ type, name, at, length }) => ({
      tool: toolNamed(name, type),
      rule: rule(type, kind, kind === "html.inline" ? "weak" : "strong", EXTENSION),
      excerpt: value.slice(Math.max(0, at - 40), at + length + 60).slice(0, 300),
      version: /[?&]ver=(\d[\w.]{0,20})/.exec(value.slice(at, at + 300))?.[1] ?? null,
    }));
}

/** Child themes and extensions named after the site are private code, not products. */
function isOfTheSite(slug: string, location: string): boolean {
  const label = (URL.parse(location)?.hostname ?? "").replace(/^www\./, "").split(".")[0] ?? "";
  const name = slug.replace(/[^a-z0-9]/g, "");
  if (slug.endsWith("-child")) return true;
  return label.length >= 4 && (name.includes(label) || (name.length >= 4 && label.startsWith(name)));
}

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
  const host = URL.parse(url)?.hostname ?? "";
  const own = URL.parse(location)?.hostname.replace(/^www\./, "") ?? "";
  const label = own.split(".")[0] ?? "";
  if (own === "") return false;
  if (host === own || host.endsWith(`.${own}`) || SITE_CDN.test(host)) return true;
  // `cdn.acme.net`, `acme-static.com`: the site's label is a whole part of the host.
  return label.length >= 4 && host.split(/[.-]/).includes(label);
}

/** File names that sites also use for private files: these count only with a version or when minified. */
const GENERIC_FILES = new Set([
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
]);

function packageHits({ kind, value }: Signal, toolNamed: ToolNamed): RuleHit[] {
  const found = packageIn(value);
  if (!found) return [];
  if (GENERIC_FILES.has(found.name) && !found.isPackage && found.version === null && !/[.-]min\./.test(value))
    return [];
  const library = LIBRARIES[found.name] ?? LIBRARIES[found.name.replace(/\.js$/, "")];
  if (!library && !found.isPackage) return [];
  const name = library ?? found.name;
  return [
    {
      tool: toolNamed(name, "javascript-library"),
      rule: rule("package", kind, "strong", PACKAGE),
      excerpt: value.slice(0, 300),
      version: found.version,
    },
  ];
}

/** `Powered by Slider Revolution 6.5.11 - responsive, …`, `Elementor 3.17.2; features: …`, `Site Kit by Google 1.0`. */
const GENERATOR_NAME =
  /^(?:powered by\s+)?([A-Z][\w!.+&' -]{1,60}?)(?:\s+CMS)?(?:\s+(?:v\.?|ver\.?|version)?:?\s*(\d[\w.]{0,20}))?(?:\s*[-–;,(|].*)?$/i;

function generatorHits({ kind, value }: Signal, byName: ToolsByName, toolNamed: ToolNamed): RuleHit[] {
  if (!value.startsWith("generator: ")) return metaNameHits(value, kind, byName);
  const [, name, version] = GENERATOR_NAME.exec(value.slice("generator: ".length).trim()) ?? [];
  if (!name) return [];
  return [
    {
      tool: toolNamed(name.trim(), "site-generator"),
      rule: rule("generator", kind, byName.has(compactName(name)) ? "strong" : "weak", GENERATOR),
      excerpt: value.slice(0, 300),
      version: version ?? null,
    },
  ];
}

/** `parsely-title`, `sailthru.date`, `brightspot.contentId`: the first word of a meta tag's name is a tool's name. */
function metaNameHits(value: string, kind: SignalKind, byName: ToolsByName): RuleHit[] {
  const [, first = ""] = /^([a-z0-9]{5,30})[-_.:][a-z0-9._:-]{2,60}: ./i.exec(value) ?? [];
  const tool = byName.get(first);
  if (!tool || VERIFICATION.test(value)) return [];
  return [{ tool, rule: rule("meta-name", kind, "strong", META_NAME), excerpt: value.slice(0, 300), version: null }];
}
const VERIFICATION = /^[^:]*(?:verif|validat|twitter|facebook|google|apple|msapplication)/i;

const SETTING = "a setting of the page is named after it";

function settingHits({ kind, value }: Signal, byName: ToolsByName): RuleHit[] {
  return namedSettings(value, byName).map(({ tool, hasCredential, at, length }) => ({
    tool,
    rule: rule(hasCredential ? "credential" : "setting", kind, hasCredential ? "strong" : "weak", SETTING),
    excerpt: value.slice(Math.max(0, at - 20), at + length + 40).slice(0, 300),
    version: null,
  }));
}

const COMMENTS = /<!--([^<>]{6,240}?)-->/g;
/** A sentence that software writes about itself; a name without one of these is a note of the site's own people. */
const BY_SOFTWARE =
  /\b(?:optimi[sz]ed|powered|generated|cached|created|added|minified|served|built|compressed|delivered)\b|\bplug-?in\b|\bv\d+\.\d|https?:\/\/|^\s*(?:begin|start|end(?: of)?|\/)?\s*[\w .&+-]{3,40}\s(?:code|tag|pixel|snippet|script|widget)s?\s*$/i;
const MAX_COMMENTS = 500;

function commentHits({ kind, value }: Signal, byName: ToolsByName): RuleHit[] {
  const hits = new Map<string, RuleHit>();
  let read = 0;
  for (const [, comment = ""] of value.matchAll(COMMENTS)) {
    if (++read > MAX_COMMENTS) break;
    if (!BY_SOFTWARE.test(comment)) continue;
    for (const tool of namesWithin(comment, byName)) {
      if (!hits.has(tool.id))
        hits.set(tool.id, {
          tool,
          rule: rule("comment", kind, "weak", COMMENT),
          excerpt: comment.trim(),
          version: null,
        });
    }
  }
  return [...hits.values()];
}

/** The longest capitalised tool names of one to five words in a text. */
function namesWithin(text: string, byName: ToolsByName): Fingerprint[] {
  const words = text
    .split(/[\s,;()"']+/)
    .filter(Boolean)
    .slice(0, 40);
  const found: Fingerprint[] = [];
  for (let at = 0; at < words.length; at++) {
    for (let length = Math.min(5, words.length - at); length > 0; length--) {
      const written = words.slice(at, at + length).join(" ");
      if (!/[A-Z]/.test(written)) continue;
      const tool = byName.get(compactName(written));
      if (!tool) continue;
      found.push(tool);
      at += length - 1;
      break;
    }
  }
  return found;
}

import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Strength } from "../fingerprints/types.ts";
import type { Signal } from "../signals.ts";
import { readableSlug } from "./extension-names.ts";
import { extensionsIn } from "./extensions.ts";
import { GENERIC_FILES, libraryNamed, originalName } from "./library-names.ts";
import { NOTHING } from "./mechanism.ts";
import { compactName, LINKED, type NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { isOfTheSite, isServedForSite } from "./own-site.ts";
import { jqueryPlugin, packageIn, toolFileIn, type WebPackage } from "./packages.ts";
import type { ToolNamed } from "./tool-naming.ts";

/** A directory of the site's scripts or styles that is named after a tool: `/vendor/flowplayer/skin.js`. */
export function directoryHits({ kind, value, location }: Signal, names: NameIndex): readonly RuleHit[] {
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

const PACKAGE = "the page loads the package";
const FILE = "a file of the site is named after it";

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

/**
 * `https://start.vendor.example/v4/bootstrap.min.js`: the first script of another vendor's service, directly in the directory of
 * its version. It starts the service, and is not Bootstrap. The rules of `bootstrap.yaml` do not match such addresses on any host,
 * because a rule does not know the site.
 */
const isFirstScript = (address: string, location: string) =>
  /^https?:\/\/[^/]{1,80}\/v\d{1,2}\/bootstrap(?:\.min)?\.js(?:[?#]|$)/i.test(address) &&
  !isServedForSite(address, location);

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

/** Packages of a package network, and libraries and tools that a file is named after. */
export function packageHits(signal: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const { kind, value, location } = signal;
  const found = packageIn(value);
  // In code, only a package network and the name of a known plug-in of jQuery say that an address is a library.
  if (!found || (kind === "html.inline-url" && !found.isPackage && !isKnownPlugin(found.name))) return [];
  // The parts of jQuery UI and the chunks of a bundler have names of their own.
  if (!found.isPackage && (isPartOfUi(found.name, value) || isComponent(value) || isFirstScript(value, location)))
    return [];
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
    (SHARED_FILES.has(originalName(found.name)) && !found.isPackage && !OF_LIBRARY.test(value)) ||
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

const isKnownPlugin = (file: string): boolean => /^jquery[._-]/.test(file) && libraryNamed(file) !== undefined;

/** `um-jquery-form`, `upme_fitvids`: a copy of a library that an extension has given its own prefix. */
const PREFIXED_FILE = /^[a-z0-9]{2,12}[-_]((?=[a-z0-9._-]{5})[a-z][a-z0-9._-]+)$/;

import type { Fingerprint } from "../fingerprints/types.ts";
import type { SignalKind } from "../signals.ts";
import { readableSlug } from "./extension-names.ts";
import { LIBRARIES } from "./library-files.ts";
import { compactName, type NameIndex } from "./names.ts";

/** A package of a public content delivery network for JavaScript, or a library's file by its name. */
export interface WebPackage {
  /** As the network or the file spells it, with its scope only where it distinguishes packages: `swiper`, `@vendor/chat`. */
  readonly name: string;
  readonly version: string | null;
  /** Whether a package network served it: then the name is the package's, else it is a file's name and may be anybody's. */
  readonly isPackage: boolean;
}

export const PACKAGE_KINDS: ReadonlySet<SignalKind> = new Set([
  "html.script",
  "html.link",
  "html.path",
  "html.hint",
  "html.inline-url",
]);

const VERSION = String.raw`v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-[a-z0-9.]{1,20})?)`;
const NAME = "((?:@[a-z0-9-]{1,60}/)?[a-z0-9][a-z0-9._-]{0,79})";

/** Package networks: the path of each holds the package's name, and mostly its version. */
const NETWORKS: readonly RegExp[] = [
  new RegExp(`^https?://cdn\\.jsdelivr\\.net/npm/${NAME}(?:@${VERSION})?`, "i"),
  new RegExp(`^https?://cdn\\.jsdelivr\\.net/gh/[a-z0-9_-]{1,60}/${NAME}(?:@${VERSION})?`, "i"),
  // The first form of its addresses.
  new RegExp(`^https?://cdn\\.jsdelivr\\.net/(?!(?:npm|gh|wp|g|combine|sm|emojione)/)${NAME}/${VERSION}/`, "i"),
  new RegExp(`^https?://unpkg\\.com/${NAME}(?:@${VERSION})?`, "i"),
  new RegExp(`^https?://(?:esm\\.sh|cdn\\.skypack\\.dev|ga\\.jspm\\.io/npm:)/?${NAME}(?:@${VERSION})?`, "i"),
  new RegExp(`^https?://cdnjs\\.cloudflare\\.com/ajax/libs/${NAME}/${VERSION}?`, "i"),
  new RegExp(`^https?://ajax\\.(?:googleapis|aspnetcdn)\\.com/ajax/(?:libs/)?${NAME}/${VERSION}?`, "i"),
  new RegExp(
    `^https?://(?:lib|cdn)\\.(?:baomitu|bootcdn|staticfile)\\.(?:com|net|org)/(?:ajax/libs/)?${NAME}/${VERSION}?`,
    "i",
  ),
  new RegExp(`^https?://(?:cdn\\.)?bootcdn\\.net/ajax/libs/${NAME}/${VERSION}?`, "i"),
  new RegExp(
    `^https?://(?:yastatic\\.net|maxcdn\\.bootstrapcdn\\.com|stackpath\\.bootstrapcdn\\.com)/${NAME}/${VERSION}`,
    "i",
  ),
];

/** Every address on one of them: most addresses are on none. */
const NETWORK =
  /^https?:\/\/(?:cdn\.jsdelivr|unpkg|esm\.sh|cdn\.skypack|ga\.jspm|cdnjs|ajax\.|lib\.|cdn\.|bootcdn|yastatic|maxcdn|stackpath)/i;

/** A file's name, the last part of a path: `jquery.lazyload-1.9.3.min.js`, also compressed. */
const FILE = /^([a-z0-9][\w.@+-]{1,120}?)\.(?:m?js|css)(?:\.gz(?:ip)?)?$/i;
const MAX_FILE = 160;
/** In the query: `?ver=5.3`, `&v=1.2`. */
const IN_QUERY = new RegExp(`[?&](?:ver|v|version)=${VERSION}`, "i");
/** The endings of a file's name: a version, what was done to the file, a hash, a time. */
const ENDING = new RegExp(
  `[-._@](?:(?:ver|version|v)?[-._]?${VERSION}|${[
    "(?:ver|version)[-._]?\\d{1,13}",
    "\\d{8,13}",
    "(?=[0-9a-f]*\\d)[0-9a-f]{7,64}",
    "min|minified|pack|packed|slim|bundle|umd|esm|cjs|iife|runtime|prod|production|all|full|compressed|pkgd|standalone|dist|gz",
  ].join("|")})$`,
  "i",
);
const MAX_ENDINGS = 6;
/** A version directly after the name: `slimbox1_8`. */
const JOINED = /(?<=[a-z]{4})\d{1,2}(?:_\d{1,2}){1,2}$/;

/** A copy of a package on a host of the site, as package networks name it: `/vendor/core-js@3.6.5/es.array.js`. */
const MIRROR = new RegExp(`/${NAME}@(?:${VERSION}|\\d{1,3})/`, "i");
/** What build tools write before a file's name, and before its first dot: `fb79b34b9717ca5f-utils`, `chosen-37d25c1810.jquery`. */
const HASHED = /^(?=[0-9a-f]{0,11}\d)[0-9a-f]{12,40}[-.](?=[a-z])|-(?=[0-9a-f]*\d)[0-9a-f]{8,20}(?=\.[a-z])/i;

/**
 * The hash that Rollup and Vite write after a name: `react.BpKPsBQp.mjs`, `vue-B3x_9QaZ.js`. It has both cases and a digit, `_` or two
 * capitals in a row, which a word has not: `jquery.scrollTo.js`.
 */
const CHUNK_HASH = /[-.](?=\w{0,7}[a-z])(?=\w{0,7}[A-Z])(?=\w{0,7}[\d_]|\w{0,6}[A-Z]{2})\w{8}(?=\.m?js$)/;

/** Directories of package managers: `/bower_components/swiper/`, `/node_modules/@scope/name/`. */
const MANAGED = new RegExp(`/(?:bower_components|node_modules|jspm_packages)/${NAME}/`, "i");

/**
 * The package that an address names: on a package network or in the directory of a package manager by their rules,
 * elsewhere by the file's name.
 *
 * @param address an absolute URL, or a path from its first `/`
 */
export function packageIn(address: string): WebPackage | undefined {
  // Half of the addresses are paths.
  if (!address.startsWith("/") && NETWORK.test(address))
    for (const network of NETWORKS) {
      const match = network.exec(address);
      if (match) return { name: unscoped(match[1] ?? ""), version: match[2] ?? null, isPackage: true };
    }
  const managed = address.includes("_") ? MANAGED.exec(address) : null;
  if (managed) return { name: unscoped(managed[1] ?? ""), version: null, isPackage: true };
  const mirrored = address.includes("@") ? MIRROR.exec(address) : null;
  if (mirrored && (mirrored[2] !== undefined || LIBRARIES.has(unscoped(mirrored[1] ?? ""))))
    return { name: unscoped(mirrored[1] ?? ""), version: mirrored[2] ?? null, isPackage: true };
  const path = address.split(/[?#&]|@ver=/, 1)[0]!;
  const slash = path.lastIndexOf("/");
  const file =
    slash < 0 || path.length - slash > MAX_FILE
      ? undefined
      : FILE.exec(path.slice(slash + 1).replace(CHUNK_HASH, ""))?.[1]
          ?.toLowerCase()
          .replace(HASHED, "");
  if (file === undefined || !/^[a-z]|^960|^\d{3}px/.test(file)) return undefined;
  let name = file;
  let version: string | null = null;
  let known = [name, name.replace(JOINED, "")].find((each) => LIBRARIES.has(each));
  for (let endings = 0; endings < MAX_ENDINGS; endings++) {
    const [ending, found] = ENDING.exec(name) ?? [];
    if (ending === undefined || ending.length >= name.length) break;
    name = name.slice(0, -ending.length);
    version = found ?? version;
    // The longest name that a library is known by: `swiper-bundle` and not `swiper`.
    if (known === undefined && LIBRARIES.has(name)) known = name;
  }
  return { name: known ?? name, version: version ?? IN_QUERY.exec(address)?.[1] ?? null, isPackage: false };
}

/** Plug-ins of jQuery are published as `jquery.NAME.js`: `jquery.tree-multiselect` → `jQuery Tree Multiselect`. */
export function jqueryPlugin(file: string): string | undefined {
  if (!file.startsWith("jquery.")) return undefined;
  const [, name = ""] = /^jquery\.((?:[a-z][a-z0-9]{2,20})(?:-[a-z0-9]{2,20}){0,3})$/.exec(file) ?? [];
  return name === "" || NO_PLUGIN.test(name) ? undefined : `jQuery ${readableSlug(name)}`;
}
/** Files that sites name so: their own code, and jQuery itself. */
const NO_PLUGIN =
  /^(?:all|app|base|bundle|combined|common|compat|compressed|core|custom|dev|ext(?:end(?:ed)?|ensions?)?|fn|func(?:tions?)?|general|global|head|helpers?|init|latest|lib(?:s|rary)?|main|min(?:imal|ified)?|misc|noconflict|own|pack(?:ed)?|page|plugins?|prod|scripts?|settings?|setup|site|slim|src|start|theme|tools?|utils?|vendor|\d.*)(?:-|$)/;

/**
 * The name that people use: `@popperjs/core` is Popper and `@hotwired/turbo` Turbo. Two vendors may have packages of one name, so
 * the scope of an unknown one stays.
 */
function unscoped(written: string): string {
  const name = written.toLowerCase();
  const renamed = RENAMED.get(name);
  if (renamed !== undefined) return renamed;
  const [, scope, bare] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  if (scope === undefined || bare === undefined || LIBRARIES.has(name)) return name;
  if (/^(?:core|ui|browser|web|js)$/.test(bare)) return scope;
  return LIBRARIES.has(bare) ? bare : LIBRARIES.has(scope) ? scope : name;
}

/** Packages that moved, by their former names, which are those of other products too. */
const RENAMED: ReadonlyMap<string, string> = new Map([["primer", "@primer/css"]]);

/** What a file's name has after the tool's: `hotjar-loader.js`, `prebid-config`, `didomi.init`. */
const FILE_ROLE =
  /[._-]?(?:sdk|loader|load|init|config|tag|tags|tracking|tracker|analytics|script|widget|embed|client|bundle|pixel|api|core|lite|consent|player|ads|adapter|plugin|integration|async|latest|v\d{1,2}|\d{1,4})$/;

/**
 * The tool that a file is named after: `/js/prebid-config.js`, `/assets/hotjar.js`. Not for style sheets, by which sites
 * style what another tool shows.
 *
 * @param name of the file, without its version, in lower case
 */
export function toolFileIn(name: string, address: string, names: NameIndex): Fingerprint | undefined {
  if (/\.css(?:[?#]|$)/i.test(address)) return undefined;
  for (let rest = name; rest.length >= 4; ) {
    const tool = names.distinct(compactName(rest));
    if (tool) return tool.category === "social" ? undefined : tool;
    const shorter = rest.replace(FILE_ROLE, "");
    if (shorter === rest) return undefined;
    rest = shorter;
  }
  return undefined;
}

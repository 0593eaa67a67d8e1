import type { Fingerprint } from "../fingerprints/types.ts";
import type { SignalKind } from "../signals.ts";
import { readableSlug } from "./extension-names.ts";
import { compactName, type NameIndex } from "./names.ts";

/** A package of a public content delivery network for JavaScript, or a library's file by its name. */
export interface WebPackage {
  /** As the network or the file spells it, without scope: `swiper`, `jquery.lazyload`. */
  readonly name: string;
  readonly version: string | null;
  /** Whether a package network served it: then the name is the package's, else it is a file's name and may be anybody's. */
  readonly isPackage: boolean;
}

export const PACKAGE_KINDS: ReadonlySet<SignalKind> = new Set(["html.script", "html.link", "html.path", "html.hint"]);

const VERSION = String.raw`v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-[a-z0-9.]{1,20})?)`;
const NAME = "((?:@[a-z0-9-]{1,60}/)?[a-z0-9][a-z0-9._-]{0,79})";

/** Package networks: the path of each holds the package's name, and mostly its version. */
const NETWORKS: readonly RegExp[] = [
  new RegExp(`^https?://cdn\\.jsdelivr\\.net/npm/${NAME}(?:@${VERSION})?`, "i"),
  new RegExp(`^https?://cdn\\.jsdelivr\\.net/gh/[a-z0-9_-]{1,60}/${NAME}(?:@${VERSION})?`, "i"),
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

/** `jquery.lazyload-1.9.3.min.js`, `swiper.min.css?ver=5.3`: name, version in the name, version in the query. */
const FILE = new RegExp(
  `/([a-z][a-z0-9]{1,40}(?:[._-][a-z0-9]{1,30}){0,4}?)(?:[-._]${VERSION})?(?:[._-](?:min|pack|packed|slim|bundle|umd|prod|production|all|full|compressed))*\\.(?:js|css)(?:[?&](?:[^#]{0,200}&)?(?:ver|v|version)=${VERSION})?`,
  "i",
);

/** What a build tool adds to a name. */
const HASH = /[._-](?=[0-9a-f]*\d)[0-9a-f]{7,32}$/;

/** Directories of package managers: `/bower_components/swiper/`, `/node_modules/@scope/name/`. */
const MANAGED = new RegExp(`/(?:bower_components|node_modules|jspm_packages)/${NAME}/`, "i");

/**
 * The package that an address names: on a package network or in the directory of a package manager by their rules,
 * elsewhere by the file's name.
 *
 * @param address an absolute URL, or a path from its first `/`
 */
export function packageIn(address: string): WebPackage | undefined {
  for (const network of NETWORKS) {
    const match = network.exec(address);
    if (match) return { name: unscoped(match[1] ?? ""), version: match[2] ?? null, isPackage: true };
  }
  const managed = MANAGED.exec(address);
  if (managed) return { name: unscoped(managed[1] ?? ""), version: null, isPackage: true };
  const file = FILE.exec(address.split("?", 1)[0]!.slice(0, 1_000) + (/\?.{0,200}/.exec(address)?.[0] ?? ""));
  return file
    ? { name: file[1]!.toLowerCase().replace(HASH, ""), version: file[2] ?? file[3] ?? null, isPackage: false }
    : undefined;
}

/** Plug-ins of jQuery are published as `jquery.NAME.js`: `jquery.tree-multiselect` → `jQuery Tree Multiselect`. */
export function jqueryPlugin(file: string): string | undefined {
  const [, name = ""] = /^jquery\.((?:[a-z][a-z0-9]{2,20})(?:-[a-z0-9]{2,20}){0,3})$/.exec(file) ?? [];
  return name === "" || NO_PLUGIN.test(name) ? undefined : `jQuery ${readableSlug(name)}`;
}
/** Files that sites name so: their own code, and jQuery itself. */
const NO_PLUGIN =
  /^(?:all|app|base|bundle|combined|common|compat|compressed|core|custom|dev|ext(?:end(?:ed)?|ensions?)?|fn|func(?:tions?)?|general|global|head|helpers?|init|latest|lib(?:s|rary)?|main|min(?:imal|ified)?|misc|noconflict|own|pack(?:ed)?|page|plugins?|prod|scripts?|settings?|setup|site|slim|src|start|theme|tools?|utils?|vendor|\d.*)(?:-|$)/;

/** `@fancyapps/ui` → `fancyapps ui` is no name that people use: the scope is dropped unless it says all. */
const unscoped = (name: string) =>
  name
    .toLowerCase()
    .replace(/^@([^/]+)\/(?:core|ui|browser|web|js)$/, "$1")
    .replace(/^@[^/]+\//, "");

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

import { type Excerpt, excerptOf } from "../excerpt.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import { WORDPRESS_HANDLES, WORDPRESS_PLUGINS } from "./extension-names.ts";
import { LIBRARIES } from "./library-files.ts";
import { identifierAround, scanNames } from "./name-scan.ts";
import { compactName, isOfConsent, LINKED, type NameIndex, OF_CONSENT } from "./names.ts";

/** A class, an id or a data attribute that is named after a tool, best kind first. */
export interface NamedMark {
  readonly tool: Fingerprint;
  /**
   * - `attribute` a data attribute that begins with the name: only the tool's own script reads it
   * - `vocabulary` several different classes and ids begin with the name: the mark-up that the tool prints
   * - `mark`      a class or an id of which the name is a word: the site may have styled an icon or a link
   */
  readonly kind: "attribute" | "vocabulary" | "mark";
  readonly excerpt: Excerpt;
}

/** Classes that WordPress and icon fonts make of tags, categories and icons. */
const OF_CONTENT =
  /^(?:#?menu-|tag-|category-|cat-|term-|topic-|post-|page-|author-|fa-|fab-|icon-|td-icon-|dashicons-|genericon-|socicon-|sprite-)/i;

/** Networks, which icons are named after, and tools that write nothing into a page. */
const UNMARKED = new Set(["social", "developer-tools", "web-server", "programming-language", "hosting"]);

/** So many classes and ids that begin with a name are mark-up of the tool, and not a site's own style for one link. */
const VOCABULARY = 3;
const MIN_VOCABULARY_NAME = 6;
/** What numbers the same mark: `#mailerlite_widget-4`. */
const NUMBERED = /[\d_-]+$/;

/** @param text class names, ids after `#`, and names of data attributes, separated by white space */
export function namedMarks(text: string, names: NameIndex): NamedMark[] {
  const best = new Map<Fingerprint, NamedMark>();
  const beginnings = new Map<Fingerprint, Set<string>>();
  scanNames(text, names, ({ tool, name, isDistinct, at, end }) => {
    if (!isDistinct || UNMARKED.has(tool.category) || LINKED.has(name)) return false;
    const { from, to } = identifierAround(text, at, end);
    if (OF_CONTENT.test(text.slice(from, from + 12))) return true;
    if (!isOfConsent(tool) && OF_CONSENT.test(text.slice(from, to))) return true;
    const isAttribute = at === from + 5 && text.startsWith("data-", from) && text[from - 1] !== "#";
    const kind = isAttribute ? "attribute" : "mark";
    const before = best.get(tool);
    if (!before || (isAttribute && before.kind === "mark"))
      best.set(tool, { tool, kind, excerpt: excerptOf(text, from, Math.min(to, from + 100)) });
    if (
      at === from &&
      /[_-]/.test(text[end] ?? "") &&
      name.length >= MIN_VOCABULARY_NAME &&
      name === compactName(tool.name)
    ) {
      const seen = beginnings.get(tool) ?? new Set();
      beginnings.set(tool, seen.add(text.slice(end, to).replace(NUMBERED, "").toLowerCase()));
    }
    return !isAttribute;
  });
  return [...best.values()].map((mark) =>
    mark.kind === "mark" && (beginnings.get(mark.tool)?.size ?? 0) >= VOCABULARY
      ? { ...mark, kind: "vocabulary" }
      : mark,
  );
}

/** A script or style sheet that WordPress prints with the name under which an extension or a library registered it. */
export interface NamedHandle {
  /** The name of the extension or library, and the category of one that the catalogue does not have. */
  readonly name: string;
  readonly category: string;
  /** `weak` for a handle that only begins with an abbreviation: others have the same. */
  readonly strength: "strong" | "weak";
  readonly handle: string;
}

const HANDLE = /(?:^|\s)#_{0,2}([a-z0-9][\w.-]{2,80}?)-(js|css)(?:-(?:extra|before|after|translations))?(?=\s|$)/gi;
const MAX_HANDLES = 1_000;

/** Extensions and libraries by the ids `NAME-js` and `NAME-css` that WordPress gives to tags; also after files were merged. */
export function namedHandles(text: string, names: NameIndex): NamedHandle[] {
  const found = new Map<string, NamedHandle>();
  if (!/-(?:js|css)\b/.test(text)) return [];
  let read = 0;
  for (const [, written = "", kind] of text.matchAll(HANDLE)) {
    if (++read > MAX_HANDLES) break;
    const handle = written.toLowerCase().replace(/-inline$/, "");
    const named = handleOf(handle, kind === "js", names);
    if (!named) continue;
    const before = found.get(named.name);
    if (!before || (before.strength === "weak" && named.strength === "strong"))
      found.set(named.name, { ...named, handle: written });
  }
  return [...found.values()];
}

/** Slugs and files' names that are handles of others too: everyday words, and what Contact Form 7 names its own file. */
const PLAIN_SLUGS = new Set(
  "captcha facebook honeypot knews leaflet-map mailchimp newsletter og osm page-list player require slides types video wpcf7-recaptcha".split(
    " ",
  ),
);
/** Names with which handles of other extensions begin too, and the rest of a handle of the named one. */
const OTHERS_BEGIN_SO = new Set(["divi", "fusion", "generate", "gutenberg"]);
const OWN_PART =
  /^(?:[-_](?:style|styles|script|scripts|main|core|custom|parent|theme|child|fonts?|dynamic|builder|global|js|css|front|frontend|public))*$/;

/** What the name of a service's script has in addition to the service's: `google-maps-api-js`. */
const OF_SCRIPT =
  /(?:[-_](?:api|sdk|scripts?|lib|library|loader|tags?|tracking|embed|widget|main|core|async|pixel|external|init))+$/;
/** Tools of these categories are named in handles of themes and extensions that only style or link to them. */
const NO_SCRIPT = new Set([
  "cms",
  "fonts",
  "forms",
  "social",
  "developer-tools",
  "web-framework",
  "e-commerce",
  "javascript-library",
  "wordpress-theme",
]);

const MIN_NAME = 6;
/** As long as the abbreviations are that several extensions begin their handles with. */
const MAX_ABBREVIATION = 3;
/** Handles of WordPress itself that are slugs of extensions, too. */
const OF_WORDPRESS = new Set(
  (
    "wp-a11y wp-annotations wp-api wp-api-fetch wp-blocks wp-components wp-compose wp-data wp-date wp-dom wp-edit-post " +
    "wp-editor wp-element wp-embed wp-hooks wp-i18n wp-lists wp-media-utils wp-notices wp-playlist wp-plugins wp-pointer " +
    "wp-preferences wp-primitives wp-router wp-sanitize wp-shortcode wp-theme wp-url wp-util wp-viewport wp-warning " +
    "wp-widgets wp-wordcount"
  ).split(" "),
);
/** The longest beginning of a handle that is an extension's slug or a known handle; a library only as a whole. */
function handleOf(handle: string, isScript: boolean, names: NameIndex): Omit<NamedHandle, "handle"> | undefined {
  // `__jquery_cookie__`: some themes write underscores for dots.
  const dotted = handle.replace(/_+$/, "").replaceAll("_", ".");
  const library = PLAIN_SLUGS.has(handle) ? undefined : (LIBRARIES.get(handle) ?? LIBRARIES.get(dotted));
  if (library) return { name: library, category: "javascript-library", strength: "strong" };
  const service = isScript ? names.distinct(compactName(handle.replace(OF_SCRIPT, ""))) : undefined;
  if (service && !NO_SCRIPT.has(service.category) && !LINKED.has(compactName(service.name)))
    return { name: service.name, category: service.category, strength: "strong" };
  if (OF_WORDPRESS.has(handle)) return undefined;
  for (
    let end = handle.length;
    end > 2;
    end = Math.max(handle.lastIndexOf("-", end - 1), handle.lastIndexOf("_", end - 1))
  ) {
    const start = handle.slice(0, end);
    const name = WORDPRESS_HANDLES.get(start) ?? (PLAIN_SLUGS.has(start) ? undefined : WORDPRESS_PLUGINS.get(start));
    const known = name === undefined && start.length >= MIN_NAME ? names.distinct(compactName(start)) : undefined;
    if (known?.category === "wordpress-plugin")
      return { name: known.name, category: "wordpress-plugin", strength: "strong" };
    const isOwnPart = OWN_PART.test(handle.slice(end));
    if (name && (!OTHERS_BEGIN_SO.has(start) || isOwnPart))
      return {
        name,
        category: "wordpress-plugin",
        strength: start.length <= MAX_ABBREVIATION && !isOwnPart ? "weak" : "strong",
      };
  }
  return undefined;
}

import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal } from "../signals.ts";
import { GENERIC_FILES, libraryCalled, libraryNamed } from "./library-names.ts";
import { NOTHING } from "./mechanism.ts";
import { compactName, type NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import type { ToolNamed } from "./tool-naming.ts";

const COPIED = "the comment at the head of a copied file names it";

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

/** Libraries whose head a script or a style of the page contains: copies that were combined with other files. */
export function bannerHits({ kind, value }: Signal, names: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
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

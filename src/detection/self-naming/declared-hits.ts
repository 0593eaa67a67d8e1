import { singleSpaced } from "../../core/text.ts";
import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { compactName, LINKED, type NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { isAfterSite, isOfTheSite } from "./own-site.ts";
import { isExtensionCategory } from "./platforms.ts";
import { selfNamedSlug, type ToolNamed } from "./tool-naming.ts";

const DECLARED = "the configuration of the page's consent platform lists it";

/** The tool that the page's consent platform lists. */
export function declaredHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  const tool = names.distinct(compactName(value));
  return tool
    ? [{ tool, rule: rule("declared", kind, "weak", DECLARED, "declares"), excerpt: excerptOf(value), version: null }]
    : [];
}

/**
 * `Powered by Slider Revolution 6.5.11 - responsive, …`, `Elementor 3.17.2; features: …`, `Site Kit by Google 1.0`. The framework
 * of a theme names itself in the same way in a tag of its own.
 */
const NAMES_SOFTWARE = /^(?:generator|framework): /;
const GENERATOR_NAME =
  /^(?:powered by )?([A-Z][\w!.+&' -]{1,60}?)(?: CMS)?(?: (?:v\.?|ver\.?|version)?:? ?(\d[\w.]{0,20}))?(?: ?[-–;,(|/].*)?$/i;
const MAX_GENERATOR = 300;
const GENERATOR = "the generator tag names it";

/** The software that a generator tag names, or the tool after which another meta tag is named. */
export function metaHits(signal: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const { value, kind } = signal;
  const [start] = NAMES_SOFTWARE.exec(value) ?? [];
  if (start === undefined) return metaNameHits(value, kind, names);
  const stated = singleSpaced(value.slice(start.length, MAX_GENERATOR));
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

const META_NAME = "the name of a meta tag begins with its name";

/** `parsely-title`, `sailthru.date`, `brightspot.contentId`: the first word of a meta tag's name is a tool's name. */
function metaNameHits(value: string, kind: SignalKind, names: NameIndex): RuleHit[] {
  const [, first = ""] = /^([a-z0-9]{4,30})(?:[-_.:][a-z0-9._:-]{2,60})?: ./i.exec(value) ?? [];
  if (STANDARD_META.has(first.toLowerCase()) || VERIFICATION.test(value) || ABOUT_TOOL.test(value)) return [];
  const tool = names.distinct(first);
  // Themes and extensions are recognised by their platform's directories.
  if (!tool || isExtensionCategory(tool.category) || LINKED.has(first.toLowerCase())) return [];
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
const VERIFICATION = /^[^:]*(?:verif|validat|twitter|facebook|google|apple|msapplication)/i;

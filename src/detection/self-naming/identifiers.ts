import type { Fingerprint } from "../fingerprints/types.ts";
import { compactName, START_LENGTH, type ToolsByName } from "./tool-names.ts";

/** A configuration key that is built of a tool's name and a setting: `hubspotPortalId: "123"`, `"bidder": "appnexus"`. */
export interface NamedSetting {
  readonly tool: Fingerprint;
  /** True when the key names a credential and has a value for it; false for a block or a switch of that name. */
  readonly hasCredential: boolean;
  readonly at: number;
  readonly length: number;
}

/** What follows a tool's name in the name of a credential or an address that only its user has. */
const CREDENTIALS = new Set(
  (
    "account acct api apikey app appid application beacon brand business campaign channel client code container credential " +
    "customer domain dsn embed endpoint environment feed host id identifier ids instance key license location measurement " +
    "member merchant network org organisation organization page partner path pixel placement player playlist portal project " +
    "property pub public publishable publisher pubid script secret section server shop site siteid siteids sitekey src store " +
    "subdomain subscription tag tagid tagmanager team tenant token tracker tracking trackingid uid unit url uri user username " +
    "v2 v3 version widget workspace writekey"
  ).split(" "),
);
/** Words that a block or a switch of a tool has. */
const SETTINGS = new Set(
  "ab active ads analytics async auth autoload block config configuration consent data debug disabled enable enabled events features init is loaded mode options params props sdk service settings setup use using widget".split(
    " ",
  ),
);
/** Keys whose value is the name of a tool. */
const NAMING_KEYS =
  /^(?:bidder|biddercode|adapter|vendor|provider|platform|paymentprovider|cmpname|cmsname|module|integration)$/i;

/** `key: value` and `key = value`; the value's start decides what it is. Linear: every part is bounded. */
const PAIR =
  /(?:^|[\s{,;(["'.])["']?([A-Za-z][\w$-]{3,60}?)\\?["']?\s{0,4}(?:\]\s{0,2})?[:=]\s{0,4}(\\?["'`][^"'`\\]{0,120}|\d{3,40}|[{[]|true\b)/g;
const MAX_PAIRS = 5_000;

/** Settings in the text of scripts and configuration data; each tool once, a credential before a block. */
export function namedSettings(text: string, byName: ToolsByName): NamedSetting[] {
  const found = new Map<string, NamedSetting>();
  let pairs = 0;
  for (const match of text.matchAll(PAIR)) {
    if (++pairs > MAX_PAIRS) break;
    const [whole, key = "", written = ""] = match;
    const value = written.replace(/^\\?["'`]/, "");
    const setting = NAMING_KEYS.test(key) ? namedByValue(value, byName) : namedByKey(key, written, value, byName);
    if (!setting) continue;
    const before = found.get(setting.tool.id);
    if (before && (before.hasCredential || !setting.hasCredential)) continue;
    found.set(setting.tool.id, { ...setting, at: match.index, length: whole.length });
  }
  return [...found.values()];
}

type Found = Pick<NamedSetting, "tool" | "hasCredential">;

function namedByValue(value: string, byName: ToolsByName): Found | undefined {
  const tool = /^[\w .-]{4,40}$/.test(value) ? byName.get(compactName(value)) : undefined;
  return tool && { tool, hasCredential: true };
}

/** Not for social networks: an author's or a page's account there is no tool of the site. */
function namedByKey(key: string, written: string, value: string, byName: ToolsByName): Found | undefined {
  if (!byName.mayBegin(startOf(key))) return undefined;
  const words = wordsOf(key);
  for (let length = Math.min(4, words.length); length > 0; length--) {
    const tool = byName.get(words.slice(0, length).join(""));
    if (!tool || tool.category === "social") continue;
    const rest = words.slice(length);
    if (rest.length === 0) return /^[{[]/.test(written) ? { tool, hasCredential: false } : undefined;
    if (!rest.every((word) => CREDENTIALS.has(word) || SETTINGS.has(word))) continue;
    const isCredential = rest.some((word) => CREDENTIALS.has(word));
    if (isCredential && isValue(value, written)) return { tool, hasCredential: true };
    return written.startsWith("true") || /^[{[]/.test(written) ? { tool, hasCredential: false } : undefined;
  }
  return undefined;
}

/** `ad_rollId` → `adro` */
const startOf = (key: string): string =>
  key
    .slice(0, 2 * START_LENGTH)
    .replace(/[_$-]/g, "")
    .slice(0, START_LENGTH)
    .toLowerCase();

/** `googleAnalyticsId` → `google`, `analytics`, `id`; `ga_site_ID2` → `ga`, `site`, `id2`. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_$-]+/)
    .filter(Boolean);

/** An empty value, a placeholder or a word is no credential. */
function isValue(value: string, written: string): boolean {
  if (/^\d/.test(written)) return true;
  return value.length >= 3 && !/^(?:null|none|undefined|false|true|n\/a|x{3,}|your[-_ ]|\{\{|%|\$\{|<)/i.test(value);
}

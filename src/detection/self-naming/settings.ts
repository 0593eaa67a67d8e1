import { isChecked, isListed } from "../fingerprints/rule-index.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import { type FoundName, identifierAround, scanNames } from "./name-scan.ts";
import { isOfConsent, LINKED, type NameIndex, OF_CONSENT, WITHOUT_ACCOUNTS } from "./names.ts";

/** A place in code that is named after a tool, best kind first. */
export interface NamedCode {
  readonly tool: Fingerprint;
  /**
   * - `credential` a key or an address that only a user of the tool has: `hubspotPortalId: "123"`, `algolia: {appId: "x"}`
   * - `adapter`    the value of a key whose values are names of tools: `"bidder": "appnexus"`
   * - `object`     the object or queue that a tag fills: `window.impactifyTag = window.impactifyTag || []`
   * - `setting`    a block or a switch: `"taboola": {…}`, `enableHotjar: true`
   * - `identifier` any other identifier, which may be left over or part of a list
   * - `off`        a switch that is off, or an account that is empty: `"hotjar": {"enabled": false}`, `typekit_ids: []`
   */
  readonly kind: "credential" | "adapter" | "object" | "setting" | "identifier" | "off";
  readonly at: number;
  readonly end: number;
}

const RANKS = { credential: 3, adapter: 3, object: 3, setting: 2, identifier: 1, off: 0 } as const;
const BEST = 3;

/** What follows a tool's name in the name of a credential or an address that only its user has. */
const CREDENTIALS = new Set(
  (
    "account acct aid api apikey app appid application client clientid clienttoken container credential customer dsn " +
    "endpoint environment id identifier ids instance key license measurement member merchant network org organisation " +
    "organization partner pixel portal project property pub public publishable publisher pubid secret section site " +
    "siteid siteids sitekey subscription tag tagid tagmanager tenant token tracker tracking trackingid uid unit " +
    "widget workspace writekey"
  ).split(" "),
);
/** Words that a block, a switch or a link of a tool has. */
const SETTINGS = new Set(
  (
    "ab active ads adunits analytics async auth autoload beacon block brand business campaign channel code config " +
    "configuration consent data debug disabled domain embed enable enabled events features feed host init is loaded " +
    "location mode options page params path placement player playlist props script sdk server service settings setup " +
    "shop src store subdomain team timeout uri url use user username using widget"
  ).split(" "),
);
/** Keys of a block that only a user of the tool can fill in. */
const OF_ACCOUNT =
  /["']?\b(?:(?:app|application|account|acct|client|site|property|project|publisher|partner|pub|portal|org|organi[sz]ation|workspace|tracking|measurement|container|pixel|player|widget|cust|customer|merchant|license|network|public|publishable|write|search|api|service|environment|env|data)_?-?(?:id|key|token|code|name|domain)|dsn|shortname|token|key|uid|aid|zoneid|placementid)\\?["']?\s{0,3}[:=]\s{0,3}(?:\\?["'][^"'\\]{3,120}|\d{2,40})/i;
/** Credentials that no everyday word has: with one of these even `sentry` and `segment` mean the tools. */
const DISTINCTIVE =
  /^(?:dsn|writekey|write_?key|app_?id|api_?key|app_?key|client_?token|account_?id|application_?id|publishable_?key|public_?key|project_?id|property_?id|tracking_?id|pixel_?id|measurement_?id|app_?token|license_?key|workspace_?id|website_?id|site_?key|env(?:ironment)?_?id|container_?id)$/i;
/** Everyday words that name parts of sites: `searchApiKey` and `playerAccountId` are anybody's. */
const PARTS_OF_SITES = new Set(
  (
    "analytics app audience authority bandwidth banner base bill block box bridge cache calendar canvas captcha cart channel " +
    "chat checkout click client close cloud comment comments connect consent contact content context core cursor customer data " +
    "docs domain edge editor element engage event events feedback filter form forms frame frames front gallery gateway global " +
    "header hello here highlight home human icon icons image images import inbox index info insert item java join key kit label " +
    "launch layer lead leads level link links live loader local locale localize location login loop mail manager map maps mark " +
    "match media medium member menu merge message meta metadata meter metrics mobile modal monitor motion native network news " +
    "newsletter next node note notice notified number object offers office one open option options order outlet owner page pages " +
    "panel partner path payload payment people photo pixel place placed platform play player plus podcast point poll polls pool " +
    "popup portal post press preview print privacy process product profile progress project prompt proof prototype proxy public " +
    "pulse push python query quick quote rank reach react reader ready recharge redirect refer relay remote render reply report " +
    "reputation request resend rest result review reviews rise route router rule sale sample scene schema script search section " +
    "secure select sender server service session settings share shop sidebar signal signature single site slide slider social " +
    "source space split spot square stack stage start static status store stores stream studio style subscribe subscribers suite " +
    "support survey switch sync system table tabs tag tags talk target task team template text theme ticket time title token tool " +
    "topic track trigger trust type uniform unity universe user validate vector version video view visual voice wave web widget " +
    "window word work works writer zone zoom"
  ).split(" "),
);
/** Keys whose value is the name of a tool. */
const NAMING_KEY =
  /["']?\b(?:bidder|bidder_?code|adapter|vendor|provider|platform|payment_?provider|cmp_?name|cms_?name|video_?provider|analytics_?provider|player_?type|chat_?provider)\\?["']?\s{0,4}[:=]\s{0,4}\\?["'`]$/i;
/** After a value: its end. */
const END_OF_TEXT = /^\\?["'`]/;

/** The rest of a key, and the beginning of its value; undefined where an identifier is no key. */
const VALUE = /^\\?["']?\s{0,4}(?:\]\s{0,2})?(?::|=(?![=>]))\s{0,4}(\\?["'`][^"'`\\]{0,120}|\d{2,40}|[{[]|true\b)/;
/** A word of an address, which rules for hosts read, or of a sentence. */
const OF_ADDRESS = /[/@.]$/;
const TOP_LEVEL = /^\.(?:com|net|org|io|co|de|fr|jp|ru|tv|ai|app|dev|uk|js)\b/i;

/**
 * Places in scripts and configuration data that are named after tools; of each tool the best.
 *
 * @param text scripts or JSON
 */
export function namedCode(text: string, names: NameIndex): NamedCode[] {
  const best = new Map<Fingerprint, NamedCode>();
  const off = new Map<Fingerprint, NamedCode>();
  const empty = new Map<Fingerprint, NamedCode>();
  const on = new Set<Fingerprint>();
  scanNames(text, names, (found) => {
    const mayBeSet = found.isDistinct && mayBeSwitch(text.charCodeAt(found.end));
    if (mayBeSet && isSwitchedOff(text, found)) {
      best.delete(found.tool);
      off.set(found.tool, { tool: found.tool, kind: "off", at: found.at, end: found.end });
      // Another switch may be on.
      return true;
    }
    if (mayBeSet && isSwitchedOn(text, found)) on.add(found.tool);
    if (found.isDistinct && hasNoAccount(text, found) && !empty.has(found.tool))
      empty.set(found.tool, { tool: found.tool, kind: "off", at: found.at, end: found.end });
    const before = best.get(found.tool);
    // None is better than the best.
    const isSure = before !== undefined && RANKS[before.kind] === BEST;
    const kind = isSure || off.has(found.tool) ? undefined : kindOf(text, found);
    if (kind && (!before || RANKS[kind] > RANKS[before.kind]))
      best.set(found.tool, { tool: found.tool, kind, at: found.at, end: found.end });
    // A switch may follow.
    return true;
  });
  for (const [tool, place] of empty) if (!best.has(tool)) off.set(tool, place);
  return [...best.values(), ...[...off.values()].filter(({ tool }) => !on.has(tool))];
}

/** `typekit_ids: []`, `"hotjarId": null`: nothing but the key of an account follows the name. */
function hasNoAccount(text: string, { at, end }: FoundName): boolean {
  const { to } = identifierAround(text, at, end);
  if (to === end || !isEmpty(text, to)) return false;
  const words = wordsOf(text.slice(end, to));
  return words.length > 0 && words.every((word) => CREDENTIALS.has(word));
}

/** Of `hotjarEnabled: false` what follows the name, and of `hotjar: {"enabled": "0"}` the beginning of the block. */
const OFF_SWITCH =
  /^[_-]?(?:is[_-]?)?(?:enabled?|active)\\?["']?\s{0,4}[:=]\s{0,4}(?:false\b|!1\b|\\?["'](?:false|0|no|off)\\?["']|0\b)/i;
const OFF_BLOCK =
  /(?:^|,)\s{0,20}\\?["']?(?:is_?)?(?:enabled?|active)\\?["']?\s{0,4}:\s{0,4}(?:false\b|!1\b|\\?["'](?:false|0|no|off)\\?["']|0\b)/i;
const ON = String.raw`\\?["']?\s{0,4}[:=]\s{0,4}(?:true\b|!0\b|\\?["'](?:true|1|yes|on)\\?["']|1\b)`;
const ON_SWITCH = new RegExp(`^[_-]?(?:is[_-]?)?(?:(?:enabled?|active|status)?${ON})`, "i");
const ON_BLOCK = new RegExp(`(?:^|,)\\s{0,20}\\\\?["']?(?:is_?)?(?:enabled?|active|status)${ON}`, "i");
/** `recaptcha: {"siteKey": ""}`: the site has no account. */
const NO_ACCOUNT =
  /["']?\b(?:(?:app|application|account|client|portal|site|property|project|publisher|public|tracking|pixel|api|measurement)_?-?(?:id|key|token)|dsn)\\?["']?\s{0,3}:\s{0,3}(?:\\?""|\\?''|null\b)/i;
const BLOCK = /^\\?["']?\s{0,4}[:=]\s{0,4}\{/;

/** Characters with which what follows a name begins, where a switch or a block matches. */
const OF_SWITCH = new Set([..."_-iIeEaAsS\\\"':="].map((character) => character.charCodeAt(0)));
/** Whether a switch or a block may begin with this character: white space too, and what may be white space. */
const mayBeSwitch = (code: number) => code <= 32 || code > 127 || OF_SWITCH.has(code);

/** Whether the settings name the tool in order to switch it off. */
function isSwitchedOff(text: string, { end }: FoundName): boolean {
  if (OFF_SWITCH.test(text.slice(end, end + 40))) return true;
  if (!BLOCK.test(text.slice(end, end + 16))) return false;
  const block = blockAt(text, end);
  return OFF_BLOCK.test(block) || (NO_ACCOUNT.test(block) && !OF_ACCOUNT.test(block));
}

/** Whether another setting switches the tool on: a page may have it in several places. */
function isSwitchedOn(text: string, { end }: FoundName): boolean {
  if (ON_SWITCH.test(text.slice(end, end + 40))) return true;
  return BLOCK.test(text.slice(end, end + 16)) && ON_BLOCK.test(blockAt(text, end));
}

/**
 * Names of the browser's own interfaces that a tool's name begins or ends: those in TypeScript's `lib.dom.d.ts`, without
 * the words of its comments.
 */
const WEB_API = new Set([
  "AddSearchProvider",
  "HTMLMediaElement",
  "ScrollToOptions",
  "getResponseHeader",
  "mediaElement",
  "scrollTo",
  "targetX",
]);

function kindOf(text: string, { tool, name, isDistinct, at, end }: FoundName): NamedCode["kind"] | undefined {
  // Not for social networks: an author's or a page's account there is no tool of the site.
  if (isDistinct && tool.category === "social" && isOfNetwork(tool, name)) return undefined;
  const { from, to } = identifierAround(text, at, end);
  if (WEB_API.has(text.slice(from, to))) return undefined;
  const written = VALUE.exec(text.slice(to, to + 140))?.[1];
  const rest = text.slice(end, to);
  if (!isDistinct) {
    // Only as the first word, and with a credential that nothing else of that name has.
    return from === at && !PARTS_OF_SITES.has(name) && isDistinctive(text, to, rest, written)
      ? "credential"
      : undefined;
  }
  // A theme is no service that a page is set up for.
  if (tool.category.endsWith("-theme")) return undefined;
  // A network or a messenger is the provider of a share button.
  const isShared = LINKED.has(name) || tool.category === "social";
  if (written === undefined && rest === "" && from === at && !isShared && isNamed(text, from, to)) return "adapter";
  if (OF_ADDRESS.test(text.slice(Math.max(0, from - 1), from)) && !isMember(text, from)) return undefined;
  if (TOP_LEVEL.test(text.slice(to, to + 6))) return undefined;
  if (NEGATED.test(text.slice(Math.max(from, at - 12), at)) || isOfText(text, from, to)) return undefined;
  if (!isOfConsent(tool) && OF_CONSENT.test(text.slice(from, to))) return undefined;
  if (isEmpty(text, to)) return undefined;
  const words = wordsOf(rest);
  if (
    isOwnObject(text, from, at, name) &&
    isSetUp(text, from, to) &&
    words.every((word) => OBJECTS.has(word)) &&
    !LINKED.has(name) &&
    hasTags(tool)
  )
    return "object";
  if (written !== undefined && words.every((word) => CREDENTIALS.has(word) || SETTINGS.has(word))) {
    const hasAccounts =
      !WITHOUT_ACCOUNTS.has(tool.category) && (!LINKED.has(name) || DISTINCTIVE.test(rest.replace(/^[_-]/, "")));
    if (hasAccounts && words.some((word) => CREDENTIALS.has(word)) && isValue(written)) return "credential";
    if (written.startsWith("{")) {
      const block = blockAt(text, to);
      // `"topics": {"kubernetes": {…}}`: what an article is about.
      if (isOfTools(tool) || CONSENT_BLOCK.test(block) || (LINKED.has(name) && OF_PROFILE.test(block)))
        return undefined;
      return hasAccounts && OF_ACCOUNT.test(block) ? "credential" : "setting";
    }
    if (/^(?:true|\[)/.test(written) || isValue(written)) return isOfTools(tool) ? undefined : "setting";
  }
  // A library's name in code is that of a method or of an option, whatever library has it.
  return !LINKED.has(name) &&
    !WITHOUT_ACCOUNTS.has(tool.category) &&
    !isOfTools(tool) &&
    isOfCode(text, from, to) &&
    !isChecked(text, from, to - from)
    ? "identifier"
    : undefined;
}

/** Words that the object or queue of a tag has in addition to the tool's name. */
const OBJECTS = new Set(
  "ad ads api async cmd config data events hb init layer list obj object q que queue queued settings tag tags tracker".split(
    " ",
  ),
);
/** `= window.NAME || []` after NAME: the object is made unless the tag has made it. */
const isSetUp = (text: string, from: number, to: number): boolean => {
  const [, again] =
    /^\s{0,3}=\s{0,3}(?:[A-Za-z_$][\w$]{0,20}\.)?([\w$]{3,60})\s{0,3}\|\|\s{0,3}[[{(]/.exec(text.slice(to, to + 100)) ??
    [];
  return again !== undefined && again === text.slice(from, to);
};
/**
 * Nothing but underscores before a name that is long enough to be no abbreviation: `AdMediatorTag` is none of Mediator. And a
 * global variable: `__ATA.criteo` is what an ad server prepares for all of its partners.
 */
const isOwnObject = (text: string, from: number, at: number, name: string) =>
  name.length >= 6 && /^_*$/.test(text.slice(from, at)) && !OF_OBJECT.test(text.slice(Math.max(0, from - 40), from));
/** The window has many names: `w`, `window`, `self`. */
const OF_OBJECT = /(?<![\w$.])(?!(?:window|self|top|parent|globalThis|this|root|global|win)\.)[\w$]{3,30}\.$/;
/** A network that pages link to, or its widgets: not a tool for comments or embeds. */
const isOfNetwork = (tool: Fingerprint, name: string) =>
  LINKED.has(name) || LINKED.has((tool.name.split(" ", 1)[0] ?? "").toLowerCase()) || tool.name.startsWith("X ");
/** Libraries and developers' tools are loaded, not set up by a queue. */
const hasTags = (tool: Fingerprint) =>
  !WITHOUT_ACCOUNTS.has(tool.category) && !isOfTools(tool) && tool.category !== "cms";

/** `"taboola": null`, `hubspotId: ""`, `typekit_ids: []`, `"hotjar": "0"`: the tool is not in use, as far as this setting says. */
const EMPTY =
  /^(?:\\?["']|&quot;)?\s{0,4}:\s{0,4}(?:\\?""|\\?''|\[\s{0,3}\]|\{\s{0,3}\}|null\b|false\b|!1\b|undefined\b|void 0\b|\\?["'](?:0|no|off|false)\\?["'])\s{0,20}(?:[,}\]]|$)/;
const isEmpty = (text: string, to: number) => EMPTY.test(text.slice(to, to + 60));

/** Tools with which sites are made are named in articles and job offers, and have no settings in a page. */
const isOfTools = ({ category }: Fingerprint) => category === "developer-tools";

/** `disable_teads`, `no-outbrain` */
const NEGATED = /(?:^|[_-])(?:disabled?|without|no|not|exclude|block|hide|remove|invalid|missing|wrong|empty)[_-]?$/i;
/** A block about the site's account at a network: what a link to it needs. */
const OF_PROFILE =
  /["']?\b(?:ur[il]|href|link|title|label|icon|path|handle|profile|follow\w*|share\w*)\\?["']?\s{0,3}:/i;
/** Keys whose value people read. */
const READ_KEY =
  /["']?\b(?:title|label|text|headline|displayTitle|caption|description|summary|keywords?|tags?|topic|alt|author\w*)\\?["']?\s{0,4}[:=]\s{0,4}\\?["'`]$/i;
const MAX_WORDS = 5;
/** Whether a name is a part of a sentence, of an address made of one, or of a list of names. */
function isOfText(text: string, from: number, to: number): boolean {
  const word = text.slice(from, to);
  if (word.split("-").length > MAX_WORDS) return true;
  if (text[from - 1] === "|" || text[to] === "|") return true;
  if (!/["'`]/.test(text[from - 1] ?? "")) return isListed(text, from, to - from);
  if (/^\s[a-z]{2,}/.test(text.slice(to, to + 4))) return true;
  const before = text.slice(Math.max(0, from - 160), from);
  return (
    READ_KEY.test(before.slice(-40)) ||
    (before.includes("[") && READ_LIST.test(before)) ||
    isListed(text, from, to - from)
  );
}
/** Before a text of a list that people read: `"tags": ["a", "` */
const READ_LIST =
  /["']?\b(?:(?:page|post|article|content)?_?(?:tags|keywords|topics|categories|labels)|customers|clients|companies|brands|logos|competitors)\\?["']?\s{0,4}[:=]\s{0,4}\[[^\][{}]{0,120}["'`]$/i;

const isNamed = (text: string, from: number, to: number) =>
  END_OF_TEXT.test(text.slice(to, to + 2)) && NAMING_KEY.test(text.slice(Math.max(0, from - 40), from));

/** `window.Hotjar`, `config.algolia` */
const isMember = (text: string, from: number) =>
  text[from - 1] === "." &&
  /[\w$)\]]$/.test(text.slice(Math.max(0, from - 2), from - 1)) &&
  !/\w\.\w+\.$/.test(text.slice(Math.max(0, from - 30), from));

/** Of the list of a consent banner: `"vimeo": {"cookieNameList": …}`. */
const CONSENT_BLOCK = /cookieNameList|optInJS|optOutJS|["']?(?:cookies|purposes|legitimate\w*)["']?\s{0,3}:/i;
/** The block that begins after a key, cut after 500 characters, without the blocks inside it. */
function blockAt(text: string, to: number): string {
  const start = text.indexOf("{", to);
  const block = text.slice(start + 1, start + 500);
  const end = block.search(/[{}]/);
  return end < 0 ? block : block.slice(0, end);
}

function isDistinctive(text: string, to: number, rest: string, written: string | undefined): boolean {
  if (written === undefined) return false;
  if (DISTINCTIVE.test(rest.replace(/^[_-]/, ""))) return isValue(written) && /\d/.test(written);
  if (rest !== "" || !written.startsWith("{")) return false;
  const block = blockAt(text, to);
  const [, key = "", value = ""] =
    /["']?\b([a-z_]{3,20})\\?["']?\s{0,3}:\s{0,3}\\?["']([^"'\\]{6,200})/i.exec(block) ?? [];
  return (DISTINCTIVE.test(key) || /^key$/i.test(key)) && /\d/.test(value);
}

/** Next to punctuation of code: a word of a sentence has spaces around it. */
function isOfCode(text: string, from: number, to: number): boolean {
  const before = text[from - 1] ?? "";
  const after = text[to] ?? "";
  if (before === " " && (after === " " || after === "," || after === ".")) return false;
  return /["'`.=({[,;!:&|#]/.test(before) || /["'`.=()\]};:,[]/.test(after);
}

/** `PortalId` → `portal`, `id`; `_site_ID2` → `site`, `id2`. */
const wordsOf = (key: string): string[] =>
  key === ""
    ? []
    : key
        .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
        .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
        .toLowerCase()
        .split(/[\s_$-]+/)
        .filter(Boolean);

/** An empty value, a placeholder or a word is no credential. */
function isValue(written: string): boolean {
  if (/^\d/.test(written)) return true;
  const value = written.replace(/^\\?["'`]/, "");
  return (
    value.length >= 3 &&
    value !== written &&
    !/^[\d.]{1,6}$/.test(value) &&
    !/^[a-z]?0{3,40}$/i.test(value) &&
    !/^(?:null|none|undefined|false|true|yes|no|on|off|n\/a|x{3,}|your[-_ ]|\{\{|%|\$\{|<|#|\.)/i.test(value)
  );
}

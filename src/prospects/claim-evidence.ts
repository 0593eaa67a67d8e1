import { belongsTo, isSharedHost, recordedDomain, siteOf } from "../core/domain.ts";
import { levelOf } from "../detection/levels.ts";
import type { SignalKind } from "../detection/signals.ts";
import type { Detection, Evidence } from "../detection/types.ts";

/**
 * What one kind of signal shows about who set the tool up.
 *
 * - `own`     the company's records, files and containers: nobody else can set them
 * - `answer`  headers and cookies of its hosts, which a platform for sites sets for all of its customers
 * - `load`    an address that the company's page loads: its choice, unless the address is that of a call between other
 *             companies, of a button, or on the storage of somebody else
 * - `call`    code in the page itself, unless it is a setting that switches the tool off
 * - `address` an address in the page's code, which may never run: with an account in it, or next to the tool's mark-up
 * - `markup`  page source: with an account in it, or next to an address in the code
 * - `data`    data of the page, which lists integrations that it does not use: with an account under the tool's name
 * - `names`   class names and ids, which outlive tools and are copied: only next to an address in the code, or to another
 *             product of the vendor in the same category that the company set up
 * - `meta`    descriptions of the page for other companies, which outlive tools: with a key or an id, or next to another sign
 * - `no`      chosen by a provider, allowed but not loaded, a link, a text, or a library's own code
 */
type Showing = "own" | "answer" | "load" | "call" | "address" | "markup" | "data" | "names" | "meta" | "no";

const SHOWS: Readonly<Record<SignalKind, Showing>> = {
  "dns.mx": "own",
  "dns.spf": "own",
  "dns.dkim": "own",
  "dns.dkim-selector": "own",
  "dns.dmarc": "own",
  "dns.tls-rpt": "own",
  "dns.mta-sts": "own",
  "dns.bimi": "own",
  "dns.txt": "own",
  "dns.srv": "own",
  "dns.cname": "own",
  "dns.ns": "own",
  // The provider of the name servers or of the network chooses these, and every authority in use somewhere is allowed.
  "dns.soa": "no",
  "dns.caa": "no",
  "dns.ptr": "no",
  "net.asn": "no",
  "tls.issuer": "no",
  "tls.san": "no",
  "tenant.host": "own",
  "tenant.state": "own",
  "html.script": "load",
  "html.link": "load",
  "html.image": "load",
  "html.frame": "load",
  "html.form": "load",
  "html.request": "load",
  "html.hint": "no",
  "html.anchor": "no",
  "html.path": "own",
  "html.inline": "call",
  "html.inline-host": "address",
  "html.inline-url": "address",
  "html.data": "data",
  "html.names": "names",
  "html.markup": "markup",
  "html.custom": "markup",
  "html.style": "no",
  "html.meta": "meta",
  "consent.service": "no",
  "http.header": "answer",
  "http.cookie": "answer",
  "http.policy-host": "no",
  "js.bundle": "no",
  "js.bundle-host": "no",
  "js.global": "call",
  "gtm.host": "own",
  "gtm.tag": "own",
  "file.robots": "own",
  "file.sitemap": "own",
  // Lists of sellers are copied from partners.
  "file.ads": "no",
  "file.manifest": "own",
  "file.favicon": "own",
  "file.well-known": "own",
  "board.url": "own",
  "board.posting": "no",
  "page.disclosure": "no",
};

/** A report: an implied tool rests on the one that implies it, and what a page calls may be another company's. */
type Report = { readonly domain: string; readonly detections: readonly Detection[] };

/** Tools that imply one another in a chain. */
const MAX_IMPLIED = 4;

/**
 * The best evidence that the company itself set the tool up; undefined where the tool may be brought in by another company,
 * be switched off, or be only named. Weak rules show nothing alone.
 */
export function setUpEvidence(detection: Detection, report: Report, depth = 0): Evidence | undefined {
  const strong = detection.evidence.filter(({ strength }) => strength !== "weak");
  const { label } = recordedDomain(report.domain);
  const hasPlace = strong.some((each) => ["names", "markup"].includes(showingOf(each)));
  const isAddress = ({ value }: Evidence) =>
    !isExchange(value) && (!isSharedHost(hostIn(value)) || contains(value, label));
  const hasAddress = strong.some((each) => showingOf(each) === "address" && isAddress(each));
  const others = report.detections.filter(({ id }) => id !== detection.id);
  const isOfPlatform = ({ location }: Evidence) =>
    detection.category === "CDN" &&
    others.some(
      ({ id, confidence, evidence }) =>
        PLATFORMS.has(id) && levelOf(confidence) === "confirmed" && evidence.some((each) => each.location === location),
    );
  // The page's own code calls a file that is on somebody's storage.
  const isCalled =
    !POOLS.has(detection.category) &&
    detection.evidence.some(
      ({ signal, value }) =>
        signal === "html.inline" && !isSwitchedOff(value, detection) && !isOnlyAsked(value, detection),
    );
  const isSetUp: Readonly<Record<Showing, (each: Evidence) => boolean>> = {
    own: () => true,
    answer: (each) => !isOfPlatform(each),
    load: (each) =>
      (isOwnLoad(each, detection, report.domain, label) || (isCalled && isInPool(each))) &&
      !isCopyOfRival(each, detection, others) &&
      !(EDGE_PATH.test(each.value) && isOfPlatform(each)),
    call: ({ value }) => !isSwitchedOff(value, detection) && !isOnlyAsked(value, detection),
    address: (each) => isAddress(each) && (hasPlace || hasAccount(each.value, label)),
    markup: ({ value, strength }) => strength === "certain" || hasAddress || ACCOUNT_ATTRIBUTE.test(value),
    data: ({ value }) => namesOf(detection).has(plain(ACCOUNT_OF.exec(value)?.[1] ?? "")),
    names: ({ value }) => hasAddress || (HAS_SETTINGS.test(value) && hasVendorsCode(detection, others, report, depth)),
    meta: ({ value, strength }) => strength === "certain" || strong.length > 1 || KEY.test(value),
    no: (each) => each.signal === "implied" && isImpliedBySetUp(each, detection, report, depth),
  };
  return strong.find((each) => isSetUp[showingOf(each)](each));
}

const showingOf = ({ signal }: Evidence): Showing => (signal === "implied" ? "no" : SHOWS[signal]);

function isImpliedBySetUp({ value }: Evidence, { tool }: Detection, report: Report, depth: number): boolean {
  const parent = report.detections.find((each) => each.tool === value && each.tool !== tool);
  return parent !== undefined && depth < MAX_IMPLIED && setUpEvidence(parent, report, depth + 1) !== undefined;
}

/** A key that was cut makes a host invalid. */
const urlOf = (value: string): URL | null => URL.parse(value.replaceAll("&amp;", "&").replaceAll("…", "x"));
const hostIn = (value: string): string => urlOf(value)?.hostname ?? value;

const isInPool = ({ value }: Pick<Evidence, "value">): boolean => {
  const host = hostIn(value);
  return isSharedHost(host) || POOL.test(host);
};

function isOwnLoad({ signal, value }: Evidence, { category }: Detection, domain: string, label: string): boolean {
  if (isExchange(value) || SERVED.test(value)) return false;
  const { hostname = "", pathname = "" } = urlOf(value) ?? {};
  if (isInPool({ value })) {
    // Whose storage it is shows in its name; a folder in it may be named after a customer of the owner.
    const [, bucket = ""] = pathname.split("/");
    if (contains(hostname + (POOLS.has(category) ? `/${bucket}` : pathname), label)) return true;
    return SITE_PATH.test(pathname) && !isSharedHost(hostname);
  }
  if (signal === "html.frame" && BUTTON.test(pathname)) return false;
  if (belongsTo(hostname, domain)) return true;
  const isAdvertising = ADVERTISING.has(category);
  // A recording does not say which frame made a request.
  if (signal === "html.request") return contains(value, label) || (!isAdvertising && hasAccount(value, label));
  // A browser saves a page with what advertisements added to it.
  return !isAdvertising || (signal !== "html.frame" && signal !== "html.image") || hasAccount(value, label);
}

/** Categories whose customers share hosts. */
const POOLS: ReadonlySet<string> = new Set(["CDN", "Cloud", "Hosting"]);
/** Hosts of delivery networks with the name of a customer that are not in the public suffix list. */
const POOL =
  /(?:^|\.)(?:[^.]+\.)(?:hwcdn\.net|netdna-(?:ssl|cdn)\.com|stackpathcdn\.com|b-cdn\.net|kxcdn\.com|cdn77\.org|gcdn\.co|edgecastcdn\.net|cachefly\.net)$/i;
/** Files of the site's own content management. */
const SITE_PATH = /\/wp-(?:content|includes)\//;
/** What a delivery network adds to pages that pass through it. */
const EDGE_PATH = /\/cdn-cgi\//;
/** Platforms that serve all sites of their customers through a delivery network of their choice. */
const PLATFORMS: ReadonlySet<string> = new Set(
  `bigcommerce bubble carrd duda framer ghost github-pages gitbook jimdo medium netlify pantheon readme render
  salesforce-commerce-cloud shopify squarespace strikingly substack tilda unbounce volusion webflow weebly wix
  wordpress-com wordpress-vip`.split(/\s+/),
);

/** A file of another company, which brings what its own product needs: `https://cdn.rival.example/js/prebid.js`. */
function isCopyOfRival({ value }: Evidence, { vendor, website }: Detection, others: readonly Detection[]): boolean {
  const site = siteOf(hostIn(value));
  if (site === siteOf(hostIn(website))) return false;
  return others.some(
    (each) => ADVERTISING.has(each.category) && each.vendor !== vendor && siteOf(hostIn(each.website)) === site,
  );
}

/** An element with its settings next to the code of the vendor that reads them: one script for all widgets of a network. */
const HAS_SETTINGS = /\bdata-[a-z]/;
const hasVendorsCode = (
  { category, vendor }: Detection,
  others: readonly Detection[],
  report: Report,
  depth: number,
): boolean =>
  category === "Social Media" &&
  depth < MAX_IMPLIED &&
  others.some(
    (each) =>
      each.vendor === vendor && each.category === category && setUpEvidence(each, report, depth + 1) !== undefined,
  );

/** Labels of categories whose companies call one another from a page. */
const ADVERTISING: ReadonlySet<string> = new Set(["Advertising", "Affiliate Marketing", "Customer Data Platform"]);

/** Frames of share and like buttons, and those that they open: they link to a service, with no account. */
const BUTTON =
  /\/(?:o\/oauth2\/postmessageRelay|plugins\/(?:like|share|send|follow)|share|sharer|share_button|tweet_button|follow_button)(?:[./]|$)/i;

/**
 * Calls in which advertising companies exchange the ids of a visitor, and answers to another company's callback. A tag of one
 * of them starts the calls to all others.
 */
const EXCHANGE_HOST = /^(?:[a-z]*-?sync\d*|[a-z]*match|cm|dpm|idmap|ssum(?:-sec)?|dis|gum)\./i;
const EXCHANGE_PATH =
  /(?:^|[/_.-])(?:(?:user|cookie|id|pixel|px|c|u)?[_-]?sync(?:s|er|frame|_?pixels?)?(?!\.js)|(?:user|cookie|id|pixel)[_-]?sync|(?:user|cookie|id|px|pxl)?[_-]?match(?:id)?|(?:set|get)[_-]?u?uids?|idmap|map[_-]?uid|cm|ibs:[^/]*|tap\.php|ups\/\d+|usermatchredir|xuid)(?:[/_.-]|$)/i;
const EXCHANGE_QUERY = /[?&;](?:dpuuid|partner_?uid|partner_?device_?id|google_nid|google_cm|redir(?:ect)?)=/i;
/** `/map/?key=…&url=` sends an id to the address that it is given. */
const MAPPING = /^\/map\/?\?.*\b(?:ur[il]|u?uid|partner)=/i;
const CALLBACK = /\/(?:callback|jsonp)=/i;

/**
 * What an advertisement brings into the page: an address with a place holder of the server that sends it, or a script that
 * measures the advertisement.
 */
const SERVED =
  /\{\{|%7B%7B|%%[A-Z_]+%%|\[(?:CLICK|CACHE|RANDOM|TIMESTAMP)\w*\]|\/(?:moatad\w*|dvbs_src\w*|dvtp_src\w*)\.js|\.adsafeprotected\.com\/(?:jload|rjss|rfw|skeleton)/i;

function isExchange(value: string): boolean {
  const url = urlOf(value);
  if (!url) return EXCHANGE_HOST.test(value);
  if (EXCHANGE_HOST.test(url.hostname) || EXCHANGE_PATH.test(url.pathname)) return true;
  const rest = url.pathname + url.search;
  return EXCHANGE_QUERY.test(url.search) || MAPPING.test(rest) || CALLBACK.test(rest);
}

/** An id in an address: a part with four digits in it that is no year or version, a key that was cut, or the company's name. */
function hasAccount(value: string, label: string): boolean {
  if (contains(value, label)) return true;
  const url = URL.parse(value.replaceAll("&amp;", "&").replaceAll("…", CUT));
  if (!url) return false;
  return `${url.pathname}${url.search}`
    .split(/[/?&=._~,;:-]+/)
    .some((part) => (part.replace(/\D/g, "").length >= 4 && !YEAR.test(part)) || part.includes(CUT));
}

const YEAR = /^(?:19|20)\d{2}(?:\d{2}){0,2}$/;
/** In place of the rest of a key, see `redaction.ts`. */
const CUT = "cut0key";

/** An attribute with the key or the id of an account or a placement. */
const ACCOUNT_ATTRIBUTE =
  /\bdata-[a-z-]{0,40}(?:id|key|token|account|client|slot|site|publisher|widget|server)="?[^\s">]{2,}|<[a-z]{2,12}:[a-z]/i;

/** `"intercom":{"appId":"…` */
const ACCOUNT_OF = /"([\w-]{3,60})"\s*:\s*\{\s*"\w*(?:id|key|token|account|site)"\s*:\s*"?[^",}]{4}/i;

const namesOf = ({ id, tool }: Detection): ReadonlySet<string> => new Set([plain(id), plain(tool)]);

/** A key that was cut, an id of four digits or of eight characters with a digit in them, or a name that says so or means it. */
const KEY = /^generator: |…|\d{4}|\b(?=[a-z-]*\d)[\w-]{8,}|(?:id|key|token|account|verif\w*)\s*: /i;

/**
 * Code that asks whether a tool is there, or listens to it, and sets nothing: `window.gauge && window.gauge.push(…)`,
 * `typeof gauge`, `addEventListener("GaugeReady"`, and the tool's name in a list in quotes.
 */
function isOnlyAsked(value: string, detection: Detection): boolean {
  const names = [...namesOf(detection)].filter(({ length }) => length >= MIN_LABEL);
  const isNamed = (text = "") => names.some((name) => plain(text).includes(name));
  if ([...value.matchAll(LISTENED)].some(([, event]) => isNamed(event))) return true;
  const lists = value.match(LISTED) ?? [];
  if (lists.some(isNamed) && !isNamed(value.replace(LISTED, ""))) return true;
  const asked = [...value.matchAll(ASKED)].flatMap(([guard, left, type, chained]) => {
    const path = left ?? type ?? chained ?? "";
    const isUsed = type === undefined || value.replace(guard, "").includes(`${path}.`) || value.includes(`${path}(`);
    return isUsed && (chained === undefined || isNamed(chained)) ? path : [];
  });
  return asked.length > 0 && asked.every((path) => !isAssigned(value, path)) && !CREATES.test(value);
}
const LISTENED = /addEventListener\(\s*["']([\w:.-]{3,60})/g;
const LISTED = /["'][\w-]{2,30}(?:[|,][\w-]{2,30}){2,20}["']/g;
const ASKED =
  /\b(?:window\.)?([\w$]{1,40}(?:\.[\w$]{1,40}){0,3})\s*&&\s*(?:window\.)?\1\b|typeof\s*\(?\s*(?:window\.)?([\w$]{2,40})|\b(?:window\.)?([\w$]{2,40})\?\.\w/g;
const CREATES = /createElement|\.src\s*=|\|\|\s*[[{(]|\bnew\s|["']script["']/;

/** Whether the code sets what it asks for. */
function isAssigned(value: string, path: string): boolean {
  const [root = ""] = path.split(".");
  for (let at = value.indexOf(root); at >= 0; at = value.indexOf(root, at + root.length))
    if (/^[\w$.]*\s*=(?![=>])/.test(value.slice(at + root.length, at + root.length + 80))) return true;
  return false;
}

/** `"skimlinks":false`, `disable_skimlinks: true`. */
function isSwitchedOff(value: string, detection: Detection): boolean {
  const names = namesOf(detection);
  return [...value.matchAll(SETTING)].some(([, key = "", setting = ""]) => {
    const [, prefix = "", name = ""] = PARTS.exec(plain(key)) ?? [];
    if (!names.has(name)) return false;
    return prefix.startsWith("dis") || prefix === "no" || prefix === "without" ? ON.test(setting) : !ON.test(setting);
  });
}
const SETTING = /["']?([\w-]{3,60})["']?\s*[:=]\s*["']?(true|false|null|on|off|0|1|yes|no|disabled|enabled)\b/gi;
const PARTS = /^(disabled?|no|without|enabled?|use|has|is|show|with)?(.*?)(?:is)?(?:enabled?|active|on)?$/;
const ON = /^(?:true|on|1|yes|enabled)$/i;

const MIN_LABEL = 4;

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether an address names the company. */
const contains = (text: string, label: string): boolean =>
  plain(label).length >= MIN_LABEL && plain(text).includes(plain(label));

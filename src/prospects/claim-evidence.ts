import { isSharedHost, recordedDomain } from "../core/domain.ts";
import type { SignalKind } from "../detection/signals.ts";
import type { Detection, Evidence } from "../detection/types.ts";

/**
 * What one kind of signal shows about who set the tool up.
 *
 * - `own`     the company's records, answers, files and containers: nobody else can set them
 * - `load`    an address that the company's page loads: its choice, unless the address is that of a call between other
 *             companies, of a button, or on the storage of somebody else
 * - `call`    code in the page itself, unless it is a setting that switches the tool off
 * - `address` an address in the page's code, which may never run: with an account in it, or next to the tool's mark-up
 * - `markup`  page source: with an account in it, or next to an address in the code
 * - `data`    data of the page, which lists integrations that it does not use: with an account under the tool's name
 * - `names`   class names and ids, which outlive tools and are copied: only next to an address in the code
 * - `no`      chosen by a provider, allowed but not loaded, a link, a text, or a library's own code
 */
type Showing = "own" | "load" | "call" | "address" | "markup" | "data" | "names" | "no";

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
  "html.style": "no",
  "html.meta": "own",
  "consent.service": "no",
  "http.header": "own",
  "http.cookie": "own",
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

/** Detections of the same report, by name: an implied tool rests on the one that implies it. */
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
  const isSetUp: Readonly<Record<Showing, (each: Evidence) => boolean>> = {
    own: () => true,
    load: (each) => isOwnLoad(each, detection, label),
    call: ({ value }) => !isSwitchedOff(value, detection),
    address: (each) => isAddress(each) && (hasPlace || hasAccount(each.value, label)),
    markup: ({ value, strength }) => strength === "certain" || hasAddress || ACCOUNT_ATTRIBUTE.test(value),
    data: ({ value }) => namesOf(detection).has(plain(ACCOUNT_OF.exec(value)?.[1] ?? "")),
    names: () => hasAddress,
    no: (each) => each.signal === "implied" && isImpliedBySetUp(each, detection, report, depth),
  };
  return strong.find((each) => isSetUp[showingOf(each)](each));
}

const showingOf = ({ signal }: Evidence): Showing => (signal === "implied" ? "no" : SHOWS[signal]);

function isImpliedBySetUp({ value }: Evidence, { tool }: Detection, report: Report, depth: number): boolean {
  const parent = report.detections.find((each) => each.tool === value && each.tool !== tool);
  return parent !== undefined && depth < MAX_IMPLIED && setUpEvidence(parent, report, depth + 1) !== undefined;
}

const hostIn = (value: string): string => URL.parse(value)?.hostname ?? value;

function isOwnLoad({ signal, value }: Evidence, { category }: Detection, label: string): boolean {
  if (isExchange(value)) return false;
  const { hostname = "", pathname = "" } = URL.parse(value) ?? {};
  if (isSharedHost(hostname)) return contains(hostname + pathname, label);
  if (signal === "html.frame" && BUTTON.test(pathname)) return false;
  const isAdvertising = ADVERTISING.has(category);
  // A recording does not say which frame made a request.
  if (signal === "html.request") return contains(value, label) || (!isAdvertising && hasAccount(value, label));
  // A browser saves a page with what advertisements added to it.
  return !isAdvertising || (signal !== "html.frame" && signal !== "html.image") || hasAccount(value, label);
}

/** Labels of categories whose companies call one another from a page. */
const ADVERTISING: ReadonlySet<string> = new Set(["Advertising", "Affiliate Marketing", "Customer Data Platform"]);

/** Frames of share and like buttons: they link to a service, with no account. */
const BUTTON =
  /\/(?:plugins\/(?:like|share|send|follow)|share|sharer|share_button|tweet_button|follow_button)(?:[./]|$)/i;

/**
 * Calls in which advertising companies exchange the ids of a visitor, and answers to another company's callback. A tag of one
 * of them starts the calls to all others.
 */
const EXCHANGE_HOST = /^(?:[a-z]*-?sync\d*|[a-z]*match|cm|dpm|idmap|ssum(?:-sec)?|dis|gum)\./i;
const EXCHANGE_PATH =
  /(?:^|[/_.-])(?:(?:user|cookie|id|pixel|px|c|u)?[_-]?sync(?:s|er|frame|_?pixels?)?(?!\.js)|(?:user|cookie|id|pixel)[_-]?sync|(?:user|cookie|id|px|pxl)?[_-]?match(?:id)?|(?:set|get)[_-]?u?uids?|idmap|map[_-]?uid|cm|ibs:[^/]*|tap\.php|usermatchredir|xuid)(?:[/_.-]|$)/i;
const EXCHANGE_QUERY = /[?&;](?:dpuuid|partner_?uid|partner_?device_?id|google_nid|google_cm|redir(?:ect)?)=/i;
/** `/map/?key=…&url=` sends an id to the address that it is given. */
const MAPPING = /^\/map\/?\?.*\b(?:ur[il]|u?uid|partner)=/i;
const CALLBACK = /\/(?:callback|jsonp)=/i;

function isExchange(value: string): boolean {
  const url = URL.parse(value.replaceAll("&amp;", "&"));
  if (!url) return EXCHANGE_HOST.test(value);
  if (EXCHANGE_HOST.test(url.hostname) || EXCHANGE_PATH.test(url.pathname)) return true;
  const rest = url.pathname + url.search;
  return EXCHANGE_QUERY.test(url.search) || MAPPING.test(rest) || CALLBACK.test(rest);
}

/** An id in an address: a part with four digits in it that is no year or version, a key that was cut, or the company's name. */
function hasAccount(value: string, label: string): boolean {
  if (contains(value, label)) return true;
  const url = URL.parse(value.replaceAll("&amp;", "&"));
  if (!url) return false;
  return `${url.pathname}${url.search}`
    .split(/[/?&=._~,;:-]+/)
    .some((part) => (part.replace(/\D/g, "").length >= 4 && !YEAR.test(part)) || part.includes(CUT));
}

const YEAR = /^(?:19|20)\d{2}(?:\d{2}){0,2}$/;
/** In place of the rest of a key, see `redaction.ts`; as part of an address it is escaped. */
const CUT = encodeURIComponent("…");

/** An attribute with the key or the id of an account or a placement. */
const ACCOUNT_ATTRIBUTE =
  /\bdata-[a-z-]{0,40}(?:id|key|token|account|client|slot|site|publisher|widget|server)="?[^\s">]{2,}|<[a-z]{2,12}:[a-z]/i;

/** `"intercom":{"appId":"…` */
const ACCOUNT_OF = /"([\w-]{3,60})"\s*:\s*\{\s*"\w*(?:id|key|token|account|site)"\s*:\s*"?[^",}]{4}/i;

const namesOf = ({ id, tool }: Detection): ReadonlySet<string> => new Set([plain(id), plain(tool)]);

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

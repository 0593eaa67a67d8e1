import { parse } from "tldts";
import { belongsTo, type Domain, hostOfUrl } from "../../core/domain.ts";
import { remembered } from "../../core/remembered.ts";

/** Host names inside code, style sheets and policy headers. */

/** The domains that count as the company's when one of its pages is read. */
export type CompanyDomains = readonly string[];

/** The company's domain, and the domain of the page if the company's site has moved there. */
export function companyDomains(domain: Domain, pageUrl: string): CompanyDomains {
  const actual = registrable(hostOfUrl(pageUrl));
  return actual && actual !== domain.name ? [domain.name, actual] : [domain.name];
}

export function isCompanyHost(host: string, company: CompanyDomains): boolean {
  return company.some((name) => belongsTo(host, name));
}

/** The registrable domain of a host by the public suffix list with its private part; undefined for invalid hosts. */
export function registrable(host: string): string | undefined {
  if (host.length < 4 || host.length > 253 || !/\.(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(host)) return undefined;
  return privateDomain(host);
}
/** Pages name the same hosts again and again. */
const MAX_HOSTS = 4_096;
const privateDomain = remembered(
  MAX_HOSTS,
  (host) => parse(host, { allowPrivateDomains: true, extractHostname: false }).domain ?? undefined,
);

/** Hosts in code that nothing is loaded from: licences, namespaces, documentation. With their subdomains. */
const REFERENCE_DOMAINS = [
  "angular.dev",
  "angular.io",
  "apache.org",
  "bit.ly",
  "bohemiancoding.com",
  "caniuse.com",
  "creativecommons.org",
  "ecma-international.org",
  "example.com",
  "example.org",
  "fb.me",
  "feross.org",
  "getbootstrap.com",
  "git.io",
  "gnu.org",
  "goo.gl",
  "ietf.org",
  "inkscape.org",
  "json-schema.org",
  "lodash.com",
  "mit-license.org",
  "mths.be",
  "momentjs.com",
  "mozilla.org",
  "nextjs.org",
  "npm.im",
  "npmjs.com",
  "ogp.me",
  "opensource.org",
  "openjsf.org",
  "openxmlformats.org",
  "purl.org",
  "react.dev",
  "reactjs.org",
  "rfc-editor.org",
  "schema.org",
  "sourceforge.net",
  "stackoverflow.com",
  "tc39.es",
  "underscorejs.org",
  "vuejs.org",
  "w3.org",
  "web.dev",
  "whatwg.org",
  "wikipedia.org",
  "xmlns.com",
];
/** The same, but without their subdomains, which do serve files. */
const REFERENCE_HOSTS = new Set([
  "closure-compiler.appspot.com",
  "github.com",
  "gist.github.com",
  "jquery.com",
  "jquery.org",
  "js.foundation",
  "ns.adobe.com",
  "tailwindcss.com",
  "www.jquery.com",
]);
/** First labels of documentation sites. */
const REFERENCE_LABEL = /^(?:blog|community|developers?|docs?|help|learn|support|wiki)\./;

const isReference = remembered(
  MAX_HOSTS,
  (host) =>
    REFERENCE_HOSTS.has(host) || REFERENCE_LABEL.test(host) || REFERENCE_DOMAINS.some((name) => belongsTo(host, name)),
);

/** Marks of page data in a script: most addresses in it are part of the content, like links. */
const PAGE_DATA =
  /__next_f|__NUXT|__APOLLO_STATE__|__INITIAL_STATE__|__PRELOADED_STATE__|__remixContext|__REDUX_STATE__/;
/** Each mark has two underscores. */
const holdsPageData = (start: string) => start.includes("__") && PAGE_DATA.test(start);
/** In page data an address counts if it is that of a file or a source. */
const OF_FILE =
  /^[^\s"'`\\<>]{0,400}?\.(?:avif|css|gif|jpe?g|js|json|m3u8|m4a|mjs|mp3|mp4|mpd|pdf|png|svg|webm|webp|woff2?)(?:[?/"'`\\&#\s]|$)/i;
const AS_SOURCE = /(?:src|script|endpoint|apiUrl|api_url|host|dsn|origin)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?$/i;

const HOST_CAP = 2_000;

/** Third-party hosts and addresses of files in code. */
export interface AddressesInCode {
  readonly hosts: ReadonlySet<string>;
  /** `https` URLs without fragment, for hosts that a path follows. */
  readonly urls: ReadonlySet<string>;
  /** URLs of partners of a tool, not of the site, and templates: see {@link OF_PARTNER}. Their hosts are not in `hosts`. */
  readonly partners: ReadonlySet<string>;
}

/** {@link addressesInCode}, the hosts alone. */
export const hostsInCode = (text: string, company: CompanyDomains, isData?: boolean): ReadonlySet<string> =>
  addressesInCode(text, company, isData).hosts;

const URL_CAP = 300;
/** By such pictures a script tests for ad blockers; it uses none of the vendors whose addresses it holds. */
const BAIT = "/images/pixel.gif?ch=";

/**
 * Third-party addresses in code: `https://host`, `"//host`, both with escaped slashes, and files on a host that is
 * concatenated with its scheme. At most 2,000 hosts and 300 URLs, without hosts that nothing is loaded from.
 *
 * @param isData whether the text is page data, where only files and sources count; detected by default
 */
export function addressesInCode(
  text: string,
  company: CompanyDomains,
  isData = holdsPageData(text.slice(0, 2_000)),
): AddressesInCode {
  const hosts = new Set<string>();
  const urls = new Set<string>();
  const partners = new Set<string>();
  if (text.includes(BAIT)) return { hosts, urls, partners };
  const off = switchedOff(text);
  const isOff = (at: number) => off.some(([from, to]) => at > from && at < to);
  const isFontLoader = text.includes("fontdeck.com") && text.includes("typekit.net");
  /** Whether a host counts. */
  const checked = new Map<string, boolean>();
  const isKnown = (host: string) => {
    const before = checked.get(host);
    if (before !== undefined) return before;
    const counts = isThirdPartyHost(host, company) && !isReference(host);
    checked.set(host, counts);
    return counts;
  };
  for (const slashes of ["//", "\\/\\/", "\\u002F\\u002F", "\\u002f\\u002f"]) {
    for (let at = text.indexOf(slashes); at >= 0 && hosts.size < HOST_CAP; ) {
      const start = at + slashes.length;
      const end = hostEnd(text, start);
      // `//` starts a comment in code, so an address must follow a quote or a bracket.
      if (end - start >= 4 && opensAddress(text.charCodeAt(at - 1))) {
        const host = text.slice(start, end).toLowerCase();
        const isUnused = isOff(at) || (isFontLoader && FONT_SERVICES.test(host));
        if (isKnown(host) && !isUnused && (!hosts.has(host) || urls.size < URL_CAP)) {
          if (isData ? isLoaded(text, at, end) : !isLink(text, at, end) && !isProbe(text, at, end)) {
            const path = urls.size < URL_CAP ? pathAfter(text, end) : undefined;
            if (path && (OF_PARTNER.test(path) || OF_TEMPLATE.test(path) || isOfPlayers(text, at, path))) {
              if (partners.size < URL_CAP) partners.add(`https://${host}${path}`);
              at = text.indexOf(slashes, Math.max(end, start));
              continue;
            }
            hosts.add(host);
            if (path) urls.add(`https://${host}${path}`);
            for (const inner of hostsInPath(path)) if (isKnown(inner)) hosts.add(inner);
          }
        }
      }
      at = text.indexOf(slashes, Math.max(end, start));
    }
  }
  if (!isData) {
    for (const [, joined = ""] of text.matchAll(JOINED)) {
      const host = joined.toLowerCase();
      if (hosts.size < HOST_CAP && isThirdPartyHost(host, company) && !isReference(host)) hosts.add(host);
    }
  }
  return { hosts, urls, partners };
}

/** Whether code only asks if the address can be reached, to learn whether the visitor blocks advertisements. */
const isProbe = (text: string, at: number, end: number): boolean => {
  const before = text.slice(Math.max(0, at - 40), at);
  if (HEAD_BEFORE.test(before)) return true;
  return FETCH_BEFORE.test(before) && PROBE_AFTER.test(text.slice(end, end + 300));
};
const HEAD_BEFORE = /\.open\(\s{0,2}["']HEAD["']\s{0,2},\s{0,2}["'`](?:https?:)?$/i;
const FETCH_BEFORE = /\b(?:fetch|Request)\(\s{0,2}["'`](?:https?:)?$/;
const PROBE_AFTER = /^[^"'`]{0,160}["'`]\s{0,2},\s{0,20}\{[^{}]{0,100}(?:["']HEAD["']|["']no-cors["'])/i;

/**
 * Addresses at which a data platform exchanges visitors' ids with its partners, and links and counters of one advertisement:
 * lists of them are copied with the code of the platform.
 */
const OF_PARTNER = new RegExp(
  [
    String.raw`^\/(?:[^?#]{0,80}\/)?(?:user[-_]?sync|cookie[-_]?sync|id-?sync|usync|utsync|ecm\d?|get-?(?:user-?id|uid)|setuid|mapuid|xuid)\b`,
    String.raw`^\/(?:[^?#]{0,80}\/)?(?:user-?match(?:redir)?|cookie[-/]?match|pixel-?sync|cksync|genericusersync|tap\.php|S?Pug)\b`,
    String.raw`^\/(?:[^?#]{0,80}\/)?(?:cm\/(?:p70r|dd)|rd\/dd|ddm\/(?:ad|clk|trackclk|trackimp)\w*|track\/cm[bf]|w\/1\.0\/(?:cm|sd))\b`,
    String.raw`^\/(?:ibs:dpid=|map\/c=|(?:match|sync|ul_cb\/sync)\?)|\/adServer\.bs\b`,
    String.raw`[?&](?:_?kdpid|dpuid|ex=krux|exchange_?uid|google_nid=|cm_dsp_id=|partner_uid=)|\/cm\?(?:in|pub)=`,
  ].join("|"),
  "i",
);

/** Whether an address is one at which a tool of the page exchanges ids with a partner of its own. */
export const isOfPartner = ({ pathname, search }: URL): boolean => OF_PARTNER.test(pathname + search);

/** Embedding addresses without what they embed: libraries of light boxes and editors have those of every video service. */
const OF_TEMPLATE = /^\/(?:[\w.-]{1,30}\/)?(?:embed|video|player|v)\/(?:$|[%{$]|\?url=(?:$|[%{$]))/;

/** Services that the code of Web Font Loader names, whichever of them a page uses. */
const FONT_SERVICES = /(?:^|\.)(?:fontdeck\.com|typekit\.net|fonts\.(?:com|net)|webtype\.com)$/;

const OFF = /["']?\b(?:is_?)?enabled["']?\s{0,4}:\s{0,4}(?:false\b|0\b|["'](?:false|0)["'])/gi;
const MAX_OFF = 50;
const MAX_BLOCK = 2_000;

/** Blocks of plain settings with `"enabled": false`: their places from brace to brace. Without functions, which may enable them. */
function switchedOff(text: string): readonly (readonly [from: number, to: number])[] {
  const blocks: [number, number][] = [];
  if (!/enabled/i.test(text)) return blocks;
  let read = 0;
  for (const { index } of text.matchAll(OFF)) {
    if (++read > MAX_OFF) break;
    const from = brace(text, index - 1, -1);
    const to = brace(text, index, 1);
    if (from !== undefined && to !== undefined && !text.slice(from, to).includes("(")) blocks.push([from, to]);
  }
  return blocks;
}

/** The brace that encloses a place, searched in one direction for {@link MAX_BLOCK} characters. */
function brace(text: string, start: number, step: 1 | -1): number | undefined {
  const [enclosing, nested] = step > 0 ? ["}", "{"] : ["{", "}"];
  let depth = 0;
  for (let at = start; at >= 0 && at < text.length && Math.abs(at - start) < MAX_BLOCK; at += step) {
    if (text[at] === nested) depth += 1;
    else if (text[at] === enclosing && depth-- === 0) return at;
  }
  return undefined;
}

const PATH = /^(?:\\?\/|\\u002[Ff])(?:[^\s"'`<>()\\]|\\\/|\\u002[Ff]|\\u0026){1,300}/;
/** The path and query after a host, its escapes resolved; undefined for none. */
function pathAfter(text: string, end: number): string | undefined {
  const code = text.charCodeAt(end);
  if (code !== 47 && code !== 92) return undefined;
  const written = PATH.exec(text.slice(end, end + 320))?.[0];
  return written
    ?.replace(/\\u002[Ff]/g, "/")
    .replaceAll("\\/", "/")
    .replaceAll("\\u0026", "&")
    .split("#", 1)[0];
}

const PREFIXED = /\/((?:[a-z0-9-]{1,40}\.){1,3}[a-z]{2,6})(?=\/)/gi;
/** Podcast files are counted by services whose addresses are put one before another: `/redirect.mp3/chtbl.com/track/…`. */
function hostsInPath(path: string | undefined): string[] {
  if (!path || !/\.(?:mp3|m4a)(?:[/?]|$)/i.test(path)) return [];
  return [...path.matchAll(PREFIXED)]
    .flatMap(([, host]) => host?.toLowerCase() ?? [])
    .filter((host) => !/\.mp3$/.test(host));
}

/** Loaders that concatenate the scheme: `("https:" == … ? "https://" : "http://") + "cdn.vendor.com/tag.js"`. */
const JOINED = /\+\s{0,5}["']([a-z0-9][a-z0-9.-]{2,200}\.[a-z]{2,24})\/[^"'\s]{0,300}\.(?:js|php|gif|html)\b/gi;

const CODE_BEFORE = new Set([..."\"'`(:"].map((character) => character.charCodeAt(0)));
const opensAddress = (code: number) => CODE_BEFORE.has(code);

/** The end of the host name that begins at `start`; `start` for an incomplete name, as in `"https://" + name`. */
function hostEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start <= 253) {
    const code = text.charCodeAt(end) | 32;
    const plain = text.charCodeAt(end);
    const fits = (code >= 97 && code <= 122) || (plain >= 48 && plain <= 57) || plain === 45 || plain === 46;
    if (!fits) break;
    end++;
  }
  const after = text[end];
  if (after === "$" || after === "@" || after === "_" || text[end - 1] === ".") return start;
  return end;
}

/** The address of a link in markup inside code. */
const IN_ANCHOR = /(?:<|\\u003c|\\x3c)a\s[^<>]{0,160}$/i;
/** The address in a selector of links: `a[href*="//vendor.com"]`. */
const IN_SELECTOR = /[*^$~|]=\\{0,2}["']?(?:https?:)?$/i;
/** The address as a target in plain data, of a menu or a list: `{"uri":"https://vendor.com/","label":"…"}`. */
const AS_TARGET =
  /["'](?:href|uri|link|link_?url|permalink|canonical(?:_?url)?)\\{0,3}["']\s{0,3}:\s{0,3}\\{0,3}["'](?:https?:)?$/i;
/** The rest of an object up to its `rel`, which makes the address one of a style sheet or a connection. */
const WITH_REL = /^[^{}]{0,400}?\brel\b/;
const REL_BEFORE = /\brel\b[^{}]{0,80}$/;
function isLink(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 180), at);
  if (IN_ANCHOR.test(before) || IN_SELECTOR.test(before.slice(-12))) return true;
  if (!AS_TARGET.test(before.slice(-60)) || REL_BEFORE.test(before)) return false;
  const after = text.slice(end, end + 420);
  return !OF_FILE.test(after) && !WITH_REL.test(after);
}

/** Libraries that play the videos of every service read their addresses: they load the player of one when asked. */
const PLAYERS = /(?:iframe|player)_api$/;
const READS_ADDRESSES = /youtu\\?\.be[\s\S]{0,600}vimeo\\?\.com|vimeo\\?\.com[\s\S]{0,600}youtu\\?\.be/;
const isOfPlayers = (text: string, at: number, path: string) =>
  PLAYERS.test(path) && READS_ADDRESSES.test(text.slice(Math.max(0, at - 800), at));

function isLoaded(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at).replace(/https?:$/i, "");
  return AS_SOURCE.test(before) || OF_FILE.test(text.slice(end, end + 420));
}

function isThirdPartyHost(host: string, company: CompanyDomains): boolean {
  return registrable(host) !== undefined && !isCompanyHost(host, company);
}

const STYLE_ADDRESS = /(?:url\(\s{0,5}["']?|@import\s{1,5}["'])((?:https?:)?\/\/[^"')\s]{3,500})/gi;

const STYLE_COMMENT = /\/\*[^*]{0,4000}\*\//g;

/** Third-party hosts that a style sheet loads from by `url()` or `@import`. */
export function hostsInStyle(text: string, company: CompanyDomains): Set<string> {
  const hosts = new Set<string>();
  for (const [, address] of text.replace(STYLE_COMMENT, " ").matchAll(STYLE_ADDRESS)) {
    const host = URL.parse(address ?? "", "https://x.invalid/")?.hostname;
    if (host && isThirdPartyHost(host, company)) hosts.add(host);
    if (hosts.size >= HOST_CAP) break;
  }
  return hosts;
}

/**
 * Third-party hosts among the sources of a policy header, a wildcard by the name under it:
 * `script-src 'self' https://*.vendor.com:443/x` yields `vendor.com`.
 */
export function hostsInPolicy(value: string, company: CompanyDomains): Set<string> {
  const hosts = new Set<string>();
  for (const token of value
    .slice(0, 32_768)
    .replaceAll("\\/", "/")
    .split(/[\s;,"'()<>{}[\]=]+/)) {
    const host = /^(?!nonce-|sha\d{3}-)(?:(?:https?|wss?):\/\/)?(?:\*\.)?([a-z0-9][a-z0-9.-]{2,252}[a-z])(?=[:/]|$)/i
      .exec(token)?.[1]
      ?.toLowerCase();
    if (host?.includes(".") && isThirdPartyHost(host, company)) hosts.add(host);
    if (hosts.size >= HOST_CAP) break;
  }
  return hosts;
}

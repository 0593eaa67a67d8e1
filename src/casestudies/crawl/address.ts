import { siteOf } from "../../core/domain.ts";
import { urlKey } from "../keys.ts";

/** How the crawl writes, compares and groups addresses. */

const MAX_ADDRESS = 1_000;
const TRACKING =
  /^(utm_\w{1,40}|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|li_fat_id|mc_cid|mc_eid|igshid|_hsenc|_hsmi|__hs\w{1,20}|hsctatracking|_ga|_gl)$/i;
/** What a page links to that is never a page or a document. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|map|json|xml|rss|atom|txt|zip|gz|tgz|mp[34]|m4[av]|mov|webm|avi|wav|woff2?|ttf|eot|dmg|exe|docx?|pptx?|xlsx?|csv|ics|vcf|epub)$/i;
const LANGUAGES = new Set(
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja jp ko kr lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh cn tw".split(
    " ",
  ),
);
/** Countries that sites put in the place of a language, and that speak English there. */
const ENGLISH_REGIONS = new Set(["us", "gb", "au", "nz", "ie"]);

/** The address to ask for: without fragment, tracking parameters and default port. Null for what is not fetched. */
export function addressOf(href: string, base?: string): string | null {
  if (href.length > MAX_ADDRESS * 4) return null;
  const url = URL.parse(href.trim(), base);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) return null;
  url.hash = "";
  if (url.search !== "")
    for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href.length > MAX_ADDRESS ? null : url.href;
}

/** One key for all spellings of one page's address. */
export function keyOf(address: string): string {
  return urlKey(address).replace(/\/(?:index|default)\.(?:html?|php|aspx)$/i, "");
}

/** Whether both lie under one registrable domain. */
export function sameSite(a: string, b: string): boolean {
  return siteOf(hostOf(a)) === siteOf(hostOf(b));
}

/** Whether the address is a picture, a script or another file that tells no story. */
export function isAsset(address: string): boolean {
  return NO_PAGE.test(URL.parse(address)?.pathname ?? "");
}

export function isPdf(address: string): boolean {
  return /\.pdf$/i.test(URL.parse(address)?.pathname ?? "");
}

export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? "";
}

/** Decoded segments of the path, without the language and without empty ones; at most 20. */
export function segmentsOf(address: string): string[] {
  const segments = rawSegments(address);
  return isLanguage(segments[0]) ? segments.slice(1) : segments;
}

/** The language that the path or the host's first label names, such as `de` or `zh-cn`; null when it names none. */
export function languageOf(address: string): string | null {
  const [first] = rawSegments(address);
  if (isLanguage(first)) return ENGLISH_REGIONS.has(first) ? `en-${first}` : first.replace("_", "-");
  const [label = ""] = hostOf(address).split(".");
  return isLanguage(label) ? label.toLowerCase() : null;
}

/** The address's key with the language left out: what the versions of one story have in common. */
export function storyKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  const segments = segmentsOf(address).join("/");
  const host = url.hostname.replace(/^www\./, "");
  const [label = "", ...rest] = host.split(".");
  return keyOf(`${url.protocol}//${isLanguage(label) ? rest.join(".") : host}/${segments}${url.search}`);
}

/** Whether `address` lies below the folder that `listing` names. A listing at the root has nothing below it but all. */
export function isUnder(address: string, listing: string): boolean {
  const folder = folderOf(listing);
  if (folder.length === 0 || !sameSite(address, listing)) return false;
  const path = segmentsOf(address);
  return path.length > folder.length && folder.every((segment, at) => path[at] === segment);
}

/** The segments above the last one. */
export function parentOf(address: string): string {
  return segmentsOf(address).slice(0, -1).join("/");
}

/** Segments that the listing's stories share: `/customers/`, `/customers/index.html` and `/customers/page/2` have one. */
function folderOf(listing: string): string[] {
  const segments = segmentsOf(listing);
  const paging = segments.findIndex(
    (segment, at) => /^(?:page|p|seite)$/i.test(segment) && /^\d{1,4}$/.test(segments[at + 1] ?? ""),
  );
  const path = paging < 0 ? segments : segments.slice(0, paging);
  return /\.\w{2,5}$/.test(path.at(-1) ?? "") ? path.slice(0, -1) : path;
}

function rawSegments(address: string): string[] {
  const path = URL.parse(address)?.pathname ?? "";
  return path.split("/", 22).filter(Boolean).slice(0, 20).map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

function isLanguage(segment: string | undefined): segment is string {
  const parts = /^([a-z]{2})(?:[-_]([a-z]{2,4}))?$/i.exec(segment ?? "");
  const code = (parts?.[1] ?? "").toLowerCase();
  return LANGUAGES.has(code) || (ENGLISH_REGIONS.has(code) && parts?.[2] === undefined);
}

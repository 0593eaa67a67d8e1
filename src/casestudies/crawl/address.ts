import { hostOfUrl, siteOf } from "../../core/domain.ts";
import { TRACKING, urlKey } from "../keys.ts";

/** How a crawl normalises, compares and groups addresses. */

const MAX_ADDRESS = 1_000;
/** Extensions of links that are neither a page nor a PDF. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|map|json|xml|rss|atom|txt|zip|gz|tgz|mp[34]|m4[av]|mov|webm|avi|wav|woff2?|ttf|eot|dmg|exe|docx?|pptx?|xlsx?|csv|ics|vcf|epub)$/i;
const LANGUAGES = new Set(
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja jp ko kr lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh cn tw".split(
    " ",
  ),
);
/** Country codes that sites use in place of a language; each means English. */
const ENGLISH_REGIONS = new Set(["us", "gb", "au", "nz", "ie"]);

/** The address to request, without fragment, tracking parameters and default port. Null if it is not an http(s) URL. */
export function addressOf(href: string, base?: string): string | null {
  if (href.length > MAX_ADDRESS * 4) return null;
  const url = URL.parse(href.trim(), base);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) return null;
  url.hash = "";
  if (url.search !== "")
    for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href.length > MAX_ADDRESS ? null : url.href;
}

/** The same key for every spelling of a page's address. */
export function keyOf(address: string): string {
  return urlKey(address).replace(/\/(?:index|default)\.(?:html?|php|aspx)$/i, "");
}

/** Whether both have the same registrable domain. */
export function sameSite(a: string, b: string): boolean {
  return siteOf(hostOfUrl(a)) === siteOf(hostOfUrl(b));
}

/** Whether the address is that of an image, a script or another file that is not a page. */
export function isAsset(address: string): boolean {
  return NO_PAGE.test(URL.parse(address)?.pathname ?? "");
}

export function isPdf(address: string): boolean {
  return /\.pdf$/i.test(URL.parse(address)?.pathname ?? "");
}

/** Decoded, non-empty segments of the path without the language; at most 20. */
export function segmentsOf(address: string): string[] {
  const segments = rawSegments(address);
  return isLanguage(segments[0]) ? segments.slice(1) : segments;
}

/** The language in the path or in the first label of the host, such as `de` or `zh-cn`; null when there is none. */
export function languageOf(address: string): string | null {
  const [first] = rawSegments(address);
  if (isLanguage(first)) return ENGLISH_REGIONS.has(first) ? `en-${first}` : first.replace("_", "-");
  const [label = ""] = hostOfUrl(address).split(".");
  return isLanguage(label) ? label.toLowerCase() : null;
}

/** The key of the address without its language: the same for all versions of a story. */
export function storyKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  const segments = segmentsOf(address).join("/");
  const host = url.hostname.replace(/^www\./, "");
  const [label = "", ...rest] = host.split(".");
  return keyOf(`${url.protocol}//${isLanguage(label) ? rest.join(".") : host}/${segments}${url.search}`);
}

/** Whether `address` is inside the folder of `listing`. Always false for a listing at the root. */
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

/** The folder of a listing: `customers` for `/customers/`, `/customers/index.html` and `/customers/page/2`. */
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
  return path.split("/", 22).filter(Boolean).slice(0, 20).map(decode);
}

function decode(segment: string): string {
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

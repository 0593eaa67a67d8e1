/** The addresses that a page's tags hold: in which attributes they stand, and what they mean there. */
import type { Attributes } from "./page-source.ts";

const URL_CAP = 2_048;

/** Where a script's address stands; consent and speed-up tools move it until the visitor agrees or acts. */
export const SCRIPT_SOURCES = [
  "src",
  "data-src",
  "data-cookieblock-src",
  "data-cmp-src",
  "data-suppressedsrc",
  "data-rocket-src",
  "data-lazy-src",
  "data-blocked-src",
];
/** Where the address of an image or a frame waits until it is needed or agreed to. */
export const LATE_IMAGES = ["data-src", "data-lazy-src", "data-original"];
export const LATE_FRAMES = ["data-src", "data-lazy-src", "data-cookieblock-src", "data-suppressedsrc"];
export const IMAGE_SETS = ["srcset", "data-srcset"];
export const MEDIA_SOURCES = ["src", "data-src"];

/** The first of the attributes that is there and not empty. */
export function firstOf(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value) return value;
  }
  return undefined;
}

/** The first address of a `srcset`. */
export const firstCandidate = (set: string | undefined) => set?.trim().split(/\s/, 1)[0];

/**
 * The absolute http(s) URL that an address means on a page, without fragment and user; over 2,048 characters without its
 * query or, when that does not help, undefined.
 */
export function resolve(written: string | undefined, base: string): URL | undefined {
  const address = written?.trim();
  if (!address || address.startsWith("#") || address.length > 4 * URL_CAP) return undefined;
  const url = URL.parse(address, base);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname) return undefined;
  url.hash = "";
  url.username = "";
  url.password = "";
  if (url.href.length > URL_CAP) url.search = "";
  return url.href.length > URL_CAP ? undefined : url;
}

/** The text of a script that is packed into its own address, as caching plug-ins do. */
export function unpack(address: string): string | undefined {
  const [, encoding, data] =
    /^data:(?:text|application)\/(?:x-)?javascript[^,]{0,60}?(;base64)?,(.{1,65000})/s.exec(address) ?? [];
  if (!data) return undefined;
  if (encoding) return Buffer.from(data, "base64").toString();
  return new URLSearchParams(`script=${data.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("script") ?? undefined;
}

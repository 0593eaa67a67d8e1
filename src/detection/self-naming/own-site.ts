import { hostOfUrl } from "../../core/domain.ts";
import { WORDPRESS_THEMES } from "./extension-names.ts";
import { compactName } from "./names.ts";

let lastLocation = "";
let lastSite = "";
/** The host of a location, which hundreds of signals in a row share; empty for none. */
function siteOf(location: string): string {
  if (location !== lastLocation) {
    lastSite = hostOfUrl(location);
    lastLocation = location;
  }
  return lastSite;
}

/** Whether an extension, file or class has the site's name or is a child theme: private code of the site, not a product. */
export function isOfTheSite(slug: string, location: string): boolean {
  if (/[-_]child(?:$|[-_])/.test(slug)) return true;
  const name = slug.toLowerCase().replace(/[^a-z0-9]/g, "");
  return labelsOf(siteOf(location)).some(({ site, words }) => {
    if (site === name) return true;
    if (site.length >= 4 && (name.includes(site) || (name.length >= 4 && site.startsWith(name)))) return true;
    return words.length > 0 && slug.split(/[-_]/).some((word) => words.includes(word));
  });
}

/**
 * Whether an unknown theme begins with an abbreviation of the site (`hn-2024` of harbournews.example): two or three letters,
 * the first of them the site's first. Such a theme is mostly the site's own.
 */
export function isAbbreviationOfSite(type: string, slug: string, location: string): boolean {
  if (type !== "wordpress-theme" || WORDPRESS_THEMES.has(slug)) return false;
  const [, letters = ""] = /^([a-z]{2,3})(?:\d{1,4})?(?:[-_.]|$)/.exec(slug) ?? [];
  if (letters === "" || MAKERS.has(letters)) return false;
  return labelsOf(siteOf(location)).some(({ site }) => {
    let at = site.startsWith(letters[0]!) ? 0 : -1;
    for (const letter of letters.slice(1)) at = at < 0 ? -1 : site.indexOf(letter, at + 1);
    return at > 0;
  });
}
/** Words and makers with which the names of published themes begin. */
const MAKERS = new Set(
  "the my pro one big new neo max zen fox evo era sky air art box fit pet spa tea red dt et gp hu ja kt mh mk pt rt td th tm vw wp bb".split(
    " ",
  ),
);

interface SiteLabel {
  /** Letters and digits. */
  readonly site: string;
  /** `mmo-home` on `mein-mmo`: the words of a name of several, without those that products have. */
  readonly words: readonly string[];
}

let labelled = "";
let siteLabels: readonly SiteLabel[] = [];
/** The labels of a host that say whose it is. */
function labelsOf(host: string): readonly SiteLabel[] {
  if (host === labelled) return siteLabels;
  labelled = host;
  siteLabels = host
    .split(".")
    .slice(0, -1)
    .map((label) => ({
      site: label.replace(/[^a-z0-9]/g, ""),
      words: label.includes("-") ? label.split("-").filter((word) => word.length >= 3 && !PRODUCT_WORDS.has(word)) : [],
    }))
    .filter(({ site }) => !PRODUCT_WORDS.has(site));
  return siteLabels;
}

const PRODUCT_WORDS = new Set([
  "app",
  "blog",
  "forum",
  "mobile",
  "store",
  "www2",
  "ads",
  "amp",
  "magazin",
  "magazine",
  "news",
  "seo",
  "shop",
  "the",
  "web",
  "wordpress",
]);

/** Whether the address around a match in a text is relative or belongs to the site. */
export function isOwnAddress(text: string, at: number, location: string): boolean {
  const before = text.slice(Math.max(0, at - 120), at + 1).replaceAll("\\/", "/");
  const [address] = /https?:\/\/[^\s"'<>()]*$/.exec(before) ?? [];
  return address === undefined || isServedForSite(address, location);
}

/** Delivery networks that serve copies of a site's files. */
const SITE_CDN =
  /(?:^|\.)(?:cloudfront\.net|b-cdn\.net|kxcdn\.com|kinstacdn\.com|stackpathcdn\.com|netdna-ssl\.com|azureedge\.net|fastly\.net|akamaized\.net|edgecastcdn\.net|wp\.com|rocketcdn\.me|cdn77\.org|imgix\.net|staticflickr\.com|pressidium\.com|wpenginepowered\.com|wpengine\.com|pantheonsite\.io|nitrocdn\.com|shortpixel\.ai|exactdn\.com|smushcdn\.com|cdn\.digitaloceanspaces\.com)$/;

/**
 * Whether a host of the site, or a network that serves copies of its files, has an address; false where the location has no host.
 * A widget that a page loads from its vendor's WordPress says nothing about the page's own extensions.
 */
export function isServedForSite(url: string, location: string): boolean {
  const host = hostOfUrl(url);
  const own = siteOf(location).replace(/^www\./, "");
  const label = own.split(".")[0] ?? "";
  if (own === "") return false;
  if (host === own || host.endsWith(`.${own}`) || SITE_CDN.test(host)) return true;
  // `cdn.acme.net`, `acme-static.com`, `acme.de` of `acme.com`: the site's label is a whole part of the host.
  return label.length >= 4 && (host.split(".").includes(label) || host.split(/[.-]/).includes(label));
}

/** `Acme Blog 1.0` on `acmeondemand.example`: the site begins with the first word of the name. */
export function isAfterSite(name: string, location: string): boolean {
  const [first = ""] = compactName(name.split(" ", 1)[0] ?? "").match(/^.{4,}/) ?? [];
  return first !== "" && compactName(siteOf(location).replace(/^www\./, "")).startsWith(first);
}

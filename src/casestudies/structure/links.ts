import { hostOfUrl, isSharedHost, recordedDomain, siteOf } from "../../core/domain.ts";
import type { PageText } from "../types.ts";
import { nameWords, organisationKey } from "./names.ts";
import { wordSet } from "./word-lists.ts";

/** Hosts with pages of many owners, which identify no client. */
const SHARED_HOSTS = wordSet(`
  github.com gitlab.com bitbucket.org youtube.com youtu.be vimeo.com twitter.com x.com linkedin.com facebook.com
  instagram.com medium.com wikipedia.org google.com slideshare.net t.co bit.ly reddit.com stackoverflow.com apache.org
  kubernetes.io cncf.io w3.org ietf.org archive.org docker.com npmjs.com pypi.org amazon.com microsoft.com apple.com
  slack.com discord.gg discord.com dev.to substack.com wordpress.com blogspot.com crunchbase.com techcrunch.com
  forbes.com
`);

export interface ExternalLink {
  readonly text: string;
  /** Registrable domain. */
  readonly domain: string;
  /** The domain's name without its suffix and dashes: `inceptomedical` for `incepto-medical.com`. */
  readonly label: string;
  /** Whether the link goes to the root of the site. */
  readonly isRoot: boolean;
  readonly isShared: boolean;
}

/** Links to sites other than the vendor's. */
export function externalLinks(page: PageText, vendorDomain: string | null): ExternalLink[] {
  const ignoredSites = new Set([siteOf(hostOfUrl(page.url)), vendorDomain ? siteOf(vendorDomain) : ""]);
  const links: ExternalLink[] = [];
  for (const { href, text } of page.links.slice(0, 5 * MAX_LINKS)) {
    const url = URL.parse(href);
    if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname.includes(".")) continue;
    const domain = siteOf(url.hostname);
    if (ignoredSites.has(domain) || isSharedHost(domain) || /^[\d.]+$|:/.test(domain)) continue;
    const label = recordedDomain(domain).label.replace(/[^\p{L}\p{N}]/gu, "");
    links.push({
      text: text.slice(0, 200).trim(),
      domain,
      label,
      isRoot: /^\/?(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(url.pathname) && url.search === "",
      isShared: SHARED_HOSTS.has(domain),
    });
    if (links.length >= MAX_LINKS) break;
  }
  return links;
}

const MAX_LINKS = 200;

const EXTRA_HOST_WORDS = wordSet(`
  get go try use join my the we hello app hq lab labs inc io group tech technology technologies global software
  solution solutions online web corp corporation company na us uk eu ag gmbh ltd bank game games media system systems
  health ai dev cloud team life engineering org official campaign project limited network networks services
`);

/** Whether a host label belongs to a name: the same word, its initials, or the word with a common prefix or suffix. */
export function hostFitsName(label: string, name: string): boolean {
  const plain = label.toLowerCase();
  const key = organisationKey(name);
  if (plain.length < 2 || key.length < 2) return false;
  // Host names write umlauts with an e.
  const german = name.replace(/ä/gi, "ae").replace(/ö/gi, "oe").replace(/ü/gi, "ue").replace(/ß/g, "ss");
  for (const variant of [
    key,
    organisationKey(german),
    organisationKey(name.replace(/&/g, " and ")),
    organisationKey(name.replace(/&/g, "")),
  ]) {
    if (plain === variant) return true;
    const at = variant.length >= 3 ? plain.indexOf(variant) : -1;
    if (at < 0) continue;
    const [before, after] = [plain.slice(0, at), plain.slice(at + variant.length)];
    if ((before === "" || EXTRA_HOST_WORDS.has(before)) && (after === "" || EXTRA_HOST_WORDS.has(after))) return true;
  }
  const words = nameWords(name);
  if (
    words.length >= 3 &&
    [words, words.filter((word) => word.length > 3)].some((some) => plain === some.map((word) => word[0]).join(""))
  )
    return true;
  // "Adeo Group" at adeo.com: the first word alone, when the others only describe it.
  return (
    words.length > 1 &&
    plain.length >= 3 &&
    plain === words[0] &&
    words.slice(1).every((word) => EXTRA_HOST_WORDS.has(word))
  );
}

const COMMON_SLUG_WORDS = wordSet(`
  case study studies casestudy usercase user customer story stories interview with the en html htm php md index how
  blog success spotlight a an of at by and in for to on our
`);

/** The words of a URL's last segment that may be a name: `6-river-systems-case-study` gives `6 river systems`. */
export function slugWords(url: string, vendorWords: ReadonlySet<string>): string[] {
  const path = URL.parse(url)?.pathname ?? "";
  const segment =
    path
      .split("/", 30)
      .filter((part) => part !== "")
      .at(-1) ?? "";
  let decoded = segment;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    // An incomplete escape is kept as it is.
  }
  return nameWords(decoded.replace(/\.(?:html?|php|md|aspx)$/i, "").replace(/_/g, " ")).filter(
    (word) => !COMMON_SLUG_WORDS.has(word) && !vendorWords.has(word),
  );
}

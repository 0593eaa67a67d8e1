import { recordedDomain, siteOf } from "../../../vocabulary/domain.ts";
import type { PageText } from "../../../vocabulary/page.ts";
import type { Labelled } from "../labelled.ts";
import type { Candidates } from "./candidates.ts";
import { foldName, nameWords } from "./names.ts";

const MAX_THINGS = 200;
const MAX_DEPTH = 4;
const CLIENT_LABEL =
  /^(?:the )?(?:client|customer|company|organi[sz]ation|organi[sz]ation name|company name|customer name|client name|end user|user|partner|firm|brand|account)s?$/i;
const LOGO =
  /^(.{2,60}?)(?:['’]s)?\s?[-–|,:]?\s?(?:company |customer |brand |client )?(?:logo(?:type|mark)?|brand mark|icon)\b/i;
const LOGO_OF = /\blogo (?:of|for) (?:the )?(.{2,60}?)$/i;

/** Pictures and data objects of a page that name the client outright. */
export function notePage(page: PageText, candidates: Candidates): void {
  for (const { alt } of page.images.slice(0, MAX_THINGS)) {
    const text = alt.slice(0, 200).trim();
    const named = LOGO.exec(text)?.[1] ?? LOGO_OF.exec(text)?.[1];
    if (named !== undefined) candidates.note(named, "logo", text);
  }
  for (const name of jsonLdNames(page.json_ld)) candidates.note(name, "json-ld", null);
}

/** "Customer: Acme" wherever the page says so. */
export function noteLabelled(pairs: readonly Labelled[], candidates: Candidates): void {
  for (const { name, value, text } of pairs) {
    if (!CLIENT_LABEL.test(name)) continue;
    const shown = value.split(/[;|]|, (?!inc|ltd|llc|gmbh|co\b|corp|s\.?a)/i, 1)[0]?.trim() ?? "";
    if (shown.split(" ").length <= 8) candidates.note(shown, "label", text);
  }
}

/** Names of organisations that the page's objects are about, mention or review. */
function jsonLdNames(objects: PageText["json_ld"]): string[] {
  const names: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || names.length >= 20 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) visit(one, depth + 1);
      return;
    }
    for (const key of ["about", "mentions", "itemReviewed", "sourceOrganization", "customer"])
      noteNamed(Reflect.get(value, key));
    const author: unknown = Reflect.get(value, "author");
    if (String(Reflect.get(value, "@type")).includes("Review")) {
      noteNamed(author);
      if (typeof author === "object" && author !== null) {
        noteNamed(Reflect.get(author, "worksFor"));
        noteNamed(Reflect.get(author, "affiliation"));
      }
    }
    for (const key of ["@graph", "review", "mainEntity", "hasPart"]) visit(Reflect.get(value, key), depth + 1);
  };
  const noteNamed = (value: unknown): void => {
    for (const one of Array.isArray(value) ? value.slice(0, 20) : [value]) {
      if (typeof one !== "object" || one === null) continue;
      const name: unknown = Reflect.get(one, "name");
      if (
        typeof name === "string" &&
        /Organi[sz]ation|Corporation|Business|Brand/i.test(String(Reflect.get(one, "@type")))
      )
        names.push(name.slice(0, 100));
    }
  };
  for (const one of objects.slice(0, 20)) visit(one, 0);
  return names;
}

/** Hosts where many have pages: they belong to nobody's story. */
const SHARED_HOSTS: ReadonlySet<string> = new Set(
  (
    "github.com gitlab.com bitbucket.org youtube.com youtu.be vimeo.com twitter.com x.com linkedin.com facebook.com instagram.com medium.com wikipedia.org " +
    "google.com slideshare.net t.co bit.ly reddit.com stackoverflow.com apache.org kubernetes.io cncf.io w3.org ietf.org archive.org docker.com npmjs.com pypi.org " +
    "amazon.com microsoft.com apple.com slack.com discord.gg discord.com dev.to substack.com wordpress.com blogspot.com crunchbase.com techcrunch.com forbes.com"
  ).split(" "),
);

/** Sites that a service gives to projects: no company's own address. */
const SHARED_SUFFIX =
  /\.(?:github\.io|gitlab\.io|readthedocs\.io|netlify\.app|vercel\.app|herokuapp\.com|web\.app|pages\.dev|wordpress\.com|blogspot\.com|medium\.com|substack\.com)$/;

export interface OutsideLink {
  readonly text: string;
  /** Registrable domain. */
  readonly domain: string;
  /** Its label in one word: `incepto-medical` is `inceptomedical`. */
  readonly label: string;
  /** The link goes to the site's root. */
  readonly isRoot: boolean;
  readonly isShared: boolean;
}

/** Links that leave the vendor's own site. */
export function outsideLinks(page: PageText, vendorDomain: string | null): OutsideLink[] {
  const own = new Set([siteOf(URL.parse(page.url)?.hostname ?? ""), vendorDomain ? siteOf(vendorDomain) : ""]);
  const links: OutsideLink[] = [];
  for (const { href, text } of page.links.slice(0, 5 * MAX_THINGS)) {
    const url = URL.parse(href);
    if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname.includes(".")) continue;
    const domain = siteOf(url.hostname);
    if (own.has(domain) || SHARED_SUFFIX.test(domain) || /^[\d.]+$|:/.test(domain)) continue;
    const label = recordedDomain(domain).label.replace(/[^\p{L}\p{N}]/gu, "");
    links.push({
      text: text.slice(0, 200).trim(),
      domain,
      label,
      isRoot: /^\/?(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(url.pathname) && url.search === "",
      isShared: SHARED_HOSTS.has(domain),
    });
    if (links.length >= MAX_THINGS) break;
  }
  return links;
}

const HOST_WORDS: ReadonlySet<string> = new Set(
  (
    "get go try use join my the we hello app hq lab labs inc io group tech technology technologies global software solution solutions online web corp corporation company na us uk " +
    "eu ag gmbh ltd bank game games media system systems health ai dev cloud team life engineering org official campaign project limited network networks services"
  ).split(" "),
);

/** Whether a host's label is a name's: the same word, its initials, or one with a usual word before or after it. */
export function fitsName(label: string, name: string): boolean {
  const plain = label.toLowerCase();
  const key = foldName(name);
  if (plain.length < 2 || key.length < 2) return false;
  // Umlauts are written with an e in hosts.
  const german = name.replace(/ä/gi, "ae").replace(/ö/gi, "oe").replace(/ü/gi, "ue").replace(/ß/g, "ss");
  for (const one of [key, foldName(german), foldName(name.replace(/&/g, " and ")), foldName(name.replace(/&/g, ""))]) {
    if (plain === one) return true;
    const at = one.length >= 3 ? plain.indexOf(one) : -1;
    if (at < 0) continue;
    const [before, after] = [plain.slice(0, at), plain.slice(at + one.length)];
    if ((before === "" || HOST_WORDS.has(before)) && (after === "" || HOST_WORDS.has(after))) return true;
  }
  const words = nameWords(name);
  if (
    words.length >= 3 &&
    [words, words.filter((word) => word.length > 3)].some((some) => plain === some.map((word) => word[0]).join(""))
  )
    return true;
  // "Adeo Group" at adeo.com: the first word alone, where the others say only what it is.
  return (
    words.length > 1 && plain.length >= 3 && plain === words[0] && words.slice(1).every((word) => HOST_WORDS.has(word))
  );
}

const SLUG_WORDS: ReadonlySet<string> = new Set(
  "case study studies casestudy usercase user customer story stories interview with the en html htm php md index how blog success spotlight a an of at by and in for to on our".split(
    " ",
  ),
);

/** The name-like rest of an address's last segment, in words: `6-river-systems-case-study` is `6 river systems`. */
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
    // Half an escape is a character like others.
  }
  return nameWords(decoded.replace(/\.(?:html?|php|md|aspx)$/i, "").replace(/_/g, " ")).filter(
    (word) => !SLUG_WORDS.has(word) && !vendorWords.has(word),
  );
}

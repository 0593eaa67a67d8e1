/** What a list of stories leads to: its stories, its further pages, and the address that "load more" asks. */
import { addressOf, isAsset, keyOf, parentOf, sameSite, segmentsOf } from "./address.ts";
import { addressesIn, type NamedAddress, parseJson, readLinkedData } from "./embedded-data.ts";
import type { PageFacts, PageLink } from "./page-facts.ts";
import { type Candidate, isMixed, isStoryList, type Listing, type Place } from "./score.ts";

export interface ListingView extends Listing {
  /** Pages of the same site, each once; the listing itself and its further pages are not among them. */
  readonly candidates: readonly Candidate[];
  /** Further pages of the list. */
  readonly pages: readonly string[];
  /** Links that look like lists of stories themselves. */
  readonly lists: readonly string[];
}

const CARDS = 3;
const PLACES: readonly Place[] = ["card", "text", "data", "feed", "sitemap", "known", "menu"];
const PAGE_PATH = /\/(?:(?:page|p|seite|pagina|pg)\/|page-)(\d{1,3})\/?$/i;
const PAGE_PARAMETER = /^(?:page|p|paged|pg|pagina|seite|start|offset|page\w{0,10}|[\w-]{1,40}_page)$/i;
const NEXT_TEXT =
  /^\W{0,5}(?:next|older|more|load more|show more|weiter|nächste|mehr|suivante?s?|siguientes?|successiv[oa]|volgende|次へ|下一页|›|»|→)\b|^[›»→>]{1,2}$|^(?:次へ|下一页)/i;

export function readListing(facts: PageFacts, url: string): ListingView {
  const shapes = new Map<string, Set<string>>();
  for (const link of facts.links)
    if (link.inMain) shapes.set(link.shape, (shapes.get(link.shape) ?? new Set<string>()).add(link.url));
  const found = new Map<string, Candidate>();
  const pages: string[] = [];
  const own = keyOf(url);
  const add = (candidate: Candidate) => {
    const key = keyOf(candidate.url);
    if (key === own || !sameSite(candidate.url, url) || isAsset(candidate.url)) return;
    const known = found.get(key);
    found.set(key, known ? merged(known, candidate) : candidate);
  };
  const further = (address: string) => {
    if (sameSite(address, url) && keyOf(address) !== own && !pages.includes(address)) pages.push(address);
  };

  if (facts.next !== null) further(facts.next);
  for (const link of facts.links) {
    if (leadsOn(link, url)) further(link.url);
    else add({ url: link.url, text: link.text, place: placeOf(link, shapes) });
  }
  for (const { url: target, text } of readLinkedData(facts.jsonLd, url).items)
    add({ url: target, text, place: "card" });
  const stated = stateOf(facts, url);
  for (const { url: target, text } of stated.addresses)
    if (mayBeStory(target, url)) add({ url: target, text, place: "data" });
  const cards = [...found.values()].filter(({ place }) => place === "card");
  for (const { url: target, text } of guessed(stated.slugs, cards, url)) add({ url: target, text, place: "data" });

  const lists = facts.links.filter(
    (link) => sameSite(link.url, url) && isStoryList(link.url) && keyOf(link.url) !== own,
  );
  return {
    url,
    mixed: isMixed(url),
    siblings: siblingsOf(cards),
    candidates: [...found.values()],
    pages,
    lists: [...new Set(lists.map((link) => link.url))].slice(0, 20),
  };
}

/** Stories that an answer of "load more" names, in JSON or as a piece of markup. */
export function siblingAddresses(
  json: unknown,
  listing: ListingView,
): { stories: Candidate[]; next: string | null; markup: readonly string[] } {
  const { addresses, slugs, next, markup } = addressesIn(json, listing.url);
  const cards = listing.candidates.filter(({ place }) => place === "card");
  const named = [...addresses, ...guessed(slugs, cards, listing.url, true)];
  const stories = named
    .filter(({ url }) => !isAsset(url) && sameSite(url, listing.url) && !/\/(?:api|wp-json|ajax)\//.test(url))
    .map(({ url, text }) => ({ url, text, place: "card" as const }));
  return { stories, next, markup };
}

/** The address of the list without the number of its page. */
export function withoutPage(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.pathname = url.pathname.replace(PAGE_PATH, "/");
  for (const [name, value] of [...url.searchParams])
    if (PAGE_PARAMETER.test(name) && /^\d{1,5}$/.test(value)) url.searchParams.delete(name);
  return url.href;
}

function leadsOn({ url, text, rel }: PageLink, listing: string): boolean {
  if (!sameSite(url, listing)) return false;
  const base = keyOf(withoutPage(url));
  if (base === keyOf(withoutPage(listing))) return url !== withoutPage(url) || /\bnext\b/.test(rel);
  return (
    (/\bnext\b/.test(rel) || NEXT_TEXT.test(text)) &&
    url !== withoutPage(url) &&
    base.startsWith(keyOf(withoutPage(listing)))
  );
}

function placeOf({ shape, inMain }: PageLink, shapes: ReadonlyMap<string, ReadonlySet<string>>): Place {
  if (!inMain) return "menu";
  return (shapes.get(shape)?.size ?? 0) >= CARDS ? "card" : "text";
}

function merged(one: Candidate, other: Candidate): Candidate {
  const place = PLACES.indexOf(one.place) <= PLACES.indexOf(other.place) ? one.place : other.place;
  const text = one.text.includes(other.text) ? one.text : `${one.text} ${other.text}`.trim().slice(0, 400);
  return { url: one.url, text, place };
}

function siblingsOf(cards: readonly Candidate[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { url } of cards) counts.set(parentOf(url), (counts.get(parentOf(url)) ?? 0) + 1);
  return new Set([...counts].filter(([parent, count]) => parent !== "" && count >= CARDS).map(([parent]) => parent));
}

function stateOf({ scripts }: PageFacts, url: string) {
  const states = scripts
    .filter((text) =>
      /^\s{0,100}(?:[{[]|(?:window\.|self\.|var |const |let )?[\w.$["\]]{1,60}\s?=\s?[{[])/.test(text.slice(0, 300)),
    )
    .slice(0, 10)
    .map((text) => addressesIn(parseJson(text), url));
  return { addresses: states.flatMap(({ addresses }) => addresses), slugs: states.flatMap(({ slugs }) => slugs) };
}

/** A page's state names its menus too: only what lies among stories is taken from it. */
function mayBeStory(address: string, listing: string): boolean {
  const segments = segmentsOf(address);
  return (
    segments.length >= 2 &&
    (isStoryList(`${new URL(address).origin}/${segments.slice(0, -1).join("/")}`) ||
      keyOf(address).startsWith(`${keyOf(withoutPage(listing))}/`))
  );
}

/**
 * Addresses made of slugs: in the folder of a card whose own slug is among them, or, when there are no cards, in the
 * listing's own folder if that is one of stories.
 */
function guessed(
  slugs: readonly { slug: string; text: string }[],
  cards: readonly Candidate[],
  listing: string,
  trusted = false,
): NamedAddress[] {
  const all = new Set(slugs.map(({ slug }) => slug.toLowerCase()));
  const model =
    cards.find(({ url }) => all.has(segmentsOf(url).at(-1) ?? "")) ?? (trusted ? mostCommon(cards) : undefined);
  const bare = withoutPage(listing).split("?", 1)[0] ?? "";
  const folder = model
    ? addressOf(model.url.endsWith("/") ? ".." : ".", model.url)
    : isStoryList(listing) && (cards.length === 0 || trusted)
      ? `${bare.replace(/\/$/, "")}/`
      : null;
  if (folder === null) return [];
  return slugs.flatMap(({ slug, text }) => {
    const url = addressOf(`./${slug}${model?.url.endsWith("/") ? "/" : ""}`, folder);
    return url === null ? [] : [{ url, text }];
  });
}

/** A card out of the folder that holds most of them. */
function mostCommon(cards: readonly Candidate[]): Candidate | undefined {
  const siblings = siblingsOf(cards);
  return cards.find(({ url }) => siblings.has(parentOf(url)));
}

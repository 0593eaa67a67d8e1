import { parseScriptJson, typesOf } from "../../html/head.ts";
import { collapseWhitespace } from "../../html/tree.ts";
import { addressOf, isAsset, keyOf, parentOf, sameSite, segmentsOf } from "./address.ts";
import { type Candidate, isMixed, isStoryList, type Listing, type Place } from "./judge.ts";
import type { PageFacts, PageLink } from "./page.ts";
import { LISTS_STORIES } from "./words.ts";

/**
 * Reads a list of case studies: the pages that its links and its data name, its further pages, and the addresses from
 * which its "load more" fetches. Data is JSON-LD, the state that a page passes to its scripts, or a "load more" response.
 */

interface NamedAddress {
  readonly url: string;
  /** Title in the same object, or "". */
  readonly text: string;
}

interface JsonAddresses {
  readonly addresses: readonly NamedAddress[];
  /** Last segments of addresses whose folder is unknown. */
  readonly slugs: readonly { readonly slug: string; readonly text: string }[];
  /** Address of the next page of the response. */
  readonly next: string | null;
  /** HTML inside the response. */
  readonly markup: readonly string[];
}

export interface LinkedData {
  /** `@type` of the page's subject, lower case. */
  readonly types: readonly string[];
  /** Items of its lists. */
  readonly items: readonly NamedAddress[];
}

const MAX_NODES = 50_000;
const MAX_DEPTH = 40;
const MAX_FOUND = 2_000;
const ADDRESS_KEYS =
  "url link href permalink path uri canonical canonicalUrl canonical_url fullUrl full_url pathname fullSlug full_slug".split(
    " ",
  );
const SLUG_KEYS = ["slug", "uid", "handle"];
const TITLE_KEYS = ["title", "name", "headline", "heading", "client", "company", "customer"];
const NEXT_KEYS = ["next", "next_page", "nextPage", "next_url", "nextUrl", "next_page_url"];
/** Paths of lists that have slugs but hold no case studies. */
const OTHER_LISTS =
  /nav|menu|tag|categor|author|locale|language|footer|header|breadcrumb|industr|filter|facet|product|team|user|job|event|image|media|topic|region|countr/i;
const SLUG = /^[\p{L}\p{N}][\p{L}\p{N}._-]{1,150}$/u;

type Fields = Readonly<Record<string, unknown>>;

export function addressesIn(json: unknown, base: string): JsonAddresses {
  const addresses: NamedAddress[] = [];
  const slugs: { slug: string; text: string }[] = [];
  const markup: string[] = [];
  let next: string | null = null;
  walk(json, (fields, path) => {
    const found = ADDRESS_KEYS.map((key) => pathText(key, fields[key])).find((value) => value !== null);
    const url = found ? addressOf(found, base) : null;
    const text = titleOf(fields);
    if (url !== null && sameSite(url, base)) {
      if (addresses.length < MAX_FOUND) addresses.push({ url, text });
    } else if (!OTHER_LISTS.test(path)) {
      const slug = SLUG_KEYS.map((key) => slugText(fields[key])).find((value) => value !== null);
      if (slug && slugs.length < MAX_FOUND) slugs.push({ slug, text });
    }
    for (const key of NEXT_KEYS) {
      const value = fields[key];
      if (typeof value === "string" && /^(?:https?:\/\/|\/|\?)/.test(value)) next ??= addressOf(value, base);
    }
    for (const value of Object.values(fields).slice(0, 200))
      if (typeof value === "string" && markup.length < 50 && /<a\s[^>]{0,500}href/i.test(value)) markup.push(value);
  });
  return { addresses, slugs, next: next !== null && sameSite(next, base) ? next : null, markup };
}

export function readLinkedData(texts: readonly string[], base: string): LinkedData {
  const types = new Set<string>();
  const items: NamedAddress[] = [];
  for (const text of texts) {
    walk(parseScriptJson(text), (fields, path) => {
      const objectTypes = lowerTypes(fields);
      if (!/itemlist|haspart|author|publisher|breadcrumb|about|mentions/i.test(path))
        for (const type of objectTypes) if (types.size < 50) types.add(type);
      const inList = objectTypes.includes("listitem") || /itemlistelement|haspart|blogpost$/i.test(path);
      if (!inList || /breadcrumb/i.test(path) || items.length >= MAX_FOUND) return;
      const target = [fields.url, fields["@id"], fields.item].find((value) => typeof value === "string");
      const url = typeof target === "string" ? addressOf(target, base) : null;
      if (url !== null) items.push({ url, text: titleOf(fields) });
    });
  }
  // Breadcrumbs are written as a list of pages too.
  return { types: [...types], items: types.has("breadcrumblist") && types.size === 1 ? [] : items };
}

/** Visits every object, outermost first, with its path of keys. Without recursion, because the depth is not trusted. */
function walk(json: unknown, visit: (fields: Fields, path: string) => void): void {
  const queue: { value: unknown; path: string; depth: number }[] = [{ value: json, path: "", depth: 0 }];
  for (let at = 0; at < queue.length && at < MAX_NODES; at += 1) {
    const { value, path, depth } = queue[at] ?? { value: null, path: "", depth: 0 };
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) continue;
    const fields = value as Fields;
    const type = Array.isArray(value) ? "" : lowerTypes(fields).join(" ");
    if (!Array.isArray(value)) visit(fields, path);
    for (const [key, inner] of Object.entries(value).slice(0, MAX_FOUND)) {
      if (typeof inner !== "object" || inner === null || queue.length >= MAX_NODES) continue;
      const step = Array.isArray(value) ? "" : `/${key.slice(0, 40)}`;
      queue.push({
        value: inner,
        path: `${path}${type.includes("breadcrumb") ? "/breadcrumb" : ""}${step}`.slice(-200),
        depth: depth + 1,
      });
    }
  }
}

const lowerTypes = (fields: Fields) => typesOf(fields).map((type) => type.toLowerCase());

function titleOf(fields: Fields): string {
  for (const key of TITLE_KEYS) {
    const value = fields[key];
    const text = typeof value === "object" && value !== null ? Reflect.get(value, "rendered") : value;
    if (typeof text === "string" && text.trim() !== "") return collapseWhitespace(text.slice(0, 1_000)).slice(0, 300);
  }
  return "";
}

/** An absolute address or path. Relative ones are ignored, because their base is unknown. */
function pathText(key: string, value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_000) return null;
  if (/^(?:https?:\/\/|\/[^/])/i.test(value)) return value;
  return /slug$/i.test(key) && /^[\w-]+(?:\/[\w.-]+)+\/?$/.test(value) ? `/${value}` : null;
}

function slugText(value: unknown): string | null {
  const text = typeof value === "object" && value !== null ? Reflect.get(value, "current") : value;
  return typeof text === "string" && SLUG.test(text) ? text : null;
}

export interface ListingView extends Listing {
  /** Pages of the same site, each once, without the list and its further pages. */
  readonly candidates: readonly Candidate[];
  /** Further pages of the list. */
  readonly pages: readonly string[];
  /** Links to other lists of case studies. */
  readonly lists: readonly string[];
}

/** Pages with links of one shape from which on they count as cards. */
const MIN_CARDS = 3;
/** The most significant first. */
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
  const listingKey = keyOf(url);
  const add = (candidate: Candidate) => {
    const key = keyOf(candidate.url);
    if (key === listingKey || !sameSite(candidate.url, url) || isAsset(candidate.url)) return;
    const known = found.get(key);
    found.set(key, known ? merge(known, candidate) : candidate);
  };
  const addPage = (address: string) => {
    if (sameSite(address, url) && keyOf(address) !== listingKey && !pages.includes(address)) pages.push(address);
  };

  if (facts.next !== null) addPage(facts.next);
  for (const link of facts.links) {
    if (isFurtherPage(link, url)) addPage(link.url);
    else add({ url: link.url, text: link.text, place: placeOf(link, shapes) });
  }
  for (const { url: target, text } of readLinkedData(facts.jsonLd, url).items)
    add({ url: target, text, place: "card" });
  const scriptData = readScriptData(facts, url);
  for (const { url: target, text } of scriptData.addresses)
    if (mayBeStory(target, url)) add({ url: target, text, place: "data" });
  const cards = [...found.values()].filter(({ place }) => place === "card");
  for (const { url: target, text } of addressesOfSlugs(scriptData.slugs, cards, url))
    add({ url: target, text, place: "data" });

  const lists = facts.links.filter(
    (link) => sameSite(link.url, url) && isStoryList(link.url) && keyOf(link.url) !== listingKey,
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

/** The case studies that a "load more" response names. */
export function siblingAddresses(
  json: unknown,
  listing: ListingView,
): { stories: Candidate[]; next: string | null; markup: readonly string[] } {
  const { addresses, slugs, next, markup } = addressesIn(json, listing.url);
  const cards = listing.candidates.filter(({ place }) => place === "card");
  const named = [...addresses, ...addressesOfSlugs(slugs, cards, listing.url, true)];
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

function isFurtherPage({ url, text, rel }: PageLink, listing: string): boolean {
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
  return (shapes.get(shape)?.size ?? 0) >= MIN_CARDS ? "card" : "text";
}

function merge(one: Candidate, other: Candidate): Candidate {
  const place = PLACES.indexOf(one.place) <= PLACES.indexOf(other.place) ? one.place : other.place;
  const text = one.text.includes(other.text) ? one.text : `${one.text} ${other.text}`.trim().slice(0, 400);
  return { url: one.url, text, place };
}

function siblingsOf(cards: readonly Candidate[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { url } of cards) counts.set(parentOf(url), (counts.get(parentOf(url)) ?? 0) + 1);
  return new Set(
    [...counts].filter(([parent, count]) => parent !== "" && count >= MIN_CARDS).map(([parent]) => parent),
  );
}

function readScriptData({ scripts }: PageFacts, url: string) {
  const states = scripts
    .filter((text) =>
      /^\s{0,100}(?:[{[]|(?:window\.|self\.|var |const |let )?[\w.$["\]]{1,60}\s?=\s?[{[])/.test(text.slice(0, 300)),
    )
    .slice(0, 10)
    .map((text) => addressesIn(parseScriptJson(text), url));
  return { addresses: states.flatMap(({ addresses }) => addresses), slugs: states.flatMap(({ slugs }) => slugs) };
}

/** Script data names menus too, so only addresses in a folder of case studies are taken from it. */
function mayBeStory(address: string, listing: string): boolean {
  const segments = segmentsOf(address);
  return (
    segments.length >= 2 &&
    (isStoryList(`${new URL(address).origin}/${segments.slice(0, -1).join("/")}`) ||
      keyOf(address).startsWith(`${keyOf(withoutPage(listing))}/`))
  );
}

/**
 * Builds addresses from slugs: in the folder of a card whose slug is among them, or without cards, in the listing's folder
 * if that is one of case studies.
 *
 * @param trusted every slug is that of a case study
 */
function addressesOfSlugs(
  slugs: readonly { slug: string; text: string }[],
  cards: readonly Candidate[],
  listing: string,
  trusted = false,
): NamedAddress[] {
  const all = new Set(slugs.map(({ slug }) => slug.toLowerCase()));
  const model =
    cards.find(({ url }) => all.has(segmentsOf(url).at(-1) ?? "")) ?? (trusted ? cardWithSiblings(cards) : undefined);
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

/** A card in a folder that holds several. */
function cardWithSiblings(cards: readonly Candidate[]): Candidate | undefined {
  const siblings = siblingsOf(cards);
  return cards.find(({ url }) => siblings.has(parentOf(url)));
}

const MAX_MORE = 3;
export const MAX_MORE_PAGES = 20;
const SCRIPT_ADDRESS = /["'`]((?:https?:\/)?\/[\w.~-][^"'`\s<>\\]{1,300})["'`]/g;
const IS_DATA =
  /\/(?:api|ajax|wp-json|_next\/data|rest|graph)\/|\.json(?:[?#]|$)|\/(?:load-?more|more|feed)\b|[?&](?:page|offset|skip|paged|cursor|start|limit|per_page)=/i;
const NUMBERED_PAGE = /^(?:page|p|paged|pg|page_?(?:no|number|index)|pageNumber)$/i;
const OFFSET_PARAMETER = /^(?:offset|skip|start|from)$/i;
const SIZE_PARAMETER = /^(?:limit|per_page|perPage|page_?size|pageSize|count|size|take|first)$/i;

/** Addresses from which the page's scripts fetch more of the list, as written; at most {@link MAX_MORE}. */
export function findMoreAddresses(facts: PageFacts, listing: string): string[] {
  const written = facts.scripts.flatMap((text) =>
    [...text.replaceAll("\\/", "/").matchAll(SCRIPT_ADDRESS)].slice(0, 2_000).map(([, address = ""]) => address),
  );
  const found = new Map<string, string>();
  for (const address of [...facts.dataAddresses, ...written]) {
    if (found.size >= MAX_MORE) break;
    const first = moreAddress(address, 1, listing);
    if (first === null || !sameSite(first, listing) || !IS_DATA.test(address)) continue;
    if (keyOf(withoutPage(first)) === keyOf(withoutPage(listing))) continue;
    const under = segmentsOf(listing).at(-1);
    if (LISTS_STORIES.test(address) || (under !== undefined && address.toLowerCase().includes(under)))
      found.set(first, address);
  }
  return [...found.values()];
}

/**
 * The address of page `number`, counted from 1. Null if the template is not an address, or contains no page number and
 * `number` is not 1.
 */
export function moreAddress(template: string, number: number, base: string): string | null {
  const filled = template.replace(/\$\{[^}]{0,60}\}|\{\w{0,20}\}|%7B\w{0,20}%7D/gi, String(number));
  const address = addressOf(filled, base);
  const url = address === null ? null : URL.parse(address);
  if (!url) return null;
  if (filled !== template) return url.href;
  const parameters = [...url.searchParams];
  const page = parameters.find(([name]) => NUMBERED_PAGE.test(name));
  if (page) {
    const start = /^\d{1,4}$/.test(page[1]) ? Number(page[1]) : 1;
    url.searchParams.set(page[0], String(start + number - 1));
    return url.href;
  }
  const offset = parameters.find(([name]) => OFFSET_PARAMETER.test(name));
  if (offset) {
    const size = Number(parameters.find(([name]) => SIZE_PARAMETER.test(name))?.[1] ?? 10) || 10;
    const start = /^\d{1,5}$/.test(offset[1]) ? Number(offset[1]) : 0;
    url.searchParams.set(offset[0], String(start + (number - 1) * size));
    return url.href;
  }
  return number === 1 ? url.href : null;
}

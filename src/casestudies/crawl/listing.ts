import { parseScriptJson, typesOf } from "../../html/head.ts";
import { collapseWhitespace } from "../../html/tree.ts";
import { addressOf, isAsset, keyOf, parentOf, sameSite, segmentsOf } from "./address.ts";
import { type Candidate, isMixed, isStoryList, type Listing, type Place } from "./judge.ts";
import type { PageFacts, PageLink } from "./page-facts.ts";

/** Addresses in JSON: in JSON-LD, in the state that a page hands to its scripts, and in what a "load more" answers. */

interface NamedAddress {
  readonly url: string;
  /** Title beside it, or "". */
  readonly text: string;
}

interface JsonAddresses {
  readonly addresses: readonly NamedAddress[];
  /** Last segments of addresses whose folder is not told. */
  readonly slugs: readonly { readonly slug: string; readonly text: string }[];
  /** Address of the following page of the answer. */
  readonly next: string | null;
  /** Markup that the answer carries. */
  readonly markup: readonly string[];
}

export interface LinkedData {
  /** `@type` of what the page is about, lower case. */
  readonly types: readonly string[];
  /** Members of its lists. */
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
/** Lists beside the stories that have slugs too. */
const NO_STORIES =
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
    } else if (!NO_STORIES.test(path)) {
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
      const own = lowerTypes(fields);
      if (!/itemlist|haspart|author|publisher|breadcrumb|about|mentions/i.test(path))
        for (const type of own) if (types.size < 50) types.add(type);
      const inList = own.includes("listitem") || /itemlistelement|haspart|blogpost$/i.test(path);
      if (!inList || /breadcrumb/i.test(path) || items.length >= MAX_FOUND) return;
      const target = [fields.url, fields["@id"], fields.item].find((value) => typeof value === "string");
      const url = typeof target === "string" ? addressOf(target, base) : null;
      if (url !== null) items.push({ url, text: titleOf(fields) });
    });
  }
  // A list of breadcrumbs names its members as any list does.
  return { types: [...types], items: types.has("breadcrumblist") && types.size === 1 ? [] : items };
}

/** Visits every object, outermost first, with the keys that lead to it. No recursion: a stranger chose the depth. */
function walk(json: unknown, see: (fields: Fields, path: string) => void): void {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value: json, path: "", depth: 0 }];
  for (let at = 0; at < waiting.length && at < MAX_NODES; at += 1) {
    const { value, path, depth } = waiting[at] ?? { value: null, path: "", depth: 0 };
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) continue;
    const fields = value as Fields;
    const type = Array.isArray(value) ? "" : lowerTypes(fields).join(" ");
    if (!Array.isArray(value)) see(fields, path);
    for (const [key, inner] of Object.entries(value).slice(0, MAX_FOUND)) {
      if (typeof inner !== "object" || inner === null || waiting.length >= MAX_NODES) continue;
      const step = Array.isArray(value) ? "" : `/${key.slice(0, 40)}`;
      waiting.push({
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

/** An address or a path from the root; what is relative to nobody knows what is left alone. */
function pathText(key: string, value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_000) return null;
  if (/^(?:https?:\/\/|\/[^/])/i.test(value)) return value;
  return /slug$/i.test(key) && /^[\w-]+(?:\/[\w.-]+)+\/?$/.test(value) ? `/${value}` : null;
}

function slugText(value: unknown): string | null {
  const text = typeof value === "object" && value !== null ? Reflect.get(value, "current") : value;
  return typeof text === "string" && SLUG.test(text) ? text : null;
}

/** What a list of stories leads to: its stories, its further pages, and the address that "load more" asks. */

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
    .map((text) => addressesIn(parseScriptJson(text), url));
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

/** Addresses from which a page's scripts would fetch more of its list, where the page shows them. */

const MAX_MORE = 3;
export const MAX_MORE_PAGES = 20;
const SCRIPT_ADDRESS = /["'`]((?:https?:\/)?\/[\w.~-][^"'`\s<>\\]{1,300})["'`]/g;
const IS_DATA =
  /\/(?:api|ajax|wp-json|_next\/data|rest|graph)\/|\.json(?:[?#]|$)|\/(?:load-?more|more|feed)\b|[?&](?:page|offset|skip|paged|cursor|start|limit|per_page)=/i;
const OF_STORIES = /case|customer|client|stor(?:y|ies)|testimonial|reference|success|kunden|referenz|cliente/i;
const NUMBERED_PAGE = /^(?:page|p|paged|pg|page_?(?:no|number|index)|pageNumber)$/i;
const OFFSET_PARAMETER = /^(?:offset|skip|start|from)$/i;
const SIZE_PARAMETER = /^(?:limit|per_page|perPage|page_?size|pageSize|count|size|take|first)$/i;

/** Templates of such addresses, as the page writes them; at most {@link MAX_MORE}. */
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
    if (OF_STORIES.test(address) || (under !== undefined && address.toLowerCase().includes(under)))
      found.set(first, address);
  }
  return [...found.values()];
}

/** The address of page `number`, counted from 1. Null when the template is none, or names no page and `number` is not 1. */
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

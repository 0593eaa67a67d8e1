import { parseScriptJson } from "../../html/head.ts";
import { decodeText } from "../../net/exchange.ts";
import { addressOf, keyOf, sameSite } from "./address.ts";
import { type Answer, MAX_LISTINGS } from "./fetcher.ts";
import { type CrawlEvent, type CrawlState, enqueue } from "./frontier.ts";
import {
  findMoreAddresses,
  type ListingView,
  MAX_MORE_PAGES,
  moreAddress,
  readListing,
  siblingAddresses,
} from "./listing.ts";
import { readPage } from "./page.ts";
import { type PageFacts, readPageFacts } from "./page-facts.ts";
import { MAX_ENTRIES, readAddressList, unpackedList } from "./sitemap.ts";

/** Reads lists: a listing and its further pages, what "load more" answers, feeds and sitemaps. */

const MAX_SITEMAPS = 15;
const SITEMAP_DEPTH = 2;
const MAX_FEEDS = 2;
const MAX_SUBLISTS = 5;
/** Pages in a row that name nothing new, after which a list counts as one that leads on for ever. */
const MAX_BARREN = 2;
const OF_STORIES = /case|customer|client|stor(?:y|ies)|testimonial|reference|success|kunden|referenz/i;
const OF_OTHERS = /image|video|news|author|tag|categor|product|docs|event|job|forum/i;

type Events<T> = AsyncGenerator<CrawlEvent, T>;

/** Reads a list from its first page on. Answers what its pages named that looks like a case study. */
export async function* surveyListing(trip: CrawlState, facts: PageFacts, url: string, depth: number): Events<number> {
  trip.lists.add(keyOf(url));
  const view = readListing(facts, url);
  for (const page of view.pages) trip.lists.add(keyOf(page));
  let found = yield* enqueue(trip, view.candidates, view, depth + 1);
  yield { type: "listing", url, title: facts.heading ?? facts.title, found };
  found += yield* furtherPages(trip, view, depth);
  found += yield* loadMore(trip, facts, view, depth);
  for (const feed of facts.feeds.slice(0, MAX_FEEDS)) found += yield* readList(trip, feed, view, depth, "feed");
  if ((found === 0 || view.mixed) && depth < trip.limits.maxDepth - 1) {
    for (const list of view.lists.slice(0, MAX_SUBLISTS)) found += yield* sublist(trip, list, depth + 1);
  }
  return found;
}

/** Lists may take half of the budget; the other half is for what they name. */
function roomForLists({ asking, limits }: CrawlState): boolean {
  const most = Math.min(MAX_LISTINGS, Math.max(1, Math.floor(limits.maxPages / 2)));
  return asking.pages < most && asking.elapsed() < limits.deadlineMs / 2;
}

async function* askForList(trip: CrawlState, url: string): Events<{ facts: PageFacts; url: string } | null> {
  const key = keyOf(url);
  if (trip.seen.has(key)) return null;
  trip.seen.add(key);
  trip.lists.add(key);
  const asked = await trip.asking.ask(url, "page");
  if (asked.status !== "ok") {
    yield { type: "skipped", url, reason: whyNot(asked) };
    return null;
  }
  const page = readPage(asked, true);
  if (page.kind === "html") return { facts: page.facts, url: asked.url };
  yield { type: "skipped", url, reason: page.kind === "none" ? page.reason : "not a list of pages" };
  return null;
}

async function* furtherPages(trip: CrawlState, first: ListingView, depth: number): Events<number> {
  const waiting = [...first.pages];
  let total = 0;
  let barren = 0;
  for (let page = waiting.shift(); page !== undefined && barren < MAX_BARREN; page = waiting.shift()) {
    if (trip.seen.has(keyOf(page))) continue;
    if (!roomForLists(trip)) {
      yield {
        type: "note",
        text: "The list has further pages that were not read, to leave room for its case studies.",
      };
      break;
    }
    const read = yield* askForList(trip, page);
    if (read === null) continue;
    const view = readListing(read.facts, read.url);
    const found = yield* enqueue(trip, view.candidates, { ...view, mixed: first.mixed }, depth + 1);
    yield { type: "listing", url: read.url, title: read.facts.heading ?? read.facts.title, found };
    barren = found === 0 ? barren + 1 : 0;
    total += found;
    for (const next of view.pages) if (waiting.length < MAX_LISTINGS && !waiting.includes(next)) waiting.push(next);
  }
  return total;
}

async function* sublist(trip: CrawlState, url: string, depth: number): Events<number> {
  if (!roomForLists(trip)) return 0;
  const read = yield* askForList(trip, url);
  return read === null ? 0 : yield* surveyListing(trip, read.facts, read.url, depth);
}

async function* loadMore(trip: CrawlState, facts: PageFacts, view: ListingView, depth: number): Events<number> {
  let total = 0;
  for (const template of findMoreAddresses(facts, view.url)) {
    let barren = 0;
    let address = moreAddress(template, 1, view.url);
    for (let number = 1; address !== null && number <= MAX_MORE_PAGES && barren < MAX_BARREN; number += 1) {
      // Its key may be that of a page: what only scripts ask for is remembered by its full address.
      if (trip.seen.has(address) || trip.asking.elapsed() >= trip.limits.deadlineMs / 2) break;
      trip.seen.add(address);
      const asked = await trip.asking.ask(address, "data");
      if (asked.status !== "ok") {
        if (number === 1) yield { type: "skipped", url: address, reason: whyNot(asked) };
        break;
      }
      const { stories, next, markup } = siblingAddresses(jsonOf(asked), view);
      const drawn = markup.flatMap((text) => readPageFacts(text, view.url).links);
      const linked = drawn
        .filter((link) => sameSite(link.url, view.url))
        .map((link) => ({ ...link, place: "card" as const }));
      if (stories.length + linked.length === 0) break;
      const found = yield* enqueue(trip, [...stories, ...linked], view, depth + 1);
      barren = found === 0 ? barren + 1 : 0;
      total += found;
      address = next ?? moreAddress(template, number + 1, view.url);
    }
  }
  return total;
}

/** JSON, or markup that came instead of it, as a value that carries it. */
function jsonOf({ bytes, type }: Answer): unknown {
  const text = decodeText(bytes, type);
  return /^\s{0,100}</.test(text) ? { html: text } : parseScriptJson(text);
}

/** Sitemaps that robots.txt names and the usual one, for what lies among stories. */
export async function* surveySitemaps(trip: CrawlState, view: ListingView, depth: number): Events<number> {
  const { origin } = new URL(view.url);
  const rules = await trip.asking.rulesOf(view.url);
  const named = rules.sitemaps.flatMap((written) => addressOf(written, origin) ?? []);
  const waiting = [...named, `${origin}/sitemap.xml`].map((url) => ({ url, level: 0 }));
  const asked = new Set<string>();
  let total = 0;
  let room = MAX_ENTRIES;
  while (
    waiting.length > 0 &&
    asked.size < MAX_SITEMAPS &&
    room > 0 &&
    trip.asking.elapsed() < trip.limits.deadlineMs / 2
  ) {
    const { url, level } = waiting.shift() ?? { url: "", level: 0 };
    if (asked.has(url) || !sameSite(url, view.url)) continue;
    asked.add(url);
    const list = await listAt(trip, url, room);
    if (list === null) continue;
    room -= list.entries.length;
    const entries = list.entries.filter((entry) => sameSite(entry.url, view.url));
    total += yield* enqueue(
      trip,
      entries.map((entry) => ({ ...entry, place: "sitemap" as const })),
      view,
      depth + 1,
    );
    if (level < SITEMAP_DEPTH) {
      const inner = list.sitemaps.filter((name) => OF_STORIES.test(name) || !OF_OTHERS.test(name));
      const stories = inner.filter((name) => OF_STORIES.test(name));
      waiting.unshift(...stories.map((name) => ({ url: name, level: level + 1 })));
      waiting.push(...inner.filter((name) => !OF_STORIES.test(name)).map((name) => ({ url: name, level: level + 1 })));
    }
  }
  if (total > 0)
    yield { type: "note", text: `The site's own lists name ${total} more addresses that look like case studies.` };
  return total;
}

async function* readList(
  trip: CrawlState,
  url: string,
  view: ListingView,
  depth: number,
  place: "feed",
): Events<number> {
  if (!sameSite(url, view.url) || trip.seen.has(keyOf(url))) return 0;
  trip.seen.add(keyOf(url));
  const list = await listAt(trip, url, 1_000);
  const entries = (list?.entries ?? []).filter((entry) => sameSite(entry.url, view.url));
  return yield* enqueue(
    trip,
    entries.map((entry) => ({ ...entry, place })),
    view,
    depth + 1,
  );
}

async function listAt(trip: CrawlState, url: string, room: number) {
  const asked = await trip.asking.ask(url, "list");
  if (asked.status !== "ok") return null;
  const bytes = unpackedList(asked.bytes);
  if (bytes === null) return null;
  const xml = decodeText(bytes, /xml|text/.test(asked.type) ? asked.type : "");
  // A missing list is often answered with a page that says so.
  return /<!doctype html|<html/i.test(xml.slice(0, 500)) ? null : readAddressList(xml, asked.url, room);
}

export function whyNot(
  asked:
    | { readonly status: "gone"; readonly code: number }
    | { readonly status: "refused"; readonly reason: string }
    | { readonly status: "unchanged" },
): string {
  if (asked.status === "gone") return `not found (${asked.code})`;
  return asked.status === "refused" ? asked.reason : "unchanged";
}

import { parseScriptJson } from "../../html/head.ts";
import { decodeText } from "../../net/exchange.ts";
import { addressOf, keyOf, sameSite } from "./address.ts";
import { describeFailure } from "./fetcher.ts";
import { type CrawlState, enqueue } from "./frontier.ts";
import type { Place } from "./judge.ts";
import {
  findMoreAddresses,
  type ListingView,
  MAX_MORE_PAGES,
  moreAddress,
  readListing,
  siblingAddresses,
} from "./listing.ts";
import { type PageFacts, readPage, readPageFacts } from "./page.ts";
import { type AddressList, decompressList, MAX_ENTRIES, readAddressList } from "./sitemap.ts";
import type { CrawlEvent } from "./types.ts";
import { LISTS_STORIES } from "./words.ts";

/** Crawls lists: a listing with its further pages and its "load more", feeds and sitemaps. Each returns what it found. */

/** Pages of lists that are read, whatever the limit of pages. */
const MAX_LIST_PAGES = 50;
const MAX_SITEMAPS = 15;
const SITEMAP_DEPTH = 2;
const MAX_FEEDS = 2;
const MAX_FEED_ENTRIES = 1_000;
const MAX_SUBLISTS = 5;
/** Consecutive pages without anything new after which a list counts as endless. */
const MAX_EMPTY_PAGES = 2;
/** Sitemaps of other pages. */
const LISTS_OTHERS = /image|video|news|author|tag|categor|product|docs|event|job|forum/i;

type Events<T> = AsyncGenerator<CrawlEvent, T>;

export async function* crawlListing(state: CrawlState, facts: PageFacts, url: string, depth: number): Events<number> {
  state.lists.add(keyOf(url));
  const view = readListing(facts, url);
  for (const page of view.pages) state.lists.add(keyOf(page));
  let found = yield* enqueue(state, view.candidates, view, depth + 1);
  yield { type: "listing", url, title: facts.heading ?? facts.title, found };
  found += yield* crawlFurtherPages(state, view, depth);
  found += yield* loadMore(state, facts, view, depth);
  for (const feed of facts.feeds.slice(0, MAX_FEEDS)) found += yield* crawlFeed(state, feed, view, depth);
  if ((found === 0 || view.mixed) && depth < state.limits.maxDepth - 1)
    for (const list of view.lists.slice(0, MAX_SUBLISTS)) {
      const read = hasListBudget(state) ? yield* fetchList(state, list) : null;
      if (read !== null) found += yield* crawlListing(state, read.facts, read.url, depth + 1);
    }
  return found;
}

/** Lists may use half of the pages and half of the time; the rest is for the case studies that they name. */
function hasListBudget(state: CrawlState): boolean {
  const most = Math.min(MAX_LIST_PAGES, Math.max(1, Math.floor(state.limits.maxPages / 2)));
  return state.fetcher.pages < most && hasTimeForLists(state);
}

const hasTimeForLists = ({ fetcher, limits }: CrawlState) => fetcher.elapsed() < limits.deadlineMs / 2;

async function* fetchList(state: CrawlState, url: string): Events<{ facts: PageFacts; url: string } | null> {
  const key = keyOf(url);
  if (state.seen.has(key)) return null;
  state.seen.add(key);
  state.lists.add(key);
  const response = await state.fetcher.fetch(url, "page");
  if (response.status !== "ok") {
    yield { type: "skipped", url, reason: describeFailure(response) };
    return null;
  }
  const page = readPage(response, true);
  if (page.kind === "html") return { facts: page.facts, url: response.url };
  yield { type: "skipped", url, reason: page.kind === "none" ? page.reason : "not a list of pages" };
  return null;
}

async function* crawlFurtherPages(state: CrawlState, first: ListingView, depth: number): Events<number> {
  const queue = [...first.pages];
  let total = 0;
  let emptyPages = 0;
  for (let page = queue.shift(); page !== undefined && emptyPages < MAX_EMPTY_PAGES; page = queue.shift()) {
    if (state.seen.has(keyOf(page))) continue;
    if (!hasListBudget(state)) {
      yield {
        type: "note",
        text: "Further pages of the list were not read, to leave enough requests for its case studies.",
      };
      break;
    }
    const read = yield* fetchList(state, page);
    if (read === null) continue;
    const view = readListing(read.facts, read.url);
    const found = yield* enqueue(state, view.candidates, { ...view, mixed: first.mixed }, depth + 1);
    yield { type: "listing", url: read.url, title: read.facts.heading ?? read.facts.title, found };
    emptyPages = found === 0 ? emptyPages + 1 : 0;
    total += found;
    for (const next of view.pages) if (queue.length < MAX_LIST_PAGES && !queue.includes(next)) queue.push(next);
  }
  return total;
}

async function* loadMore(state: CrawlState, facts: PageFacts, view: ListingView, depth: number): Events<number> {
  let total = 0;
  for (const template of findMoreAddresses(facts, view.url)) {
    let emptyPages = 0;
    let address = moreAddress(template, 1, view.url);
    for (let number = 1; address !== null && number <= MAX_MORE_PAGES && emptyPages < MAX_EMPTY_PAGES; number += 1) {
      // Remembered by its whole address: its key may be that of a page.
      if (state.seen.has(address) || !hasTimeForLists(state)) break;
      state.seen.add(address);
      const response = await state.fetcher.fetch(address, "data");
      if (response.status !== "ok") {
        if (number === 1) yield { type: "skipped", url: address, reason: describeFailure(response) };
        break;
      }
      const text = decodeText(response.bytes, response.type);
      const json = /^\s{0,100}</.test(text) ? { html: text } : parseScriptJson(text);
      const { stories, next, markup } = siblingAddresses(json, view);
      const linked = markup
        .flatMap((html) => readPageFacts(html, view.url).links)
        .filter((link) => sameSite(link.url, view.url))
        .map((link) => ({ ...link, place: "card" as const }));
      if (stories.length + linked.length === 0) break;
      const found = yield* enqueue(state, [...stories, ...linked], view, depth + 1);
      emptyPages = found === 0 ? emptyPages + 1 : 0;
      total += found;
      address = next ?? moreAddress(template, number + 1, view.url);
    }
  }
  return total;
}

/** Reads the sitemaps that robots.txt names and `/sitemap.xml`. */
export async function* crawlSitemaps(state: CrawlState, view: ListingView): Events<number> {
  const { origin } = new URL(view.url);
  const rules = await state.fetcher.rulesOf(view.url);
  const named = rules.sitemaps.flatMap((written) => addressOf(written, origin) ?? []);
  const queue = [...named, `${origin}/sitemap.xml`].map((url) => ({ url, level: 0 }));
  const requested = new Set<string>();
  let total = 0;
  let room = MAX_ENTRIES;
  while (requested.size < MAX_SITEMAPS && room > 0 && hasTimeForLists(state)) {
    const entry = queue.shift();
    if (entry === undefined) break;
    const { url, level } = entry;
    if (requested.has(url) || !sameSite(url, view.url)) continue;
    requested.add(url);
    const list = await fetchAddressList(state, url, room);
    if (list === null) continue;
    room -= list.entries.length;
    total += yield* enqueueList(state, list, "sitemap", view, 1);
    if (level < SITEMAP_DEPTH) {
      const inner = list.sitemaps.map((name) => ({ url: name, level: level + 1 }));
      queue.unshift(...inner.filter((one) => LISTS_STORIES.test(one.url)));
      queue.push(...inner.filter((one) => !LISTS_STORIES.test(one.url) && !LISTS_OTHERS.test(one.url)));
    }
  }
  if (total > 0)
    yield { type: "note", text: `The sitemaps name ${total} more addresses that are probably case studies.` };
  return total;
}

async function* crawlFeed(state: CrawlState, url: string, view: ListingView, depth: number): Events<number> {
  if (!sameSite(url, view.url) || state.seen.has(keyOf(url))) return 0;
  state.seen.add(keyOf(url));
  const list = await fetchAddressList(state, url, MAX_FEED_ENTRIES);
  return list === null ? 0 : yield* enqueueList(state, list, "feed", view, depth + 1);
}

function enqueueList(state: CrawlState, { entries }: AddressList, place: Place, view: ListingView, depth: number) {
  const onSite = entries.filter((entry) => sameSite(entry.url, view.url));
  return enqueue(
    state,
    onSite.map((entry) => ({ ...entry, place })),
    view,
    depth,
  );
}

async function fetchAddressList(state: CrawlState, url: string, room: number): Promise<AddressList | null> {
  const response = await state.fetcher.fetch(url, "list");
  if (response.status !== "ok") return null;
  const bytes = decompressList(response.bytes);
  if (bytes === null) return null;
  const xml = decodeText(bytes, /xml|text/.test(response.type) ? response.type : "");
  // Many sites answer a missing list with a page that says so.
  return /<!doctype html|<html/i.test(xml.slice(0, 500)) ? null : readAddressList(xml, response.url, room);
}

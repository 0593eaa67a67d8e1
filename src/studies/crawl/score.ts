/** Whether an address, a link and a page are a customer's story: named clues, each with a weight, added up. */

import { siteOf } from "../../vocabulary/domain.ts";
import { hostOf, isUnder, parentOf, segmentsOf } from "./address.ts";
import * as words from "./clues.ts";
import type { PageFacts } from "./page-facts.ts";

/** Points for or against; a page whose sum is 0 is as likely a case study as not. */
export const WEIGHTS = {
  bias: -3,
  "a folder of stories in the address": 3,
  "a folder that may hold stories in the address": 0.5,
  "a story's name in the address": 2,
  "under the listing": 1.5,
  "beside other stories of the listing": 1,
  "on a card of the listing": 1.5,
  "only in a menu or footer": -1.5,
  "the link promises a story": 1,
  "another section in the address": -3,
  "the link names something else": -2.5,
  "was a case study before": 1,
  "title of a story": 1.5,
  "the vendor beside somebody in the title": 1,
  "says that it is a case study": 2,
  "title of something else": -3,
  "challenge, solution or result among the headings": 1,
  "two or more parts of a story": 2.5,
  "facts about the client": 1.5,
  "a quote": 0.7,
  "figures of an outcome": 0.8,
  "tells what somebody did": 0.8,
  "the client in its text": 1,
  "long enough": 0.7,
  "nothing in its text tells of a client": -5,
  "little text": -1.5,
  "hardly any text": -8,
  "announces or teaches": -1.2,
  "a press release or event by its data": -3,
  "a blog post by its data": -0.5,
  "a product by its data": -2,
  "a list of other pages": -4,
} as const;
export type Clue = Exclude<keyof typeof WEIGHTS, "bias">;

/** Where an address was met. */
export type Place = "card" | "text" | "menu" | "sitemap" | "feed" | "data" | "known";

export interface Candidate {
  readonly url: string;
  /** What is written on the links to it. */
  readonly text: string;
  readonly place: Place;
}

export interface Verdict {
  readonly score: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly clues: readonly Clue[];
  /** What it is instead, such as "a blog post"; null when nothing says so. */
  readonly instead: string | null;
  /** Nothing that the page says could make it a story. */
  readonly never: boolean;
}

/** From this on a page counts as a case study. */
export const ACCEPTED = 0;
/** From this on an address is worth a request. */
export const WORTH_READING = -3.5;

/** What is known of the list that a link stands in. */
export interface Listing {
  readonly url: string;
  /** It lists other things too, as a blog or a home page does: to stand in it says nothing. */
  readonly mixed: boolean;
  /** Folders in which its cards have at least three pages. */
  readonly siblings: ReadonlySet<string>;
}

/** Whether a list at this address holds more than stories. */
export function isMixed(url: string): boolean {
  const segments = segmentsOf(url);
  if (segments.some((segment) => words.STORY_SECTION.test(segment) || words.STORY_SLUG.test(segment))) return false;
  return (
    segments.length === 0 || segments.some((segment) => words.OTHER_SECTIONS.some(([pattern]) => pattern.test(segment)))
  );
}

/** Whether the address itself is one of a list of stories, such as `/customers`. */
export function isStoryList(url: string): boolean {
  const segments = segmentsOf(url);
  return segments.length <= 3 && words.STORY_SECTION.test(segments.at(-1) ?? "");
}

export function judgeLink({ url, text, place }: Candidate, listing: Listing): Verdict {
  const clues: Clue[] = [];
  const segments = segmentsOf(url);
  const slug = segments.at(-1) ?? "";
  const above = segments.slice(0, -1);
  const shared = new Set(segmentsOf(listing.url));
  const inside = above.filter((segment) => !shared.has(segment));
  const never = words.NEVER.find(([pattern]) =>
    segments.some((segment) => !shared.has(segment) && pattern.test(segment)),
  );
  const other = words.OTHER_SECTIONS.find(
    ([pattern]) => inside.some((segment) => pattern.test(segment)) || (segments.length === 1 && pattern.test(slug)),
  );
  const named = words.NOT_STORY_TITLE.find(([pattern]) => pattern.test(text.slice(0, 160)));
  const story = above.some((segment) => words.STORY_SECTION.test(segment));
  if (story) clues.push("a folder of stories in the address");
  else if (above.some((segment) => words.MIXED_SECTION.test(segment)))
    clues.push("a folder that may hold stories in the address");
  if (words.STORY_SLUG.test(slug)) clues.push("a story's name in the address");
  if (!listing.mixed) {
    if (isUnder(url, listing.url)) clues.push("under the listing");
    if (listing.siblings.has(parentOf(url))) clues.push("beside other stories of the listing");
    if (place === "card") clues.push("on a card of the listing");
  }
  if (place === "menu") clues.push("only in a menu or footer");
  if (place === "known") clues.push("was a case study before");
  if (promises(text)) clues.push("the link promises a story");
  if (other) clues.push("another section in the address");
  if (named && !words.SAYS_STORY.test(text)) clues.push("the link names something else");
  return verdict(
    clues,
    (never ?? other ?? (clues.includes("the link names something else") ? named : undefined))?.[1],
    never !== undefined || segments.length === 0,
  );
}

/**
 * @param link what the address and the links to it said
 * @param types of the page's own data, lower case
 */
export function judgePage(
  link: Verdict,
  facts: PageFacts,
  types: readonly string[],
  url: string,
  linkText: string,
): Verdict {
  const clues = link.clues.filter((clue) => clue !== "the link names something else");
  const title = facts.heading ?? facts.title ?? "";
  const titles = `${title} · ${facts.title ?? ""}`;
  const { prose } = facts;
  const amount = wordsIn(prose);
  const labelled = facts.labels.filter((label) => words.SAYS_STORY.test(label) && label.length < 40).length > 0;
  const says = words.SAYS_STORY.test(titles) || labelled || words.SAYS_STORY.test(prose.slice(0, 200));
  const named = words.NOT_STORY_TITLE.find(
    ([pattern]) => pattern.test(title) || pattern.test((facts.title ?? "").slice(0, 160)),
  );
  if (says) clues.push("says that it is a case study");
  if (words.STORY_HEADLINE.test(title) || words.STORY_HEADLINE.test(linkText)) clues.push("title of a story");
  else if (named && !says) clues.push("title of something else");
  const parts = words.PARTS.filter((pattern) =>
    facts.headings.some((heading) => heading.length < 90 && pattern.test(heading)),
  );
  if (parts.length >= 2) clues.push("two or more parts of a story");
  else if (parts.length === 1) clues.push("challenge, solution or result among the headings");
  if (facts.labels.filter((label) => words.FACT_LABEL.test(label)).length >= 2) clues.push("facts about the client");
  if (facts.quotes > 0 || /[“«„][^”»“]{40,600}[”»“]/.test(prose.slice(0, 60_000))) clues.push("a quote");
  if (count(prose, words.FIGURES) >= 2) clues.push("figures of an outcome");
  if (count(prose, words.NARRATIVE) >= 3) clues.push("tells what somebody did");
  if (namesClient(url, title, prose)) clues.push("the client in its text");
  if (vendorNames(url, facts.siteName).some((vendor) => isPair(titles, vendor)))
    clues.push("the vendor beside somebody in the title");
  if (amount >= 40 && /^(?:en\b|$)/.test(facts.language ?? "") && !clues.some((clue) => TELLS.has(clue)))
    clues.push("nothing in its text tells of a client");
  if (amount < 40) clues.push("hardly any text");
  else if (amount < 120) clues.push("little text");
  else if (amount >= 250) clues.push("long enough");
  if (count(prose, words.ANNOUNCES) >= 1) clues.push("announces or teaches");
  if (
    types.some((type) =>
      /^(?:newsarticle|pressrelease|event|jobposting|course|webinar|broadcastevent|podcastepisode|educationevent|businessevent)$/.test(
        type,
      ),
    )
  )
    clues.push("a press release or event by its data");
  else if (types.includes("blogposting")) clues.push("a blog post by its data");
  else if (types.some((type) => /^(?:product|softwareapplication|offer|howto|techarticle|faqpage)$/.test(type)))
    clues.push("a product by its data");
  if (isList(facts, amount)) clues.push("a list of other pages");
  const instead = insteadOf(clues, link.instead ?? undefined, named?.[1]);
  return verdict(clues, instead, link.never);
}

/** Mostly links, or many cards of one kind over little text. */
export function isList(facts: PageFacts, amount = wordsIn(facts.prose)): boolean {
  const shapes = new Map<string, Set<string>>();
  for (const { shape, url, inMain } of facts.links) {
    if (!inMain) continue;
    const urls = shapes.get(shape) ?? new Set<string>();
    shapes.set(shape, urls.add(url));
  }
  const largest = Math.max(0, ...[...shapes.values()].map(({ size }) => size));
  const dense = facts.linkedCharacters > facts.prose.length;
  return (largest >= 8 && amount < largest * 40) || (dense && largest >= 4 && amount < 200);
}

export function wordsIn(prose: string): number {
  const ideographs = count(prose, /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu);
  return Math.round(prose.split(" ").filter(Boolean).length + ideographs / 2);
}

function verdict(clues: readonly Clue[], instead: string | undefined, never: boolean): Verdict {
  const score = clues.reduce<number>((sum, clue) => sum + WEIGHTS[clue], WEIGHTS.bias);
  return {
    score,
    confidence: never ? 0 : Math.round(1_000 / (1 + Math.exp(-score))) / 1_000,
    clues,
    instead: instead ?? null,
    never,
  };
}

function insteadOf(clues: readonly Clue[], section: string | undefined, title: string | undefined): string | undefined {
  if (clues.includes("a list of other pages")) return "a list of other pages";
  if (clues.includes("another section in the address")) return section;
  if (clues.includes("title of something else")) return title;
  if (clues.includes("a press release or event by its data")) return "press or news";
  if (clues.includes("a product by its data")) return "a product page";
  return clues.includes("hardly any text") ? "a page with hardly any text" : undefined;
}

/** The vendor's names, as its address and its pages write them, in lower case. */
function vendorNames(url: string, siteName: string | null): string[] {
  const host = hostOf(url);
  const label = siteOf(host).split(".", 1)[0] ?? "";
  const [first = ""] = host.split(".");
  const names = [label, label.split("-", 1)[0] ?? "", first, siteName?.toLowerCase() ?? ""];
  return [...new Set(names)].filter((name) => name.length >= 3 && !/^(?:www|blog|docs|stories|the)$/.test(name));
}

function promises(text: string): boolean {
  return words.READ_STORY.test(text) || words.SAYS_STORY.test(text) || words.STORY_HEADLINE.test(text);
}

/** What only the text of a story has. */
const TELLS: ReadonlySet<Clue> = new Set<Clue>([
  "says that it is a case study",
  "title of a story",
  "the vendor beside somebody in the title",
  "challenge, solution or result among the headings",
  "two or more parts of a story",
  "facts about the client",
  "a quote",
  "figures of an outcome",
  "tells what somebody did",
  "the client in its text",
]);

/** "Search at Acme with VENDOR", "VENDOR helps Acme". */
function isPair(title: string, vendor: string): boolean {
  const lower = title.toLowerCase();
  const at = vendor.length < 2 ? -1 : lower.indexOf(vendor);
  if (at < 0) return false;
  const after = title.slice(at + vendor.length, at + vendor.length + 60);
  const before = title.slice(Math.max(0, at - 60), at);
  return (
    /^[^·|]{0,40}?\b(?:at|helps?|powers?|brings?|in production at|by)\s+(?:the\s+)?\p{Lu}/u.test(after) ||
    /\p{Lu}[\p{L}\p{N}]+[^·|]{0,40}?\b(?:with|on|using|uses?|chooses?|chose|and|adopts?|through|via)\s+(?:Apache\s+|the\s+)?$/u.test(
      before,
    )
  );
}

/** Whether the name that address and title speak of is what the text is about. */
function namesClient(url: string, title: string, prose: string): boolean {
  const heads = new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const names = (segmentsOf(url).at(-1) ?? "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && !COMMON.test(word));
  const inTitle = names.filter((name) => heads.has(name) || heads.size === 0);
  return inTitle.slice(0, 4).some((name) => {
    let seen = 0;
    for (const word of prose.slice(0, 60_000).matchAll(/\b\p{Lu}[\p{L}\p{N}]{2,}/gu)) {
      if (word[0].toLowerCase() === name) seen += 1;
      if (seen >= 3) return true;
    }
    return false;
  });
}

const COMMON =
  /^(?:case|study|studies|customer|customers|story|stories|success|how|with|and|the|for|from|uses|html|php|pdf|blog|usercase)$/;

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found >= 50_000) break;
  return found;
}

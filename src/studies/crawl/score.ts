/** Whether an address and the links to it are of a customer's story: named clues, each with a weight, added up. */

import { isUnder, parentOf, segmentsOf } from "./address.ts";
import * as words from "./clues.ts";

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
  return verdictOf(
    clues,
    (never ?? other ?? (clues.includes("the link names something else") ? named : undefined))?.[1],
    never !== undefined || segments.length === 0,
  );
}

/** Adds the clues up. */
export function verdictOf(clues: readonly Clue[], instead: string | undefined, never: boolean): Verdict {
  const score = clues.reduce<number>((sum, clue) => sum + WEIGHTS[clue], WEIGHTS.bias);
  return {
    score,
    confidence: never ? 0 : Math.round(1_000 / (1 + Math.exp(-score))) / 1_000,
    clues,
    instead: instead ?? null,
    never,
  };
}

function promises(text: string): boolean {
  return words.READ_STORY.test(text) || words.SAYS_STORY.test(text) || words.STORY_HEADLINE.test(text);
}

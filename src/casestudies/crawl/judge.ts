import { hostOfUrl, siteOf } from "../../core/domain.ts";
import { isUnder, parentOf, segmentsOf } from "./address.ts";
import type { PageFacts } from "./page.ts";
import {
  ANNOUNCES,
  COMMON_WORD,
  countMatches,
  FACT_LABEL,
  FIGURES,
  MIXED_SECTION,
  NARRATIVE,
  NEVER,
  NOT_STORY_TITLE,
  OTHER_SECTIONS,
  PARTS,
  READ_STORY,
  SAYS_STORY,
  STORY_HEADLINE,
  STORY_SECTION,
  STORY_SLUG,
  wordsIn,
} from "./words.ts";

/** Decides whether a page is a case study: a sum of named features with weights. */

/**
 * Points for or against a case study, in log-odds: a page whose features add up to 0 is as likely a case study as not. The
 * names are shown to reviewers.
 */
export const WEIGHTS = {
  bias: -3,
  "a case-study folder in the URL": 3,
  "a mixed folder in the URL": 0.5,
  "a case-study name in the URL": 2,
  "under the listing": 1.5,
  "next to other case studies of the listing": 1,
  "on a card of the listing": 1.5,
  "only in a menu or footer": -1.5,
  "the link text announces a case study": 1,
  "another section in the URL": -3,
  "the link text names something else": -2.5,
  "was a case study before": 1,
  "a case-study title": 1.5,
  "the vendor and a client in the title": 1,
  "calls itself a case study": 2,
  "a title of something else": -3,
  "challenge, solution or results among the headings": 1,
  "two or more parts of a case study": 2.5,
  "facts about the client": 1.5,
  "a quote": 0.7,
  "outcome figures": 0.8,
  "describes what a client did": 0.8,
  "the client's name in its text": 1,
  "enough text": 0.7,
  "no sign of a client in its text": -5,
  "little text": -1.5,
  "hardly any text": -8,
  "phrases of an announcement or guide": -1.2,
  "structured data of a press release or event": -3,
  "structured data of a blog post": -0.5,
  "structured data of a product": -2,
  "a list of other pages": -4,
} as const;
type Clue = Exclude<keyof typeof WEIGHTS, "bias">;

/** Where an address was found. */
export type Place = "card" | "text" | "menu" | "sitemap" | "feed" | "data" | "known";

export interface Candidate {
  readonly url: string;
  /** The texts of the links to it. */
  readonly text: string;
  readonly place: Place;
}

export interface Verdict {
  readonly score: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly clues: readonly Clue[];
  /** The other kind of page that it probably is, such as "a blog post"; null when unknown. */
  readonly instead: string | null;
  /** It is no case study, whatever its content. */
  readonly never: boolean;
}

/** Lowest score of a case study. */
export const ACCEPTED = 0;
/** Lowest score of an address that is requested. */
export const WORTH_READING = -3.5;

/** The list that a link was found on. */
export interface Listing {
  readonly url: string;
  /** It also lists other pages, as a blog or a home page does, so its links are not evidence. */
  readonly mixed: boolean;
  /** Folders that hold at least three pages of its cards. */
  readonly siblings: ReadonlySet<string>;
}

/** Whether the list at this address holds more than case studies, judged by its path. */
export function isMixed(url: string): boolean {
  const segments = segmentsOf(url);
  if (segments.some((segment) => STORY_SECTION.test(segment) || STORY_SLUG.test(segment))) return false;
  return segments.length === 0 || segments.some((segment) => OTHER_SECTIONS.some(([pattern]) => pattern.test(segment)));
}

/** Whether the path is that of a list of case studies, such as `/customers`. */
export function isStoryList(url: string): boolean {
  const segments = segmentsOf(url);
  return segments.length <= 3 && STORY_SECTION.test(segments.at(-1) ?? "");
}

/** Judges an address before it is requested. */
export function judgeLink({ url, text, place }: Candidate, listing: Listing): Verdict {
  const clues: Clue[] = [];
  const segments = segmentsOf(url);
  const slug = segments.at(-1) ?? "";
  const above = segments.slice(0, -1);
  const shared = new Set(segmentsOf(listing.url));
  const inside = above.filter((segment) => !shared.has(segment));
  const never = NEVER.find(([pattern]) => segments.some((segment) => !shared.has(segment) && pattern.test(segment)));
  const otherSection = OTHER_SECTIONS.find(
    ([pattern]) => inside.some((segment) => pattern.test(segment)) || (segments.length === 1 && pattern.test(slug)),
  );
  const named = NOT_STORY_TITLE.find(([pattern]) => pattern.test(text.slice(0, 160)));
  if (above.some((segment) => STORY_SECTION.test(segment))) clues.push("a case-study folder in the URL");
  else if (above.some((segment) => MIXED_SECTION.test(segment))) clues.push("a mixed folder in the URL");
  if (STORY_SLUG.test(slug)) clues.push("a case-study name in the URL");
  if (!listing.mixed) {
    if (isUnder(url, listing.url)) clues.push("under the listing");
    if (listing.siblings.has(parentOf(url))) clues.push("next to other case studies of the listing");
    if (place === "card") clues.push("on a card of the listing");
  }
  if (place === "menu") clues.push("only in a menu or footer");
  if (place === "known") clues.push("was a case study before");
  if (announcesStory(text)) clues.push("the link text announces a case study");
  if (otherSection) clues.push("another section in the URL");
  if (named && !SAYS_STORY.test(text)) clues.push("the link text names something else");
  return verdictOf(
    clues,
    (never ?? otherSection ?? (clues.includes("the link text names something else") ? named : undefined))?.[1],
    never !== undefined || segments.length === 0,
  );
}

function verdictOf(clues: readonly Clue[], instead: string | undefined, never: boolean): Verdict {
  const score = clues.reduce<number>((sum, clue) => sum + WEIGHTS[clue], WEIGHTS.bias);
  return {
    score,
    confidence: never ? 0 : Math.round(1_000 / (1 + Math.exp(-score))) / 1_000,
    clues,
    instead: instead ?? null,
    never,
  };
}

function announcesStory(text: string): boolean {
  return READ_STORY.test(text) || SAYS_STORY.test(text) || STORY_HEADLINE.test(text);
}

/**
 * Judges a page by its structure and its text.
 *
 * @param link verdict on its address
 * @param types of its structured data, lower case
 */
export function judgePage(
  link: Verdict,
  facts: PageFacts,
  types: readonly string[],
  url: string,
  linkText: string,
): Verdict {
  const clues = link.clues.filter((clue) => clue !== "the link text names something else");
  const title = facts.heading ?? facts.title ?? "";
  const titles = `${title} · ${facts.title ?? ""}`;
  const { prose } = facts;
  const amount = wordsIn(prose);
  const labelled = facts.labels.some((label) => SAYS_STORY.test(label) && label.length < 40);
  const says = SAYS_STORY.test(titles) || labelled || SAYS_STORY.test(prose.slice(0, 200));
  const named = NOT_STORY_TITLE.find(
    ([pattern]) => pattern.test(title) || pattern.test((facts.title ?? "").slice(0, 160)),
  );
  if (says) clues.push("calls itself a case study");
  if (STORY_HEADLINE.test(title) || STORY_HEADLINE.test(linkText)) clues.push("a case-study title");
  else if (named && !says) clues.push("a title of something else");
  const parts = PARTS.filter((pattern) =>
    facts.headings.some((heading) => heading.length < 90 && pattern.test(heading)),
  );
  if (parts.length >= 2) clues.push("two or more parts of a case study");
  else if (parts.length === 1) clues.push("challenge, solution or results among the headings");
  if (facts.labels.filter((label) => FACT_LABEL.test(label)).length >= 2) clues.push("facts about the client");
  if (facts.quotes > 0 || /[“«„][^”»“]{40,600}[”»“]/.test(prose.slice(0, 60_000))) clues.push("a quote");
  if (countMatches(prose, FIGURES) >= 2) clues.push("outcome figures");
  if (countMatches(prose, NARRATIVE) >= 3) clues.push("describes what a client did");
  if (namesClient(url, title, prose)) clues.push("the client's name in its text");
  if (vendorNames(url, facts.siteName).some((vendor) => isPair(titles, vendor)))
    clues.push("the vendor and a client in the title");
  if (amount >= 40 && /^(?:en\b|$)/.test(facts.language ?? "") && !clues.some((clue) => CONTENT_CLUES.has(clue)))
    clues.push("no sign of a client in its text");
  if (amount < 40) clues.push("hardly any text");
  else if (amount < 120) clues.push("little text");
  else if (amount >= 250) clues.push("enough text");
  if (countMatches(prose, ANNOUNCES) >= 1) clues.push("phrases of an announcement or guide");
  if (
    types.some((type) =>
      /^(?:newsarticle|pressrelease|event|jobposting|course|webinar|broadcastevent|podcastepisode|educationevent|businessevent)$/.test(
        type,
      ),
    )
  )
    clues.push("structured data of a press release or event");
  else if (types.includes("blogposting")) clues.push("structured data of a blog post");
  else if (types.some((type) => /^(?:product|softwareapplication|offer|howto|techarticle|faqpage)$/.test(type)))
    clues.push("structured data of a product");
  if (isList(facts, amount)) clues.push("a list of other pages");
  const instead = insteadOf(clues, link.instead ?? undefined, named?.[1]);
  return verdictOf(clues, instead, link.never);
}

/** Whether a page is mostly links, or many cards of one kind and little text. */
export function isList(facts: PageFacts, amount = wordsIn(facts.prose)): boolean {
  const shapes = new Map<string, Set<string>>();
  for (const { shape, url, inMain } of facts.links) {
    // Links inside a sentence belong to the text.
    if (!inMain || shape.includes(">p.")) continue;
    const urls = shapes.get(shape) ?? new Set<string>();
    shapes.set(shape, urls.add(url));
  }
  const largest = Math.max(0, ...[...shapes.values()].map(({ size }) => size));
  const dense = facts.linkedCharacters > facts.prose.length;
  return (largest >= 8 && amount < largest * 40) || (dense && largest >= 4 && amount < 200);
}

function insteadOf(clues: readonly Clue[], section: string | undefined, title: string | undefined): string | undefined {
  if (clues.includes("a list of other pages")) return "a list of other pages";
  if (clues.includes("another section in the URL")) return section;
  if (clues.includes("a title of something else")) return title;
  if (clues.includes("structured data of a press release or event")) return "press or news";
  if (clues.includes("structured data of a product")) return "a product page";
  return clues.includes("hardly any text") ? "a page with hardly any text" : undefined;
}

/** Names of the vendor from its domain and its pages, lower case. */
function vendorNames(url: string, siteName: string | null): string[] {
  const host = hostOfUrl(url);
  const label = siteOf(host).split(".", 1)[0] ?? "";
  const [first = ""] = host.split(".");
  const names = [label, label.split("-", 1)[0] ?? "", first, siteName?.toLowerCase() ?? ""];
  return [...new Set(names)].filter((name) => name.length >= 3 && !/^(?:www|blog|docs|stories|the)$/.test(name));
}

/** Features that only the text of a case study has. */
const CONTENT_CLUES: ReadonlySet<Clue> = new Set<Clue>([
  "calls itself a case study",
  "a case-study title",
  "the vendor and a client in the title",
  "challenge, solution or results among the headings",
  "two or more parts of a case study",
  "facts about the client",
  "a quote",
  "outcome figures",
  "describes what a client did",
  "the client's name in its text",
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

/** Whether a name from both the address and the title occurs in the text at least three times. */
function namesClient(url: string, title: string, prose: string): boolean {
  const heads = new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const names = (segmentsOf(url).at(-1) ?? "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && !COMMON_WORD.test(word));
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

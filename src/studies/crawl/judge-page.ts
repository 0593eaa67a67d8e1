/** Whether a page that was read is a customer's story, by its structure and its text. */
import { siteOf } from "../../vocabulary/domain.ts";
import { hostOf, segmentsOf } from "./address.ts";
import * as words from "./clues.ts";
import type { PageFacts } from "./page-facts.ts";
import { type Clue, type Verdict, verdictOf } from "./score.ts";

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
  return verdictOf(clues, instead, link.never);
}

/** Mostly links, or many cards of one kind over little text. */
export function isList(facts: PageFacts, amount = wordsIn(facts.prose)): boolean {
  const shapes = new Map<string, Set<string>>();
  for (const { shape, url, inMain } of facts.links) {
    // Links inside a sentence belong to the story, however many they are.
    if (!inMain || shape.includes(">p.")) continue;
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

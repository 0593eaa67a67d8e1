import type { PageText } from "../../vocabulary/page.ts";
import { plainText } from "../text/markdown.ts";
import { splitSentences } from "../text/sentences.ts";
import { type Extract, findSide, isUsable } from "./sections.ts";
import type { StorySentence } from "./story.ts";

const MIN_DESCRIPTION = 60;
const MAX_SUMMARY = 600;
/** What a site says on every page, or to the reader. */
const BOILERPLATE =
  /\b(?:cookies?|javascript|subscribe|sign up|log ?in|read more|learn more|click|all rights reserved|download (?:the|our|now)|find out (?:how|more)|discover how|our customers?|case stud(?:y|ies) (?:of|from|about))\b/i;

/**
 * Who did what with which result, in at most three sentences: the page's own description where it is a good one, else
 * sentences of the story. Null for a page without a usable sentence.
 *
 * @param names words of the product and the client, in lower case
 * @param result sentence of the surest outcome
 */
export function findSummary(
  page: Pick<PageText, "description" | "title">,
  story: readonly StorySentence[],
  { names, result }: { readonly names: ReadonlySet<string>; readonly result: string | null },
): Extract | null {
  const description = page.description === null ? "" : plainText(page.description);
  if (isGoodDescription(description, page.title)) {
    const text = cutAtSentence(description, MAX_SUMMARY);
    return { text, sentence: text, confidence: 0.8 };
  }
  const body = story.filter(({ place }) => place === "body");
  const who =
    body.slice(0, 12).find(({ text }) => isUsable(text) && hasName(text, names)) ??
    body.find(({ text }) => isUsable(text));
  const what = findSide(story, "solution", names)?.sentence;
  const gained = result !== null && isUsable(result) ? result : findSide(story, "results", names)?.sentence;
  const chosen: string[] = [];
  let length = 0;
  for (const sentence of [who?.text, what, gained]) {
    if (sentence === undefined || chosen.includes(sentence) || length + sentence.length > MAX_SUMMARY) continue;
    chosen.push(sentence);
    length += sentence.length + 1;
  }
  const [first] = chosen;
  if (first !== undefined) return { text: chosen.join(" "), sentence: first, confidence: 0.5 };
  return description.length >= MIN_DESCRIPTION / 2
    ? { text: cutAtSentence(description, MAX_SUMMARY), sentence: description, confidence: 0.4 }
    : null;
}

const hasName = (text: string, names: ReadonlySet<string>) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => names.has(word));

function isGoodDescription(text: string, title: string | null): boolean {
  if (text.length < MIN_DESCRIPTION || BOILERPLATE.test(text) || /(?:…|\.\.\.)$/.test(text)) return false;
  const words = text.split(/\s+/);
  // A list of words is for search engines.
  if (text.split(",").length > words.length / 3) return false;
  return text.toLowerCase() !== title?.toLowerCase();
}

/** As many first sentences as fit; where none fits, as many words. */
function cutAtSentence(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = "";
  for (const sentence of splitSentences(text.slice(0, max * 2))) {
    const longer = kept === "" ? sentence : `${kept} ${sentence}`;
    if (longer.length > max) break;
    kept = longer;
  }
  return kept !== "" ? kept : `${text.slice(0, text.lastIndexOf(" ", max - 1)).toWellFormed()}…`;
}

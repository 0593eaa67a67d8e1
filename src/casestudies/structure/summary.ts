import { wordsIn } from "../../core/text.ts";
import { plainText, splitSentences } from "../text/markdown.ts";
import type { PageText } from "../types.ts";
import type { SectionKind, StorySentence } from "./story.ts";

/** Sentences of a page about one side of its story. */
interface Extract {
  /** One to three sentences, in reading order. */
  readonly text: string;
  /** The first of them, verbatim. */
  readonly sentence: string;
  /** 0–1; higher when a heading says what the section is about. */
  readonly confidence: number;
}

type Side = "challenge" | "solution" | "results";

/** Words that indicate a side in sections whose heading does not. */
const CUES: Readonly<Record<Side, RegExp>> = {
  challenge:
    /\b(?:challeng\w{0,4}|problems?|struggl\w{1,4}|difficult\w{0,5}|bottlenecks?|pain(?:s|ful)?|hard to|too (?:slow|expensive|complex|long)|manual(?:ly)?|needed|lack(?:ed|ing|s)?|limit(?:ed|ations?|s)|could(?:n['’]t| not)|unable|time-consuming|inefficien\w{1,3}|legacy|outgr[eo]w\w{0,3}|before (?:using|adopting|moving|switching)|wanted to|silo(?:ed|s)|unreliable|fragile|slow(?:ly|er)?|by hand|tedious|costly|error-prone|mistakes|wast(?:ed|ing)|overwhelm\w{0,4})\b/i,
  solution:
    /\b(?:chose|choose|decided|adopted|adopting|implement(?:ed|ing|s)|migrat(?:ed|ing|ion)|switched|moved to|turned to|deployed|built|introduc(?:ed|ing)|integrat(?:ed|ing|ion)|selected|rolled out|uses?|using|leverag(?:ed|es|ing)|powered by|based on|solution)\b/i,
  results:
    /\b(?:reduc(?:ed|es|ing|tion)|increas(?:ed|es|ing)|improv(?:ed|es|ing|ements?)|sav(?:ed|es|ing|ings)|faster|now|result(?:ed|s)?|able to|achiev(?:ed|es)|cut|grew|enabl(?:ed|es|ing)|easier|allow(?:ed|s|ing)|benefits?)\b/i,
};
/** Sections that are skipped when a side has no section with its heading. */
const EXCLUDED_SECTIONS: Readonly<Record<Side, readonly SectionKind[]>> = {
  challenge: ["results", "solution", "outlook"],
  solution: ["challenge", "outlook"],
  results: ["challenge", "background"],
};

const MIN_SENTENCE = 35;
const MAX_SENTENCE = 420;
const MAX_EXTRACT = 650;
const MAX_SENTENCES = 3;
/** Only the first sentences of a section are considered, because they state its point. */
const SECTION_LEAD = 12;
const MIN_SCORE = 1.5;

/**
 * The sentences about one side of the story: from the start of its section when a heading names one, else the sentences
 * with the best cue words in the part of the page where that side is usually found. Null when there are none.
 *
 * @param names lower-case words of the product and the client; a sentence with one of them scores higher
 */
export function findSide(story: readonly StorySentence[], side: Side, names: ReadonlySet<string>): Extract | null {
  const body = story.filter(({ place }) => place === "body");
  const inSection = body.filter(({ section }) => section === side).slice(0, SECTION_LEAD);
  const fromSection =
    inSection.length === 0
      ? null
      : bestRun(inSection, (sentence, at) => scoreSentence(sentence, side, names) + (at < 3 ? 1 : 0) + 1);
  if (fromSection !== null) return { ...fromSection, confidence: 0.8 };
  const found = bestRun(
    body.filter(({ section }) => !EXCLUDED_SECTIONS[side].includes(section)),
    (sentence, at) =>
      CUES[side].test(sentence.text) ? scoreSentence(sentence, side, names) + positionScore(side, at / body.length) : 0,
  );
  return found === null ? null : { ...found, confidence: 0.45 };
}

/** Bonus for the usual position of a side; `at` is 0 at the start of the page and 1 at its end. */
function positionScore(side: Side, at: number): number {
  if (side === "challenge") return at < 0.15 ? 0.8 : at < 0.4 ? 0.5 : at < 0.6 ? 0 : -1;
  if (side === "solution") return at < 0.1 ? 0.2 : at < 0.7 ? 0.5 : 0;
  return at > 0.5 ? 0.5 : 0;
}

/** How well a sentence describes a side, and how well it reads without its context. */
function scoreSentence({ text }: StorySentence, side: Side, names: ReadonlySet<string>): number {
  if (!isUsable(text)) return 0;
  const hits = text.match(new RegExp(CUES[side].source, "gi"))?.length ?? 0;
  return (
    0.6 +
    Math.min(hits, 3) * 0.7 +
    (hasName(text, names) ? 0.6 : 0) +
    (side === "results" && /\d/.test(text) ? 0.6 : 0) -
    (REFERS_BACK.test(text) ? 0.5 : 0) -
    (hasOpenQuote(text) ? 1.2 : 0) -
    (text.length > 300 ? 0.3 : text.length < 45 ? 0.3 : 0) -
    (/^["“]/.test(text) ? 0.4 : 0)
  );
}

/** Starts with a word that refers to the previous sentence. */
const REFERS_BACK =
  /^["“]?(?:and|but|so|this|that|these|those|it|they|he|she|however|also|then|for example|instead|additionally|moreover|in addition|furthermore)\b/i;

const hasOpenQuote = (text: string) =>
  (text.match(/"/g) ?? []).length % 2 === 1 || /“[^”]*$/.test(text) || /^[^“]*”/.test(text);

/** A statement of readable length: no question, list of links or code. */
function isUsable(text: string): boolean {
  return (
    text.length >= MIN_SENTENCE &&
    text.length <= MAX_SENTENCE &&
    /^["“'‘(]?[\p{Lu}\d]/u.test(text) &&
    /[.!"”)]$/.test(text) &&
    !/https?:\/\/|[{}<>|=]|\bcookies?\b|\bsubscribe\b|\bread more\b|\bclick here\b/i.test(text)
  );
}

/** The sentence with the highest score, and the good sentences after it in the same or the next paragraph. */
function bestRun(
  sentences: readonly StorySentence[],
  scoreOf: (sentence: StorySentence, at: number) => number,
): Omit<Extract, "confidence"> | null {
  const scores = sentences.map((sentence, at) => (isUsable(sentence.text) ? scoreOf(sentence, at) : 0));
  let best = -1;
  for (let at = 0; at < scores.length; at++)
    if ((scores[at] ?? 0) >= MIN_SCORE && (scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  const first = sentences[best];
  if (first === undefined) return null;
  const chosen = [first.text];
  let length = first.text.length;
  for (let at = best + 1; at < sentences.length && chosen.length < MAX_SENTENCES; at++) {
    const next = sentences[at];
    if (next === undefined || next.paragraph - first.paragraph > 1 || length + 1 + next.text.length > MAX_EXTRACT)
      break;
    if (!isUsable(next.text) || (scores[at] ?? 0) < 1) break;
    chosen.push(next.text);
    length += 1 + next.text.length;
  }
  return { text: chosen.join(" "), sentence: first.text };
}

const MIN_DESCRIPTION = 60;
const MAX_SUMMARY = 600;
/** Phrases that sites repeat on every page or address to the reader. */
const BOILERPLATE =
  /\b(?:cookies?|javascript|subscribe|sign up|log ?in|read more|learn more|click|all rights reserved|download (?:the|our|now)|find out (?:how|more)|discover how|our customers?|case stud(?:y|ies) (?:of|from|about))\b/i;

/**
 * Who did what with which result, in at most three sentences: the page's description if it is usable, else sentences of
 * the story. Null for a page without a usable sentence.
 *
 * @param names lower-case words of the product and the client
 * @param result sentence of the outcome with the highest confidence
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
  const gain = result !== null && isUsable(result) ? result : findSide(story, "results", names)?.sentence;
  const chosen: string[] = [];
  let length = 0;
  for (const sentence of [who?.text, what, gain]) {
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
  wordsIn(text.toLowerCase()).some((word) => names.has(word));

function isGoodDescription(text: string, title: string | null): boolean {
  if (text.length < MIN_DESCRIPTION || BOILERPLATE.test(text) || /(?:…|\.\.\.)$/.test(text)) return false;
  const words = text.split(/\s+/);
  // A list of keywords is meant for search engines.
  if (text.split(",").length > words.length / 3) return false;
  return text.toLowerCase() !== title?.toLowerCase();
}

/** As many leading sentences as fit, else as many words. */
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

import type { PageText } from "../../../vocabulary/page.ts";
import { type Block, readMarkdown } from "../../text/markdown.ts";
import { splitSentences } from "../../text/sentences.ts";
import { figuresIn } from "./figures.ts";
import { fold, foldWithPlaces, placesOf } from "./folded-text.ts";
import { givesOrders } from "./orders.ts";

/** What a page says, ready to be asked whether it says something. */
export interface PageGrounds {
  /** The story's headings and paragraphs, without those that give orders to a model. */
  readonly story: readonly Block[];
  /** Title, description, labels and logos: beside the story, and without such orders too. */
  readonly facts: readonly string[];
  /** Paragraphs that were left out for their orders. */
  readonly leftOut: number;
  /** The page's own words where a text stands, in the story or in the facts. */
  readonly find: (text: string) => string | undefined;
  /** The whole sentences around a text that stands inside one paragraph. */
  readonly sentenceOf: (text: string) => string | undefined;
  /** How often a name stands in the story. */
  readonly mentions: (name: string) => number;
  /** Whether a name stands in a fact or a heading. */
  readonly isProminent: (name: string) => boolean;
  /** Words of story and facts, folded. */
  readonly words: ReadonlySet<string>;
  /** Every number that a figure of the page may mean. */
  readonly figures: ReadonlySet<number>;
}

/** Far past any case study; what follows is neither shown nor believed. */
const MAX_CHARS = 300_000;
const MAX_FACTS = 40;
const MAX_FACT = 500;
const MAX_NAME = 100;
/** A longer label or logo text is no name. */
const MAX_TELLING = 200;
const MAX_SENTENCES = 2;
/** A longer one is no paragraph of prose. */
const MAX_PARAGRAPH = 20_000;

export function readGrounds(page: PageText): PageGrounds {
  const read = readMarkdown(page.markdown.slice(0, MAX_CHARS));
  const told = [
    { name: null, value: page.title },
    { name: null, value: page.description },
    ...page.labels.slice(0, MAX_FACTS),
    ...page.images.slice(0, MAX_FACTS).map(({ alt }) => ({ name: null, value: alt })),
  ].map(({ name, value }) => ({ name: lineOf(name ?? "", MAX_NAME), value: lineOf(value ?? "", MAX_FACT) }));
  const story = read.filter(({ text }) => !givesOrders(text));
  const honest = told.filter(({ name, value }) => !givesOrders(name) && !givesOrders(value));
  const facts = [
    ...new Set(honest.flatMap(({ name, value }) => (value === "" ? [] : name === "" ? value : `${name}: ${value}`))),
  ];
  const storyText = story.map(({ text }) => text).join("\n");
  const source = `${storyText}\n${facts.join("\n")}`;
  const folded = foldWithPlaces(source);
  const foldedStory = fold(storyText);
  const prominent = [
    ...facts.filter(({ length }) => length <= MAX_TELLING),
    ...story.flatMap((block) => (block.kind === "heading" ? block.text : [])),
  ].map(fold);

  const spanOf = (text: string): { start: number; end: number } | undefined => {
    const needle = trimmed(fold(text));
    const [at] = placesOf(folded.text, needle);
    if (at === undefined) return undefined;
    const last = folded.places[at + needle.length - 1] ?? 0;
    return { start: folded.places[at] ?? 0, end: last + ((source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
  };

  return {
    story,
    facts,
    leftOut: read.length - story.length + told.length - honest.length,
    find(text) {
      const span = spanOf(text);
      if (!span) return undefined;
      const stop = /[.!?…]\W{0,3}$/.test(text) ? (/^[.!?…]/.exec(source.slice(span.end, span.end + 1))?.[0] ?? "") : "";
      return `${source.slice(span.start, span.end)}${stop}`.replace(/\s+/g, " ").trim();
    },
    sentenceOf(text) {
      const span = spanOf(text);
      if (!span || span.end > storyText.length) return undefined;
      const from = storyText.lastIndexOf("\n", span.start - 1) + 1;
      const until = storyText.indexOf("\n", span.start);
      const end = until < 0 ? storyText.length : until;
      if (span.end > end || end - from > MAX_PARAGRAPH) return undefined;
      return sentencesAround(storyText.slice(from, end), span.start - from, span.end - from);
    },
    mentions: (name) => placesOf(foldedStory, trimmed(fold(name))).length,
    isProminent(name) {
      const needle = trimmed(fold(name));
      return prominent.some((text) => placesOf(text, needle).length > 0);
    },
    words: new Set(wordsOf(folded.text)),
    figures: new Set(figuresIn(source).flat()),
  };
}

const lineOf = (text: string, max: number) =>
  text
    .slice(0, max * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, max)
    .toWellFormed();

/** Words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];

/** What ends or opens a sentence is copied or not. */
const trimmed = (folded: string) => folded.replace(/^[\s.,:;!?…-]+/, "").replace(/[\s.,:;!?…-]+$/, "");

function sentencesAround(paragraph: string, start: number, end: number): string | undefined {
  const around: string[] = [];
  let at = 0;
  for (const sentence of splitSentences(paragraph)) {
    const from = paragraph.indexOf(sentence, at);
    if (from < 0) return undefined;
    at = from + sentence.length;
    if (from < end && at > start) around.push(sentence);
  }
  return around.length > 0 && around.length <= MAX_SENTENCES ? around.join(" ") : undefined;
}

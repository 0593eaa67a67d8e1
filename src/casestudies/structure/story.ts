import { type Block, readMarkdown, splitSentences } from "../text/markdown.ts";
import type { PageText } from "../types.ts";

/** A line of code: configuration, markup, shell commands, logs. */
const CODE_LINE =
  /^\s{0,40}(?:[$#>]\s?(?:kubectl|docker|helm|curl|npm|sudo|cd|git)\b|[\w.-]{1,60}:\s{0,8}(?:[|>&]?-?|[\w./:-]{1,80})$|[{}[\]();,]{1,10}$|.{0,300}[{;]$|<\/?[a-z]|\d{4}-\d\d-\d\d[ T]\d\d:|\/\/|\w+\(.{0,200}\)$)/;
const MAX_LINES = 20_000;
/** Code without a fence has several lines. A single line with a colon may be text ("Industry: Retail"). */
const MIN_CODE_RUN = 4;

/** Removes code from Markdown: fences, `<pre>`, and at least four consecutive lines that look like code. */
export function dropCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  let inPre = false;
  let run: string[] = [];
  const endRun = () => {
    if (run.length < MIN_CODE_RUN) kept.push(...run);
    run = [];
  };
  for (const line of markdown.split("\n", MAX_LINES)) {
    const mark = /^[\s>]{0,20}(`{3,10}|~{3,10})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (inPre) {
      inPre = !line.includes("</pre>");
      continue;
    }
    if (mark !== undefined) {
      endRun();
      fence = mark;
      kept.push("");
    } else if (line.includes("<pre") && /<pre[\s>]/.test(line)) {
      endRun();
      inPre = !line.includes("</pre>");
      kept.push("");
    } else if (line.trim() !== "" && CODE_LINE.test(line.slice(0, 400))) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return kept.join("\n");
}

/** The purpose of a section. `opening` is before the first heading; `other` has a heading that does not show its purpose. */
export type SectionKind = "opening" | "background" | "challenge" | "solution" | "results" | "outlook" | "other";

/** Words of headings. For words at the same position, the first kind in the list wins. */
const SECTION_WORDS: readonly (readonly [SectionKind, RegExp])[] = [
  [
    "outlook",
    /\b(future|next steps?|roadmap|looking (ahead|forward)|what(['’]?s| is| comes)? next|outlook|plans?|going forward|on the horizon|to come)\b/i,
  ],
  [
    "results",
    /\b(results?|impacts?|benefits?|outcomes?|improve(d|ments?)|gains?|gained|achieve(d|ments?)|success(es)?|wins?|value|returns?|roi|performance|payoff|savings?|effects?|advantages?|by the numbers|at a glance|key (metrics|figures|facts)|scale|after|today|in production|adoption|lessons|conclusions?|summary|takeaways?)\b/i,
  ],
  [
    "challenge",
    /\b(challenges?|problems?|pain|issues?|difficult(y|ies)|obstacles?|needs?|before|pre-\w{1,20}|situation|goals?|objectives?|requirements?|motivation|bottlenecks?|struggl(e|es|ing)|limitations?|the ask)\b/i,
  ],
  [
    "solution",
    /\b(solutions?|approach(es)?|how|implement(ation|ing)|architecture|why|choos(e|ing)|chose|adopt(ing)?|using|use|deploy(ing|ment)|migrat(e|ing|ion)|integrat(e|ing|ion)|transition(ing)?|switch(ed|ing)?|turn(ed|ing)? to|design|discover(y|ing)|getting started|setup|rollout|evaluat(ion|ing)|journey|moving to)\b/i,
  ],
  [
    "background",
    /\b(background|about|overview|introduc(tion|ing)|company|who (is|are)|context|profile|history|team|customers?|partner|story|organi[sz]ation|tell us about yourself)\b/i,
  ],
];
const MAX_HEADING = 120;

/** Null when the heading does not show the section's purpose. */
export function sectionKindOf(heading: string): SectionKind | null {
  const text = heading.slice(0, MAX_HEADING);
  // The first word decides: "Benefits of our solution", "How we solved the problem".
  let best: { kind: SectionKind; at: number } | null = null;
  for (const [kind, words] of SECTION_WORDS) {
    const at = text.search(words);
    if (at >= 0 && (best === null || at < best.at)) best = { kind, at };
  }
  return best?.kind ?? null;
}

/** A sentence of the story and its position. */
export interface StorySentence {
  readonly text: string;
  readonly section: SectionKind;
  /** The nearest heading; null before the first one, in the title and in the description. */
  readonly heading: string | null;
  readonly place: "title" | "description" | "heading" | "body";
  /** Whether it joins a large, separate figure and its caption. */
  readonly isTile: boolean;
  /** Number of its paragraph, list item or table row. */
  readonly paragraph: number;
}

const MAX_SENTENCES = 2_000;
/** A heading applies to this many sentences, because some pages have one heading for the whole story. */
const MAX_SECTION = 14;
/** A heading in the same line as its text: "Solution & results: we built …". */
const INLINE_HEADING = /^((?:The )?[A-Z][a-z]{2,20}(?:(?: & | and |\/| )[A-Za-z]{2,20}){0,2}):\s{1,3}(?=["“]?[A-Z])/;
const MAX_MARKDOWN = 400_000;

/**
 * The sentences of a story in reading order, after the title and the description, without code. The section of each is
 * that of the nearest heading that shows a purpose.
 */
export function readStory(page: Pick<PageText, "title" | "description" | "markdown">): StorySentence[] {
  const sentences: StorySentence[] = [];
  const add = (text: string, about: Omit<StorySentence, "text">) => {
    for (const sentence of splitSentences(text)) {
      if (sentences.length >= MAX_SENTENCES) return;
      sentences.push({ text: sentence, ...about });
    }
  };
  const beforeBody = { section: "opening", heading: null, isTile: false } as const;
  if (page.title) sentences.push({ text: page.title.trim(), ...beforeBody, place: "title", paragraph: -2 });
  if (page.description) add(page.description, { ...beforeBody, place: "description", paragraph: -1 });

  const path: { readonly level: number; readonly text: string; readonly kind: SectionKind | null }[] = [];
  let paragraph = 0;
  let sectionStart = 0;
  let inlineHeading: Heading | null = null;
  for (const { block, isTile: isMetricTile } of joinTiles(
    readMarkdown(dropCode(page.markdown.slice(0, MAX_MARKDOWN))),
  )) {
    paragraph += 1;
    if (block.kind === "heading") {
      while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop();
      const isTitle = block.text === page.title;
      path.push({ level: block.level, text: block.text, kind: isTitle ? null : sectionKindOf(block.text) });
      if (!isTitle) add(block.text, { ...sectionOf(path), place: "heading", isTile: false, paragraph });
      sectionStart = sentences.length;
      inlineHeading = null;
    } else {
      const label = INLINE_HEADING.exec(block.text);
      const kind = label?.[1] === undefined ? null : sectionKindOf(label[1]);
      if (label && kind !== null) {
        inlineHeading = { text: label[1] ?? "", kind };
        sectionStart = sentences.length;
      }
      const section = sectionOf(inlineHeading === null ? path : [...path, inlineHeading]);
      const isLong = sentences.length - sectionStart >= MAX_SECTION;
      add(label && kind !== null ? block.text.slice(label[0].length) : block.text, {
        ...section,
        section: isLong ? "other" : section.section,
        place: "body",
        isTile: isMetricTile,
        paragraph,
      });
    }
  }
  return sentences;
}

const TILE_UNIT =
  "%|x|×|k|m|mn|bn?|[kmgtp]b|mio\\.?|mrd\\.?|million|billion|thousand|ms|s|h|hrs?|mins?|d|[€$£¥]|" +
  "(?:hour|day|week|month|year|minute|second|point|stunde|tag|woche|monat|jahr|heure|jour|mois|semaine|hora|día|semana|mes)(?:s|n|e|en|es)?";
const TILE_FIGURE = `[~≈><+−–-]{0,2}\\s?[$€£¥]?\\d(?:[\\d.,]|[ \\u00a0\\u202f](?=\\d{3}(?!\\d))){0,14}(?:\\s?(?:${TILE_UNIT})(?![\\p{L}\\d]))?\\s?\\+?`;
/** A figure in a separate block above its caption: "45%", then "increase in sales". */
const METRIC_TILE = new RegExp(`^${TILE_FIGURE}$`, "iu");
const MAX_CAPTION = 120;

/** Joins each metric tile and its caption into one text. */
function joinTiles(blocks: readonly Block[]): { readonly block: Block; readonly isTile: boolean }[] {
  const joined: { block: Block; isTile: boolean }[] = [];
  let tile: string | null = null;
  for (const block of blocks) {
    if (tile !== null) {
      const isCaption = block.kind === "text" && block.text.length <= MAX_CAPTION && !METRIC_TILE.test(block.text);
      joined.push(toTile(isCaption ? `${tile} ${block.text}` : tile));
      tile = null;
      if (isCaption) continue;
    }
    if (METRIC_TILE.test(block.text)) tile = block.text;
    else joined.push({ block, isTile: block.kind === "text" && isCaptioned(block.text) });
  }
  if (tile !== null) joined.push(toTile(tile));
  return joined;
}

const MAX_TILE_WORDS = 9;
/** A figure with its caption in one block: "+120% demo requests", "Cost per order: −60%". */
const isCaptioned = (text: string) =>
  text.length <= MAX_CAPTION &&
  text.split(" ").length <= MAX_TILE_WORDS &&
  !/[.!?;:]$/.test(text) &&
  (FIGURE_FIRST.test(text) || CAPTION_FIRST.test(text));
const FIGURE_FIRST = new RegExp(`^(?:${TILE_FIGURE}\\s|(?!\\d{1,2}:)${TILE_FIGURE}: )\\p{L}`, "iu");
const CAPTION_FIRST = new RegExp(`^[^\\d:]{3,60}: ${TILE_FIGURE}$`, "iu");

const toTile = (text: string) => ({ block: { kind: "text", text } as const, isTile: true });

type Heading = { readonly text: string; readonly kind: SectionKind | null };

function sectionOf(path: readonly Heading[]): Pick<StorySentence, "section" | "heading"> {
  const kind = path.findLast(({ kind }) => kind !== null)?.kind;
  return { section: kind ?? (path.length > 0 ? "other" : "opening"), heading: path.at(-1)?.text ?? null };
}

/** A labelled value of a page: "Industry: Retail". */
export interface LabelledValue {
  readonly name: string;
  readonly value: string;
  /** Label and value, at most 300 characters. */
  readonly text: string;
}

const MAX_LABELS = 200;
const MAX_VALUE = 90;
const LINE = /^([\p{L} ]{2,30}?):\s{1,4}(\S.{0,90})$/u;

/** The page's labels, lines of the story with a colon, and short lines below a short heading. */
export function labelledValues(page: PageText, story: readonly StorySentence[]): LabelledValue[] {
  const found = page.labels
    .slice(0, MAX_LABELS)
    .flatMap(({ name, value }) => (name === null ? [] : [toLabelledValue(name, value)]));
  for (const { text, place, heading } of story) {
    if (place !== "body" || text.length > MAX_VALUE + 30) continue;
    const line = LINE.exec(text);
    if (line) found.push(toLabelledValue(line[1] ?? "", line[2] ?? ""));
    else if (heading !== null && heading.length <= 30 && text.length <= MAX_VALUE && !isSentence(text))
      found.push(toLabelledValue(heading, text));
  }
  return found;
}

const MAX_FACT_LINES = 12;
const MAX_FACT_LINE = 80;

/** Short lines near the start of a story that are no sentences, in which pages list facts about the client without labels. */
export function factLines(story: readonly StorySentence[]): readonly StorySentence[] {
  return story
    .filter(({ place }) => place === "body")
    .slice(0, MAX_FACT_LINES)
    .filter(({ text }) => text.length <= MAX_FACT_LINE && !/[.!?:"”]$/.test(text) && text.split(" ").length <= 12);
}

const toLabelledValue = (name: string, value: string): LabelledValue => ({
  name: name.trim().replace(/:$/, ""),
  value: value.slice(0, 200).trim(),
  text: `${name}: ${value}`.slice(0, 300),
});

const isSentence = (text: string) =>
  (/[.!?]$/.test(text) && !/\b(?:inc|ltd|co|corp|s\.a)\.$/i.test(text)) || text.split(" ").length > 8;

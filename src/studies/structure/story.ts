import type { PageText } from "../../vocabulary/page.ts";
import { type Block, readMarkdown } from "../text/markdown.ts";
import { splitSentences } from "../text/sentences.ts";
import { dropCode } from "./code-blocks.ts";
import { type SectionKind, sectionKindOf } from "./headings.ts";

/** A sentence of the story and where it stands. */
export interface StorySentence {
  readonly text: string;
  readonly section: SectionKind;
  /** Nearest heading; null before the first, in the title and in the description. */
  readonly heading: string | null;
  readonly place: "title" | "description" | "heading" | "body";
  /** It joins a figure that stands large and alone with the caption under it. */
  readonly isTile: boolean;
  /** Number of its paragraph, item or table row; sentences of one follow each other. */
  readonly paragraph: number;
}

const MAX_SENTENCES = 2_000;
/** Past so many sentences a heading no longer tells what a text is for: some pages have one and then the whole story. */
const MAX_SECTION = 14;
/** A heading on the line of its text: "Solution & results: we built …". */
const RUN_IN = /^((?:The )?[A-Z][a-z]{2,20}(?:(?: & | and |\/| )[A-Za-z]{2,20}){0,2}):\s{1,3}(?=["“]?[A-Z])/;
const MAX_MARKDOWN = 400_000;

/**
 * The story as sentences in reading order, title and description first, without code. Each knows what its section is
 * for, told by the nearest heading that says so.
 */
export function readStory(page: Pick<PageText, "title" | "description" | "markdown">): StorySentence[] {
  const sentences: StorySentence[] = [];
  const add = (text: string, about: Omit<StorySentence, "text">) => {
    for (const sentence of splitSentences(text)) {
      if (sentences.length >= MAX_SENTENCES) return;
      sentences.push({ text: sentence, ...about });
    }
  };
  const outside = { section: "opening", heading: null, isTile: false } as const;
  if (page.title) sentences.push({ text: page.title.trim(), ...outside, place: "title", paragraph: -2 });
  if (page.description) add(page.description, { ...outside, place: "description", paragraph: -1 });

  const path: { readonly level: number; readonly text: string; readonly kind: SectionKind | null }[] = [];
  let paragraph = 0;
  let sectionStart = 0;
  let runIn: Heading | null = null;
  for (const { block, isTile } of withTiles(readMarkdown(dropCode(page.markdown.slice(0, MAX_MARKDOWN))))) {
    paragraph += 1;
    if (block.kind === "heading") {
      while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop();
      const isTitle = block.text === page.title;
      path.push({ level: block.level, text: block.text, kind: isTitle ? null : sectionKindOf(block.text) });
      if (!isTitle) add(block.text, { ...sectionOf(path), place: "heading", isTile: false, paragraph });
      sectionStart = sentences.length;
      runIn = null;
    } else {
      const label = RUN_IN.exec(block.text);
      const kind = label?.[1] === undefined ? null : sectionKindOf(label[1]);
      if (label && kind !== null) {
        runIn = { text: label[1] ?? "", kind };
        sectionStart = sentences.length;
      }
      const own = sectionOf(runIn === null ? path : [...path, runIn]);
      const isLong = sentences.length - sectionStart >= MAX_SECTION;
      add(label && kind !== null ? block.text.slice(label[0].length) : block.text, {
        ...own,
        section: isLong ? "other" : own.section,
        place: "body",
        isTile,
        paragraph,
      });
    }
  }
  return sentences;
}

/** A figure that stands alone, large, above the words that say of what: "45%" and then "increase in sales". */
const TILE =
  /^[~≈><+−–-]{0,2}\s?[$€£¥]?\d[\d.,]{0,12}\s?(?:%|x|×|k|m|bn?|mn|million|billion|thousand|hours?|days?|weeks?|minutes?|seconds?)?\s?\+?$/i;
const MAX_CAPTION = 120;

/** Joins each tile with its caption into one text. */
function withTiles(blocks: readonly Block[]): { readonly block: Block; readonly isTile: boolean }[] {
  const joined: { block: Block; isTile: boolean }[] = [];
  let tile: string | null = null;
  for (const block of blocks) {
    if (tile !== null) {
      const isCaption = block.kind === "text" && block.text.length <= MAX_CAPTION && !TILE.test(block.text);
      joined.push(tileOf(isCaption ? `${tile} ${block.text}` : tile));
      tile = null;
      if (isCaption) continue;
    }
    if (TILE.test(block.text)) tile = block.text;
    else joined.push({ block, isTile: false });
  }
  if (tile !== null) joined.push(tileOf(tile));
  return joined;
}

const tileOf = (text: string) => ({ block: { kind: "text", text } as const, isTile: true });

type Heading = { readonly text: string; readonly kind: SectionKind | null };

function sectionOf(path: readonly Heading[]): Pick<StorySentence, "section" | "heading"> {
  const told = path.findLast(({ kind }) => kind !== null)?.kind;
  return { section: told ?? (path.length > 0 ? "other" : "opening"), heading: path.at(-1)?.text ?? null };
}

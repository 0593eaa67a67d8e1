import { plainText } from "../text/markdown.ts";
import { dropCode } from "./code-blocks.ts";

/** A paragraph of a page as a reader sees it. */
export interface QuoteBlock {
  /** Stands in a `>` quote. */
  readonly isQuote: boolean;
  /** Number of the quote it stands in, or of itself. */
  readonly group: number;
  /** Its lines, in plain text, none empty. */
  readonly lines: readonly string[];
}

const MAX_BLOCKS = 3_000;
const MAX_LINE = 5_000;

/** Paragraphs in order with the line breaks and the quoting that plain text loses. Headings are left out. */
export function readQuoteBlocks(markdown: string): QuoteBlock[] {
  const blocks: QuoteBlock[] = [];
  let lines: string[] = [];
  let isQuote = false;
  let group = 0;
  const end = () => {
    if (lines.length > 0 && blocks.length < MAX_BLOCKS) blocks.push({ isQuote, group, lines });
    lines = [];
  };
  for (const source of dropCode(markdown).split("\n")) {
    const marks = /^[\s>]{0,40}/.exec(source)?.[0] ?? "";
    const isMarked = marks.includes(">");
    const line = source.slice(marks.length).trim();
    if (isMarked !== isQuote) {
      end();
      group += 1;
      isQuote = isMarked;
    }
    if (line === "" || line.startsWith("#")) {
      end();
      if (!isQuote) group += 1;
      continue;
    }
    const text = plainText(line.slice(0, MAX_LINE).replace(/^[-*+]\s{1,4}(?=["“])/, ""));
    if (text !== "") lines.push(text);
  }
  end();
  return blocks;
}

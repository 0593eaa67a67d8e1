import { decodeReferences } from "../../html/tokenizer.ts";

/** A heading, or a text: a paragraph, an item of a list, a row of a table. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

const MAX_LINES = 20_000;
/** A story has a few hundred; each costs a dozen passes over its text. */
const MAX_BLOCKS = 4_000;
/** Rows of a table that are read. */
const MAX_ROWS = 200;
const MAX_CODE_LINES = 3;
const MAX_CODE_CHARS = 200;
/** Level of a line that is completely bold: below every real heading. */
export const BOLD_LINE_LEVEL = 7;

/**
 * Reads Markdown, which may contain HTML, as plain text: links as their text, no images, the first lines of code, rows of
 * tables as sentences. Each text and heading is one line and not empty. At most {@link MAX_BLOCKS} of them, give or take those of one table.
 */
export function readMarkdown(markdown: string): Block[] {
  const lines = withoutHtml(markdown).split("\n", MAX_LINES);
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const lines =
      paragraph.length > 1 && paragraph.every((line) => LABELLED.test(line)) ? paragraph : [paragraph.join(" ")];
    if (paragraph.length > 0) for (const line of lines) addText(blocks, line);
    paragraph = [];
  };
  for (let at = 0; at < lines.length && blocks.length < MAX_BLOCKS; at++) {
    const line = (lines[at] ?? "").replace(/^[\s>]{1,40}/, "").trimEnd();
    const fence = /^(`{3,10}|~{3,10})/.exec(line)?.[1];
    if (fence !== undefined) {
      endParagraph();
      at = readCode(lines, at, fence, blocks);
      continue;
    }
    const heading = /^(#{1,6})\s{1,10}(.{1,2000}?)\s{0,10}#{0,10}$/.exec(line);
    if (heading) {
      endParagraph();
      addHeading(blocks, heading[1]?.length ?? 1, heading[2] ?? "");
    } else if (/^(=+|-+)$/.test(line) && paragraph.length === 1) {
      addHeading(blocks, line.startsWith("=") ? 1 : 2, paragraph.join(" "));
      paragraph = [];
    } else if (isTableRule(line)) {
      at = readTable(lines, at, paragraph, blocks);
      paragraph = [];
    } else if (line === "" || isNoText(line)) endParagraph();
    else {
      if (/^([-*+•]|\d{1,3}[.)])\s/.test(line)) endParagraph();
      paragraph.push(line.replace(/^([-*+•]|\d{1,3}[.)])\s{1,10}(\[[ xX]\]\s)?/, ""));
    }
  }
  endParagraph();
  return blocks;
}

/** "**Industry:** Retail": several such lines are a list, although no empty line separates them. */
const LABELLED = /^(?:\*\*|__)?[\p{L}][\p{L} /&-]{1,30}(?::(?:\*\*|__)?|(?:\*\*|__):)\s{1,4}\S.{0,120}$/u;

function addText(blocks: Block[], source: string): void {
  const bold = /^(\*\*|__)([^*_]{1,80})\1$/.exec(source.trim())?.[2];
  if (bold !== undefined && !/[.!?,;]$/.test(bold)) {
    addHeading(blocks, BOLD_LINE_LEVEL, bold);
    return;
  }
  const text = plainText(source);
  if (/[\p{L}\p{N}]/u.test(text)) blocks.push({ kind: "text", text });
}

function addHeading(blocks: Block[], level: number, source: string): void {
  const text = plainText(source)
    .replace(/\s?\{#[\w-]{1,100}\}$/, "")
    .replace(/:$/, "")
    .trim();
  if (/[\p{L}\p{N}]/u.test(text)) blocks.push({ kind: "heading", level, text });
}

/** Rules, front matter, template tags, link definitions and imports. */
const isNoText = (line: string) =>
  /^([-*_]\s?){3,80}$/.test(line) ||
  /^\{[{%][^}]{0,500}[%}]\}$/.test(line) ||
  /^import\s[^"']{0,200}from\s["'][^"']{1,200}["'];?$/.test(line) ||
  /^\[[^\]]{1,200}\]:\s{1,10}\S{1,2048}/.test(line) ||
  /^:::/.test(line);

const isTableRule = (line: string) =>
  line.includes("-") && line.includes("|") && line.length < 2_000 && /^[\s|:-]+$/.test(line);

function readCode(lines: readonly string[], start: number, fence: string, blocks: Block[]): number {
  const code: string[] = [];
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = (lines[at] ?? "").replace(/^[\s>]{1,40}/, "").trimEnd();
    if (line.startsWith(fence)) break;
    if (code.length < MAX_CODE_LINES && line !== "") code.push(line.slice(0, MAX_CODE_CHARS));
  }
  const text = oneLine(code.join(" ")).slice(0, MAX_CODE_CHARS).toWellFormed();
  if (/[\p{L}\p{N}]/u.test(text)) blocks.push({ kind: "text", text });
  return at;
}

/** Each row becomes "Column: cell; column: cell." The line before the rule holds the columns. */
function readTable(lines: readonly string[], rule: number, before: readonly string[], blocks: Block[]): number {
  for (const line of before.slice(0, -1)) addText(blocks, line);
  const columns = cellsOf(before.at(-1) ?? "");
  const [was, is] = [columns.findIndex((name) => BEFORE.test(name)), columns.findIndex((name) => AFTER.test(name))];
  let at = rule + 1;
  for (; at < lines.length && (lines[at] ?? "").includes("|"); at++) {
    if (at - rule > MAX_ROWS) continue;
    const cells = cellsOf(lines[at] ?? "");
    // "Time to respond: 9 hours → 25 minutes" reads as what the columns before and after state.
    if (was > 0 && is > was && cells[0] && /\d/.test(cells[was] ?? "") && /\d/.test(cells[is] ?? "")) {
      blocks.push({ kind: "text", text: `${cells[0]}: ${cells[was]} → ${cells[is]}.` });
      continue;
    }
    const row = cells.map((cell, index) => (columns[index] ? `${columns[index]}: ${cell}` : cell));
    const text = row.filter((cell) => /[\p{L}\p{N}]/u.test(cell.slice(cell.indexOf(": ") + 1))).join("; ");
    if (text !== "") blocks.push({ kind: "text", text: /[.!?]$/.test(text) ? text : `${text}.` });
  }
  return at - 1;
}

/** Columns of the state before and after. */
const BEFORE = /^(?:before\b.{0,30}|previous(?:ly)?|old|legacy|baseline|vorher|avant|antes|prima|voorheen)$/i;
const AFTER = /^(?:after\b.{0,30}|now|new|today|with \S.{0,30}|result|nachher|après|después|dopo|nu)$/i;

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|", 50)
    .map(plainText);

const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f]+/g, " ").trim();

/** Inline Markdown as plain text, on one line. */
export function plainText(source: string): string {
  return oneLine(
    decodeReferences(
      source
        .replace(/!\[[^\]]{0,500}\](\([^()]{0,2048}(\([^()]{0,500}\)[^()]{0,500})?\)|\[[^\]]{0,200}\])?/g, " ")
        .replace(/\[([^[\]]{0,2000})\]\([^()]{0,2048}(\([^()]{0,500}\)[^()]{0,500})?\)/g, "$1")
        .replace(/\[([^[\]]{1,2000})\]\[[^\]]{0,200}\]/g, "$1")
        .replace(/\[\^[^\]]{1,40}\]/g, "")
        .replace(/<(https?:\/\/[^\s<>]{1,2048})>/g, "$1")
        .replace(/(`{1,3})([^`]{1,1000})\1/g, "$2")
        .replace(/(?<!\\)(\*{1,3})(?=\S)([^*]{1,5000}?)\1/g, "$2")
        .replace(/(?<![\p{L}\p{N}\\])(_{1,3})(?=\S)([^_]{1,5000}?)\1(?![\p{L}\p{N}])/gu, "$2")
        .replace(/~~([^~]{1,2000})~~/g, "$1")
        .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, "$1"),
    ),
  );
}

const TAG = /<\/?([a-z][a-z0-9-]{0,30})\b(?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,2000}>/gi;
const BREAKS =
  /^(address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|header|hr|main|nav|ol|p|section|table|tbody|thead|tr|ul)$/;

function withoutHtml(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  if (!text.includes("<")) return text;
  return dropElements(text).replace(TAG, (tag, name: string) => {
    const kind = name.toLowerCase();
    const isEnd = tag.startsWith("</");
    const level = /^h([1-6])$/.exec(kind)?.[1];
    if (level !== undefined) return isEnd ? "\n\n" : `\n\n${"#".repeat(Number(level))} `;
    if (kind === "li") return isEnd ? "" : "\n- ";
    if (kind === "td" || kind === "th") return isEnd ? "; " : "";
    return BREAKS.test(kind) ? "\n\n" : "";
  });
}

/** Drops comments and elements that a browser does not show, in linear time even if they are not closed. */
function dropElements(text: string): string {
  let rest = text;
  for (const [open, close] of [
    ["<!--", "-->"],
    ["<script", "</script"],
    ["<style", "</style"],
    ["<svg", "</svg"],
    ["<noscript", "</noscript"],
  ] as const) {
    const lower = rest.toLowerCase();
    // A few characters change their length in lower case, which would shift the offsets.
    if (lower.length !== rest.length) return rest;
    const kept: string[] = [];
    let at = 0;
    for (;;) {
      const start = lower.indexOf(open, at);
      const end = start < 0 ? -1 : lower.indexOf(close, start + open.length);
      if (end < 0) break;
      kept.push(rest.slice(at, start));
      at = end + close.length;
      if (close !== "-->") at = Math.max(at, lower.indexOf(">", at) + 1);
    }
    rest = `${kept.join(" ")} ${rest.slice(at)}`;
  }
  return rest;
}

const SEGMENTER = new Intl.Segmenter("en", { granularity: "sentence" });

/** Abbreviations, after which UAX 29 would end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:approx|avg|bros|ca|capt|cf|co|col|corp|dept|dr|e\.g|eg|est|etc|fig|gen|gov|i\.e|inc|jr|lt|ltd|max|min|mr|mrs|ms|mt|no|nos|pp|prof|rep|rev|sen|sgt|sr|st|u\.k|u\.s|u\.s\.a|univ|vol|vs|[a-z])\.["'”)]?\s*$/i;

/** Characters at the end of a text that are enough to find the end of a sentence. */
const TAIL = 24;

/** Full stops of scripts that put no space after them, with closing marks; opening marks begin the next sentence. */
const FULL_WIDTH_STOP = /[。｡！？][」』）】〉》〕”’"')\]]*([「『（【〈《〔“‘([]*)$/;

/**
 * Splits text into trimmed sentences. Joined by spaces they are the text again, except for its white space. A line break
 * ends a sentence. A full stop inside a word does not, although UAX 29 would end one before a capital: `Litmus 2.X` and
 * `Yahoo!Mail` are names.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let open = "";
  let tail = "";
  for (const { segment } of SEGMENTER.segment(text)) {
    open += segment;
    tail = (tail + segment.slice(-TAIL)).slice(-TAIL);
    const fullWidth = FULL_WIDTH_STOP.exec(tail);
    const isInsideWord = !/\s$/.test(segment) && fullWidth === null;
    if (!segment.endsWith("\n") && (isInsideWord || endsInAbbreviation(tail))) continue;
    const opens = fullWidth?.[1] ?? "";
    push(sentences, open.slice(0, open.length - opens.length));
    tail = open = opens;
  }
  push(sentences, open);
  return sentences;
}

/** "400 ms." and "5 min." end a sentence; "approx." and "Ms." do not. */
const endsInAbbreviation = (tail: string) =>
  /\.["'”)]?\s*$/.test(tail) && ABBREVIATION.test(tail) && !/\d\s?(?:ms|mt|min|max|est)\.["'”)]?\s*$/.test(tail);

/** "It took 4 days. 91% of residents …": UAX 29 ends no sentence before a figure and a lower-case word. */
const BEFORE_FIGURE = /(?<=\p{Ll}{2}\.["'”)]? )(?=[$€£]?\d)/u;

/** Whether a text may have such a place: a look behind is several times slower. */
const MAY_HAVE_FIGURE = /[.)"'”] [$€£]?\d/;

function push(sentences: string[], text: string): void {
  if (!MAY_HAVE_FIGURE.test(text)) {
    const sentence = text.trim();
    if (sentence !== "") sentences.push(sentence);
    return;
  }
  let open = "";
  for (const piece of text.trim().split(BEFORE_FIGURE)) {
    open += piece;
    if (endsInAbbreviation(open.slice(-TAIL))) continue;
    if (open.trim() !== "") sentences.push(open.trim());
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
}

/** Breaks a text at white space into pieces that measure at most `max`; longer words too, but no surrogate pair. */
export function breakText(text: string, max: number, measure: (text: string) => number): string[] {
  if (measure(text) <= max) return [text];
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length > 1) {
    const middle = Math.ceil(words.length / 2);
    return [words.slice(0, middle), words.slice(middle)].flatMap((half) => breakText(half.join(" "), max, measure));
  }
  const points = [...text];
  if (points.length < 2) return [text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle), points.slice(middle)].flatMap((half) => breakText(half.join(""), max, measure));
}

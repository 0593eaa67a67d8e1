import { BLOCKS, collapseWhitespace, type Element, type Node, textOf } from "../../html/tree.ts";
import { namesOf, type Sizes } from "./sizes.ts";

/** Renders the elements of a story as Markdown: first as a list of blocks, then as text. */

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  /** A quote has a line for each paragraph; the last may be its source, after a dash. */
  | { readonly kind: "text" | "quote" | "code" | "table"; readonly text: string }
  | { readonly kind: "item"; readonly mark: string; readonly depth: number; readonly text: string };

const MAX_MARKDOWN = 200_000;
/** Most characters of the source of a quote. */
const MAX_SOURCE = 140;
/** Longer blocks are written once. */
const MIN_REPEATED = 40;
const DASH = /^\s*(?:[—–―]|-{1,2}(?=\s|\p{Lu}))\s*/u;

/** Escapes characters that Markdown would read as markup. */
function escapeInline(text: string): string {
  if (!/[*`[<&\\]/.test(text)) return text;
  return text
    .replace(/[*`\\]/g, "\\$&")
    .replace(/\](?=[([])/g, "\\]")
    .replace(/&(?=#?\w{2,8};)/g, "&amp;")
    .replace(/<(?=[a-z/!?])/gi, "&lt;");
}

/** @param pieces content of a quote; short lines at its end are the name, role and company of the speaker */
function quoteOf(pieces: readonly Block[]): Block[] {
  const lines = pieces.flatMap(({ kind, text }) => (kind === "code" ? [] : text.split("\n")));
  let end = lines.length;
  while (end > 1 && lines.length - end < 4 && isSource(lines[end - 1] ?? "")) end -= 1;
  const text = lines.slice(0, end);
  const source = lines.slice(end).map((line) => line.replace(DASH, "").replace(/,$/, ""));
  if (text.every((line) => line.length < 25)) return [...pieces];
  if (source.length > 0) text.push(`— ${source.join(", ")}`);
  return [{ kind: "quote", text: text.join("\n") }];
}

const isSource = (line: string) =>
  line.length <= MAX_SOURCE &&
  (DASH.test(line) ||
    !/[.!?…。\uff01\uff1f:;"”»’']$/.test(line) ||
    /\b(?:Inc|Ltd|Co|Corp|Jr|Sr|AG|e\.V)\.$/.test(line));

/** At most 200,000 characters, cut after a whole block. Repeated long blocks are written once. */
function writeMarkdown(blocks: readonly Block[]): string {
  const written: string[] = [];
  const seen = new Set<string>();
  let length = 0;
  let before: Block | undefined;
  for (const block of withSources(blocks)) {
    // Pages repeat blocks for different screen widths. A speaker may be named after each quote.
    if (block.text.length > MIN_REPEATED && block.kind !== "code" && !DASH.test(block.text)) {
      if (seen.has(block.text)) continue;
      seen.add(block.text);
    }
    const text = write(block);
    const isTight = block.kind === "item" && before?.kind === "item";
    length += text.length + 2;
    if (length > MAX_MARKDOWN) break;
    if (before !== undefined) written.push(isTight ? "\n" : "\n\n");
    written.push(text);
    before = block;
  }
  return written.join("").toWellFormed();
}

/** Joins a quote with a following line that starts with a dash, its source. */
function withSources(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (before?.kind === "quote" && block.kind === "text" && block.text.length <= MAX_SOURCE && DASH.test(block.text)) {
      joined[joined.length - 1] = { kind: "quote", text: `${before.text}\n— ${block.text.replace(DASH, "")}` };
    } else joined.push(block);
  }
  return joined;
}

function write(block: Block): string {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
  if (block.kind === "code") return `\`\`\`\n${block.text}\n\`\`\``;
  if (block.kind === "table") return block.text;
  if (block.kind === "quote")
    return block.text
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n>\n");
  if (block.kind === "item") {
    const indent = "  ".repeat(block.depth);
    return block.mark === "" ? `${indent}  ${block.text}` : `${indent}${block.mark} ${block.text}`;
  }
  return escapeStart(block.text);
}

/** Escapes what would turn a paragraph into a heading, a list or a quote. */
const escapeStart = (text: string) =>
  text.replace(/^(?:#{1,6}(?=\s)|[>+|-](?=\s)|={3,}|-{3,}|~{3,})/, "\\$&").replace(/^(\d{1,9})([.)])(?=\s)/, "$1\\$2");

/** Most characters of a line that a line break separates from the next. */
const MAX_LINE = 120;

const UNFINISHED =
  /(?:[,;–-]|\s(?:an?|and|at|by|for|from|in|of|on|or|that|the|to|with|und|der|die|das|et|le|la|de|y|e))\s*$/i;

/** Whether a line break separates two lines, as in an unmarked list, and is not inside a sentence. */
const isSeparateLine = (line: string, next: string) =>
  line.length <= MAX_LINE && !UNFINISHED.test(line) && /^\s*[\p{Lu}\p{N}“"•–—✓]/u.test(next);

/** Whether an element contains only elements, without text between them. */
const isRowOfParts = ({ children }: Element) =>
  children.length > 1 &&
  children.length <= 12 &&
  children.every((child) => typeof child !== "string" || !/\S/.test(child));

/** Three or more short texts of the same kind, some of several words: "Vacation rentals", "Portugal", "480 apartments". */
function isRowOfTags({ children }: Element): boolean {
  const parts = children.filter((child) => typeof child !== "string");
  const [first] = parts;
  const texts = parts.map((part) => textOf(part, 60));
  return (
    parts.length > 2 &&
    parts.every(({ name, attributes }) => name === first?.name && attributes.class === first.attributes.class) &&
    texts.every((text) => text.length < 40 && !/[.!?,;:%]$/.test(text)) &&
    texts.some((text) => text.includes(" "))
  );
}

/** Classes of the name, role and company of a speaker. */
const SPEAKER =
  /^(?:author|name|role|title|position|job|company|organi[sz]ation|cite|source|attribution|person|speaker)$/;
const INLINE = new Set("a b cite em i label small span strong time".split(" "));

/** A link from a heading to itself. */
const isAnchor = (element: Element) => element.name === "a" && /^[#¶§🔗\u200b\s]*$/u.test(textOf(element, 4));

const QUOTE_NAMES = /^(?:quote|blockquote|pullquote|testimonial|quotation)s?$/;

function isQuote(element: Element, sizes: Sizes): boolean {
  if (!/^(aside|div|figure|li|p|section|q)$/.test(element.name)) return false;
  const size = sizes.get(element);
  if (size === undefined || size.text < 40 || size.text > 1_500 || size.headings > 1) return false;
  if (element.name === "figure")
    return element.children.some((child) => typeof child !== "string" && child.name === "blockquote");
  return namesOf(element).some((name) => QUOTE_NAMES.test(name));
}

function rawText(element: Element, max: number): string {
  const pieces: string[] = [];
  let length = 0;
  const visit = (node: Node) => {
    if (length > max) return;
    if (typeof node === "string") {
      pieces.push(node);
      length += node.length;
    } else if (node.name === "br") pieces.push("\n");
    else if (node.name !== "button") for (const child of node.children) visit(child);
  };
  visit(element);
  return pieces.join("").slice(0, max);
}

/** Limits of a card with figures: a number in one element and its label in the next, which form one phrase. */
const MAX_CARD = 400;
const MAX_LABEL = 110;
const MAX_PARTS = 16;
const UNIT =
  "%|percent|[xX×]|[kKmMbB]|bn|mn|[kK][bB]|[mMgGtTpP][bB]|mi(?:llion|llions)|million|billion|thousand|mio\\.?|mrd\\.?|" +
  "h(?:rs?|ours?)?|min(?:s|utes?)?|s(?:ecs?|econds?)?|ms|d(?:ays?)?|w(?:ks?|eeks?)|mo(?:nths?)?|y(?:rs?|ears?)|times|fold|pts?|points?|" +
  "fte|people|users|€|\\$|£|¥|eur|usd|kr|tage[n]?|stunden|wochen|monate[n]?|jahre[n]?|jours|heures|mois|días|horas|meses|倍|万|亿|小时|天|分钟|秒";
const NUMBER = "\\d{1,3}(?:[.,\\u00a0\\u202f' ]?\\d{3}){0,4}(?:[.,]\\d{1,3})?";
const AMOUNT = `[<>~≈≤≥+−–-]?\\s?(?:us)?[$€£¥]?\\s?${NUMBER}\\s?-?(?:${UNIT})?`;
/** `60%`, `$1.2M`, `3–4x`, `<5 min`, `Up to 40%`, `10,000+`, `24/7`. */
const FIGURE = new RegExp(
  `^(?:(?:up to|over|more than|less than|under|about|nearly|almost|around|only|bis zu|über|plus de|jusqu'à|más de|hasta|from)\\s)?${AMOUNT}` +
    `(?:\\s?(?:/|to|–|-|—|→|->|bis|à|a)\\s?${AMOUNT})?\\s?[+*]?(?:\\s(?:${UNIT}))?\\.?$`,
  "i",
);

/** Whether a text is only a figure. Years and the numbers of steps (`01`) are not figures. */
export function isFigure(text: string): boolean {
  if (text.length === 0 || text.length > 40 || !/\d/.test(text)) return false;
  if (/^((19|20)\d\d|0\d|#\d.*)\.?$/.test(text)) return false;
  return FIGURE.test(text);
}

/**
 * The phrases of a card with figures: `60% lower cost`, or `Cost per order: -60%` where the label comes first. Undefined for
 * other elements.
 */
function readFigures(element: Element, sizes: Sizes, dropped: ReadonlySet<Element>): string[] | undefined {
  const size = sizes.get(element);
  if (size === undefined || size.digits === 0 || size.text > MAX_CARD || size.text < 3) return undefined;
  if (element.children.length < 2) return undefined;
  const parts = partsOf(element, dropped);
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const figures = parts.filter(isFigure).length;
  if (figures === 0 || parts.some((part) => part.length > MAX_LABEL)) return undefined;
  const phrases: string[] = [];
  const figureFirst = isFigure(parts[0] ?? "");
  for (let at = 0; at < parts.length; ) {
    const first = parts[at] ?? "";
    const second = parts[at + 1] ?? "";
    // In a card each figure has one label.
    if (second === "" || isFigure(first) === isFigure(second) || isFigure(first) !== figureFirst) {
      if (figures > 1 || !figureFirst || parts.length > 3) return undefined;
      return [parts.join(" ")];
    }
    phrases.push(figureFirst ? `${first} ${second}` : `${first.replace(/[:\uff1a]$/, "")}: ${second}`);
    at += 2;
  }
  return phrases;
}

/** The texts of an element's children, one each. */
function partsOf(element: Element, dropped: ReadonlySet<Element>): string[] {
  const parts: string[] = [];
  for (const child of element.children) {
    if (typeof child !== "string" && (dropped.has(child) || child.name === "script")) continue;
    const text = typeof child === "string" ? collapseWhitespace(child) : textOf(child, 200);
    if (text !== "") parts.push(text);
    if (parts.length > MAX_PARTS) break;
  }
  return parts;
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 20;
const MAX_CELL = 300;

/**
 * A table as lines: a Markdown table if it has a head, `name: value` for two columns, and else cells separated by semicolons.
 * A table that lays out the page has no lines; its cells are rendered one by one.
 */
function readTable(table: Element, sizes: Sizes, dropped: ReadonlySet<Element>): { lines: string[]; cells: Element[] } {
  const rows = rowsOf(table, dropped).map((row) => row.slice(0, MAX_COLUMNS));
  const cells = rows.flat();
  const isLayout =
    rows.every((row) => row.length < 2) ||
    cells.some((cell) => (sizes.get(cell)?.text ?? 0) > MAX_CELL || (sizes.get(cell)?.headings ?? 0) > 0);
  if (isLayout) return { lines: [], cells };
  const texts = rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => textOf(cell, MAX_CELL * 2)));
  const hasHead = texts.length > 1 && (rows[0]?.every(({ name }) => name === "th") ?? false);
  if (!hasHead)
    return {
      lines: texts.map((row) =>
        row.length === 2 && row[0] ? row.join(": ") : row.filter((text) => text !== "").join("; "),
      ),
      cells: [],
    };
  const columns = Math.max(...texts.map((row) => row.length));
  const lines = texts.map((row) => `| ${row.map((text) => escapeInline(text.replaceAll("|", "/"))).join(" | ")} |`);
  return { lines: [[lines[0], `|${" --- |".repeat(columns)}`, ...lines.slice(1)].join("\n")], cells: [] };
}

/** Rows with their cells, without those of nested tables. */
export function rowsOf(table: Element, dropped: ReadonlySet<Element>): Element[][] {
  const rows: Element[][] = [];
  for (const child of table.children) {
    if (typeof child === "string" || dropped.has(child)) continue;
    if (/^(tbody|thead|tfoot)$/.test(child.name)) rows.push(...rowsOf(child, dropped));
    else if (child.name === "tr") {
      const cells = child.children.filter(
        (cell): cell is Element => typeof cell !== "string" && /^t[dh]$/.test(cell.name) && !dropped.has(cell),
      );
      // A row without cells is read as one cell.
      rows.push(cells.length > 0 ? cells : [child]);
    }
  }
  return rows;
}

const MAX_TEXT = 220_000;
const MAX_BLOCK = 20_000;
const MAX_CODE = 8_000;
const MAX_INDENT = 5;

interface RenderOptions {
  readonly sizes: Sizes;
  readonly dropped: ReadonlySet<Element>;
  /** Whether a block is not part of the story: a date, the reading time. */
  isByline(text: string, blocksBefore: number): boolean;
}

/**
 * Renders an element as Markdown, at most 200,000 characters, without links, images and emphasis. Bold at the start of a
 * paragraph is kept, figures with their labels are one line each, code is fenced.
 */
export function renderMarkdown(root: Element, { sizes, dropped, isByline }: RenderOptions): string {
  let blocks: Block[] = [];
  let inline = "";
  let length = 0;
  let inQuote = false;
  /** There was a line break, and no text since. */
  let hasBroken = false;
  let item: { readonly mark: string; readonly depth: number } | undefined;

  const put = (block: Block) => {
    length += block.text.length;
    if (length <= MAX_TEXT) blocks.push(block);
  };
  const putText = (text: string) => {
    if (text !== "" && !isByline(text, blocks.length)) put({ kind: "text", text: escapeInline(text) });
  };
  const flush = () => {
    const text = collapseWhitespace(inline).slice(0, MAX_BLOCK);
    inline = "";
    if (!/[\p{L}\p{N}]/u.test(text) || isByline(text, blocks.length)) return;
    if (item) {
      put({ kind: "item", ...item, text });
      item = { mark: "", depth: item.depth };
    } else put({ kind: "text", text });
  };
  const visit = (node: Node, depth: number) => {
    if (length > MAX_TEXT) return;
    if (typeof node === "string") {
      if (hasBroken && /\S/.test(node)) {
        hasBroken = false;
        if (isSeparateLine(inline, node)) flush();
      }
      if (inline.endsWith("**") && /^[\p{L}\p{N}]/u.test(node)) inline += " ";
      if (inline.length < MAX_BLOCK) inline += escapeInline(node.slice(0, MAX_BLOCK).replace(/\s+/g, " "));
      return;
    }
    if (dropped.has(node) || node.name === "script") return;
    const write = WRITERS[node.name];
    if (BLOCKS.has(node.name) && node.name !== "table" && putFigures(node)) return;
    if (write) write(node, depth);
    else if (isQuote(node, sizes)) quote(node, depth);
    else if (BLOCKS.has(node.name)) block(node, depth);
    else if (!isAnchor(node)) inside(node, depth);
  };
  const inside = (element: Element, depth: number) => {
    const isRow = isRowOfParts(element);
    const mark = isRow && isRowOfTags(element) ? " · " : " ";
    for (const child of element.children) {
      const isPart = typeof child !== "string" && INLINE.has(child.name);
      const isName = isPart && inQuote && namesOf(child).some((name) => SPEAKER.test(name));
      if (isName) flush();
      // Only CSS separates these: a label and its value, a number and its unit.
      else if (
        isPart &&
        isRow &&
        /[\p{L}\p{N}.)”"·•|]$/u.test(inline) &&
        /^(?:[\p{L}\p{N}“"(]\S|[·•|]$)/u.test(textOf(child, 20))
      )
        inline += mark;
      visit(child, depth);
      if (isName) flush();
    }
  };
  const block = (element: Element, depth: number) => {
    flush();
    inside(element, depth);
    flush();
  };
  const putFigures = (element: Element): boolean => {
    const figures = readFigures(element, sizes, dropped);
    if (!figures) return false;
    flush();
    for (const text of figures) put({ kind: "text", text: escapeInline(text) });
    return true;
  };
  const heading = (element: Element) => {
    flush();
    inline = "";
    for (const child of element.children) inHeading(child);
    const text = collapseWhitespace(inline).slice(0, 500);
    inline = "";
    if (/[\p{L}\p{N}]/u.test(text)) put({ kind: "heading", level: Number(element.name[1]), text });
  };
  const inHeading = (node: Node) => {
    if (typeof node === "string") inline += escapeInline(node.slice(0, 2_000));
    else if (!dropped.has(node) && !isAnchor(node) && node.name !== "script") {
      if (inline.length > 2_000) return;
      const isSeparate = node.name === "br" || BLOCKS.has(node.name);
      if (isSeparate) inline += " ";
      for (const child of node.children) inHeading(child);
      if (isSeparate) inline += " ";
    }
  };
  const bold = (element: Element, depth: number) => {
    const text = textOf(element, 100);
    if (hasBroken && isSeparateLine(inline, text)) flush();
    const leads = !/\S/.test(inline) && text.length > 1 && text.length <= 80;
    if (!leads || !/[\p{L}\p{N}]/u.test(text) || (sizes.get(element)?.headings ?? 0) > 0) inside(element, depth);
    else {
      inline = `**${escapeInline(text)}**`;
      hasBroken = false;
    }
  };
  const list = (element: Element, depth: number) => {
    flush();
    let number = 0;
    for (const child of element.children) {
      if (typeof child === "string" || child.name !== "li" || dropped.has(child)) {
        if (typeof child !== "string" && child.name !== "li") visit(child, depth);
        continue;
      }
      number += 1;
      flush();
      const size = sizes.get(child);
      if ((size?.headings ?? 0) > 0 || (size?.text ?? 0) > 3_000) {
        if (!putFigures(child)) block(child, depth);
        continue;
      }
      if (putFigures(child)) continue;
      const outer = item;
      item = { mark: element.name === "ol" ? `${number}.` : "-", depth };
      inside(child, Math.min(depth + 1, MAX_INDENT));
      flush();
      item = outer;
    }
  };
  const definitions = (element: Element, depth: number) => {
    flush();
    let term = "";
    const parts = element.children.flatMap((child) =>
      typeof child !== "string" && child.name === "div" && !dropped.has(child) ? child.children : [child],
    );
    for (const child of parts) {
      if (typeof child === "string" || dropped.has(child)) continue;
      if (child.name === "dt") term = textOf(child, 200);
      else if (child.name === "dd" && (sizes.get(child)?.text ?? 0) < 400) {
        const text = textOf(child, 1_000);
        // `60%` above `lower cost` is a figure and its label, not a term and its definition.
        const isFigure = /^[+−<>~≈-]?[$€£]?\d/.test(term) && term.length < 20;
        if (text !== "")
          putText(term === "" ? text : `${term.replace(/[:\uff1a]$/, "")}${isFigure ? "" : ":"} ${text}`);
      } else {
        if (child.name === "dd" && term !== "") putText(term);
        block(child, depth);
      }
    }
  };
  const quote = (element: Element, depth: number) => {
    flush();
    if (inQuote) {
      block(element, depth);
      return;
    }
    inQuote = true;
    const outer = { blocks, item };
    blocks = [];
    item = undefined;
    inside(element, depth);
    flush();
    inQuote = false;
    const pieces = quoteOf(blocks);
    ({ blocks, item } = outer);
    blocks.push(...pieces);
  };
  const code = (element: Element) => {
    flush();
    const text = rawText(element, MAX_CODE).replace(/^\n+/, "").trimEnd().replaceAll("```", "'''").toWellFormed();
    if (text.trim() !== "") put({ kind: "code", text });
  };
  const table = (element: Element, depth: number) => {
    flush();
    const { cells, lines } = readTable(element, sizes, dropped);
    for (const line of lines) {
      if (line.startsWith("|")) put({ kind: "table", text: line });
      else putText(line);
    }
    for (const cell of cells) block(cell, depth);
  };
  const WRITERS: Readonly<Record<string, (element: Element, depth: number) => void>> = {
    h1: heading,
    h2: heading,
    h3: heading,
    h4: heading,
    h5: heading,
    h6: heading,
    ul: list,
    ol: list,
    menu: list,
    dl: definitions,
    blockquote: quote,
    pre: code,
    table,
    strong: bold,
    b: bold,
    // Two line breaks end a paragraph.
    br: () => {
      if (hasBroken) flush();
      else if (inline.length < MAX_BLOCK) inline += "\n";
      hasBroken = !hasBroken;
    },
    hr: flush,
  };
  visit(root, 0);
  flush();
  return writeMarkdown(blocks);
}

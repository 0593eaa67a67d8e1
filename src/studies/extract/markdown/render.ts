import { clean, namesOf, type Sizes, textOf } from "../html/measure.ts";
import { BLOCKS, type Element, type Node } from "../html/tree.ts";
import { type Block, escapeInline, quoteOf, writeMarkdown } from "./blocks.ts";
import { INLINE, isAnchor, isLineOfItsOwn, isQuote, isRowOfParts, rawText, SAYER } from "./element-kinds.ts";
import { readFigures } from "./figures.ts";
import { readTable } from "./table.ts";

const MAX_TEXT = 220_000;
const MAX_BLOCK = 20_000;
const MAX_CODE = 8_000;
const MAX_INDENT = 5;

export interface Reading {
  readonly sizes: Sizes;
  readonly dropped: ReadonlySet<Element>;
  /** Whether a block tells nothing of the story: a date, the time that reading takes. */
  isNoText(text: string, blocksBefore: number): boolean;
}

/**
 * An element as Markdown, at most 200,000 characters. Links, pictures and emphasis are left out, but for bold that leads a
 * paragraph; figures with their labels are one line each; code is fenced.
 */
export function renderMarkdown(root: Element, { sizes, dropped, isNoText }: Reading): string {
  let blocks: Block[] = [];
  let inline = "";
  let length = 0;
  let inQuote = false;
  /** A line was broken, and nothing has been said since. */
  let hasBroken = false;
  let item: { readonly mark: string; readonly depth: number } | undefined;

  const put = (block: Block) => {
    length += block.text.length;
    if (length <= MAX_TEXT) blocks.push(block);
  };
  const putText = (text: string) => {
    if (text !== "" && !isNoText(text, blocks.length)) put({ kind: "text", text: escapeInline(text) });
  };
  const flush = () => {
    const text = clean(inline).slice(0, MAX_BLOCK);
    inline = "";
    if (!/[\p{L}\p{N}]/u.test(text) || isNoText(text, blocks.length)) return;
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
        if (isLineOfItsOwn(inline, node)) flush();
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
    for (const child of element.children) {
      const isPart = typeof child !== "string" && INLINE.has(child.name);
      const isName = isPart && inQuote && namesOf(child).some((name) => SAYER.test(name));
      if (isName) flush();
      // Styles alone keep such words apart: a label and its value, a number and what it counts.
      else if (
        isPart &&
        isRow &&
        /[\p{L}\p{N}.)”"·•|]$/u.test(inline) &&
        /^(?:[\p{L}\p{N}“"(]\S|[·•|]$)/u.test(textOf(child, 20))
      )
        inline += " ";
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
    const text = clean(inline).slice(0, 500);
    inline = "";
    if (/[\p{L}\p{N}]/u.test(text)) put({ kind: "heading", level: Number(element.name[1]), text });
  };
  const inHeading = (node: Node) => {
    if (typeof node === "string") inline += escapeInline(node.slice(0, 2_000));
    else if (!dropped.has(node) && !isAnchor(node) && node.name !== "script") {
      if (inline.length > 2_000) return;
      const isApart = node.name === "br" || BLOCKS.has(node.name);
      if (isApart) inline += " ";
      for (const child of node.children) inHeading(child);
      if (isApart) inline += " ";
    }
  };
  const bold = (element: Element, depth: number) => {
    const text = textOf(element, 100);
    if (hasBroken && isLineOfItsOwn(inline, text)) flush();
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
        // `60%` above `lower cost` is a figure and its label, not a term and what it means.
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
    ...{ h1: heading, h2: heading, h3: heading, h4: heading, h5: heading, h6: heading },
    ...{ ul: list, ol: list, menu: list, dl: definitions, blockquote: quote, pre: code, table, strong: bold, b: bold },
    // Two of them part paragraphs.
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

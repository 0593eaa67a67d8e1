/** Questions about an element that decide how its text is written down. */
import { namesOf, type Sizes, textOf } from "../html/measure.ts";
import type { Element, Node } from "../html/tree.ts";

/** Longest line of text that stands for itself. */
const MAX_LINE = 120;

const UNFINISHED =
  /(?:[,;–-]|\s(?:an?|and|at|by|for|from|in|of|on|or|that|the|to|with|und|der|die|das|et|le|la|de|y|e))\s*$/i;

/** Whether a line break parts two lines, such as those of a list that is none, or runs through a sentence. */
export const isLineOfItsOwn = (line: string, next: string) =>
  line.length <= MAX_LINE && !UNFINISHED.test(line) && /^\s*[\p{Lu}\p{N}“"•–—✓]/u.test(next);

/** Elements side by side without a word between them. */
export const isRowOfParts = ({ children }: Element) =>
  children.length > 1 &&
  children.length <= 12 &&
  children.every((child) => typeof child !== "string" || !/\S/.test(child));

/** Class of who said something: a name, a role, a company. */
export const SAYER =
  /^(?:author|name|role|title|position|job|company|organi[sz]ation|cite|source|attribution|person|speaker)$/;
export const INLINE = new Set("a b cite em i label small span strong time".split(" "));

/** A link from a heading to itself. */
export const isAnchor = (element: Element) => element.name === "a" && /^[#¶§🔗\u200b\s]*$/u.test(textOf(element, 4));

const QUOTE_NAMES = /^(?:quote|blockquote|pullquote|testimonial|quotation)s?$/;

export function isQuote(element: Element, sizes: Sizes): boolean {
  if (!/^(aside|div|figure|li|p|section|q)$/.test(element.name)) return false;
  const size = sizes.get(element);
  if (size === undefined || size.text < 40 || size.text > 1_500 || size.headings > 1) return false;
  if (element.name === "figure")
    return element.children.some((child) => typeof child !== "string" && child.name === "blockquote");
  return namesOf(element).some((name) => QUOTE_NAMES.test(name));
}

export function rawText(element: Element, max: number): string {
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

/**
 * Where a page's story stands.
 *
 * Readability and defuddle pick the one element that reads most like an article. Case-study pages have no such element:
 * their results stand in heroes, cards and sidebars beside it. So this goes the other way: it takes the page's `main`
 * (or else the body), and drops what is known as surroundings. Only where neither `main` nor `article` says what is what
 * does the weight of the paragraphs decide.
 *
 * Measured against both (linkedom beneath them), mean word-F1 and median time: 11 pages as a site serves them 0.998 in
 * 4 ms, Readability 0.991 in 17 ms, defuddle 0.990 in 53 ms; 34 pages of a site's older HTML 0.997, 0.938, 0.993; 196
 * records in pages of five kinds 0.998, 0.996, 0.990. `test/evaluation/structure.json` holds what it is today.
 */

import { isShared } from "../title.ts";
import { elementsOf, findElement, measure, type Sizes, takeOff, textOf } from "./measure.ts";
import { dropByContent, dropSurroundings } from "./surroundings.ts";
import type { Element } from "./tree.ts";

export interface Story {
  readonly body: Element;
  /** Holds the story and its header. */
  readonly root: Element;
  /** Elements below `body` that are no part of it. */
  readonly dropped: ReadonlySet<Element>;
  /** Those of them that are surroundings of the page, whichever part of it the story is. */
  readonly surroundings: ReadonlySet<Element>;
  readonly heading: Element | null;
  /** Of what is left. */
  readonly sizes: Sizes;
}

/** @param names titles that the page gives itself elsewhere: they tell its heading from a site's name */
export function findStory(page: Element, names: readonly string[]): Story {
  const body = findElement(page, ({ name }) => name === "body") ?? page;
  const sizes = measure(body);
  const gone = new Set<Element>();
  const dropped = dropSurroundings(body, sizes);
  takeOff(dropped, sizes, gone);
  const marked = findMarked(body, dropped, sizes);
  dropByContent(marked ?? body, sizes, dropped);
  takeOff(dropped, sizes, gone);
  if (marked) {
    dropByContent(body, sizes, dropped);
    takeOff(dropped, sizes, gone);
  }
  const surroundings = new Set(dropped);
  const own = marked ? findHeading(marked, dropped, names) : null;
  const heading = own ?? findHeading(body, dropped, names);
  // A hero above the main part belongs to the story when it bears the title.
  const isApart = marked !== undefined && own === null && heading !== null && isNamed(heading, names);
  const root = isApart ? commonAncestor(marked, heading) : (marked ?? body);
  trim(root, heading, sizes, dropped, marked !== undefined && !isApart);
  takeOff(dropped, sizes, gone);
  return { body, root, dropped, surroundings, heading, sizes };
}

/** The element that the page itself calls its main part, if it holds enough of the text to be believed. */
function findMarked(body: Element, dropped: ReadonlySet<Element>, sizes: Sizes): Element | undefined {
  const total = sizes.get(body)?.text ?? 0;
  const textIn = (element: Element) => sizes.get(element)?.text ?? 0;
  const widest = (found: Element[]) => found.toSorted((a, b) => textIn(b) - textIn(a))[0];
  const mains: Element[] = [];
  const articles: Element[] = [];
  for (const element of elementsOf(body, dropped)) {
    if (element.name === "main" || element.attributes.role === "main") mains.push(element);
    else if (element.name === "article" || element.attributes.role === "article") articles.push(element);
  }
  const main = widest(mains);
  if (main && textIn(main) > total * 0.3) return main;
  const article = widest(articles);
  // Of many articles none is the story of the page, unless it outweighs the rest.
  const sum = articles.reduce((so, one) => so + textIn(one), 0);
  return article && textIn(article) > total * 0.4 && textIn(article) > sum * 0.6 ? article : undefined;
}

function commonAncestor(one: Element, other: Element): Element {
  const above = new Set<Element>();
  for (let at: Element | null = one; at !== null; at = at.parent) above.add(at);
  let at = other;
  while (!above.has(at) && at.parent) at = at.parent;
  return at;
}

const isNamed = (heading: Element, names: readonly string[]) =>
  names.some((name) => folded(name) === folded(textOf(heading, 300)));

const folded = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** The `h1` or another heading that says what the page calls itself elsewhere; or else the first `h1` of its own. */
function findHeading(root: Element, dropped: ReadonlySet<Element>, names: readonly string[]): Element | null {
  const titles = names.map(folded).filter((name) => name.length > 3);
  let first: Element | null = null;
  let lesser: Element | null = null;
  let seen = 0;
  for (const element of elementsOf(root, dropped)) {
    if (!/^h[1-3]$/.test(element.name)) continue;
    const plain = textOf(element, 300);
    const text = folded(plain);
    if (text === "") continue;
    seen += 1;
    if (seen > 40) break;
    const isTold =
      text.length > 3 &&
      titles.some((title) => title === text || (title.includes(text) && text.length > title.length / 2));
    if (element.name === "h1" && (isTold || first === null || isShared(textOf(first, 300)))) first = element;
    else if (isTold) lesser ??= element;
    if (isTold && element.name === "h1") return element;
  }
  return first !== null && lesser !== null && isShared(textOf(first, 300)) ? lesser : (first ?? lesser);
}

/** Drops what stands before the heading, and on pages that mark no main part, what lies beside the paragraphs. */
function trim(root: Element, heading: Element | null, sizes: Sizes, dropped: Set<Element>, isMarked: boolean): void {
  const total = sizes.get(root)?.text ?? 0;
  if (heading) {
    for (let at: Element = heading; at !== root && at.parent; at = at.parent) {
      for (const sibling of at.parent.children) {
        if (sibling === at) break;
        if (typeof sibling === "string" || (sizes.get(sibling)?.text ?? 0) > total * 0.25) continue;
        if (!holdsFigure(sibling, sizes)) dropped.add(sibling);
      }
    }
  }
  if (isMarked) return;
  const weights = weigh(root, dropped);
  const all = weights.get(root) ?? 0;
  if (all === 0) return;
  let core = root;
  for (;;) {
    const next = core.children.find((child) => typeof child !== "string" && (weights.get(child) ?? 0) > all * 0.75);
    if (next === undefined || typeof next === "string") break;
    core = next;
  }
  let isAfter = false;
  for (let at = core; at !== root && at.parent; at = at.parent) {
    isAfter = false;
    for (const sibling of at.parent.children) {
      if (sibling === at) isAfter = true;
      else if (typeof sibling !== "string" && isAfter && !belongs(sibling, sizes, weights)) dropped.add(sibling);
    }
  }
}

/** After the story only figures, quotes and more paragraphs belong to it. */
function belongs(element: Element, sizes: Sizes, weights: ReadonlyMap<Element, number>): boolean {
  const size = sizes.get(element);
  if (size === undefined || size.text === 0 || size.linked > size.text * 0.3) return false;
  if ((weights.get(element) ?? 0) >= 200) return true;
  if (/^(blockquote|figure)$/.test(element.name) || findElement(element, ({ name }) => name === "blockquote"))
    return true;
  return (
    holdsFigure(element, sizes) || (size.text < 1_500 && size.controls === 0 && /^["“„«「]/.test(textOf(element, 40)))
  );
}

function holdsFigure(element: Element, sizes: Sizes): boolean {
  const size = sizes.get(element);
  return size !== undefined && size.text < 600 && size.controls === 0 && /\d\s?(%|x\b|×)/.test(textOf(element, 700));
}

/** Characters of paragraphs in each element; a run of text directly in an element is one when it is long. */
function weigh(root: Element, dropped: ReadonlySet<Element>): ReadonlyMap<Element, number> {
  const weights = new Map<Element, number>();
  const visit = (element: Element): number => {
    let weight = 0;
    for (const child of element.children) {
      if (typeof child === "string") weight += child.trim().length > 60 ? child.trim().length : 0;
      else if (child.name !== "a" && child.name !== "script" && !dropped.has(child)) weight += visit(child);
    }
    weights.set(element, weight);
    return weight;
  };
  visit(root);
  return weights;
}

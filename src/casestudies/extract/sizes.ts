import type { Element } from "../../html/tree.ts";

/** Counts over an element and everything below it. */
export interface Size {
  /** Characters without white space. */
  text: number;
  /** Characters of text inside links. */
  linked: number;
  /** Links, buttons and forms. */
  controls: number;
  /** `h1`, `main` and `article`. */
  parts: number;
  /** `h1`. */
  titles: number;
  headings: number;
  menus: number;
  /** Mentions of cookies. */
  cookies: number;
  /** Copyright notices. */
  rights: number;
  /** Texts with a digit. */
  digits: number;
}

export type Sizes = Map<Element, Size>;

export const emptySize = (): Size => ({
  text: 0,
  linked: 0,
  controls: 0,
  parts: 0,
  titles: 0,
  headings: 0,
  menus: 0,
  cookies: 0,
  rights: 0,
  digits: 0,
});

/** Longest text that is searched for a copyright notice. */
const MAX_SMALL_PRINT = 400;
const COOKIES = /\bcookies?\b/gi;
const RIGHTS =
  /©\s?(?:copyright\s)?\d{4}|\bcopyright\s{0,3}(?:©|\(c\)|\d{4})|\ball rights? reserved\b|alle rechte vorbehalten|tous droits réservés|todos los derechos|版权所有/i;

/** Measures every element below `root`. */
export function measure(root: Element): Sizes {
  const sizes = new Map<Element, Size>();
  const visit = (element: Element, inLink: boolean): Size => {
    const { name } = element;
    const size = emptySize();
    if (/^(a|button|form|input)$/.test(name)) size.controls = 1;
    if (/^(h1|main|article)$/.test(name)) size.parts = 1;
    if (name === "h1") size.titles = 1;
    if (/^h[1-6]$/.test(name)) size.headings = 1;
    if (name === "nav") size.menus = 1;
    sizes.set(element, size);
    const isLink = inLink || name === "a";
    for (const child of element.children) {
      if (typeof child === "string") {
        const length = countCharacters(child);
        if (length === 0) continue;
        size.text += length;
        if (isLink) size.linked += length;
        size.cookies += child.match(COOKIES)?.length ?? 0;
        if (length < MAX_SMALL_PRINT && RIGHTS.test(child)) size.rights += 1;
        if (/\d/.test(child)) size.digits += 1;
      } else if (child.name !== "script") addTo(size, visit(child, isLink));
    }
    return size;
  };
  visit(root, false);
  return sizes;
}

/**
 * Removes elements: subtracts their sizes from those of their ancestors and deletes their own. Elements in `removed` were
 * removed before; these are added to it.
 */
export function removeFromSizes(elements: Iterable<Element>, sizes: Sizes, removed: Set<Element>): void {
  for (const element of elements) {
    const size = sizes.get(element);
    if (size === undefined || removed.has(element)) continue;
    const ancestors: Element[] = [];
    for (let at = element.parent; at !== null && !removed.has(at); at = at.parent) ancestors.push(at);
    const isInRemoved = ancestors.at(-1)?.parent != null;
    removed.add(element);
    sizes.delete(element);
    if (isInRemoved) continue;
    for (const ancestor of ancestors) {
      const removedSize = sizes.get(ancestor);
      if (removedSize) addTo(removedSize, size, -1);
    }
  }
}

const COUNTS = Object.keys(emptySize()) as (keyof Size)[];

export function addTo(whole: Size, part: Size, sign: 1 | -1 = 1): void {
  for (const count of COUNTS) whole[count] += sign * part[count];
}

/** A Han or Kana character counts as three letters. */
function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x3000 && code < 0xa000) count += 3;
    else if (code > 32 && code !== 0xa0 && code !== 0x200b) count += 1;
  }
  return count;
}

/** The words in an element's class and id, in lower case: `siteFooter` gives `site` and `footer`. */
export function namesOf({ attributes }: Element): string[] {
  const source = `${attributes.class ?? ""} ${attributes.id ?? ""}`;
  if (source.length < 2) return [];
  return source
    .slice(0, 400)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

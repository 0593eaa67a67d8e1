import type { Element, Node } from "./tree.ts";

/** What an element holds, itself and all below it. */
export interface Size {
  /** Characters without white space. */
  text: number;
  /** Those of them that stand in links. */
  linked: number;
  /** Links, buttons and forms. */
  controls: number;
  /** `h1`, `main` and `article`. */
  parts: number;
  titles: number;
  headings: number;
  menus: number;
  /** Mentions of cookies and of the right to copy. */
  cookies: number;
  rights: number;
  digits: number;
}

export type Sizes = Map<Element, Size>;

/** Longest text that is looked at for a copyright. */
const MAX_SMALL_PRINT = 400;
const COOKIES = /\bcookies?\b/gi;
const RIGHTS =
  /©\s?(?:copyright\s)?\d{4}|\bcopyright\s{0,3}(?:©|\(c\)|\d{4})|\ball rights? reserved\b|alle rechte vorbehalten|tous droits réservés|todos los derechos|版权所有/i;

/** Measures every element below `root`. */
export function measure(root: Element): Sizes {
  const sizes = new Map<Element, Size>();
  const visit = (element: Element, inLink: boolean): Size => {
    const { name } = element;
    const size: Size = {
      text: 0,
      linked: 0,
      controls: /^(a|button|form|input)$/.test(name) ? 1 : 0,
      parts: /^(h1|main|article)$/.test(name) ? 1 : 0,
      titles: name === "h1" ? 1 : 0,
      headings: /^h[1-6]$/.test(name) ? 1 : 0,
      menus: name === "nav" ? 1 : 0,
      cookies: 0,
      rights: 0,
      digits: 0,
    };
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
      } else if (child.name !== "script") addTo(size, visit(child, isLink), 1);
    }
    return size;
  };
  visit(root, false);
  return sizes;
}

/**
 * Takes what elements hold off everything that holds them, and their own sizes away. Those in `gone` were taken off
 * before; these are added to it.
 */
export function takeOff(elements: Iterable<Element>, sizes: Sizes, gone: Set<Element>): void {
  for (const element of elements) {
    const size = sizes.get(element);
    if (size === undefined || gone.has(element)) continue;
    const above: Element[] = [];
    for (let at = element.parent; at !== null && !gone.has(at); at = at.parent) above.push(at);
    const isBelowGone = above.at(-1)?.parent != null;
    gone.add(element);
    sizes.delete(element);
    if (isBelowGone) continue;
    for (const one of above) {
      const whole = sizes.get(one);
      if (whole) addTo(whole, size, -1);
    }
  }
}

function addTo(whole: Size, part: Size, sign: 1 | -1): void {
  whole.text += sign * part.text;
  whole.linked += sign * part.linked;
  whole.controls += sign * part.controls;
  whole.parts += sign * part.parts;
  whole.titles += sign * part.titles;
  whole.headings += sign * part.headings;
  whole.menus += sign * part.menus;
  whole.cookies += sign * part.cookies;
  whole.rights += sign * part.rights;
  whole.digits += sign * part.digits;
}

/** A Han or Kana character says about as much as three letters do. */
function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x3000 && code < 0xa000) count += 3;
    else if (code > 32 && code !== 0xa0 && code !== 0x200b) count += 1;
  }
  return count;
}

/** An element's text on one line, at most `max` characters. A space stands between elements only where the page has one. */
export function textOf(node: Node, max = 2_000): string {
  const pieces: string[] = [];
  let left = max * 2 + 500;
  const visit = (at: Node) => {
    left -= 1;
    if (typeof at === "string") {
      pieces.push(at.slice(0, Math.max(left, 0)));
      left -= at.length;
    } else if (at.name === "br" || at.name === "hr") pieces.push(" ");
    else if (at.name !== "script") {
      const isApart = APART.has(at.name);
      if (isApart) pieces.push(" ");
      for (const child of at.children) {
        if (left <= 0) break;
        visit(child);
      }
      if (isApart) pieces.push(" ");
    }
  };
  visit(node);
  return clean(pieces.join("")).slice(0, max).trim().toWellFormed();
}

const APART = new Set(
  "address article aside blockquote button cite dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main ol p pre section summary table td th time tr ul".split(
    " ",
  ),
);

/** White space of every kind becomes one space; characters without width go. */
export function clean(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/[\s\u00a0\u0000-\u001f]+/g, " ")
    .trim();
}

export function findElement(root: Element, test: (element: Element) => boolean): Element | undefined {
  for (const child of root.children) {
    if (typeof child === "string") continue;
    if (test(child)) return child;
    const found = findElement(child, test);
    if (found) return found;
  }
  return undefined;
}

/** Elements below `root` in the order of the page, without those in `skipped` and what they hold. */
export function* elementsOf(root: Element, skipped?: ReadonlySet<Element>): Generator<Element> {
  // By hand: generators inside each other cost their depth for every element.
  const open: { element: Element; next: number }[] = [{ element: root, next: 0 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const child = at.element.children[at.next];
    at.next += 1;
    if (child === undefined) open.pop();
    else if (typeof child !== "string" && !skipped?.has(child)) {
      yield child;
      // Whoever asked may have dropped it since.
      if (child.children.length > 0 && !skipped?.has(child)) open.push({ element: child, next: 0 });
    }
  }
}

/** Names in an element's class and id, in lower case, parted where people part them: `siteFooter` is `site`, `footer`. */
export function namesOf({ attributes }: Element): string[] {
  const source = `${attributes.class ?? ""} ${attributes.id ?? ""}`;
  if (source.length < 2) return [];
  return source
    .slice(0, 400)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

import { Tokenizer } from "htmlparser2";

/**
 * The elements and texts of a page. Built on htmlparser2's bare tokenizer, because a hostile page decides how deep its
 * elements lie: linkedom recurses over them, and htmlparser2's own parser moves its whole stack at each of them
 * (100,000 open divs: an overflow, and half a minute). Here what lies deeper than MAX_DEPTH is laid flat.
 */

export interface Element {
  /** Lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  readonly parent: Element | null;
}

/** A string is a run of text as it stands, entities decoded. */
export type Node = Element | string;

const MAX_INPUT = 8 * 1_048_576;
const MAX_DEPTH = 200;
const MAX_NODES = 100_000;
const MAX_VALUE = 2_048;
/** Longest text of one JSON-LD script. */
const MAX_SCRIPT = 262_144;

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const KEPT_ATTRIBUTES = new Set(
  "alt aria-hidden aria-label class content data-lazy-src data-src datetime hidden href http-equiv id itemprop lang name property rel role src srcset style type xml:lang".split(
    " ",
  ),
);
/** Their content is for nobody who reads; JSON-LD is the one script that is kept. */
const UNREAD = new Set("audio canvas iframe math noscript object script style svg template textarea video".split(" "));

/** What an opening tag closes when it stands open above it, and the elements that it does not look beyond. */
const CLOSES: Readonly<Record<string, { readonly ends: readonly string[]; readonly within: readonly string[] }>> = {
  li: { ends: ["li"], within: ["ul", "ol", "menu"] },
  dt: { ends: ["dt", "dd"], within: ["dl"] },
  dd: { ends: ["dt", "dd"], within: ["dl"] },
  tr: { ends: ["tr", "td", "th"], within: ["table"] },
  td: { ends: ["td", "th"], within: ["table", "tr"] },
  th: { ends: ["td", "th"], within: ["table", "tr"] },
  tbody: { ends: ["thead", "tbody", "tr", "td", "th"], within: ["table"] },
  tfoot: { ends: ["tbody", "thead", "tr", "td", "th"], within: ["table"] },
  option: { ends: ["option"], within: ["select"] },
  a: { ends: ["a"], within: ["td", "th", "table", "li"] },
};
export const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** @returns the root: an element named `#page` that holds what the page holds */
export function parsePage(source: string): Element {
  const html = source.length > MAX_INPUT ? source.slice(0, MAX_INPUT) : source;
  const root = create("#page", null);
  let open = root;
  let depth = 0;
  let nodes = 0;
  /** Elements that stand open and were laid flat. */
  let flat = 0;
  let name = "";
  let attributes: Record<string, string> = {};
  let attribute = "";
  let value = "";
  /** Name of the unread element that stands open, and how many of its kind. */
  let unread = "";
  let unreadDepth = 0;
  let script: string[] | undefined;

  const pop = () => {
    open = open.parent ?? root;
    depth -= 1;
  };
  const add = (node: Node) => {
    nodes += 1;
    if (nodes <= MAX_NODES) open.children.push(node);
  };
  const say = (text: string) => {
    if (script) script.push(text);
    else if (unread === "" && text !== "") {
      const last = open.children.length - 1;
      const before = open.children[last];
      // Entities come in pieces of their own.
      if (typeof before === "string") open.children[last] = before + text;
      else add(text);
    }
  };
  const closeUpTo = (ends: readonly string[], within: readonly string[]) => {
    let up = 0;
    for (let at: Element | null = open; at !== null && up < MAX_DEPTH; at = at.parent, up += 1) {
      if (ends.includes(at.name)) {
        const stop: Element | null = at.parent;
        while (open !== stop && open !== root) pop();
        return;
      }
      if (within.includes(at.name)) return;
    }
  };
  const openElement = () => {
    const closes = CLOSES[name];
    if (flat === 0) {
      if (closes) {
        closeUpTo(closes.ends, closes.within);
        if (name === "tr" || name === "tbody" || name === "tfoot") closeUpTo(closes.ends, closes.within);
      } else if (BLOCKS.has(name) && open.name !== "#page")
        closeUpTo(["p"], ["div", "section", "td", "li", "blockquote"]);
    }
    if (VOID.has(name)) {
      add(create(name, open, attributes));
      return;
    }
    if (depth >= MAX_DEPTH || nodes >= MAX_NODES) {
      flat += 1;
      const last = open.children.at(-1);
      if (BLOCKS.has(name) && (typeof last === "string" || last?.name !== "br")) add(create("br", open));
      return;
    }
    const element = create(name, open, attributes);
    add(element);
    open = element;
    depth += 1;
  };
  const closeElement = (closing: string) => {
    if (flat > 0) {
      flat -= 1;
      return;
    }
    for (let at: Element | null = open; at !== null && at !== root; at = at.parent) {
      if (at.name === closing) {
        const stop: Element | null = at.parent;
        while (open !== stop && open !== root) pop();
        return;
      }
      // A stray end of a paragraph or a span does not close the cell or the section that it stands in.
      if (/^(td|th|table|section|article|main|body|#page)$/.test(at.name) && !BLOCKS.has(closing)) return;
    }
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = html.slice(start, Math.min(end, start + 40)).toLowerCase();
        attributes = {};
      },
      onattribname(start, end) {
        attribute = html.slice(start, Math.min(end, start + 20)).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (value.length < MAX_VALUE) value += html.slice(start, Math.min(end, start + MAX_VALUE));
      },
      onattribentity(codepoint) {
        if (value.length < MAX_VALUE) value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (KEPT_ATTRIBUTES.has(attribute) && !Object.hasOwn(attributes, attribute))
          attributes[attribute] = value.toWellFormed();
      },
      onopentagend() {
        if (unread !== "") {
          if (name === unread) unreadDepth += 1;
          return;
        }
        if (UNREAD.has(name)) {
          unread = name;
          unreadDepth = 1;
          if (name === "script" && /ld\+json/i.test(attributes.type ?? "")) script = [];
          return;
        }
        openElement();
      },
      onselfclosingtag() {
        if (unread === "" && VOID.has(name)) add(create(name, open, attributes));
        else if (unread === "" && !UNREAD.has(name)) openElement();
      },
      onclosetag(start, end) {
        const closing = html.slice(start, Math.min(end, start + 40)).toLowerCase();
        if (unread === "") {
          if (closing === "br") add(create("br", open));
          else closeElement(closing);
          return;
        }
        if (closing !== unread) return;
        unreadDepth -= 1;
        if (unreadDepth > 0) return;
        if (script) {
          const element = create("script", open);
          element.children.push(script.join("").slice(0, MAX_SCRIPT));
          add(element);
        }
        script = undefined;
        unread = "";
      },
      ontext(start, end) {
        say(html.slice(start, end));
      },
      ontextentity(codepoint) {
        say(String.fromCodePoint(codepoint));
      },
      oncdata(start, end) {
        say(html.slice(start, end));
      },
      oncomment() {},
      ondeclaration() {},
      onend() {},
      onprocessinginstruction() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return root;
}

function create(name: string, parent: Element | null, attributes: Record<string, string> = {}): Element {
  return { name, attributes, children: [], parent };
}

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

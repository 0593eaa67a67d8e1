import { type Attributes, readMarkup } from "./tokenizer.ts";

/**
 * The elements and texts of a page. Depth and size are bounded, because the page's author decides about both: elements
 * deeper than MAX_DEPTH become siblings, so that recursion over a tree is safe.
 */

export interface Element {
  /** Lower case. */
  readonly name: string;
  /** Decoded values by name in lower case, each at most 2,048 characters. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  readonly parent: Element | null;
}

/** A string is text, with its character references decoded. */
export type Node = Element | string;

const MAX_INPUT = 8 * 1_048_576;
const MAX_DEPTH = 200;
const MAX_NODES = 100_000;
const MAX_VALUE = 2_048;
/** Characters of all scripts of a page. */
const MAX_SCRIPTS = 2_097_152;

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements whose content is not text for a reader. Scripts are kept, as one text each. */
const SKIPPED = new Set("audio canvas iframe math noscript object script style svg template textarea video".split(" "));
/** A closing tag inside one of these closes nothing outside it. */
const ISOLATED = new Set(["noscript", "template"]);
const SECTIONS = new Set(["td", "th", "table", "section", "article", "main", "body"]);

/** The open elements that an opening tag closes, and the elements beyond which it closes none. */
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

/** @returns the root: an element named `#page` that holds the page */
export function parsePage(source: string): Element {
  const root = create("#page", null);
  let open = root;
  let depth = 0;
  let nodes = 0;
  /** Open elements below MAX_DEPTH, which are not in the tree. */
  let flattened = 0;
  /** The outermost open element that is skipped. */
  let skipped: Element | undefined;
  let scriptRoom = MAX_SCRIPTS;

  const add = (node: Node) => {
    if (skipped !== undefined) return;
    nodes += 1;
    if (nodes <= MAX_NODES) open.children.push(node);
  };
  /** Makes `element`, or the root, the innermost open element. */
  const closeDownTo = (element: Element | null) => {
    while (open !== element && open !== root) {
      const closed = open;
      open = open.parent ?? root;
      depth -= 1;
      if (closed !== skipped) continue;
      skipped = undefined;
      if (closed.children.length > 0) add(closed);
    }
  };
  const closeFirst = (ends: readonly string[], within: readonly string[]) => {
    for (let at: Element | null = open; at !== null; at = at.parent) {
      if (ends.includes(at.name)) return closeDownTo(at.parent);
      if (within.includes(at.name) || ISOLATED.has(at.name)) return;
    }
  };
  const openElement = (name: string, attributes: Attributes) => {
    const closes = CLOSES[name];
    if (flattened === 0) {
      if (closes) {
        closeFirst(closes.ends, closes.within);
        if (name === "tr" || name === "tbody" || name === "tfoot") closeFirst(closes.ends, closes.within);
      } else if (BLOCKS.has(name) && open !== root) closeFirst(["p"], ["div", "section", "td", "li", "blockquote"]);
    }
    const isSkipped = skipped === undefined && SKIPPED.has(name);
    if (VOID.has(name)) add(create(name, open, valuesOf(attributes)));
    else if ((depth >= MAX_DEPTH || nodes >= MAX_NODES) && !isSkipped) {
      flattened += 1;
      const last = open.children.at(-1);
      if (BLOCKS.has(name) && (typeof last === "string" || last?.name !== "br")) add(create("br", open));
    } else {
      const element = create(name, open, skipped === undefined ? valuesOf(attributes) : {});
      if (isSkipped) skipped = element;
      else add(element);
      open = element;
      depth += 1;
    }
  };
  const closeElement = (name: string) => {
    if (flattened > 0) {
      flattened -= 1;
      return;
    }
    for (let at: Element | null = open; at !== null && at !== root; at = at.parent) {
      if (at.name === name) return closeDownTo(at.parent);
      // A stray `</p>` or `</span>` closes neither its cell nor its section.
      if (ISOLATED.has(at.name) || (SECTIONS.has(at.name) && !BLOCKS.has(name))) return;
    }
  };

  readMarkup(source.length > MAX_INPUT ? source.slice(0, MAX_INPUT) : source, {
    open({ name, attributes, selfClosing }) {
      if (!selfClosing || !SKIPPED.has(name)) openElement(name, attributes);
    },
    close(name) {
      if (name === "br") add(create("br", open));
      else closeElement(name);
    },
    text(text) {
      if (skipped !== undefined || text === "") return;
      const last = open.children.length - 1;
      const before = open.children[last];
      if (typeof before === "string") open.children[last] = before + text;
      else add(text);
    },
    rawText(text) {
      if (skipped?.name !== "script" || scriptRoom <= 0) return;
      skipped.children.push(text.slice(0, scriptRoom));
      scriptRoom -= text.length;
    },
  });
  return root;
}

function valuesOf(attributes: Attributes): Record<string, string> {
  const values: Record<string, string> = {};
  for (let at = 0; at < attributes.count; at++) {
    const name = attributes.nameAt(at);
    if (values[name] === undefined) values[name] = attributes.valueAt(at, MAX_VALUE).toWellFormed();
  }
  return values;
}

function create(name: string, parent: Element | null, attributes: Record<string, string> = {}): Element {
  return { name, attributes, children: [], parent };
}

/** The text of a node on one line, at most `max` characters. Blocks, cells and buttons are separated by a space. */
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
      const isSeparate = SEPARATE.has(at.name);
      if (isSeparate) pieces.push(" ");
      for (const child of at.children) {
        if (left <= 0) break;
        visit(child);
      }
      if (isSeparate) pieces.push(" ");
    }
  };
  visit(node);
  return collapseWhitespace(pieces.join("")).slice(0, max).trim().toWellFormed();
}

const SEPARATE = new Set(
  "address article aside blockquote button cite dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main ol p pre section summary table td th time tr ul".split(
    " ",
  ),
);

/** White space of every kind becomes one space; zero-width characters are removed. */
export function collapseWhitespace(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/[\s\u00a0\u0000-\u001f]+/g, " ")
    .trim();
}

export function findElement(root: Element, test: (element: Element) => boolean): Element | undefined {
  for (const element of elementsOf(root)) if (test(element)) return element;
  return undefined;
}

/** The elements below `root` in document order, without those in `skipped` and their content. */
export function* elementsOf(root: Element, skipped?: ReadonlySet<Element>): Generator<Element> {
  // Not recursive: a recursive generator costs its depth for each element.
  const open: { element: Element; next: number }[] = [{ element: root, next: 0 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const child = at.element.children[at.next];
    at.next += 1;
    if (child === undefined) open.pop();
    else if (typeof child !== "string" && !skipped?.has(child)) {
      yield child;
      // The consumer may have added it to `skipped` since.
      if (child.children.length > 0 && !skipped?.has(child)) open.push({ element: child, next: 0 });
    }
  }
}

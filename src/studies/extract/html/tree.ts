/**
 * The elements and texts of a page. Built on htmlparser2's bare tokenizer, because a hostile page decides how deep its
 * elements lie: linkedom recurses over them, and htmlparser2's own parser moves its whole stack at each of them
 * (100,000 open divs: an overflow, and half a minute). Here what lies deeper than MAX_DEPTH is laid flat.
 */
import { Tokenizer } from "htmlparser2";

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

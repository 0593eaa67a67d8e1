import { type MarkupHandler, readMarkup } from "./tokenizer.ts";

/** A page as its visitor reads it: its title, its text and its links, without markup. */

export interface Link {
  /** Absolute http(s) URL without fragment. */
  readonly url: string;
  /** The same, parsed. */
  readonly target: URL;
  /** Its text, at most 200 characters. */
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  /** Words separated by single spaces; a line break where a block ends. */
  readonly text: string;
  /** At most 2,000, in order. */
  readonly links: readonly Link[];
}

const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);
/** Elements whose content a visitor does not read. */
const HIDDEN = new Set(["noscript", "script", "style", "svg", "template"]);
const MAX_LINKS = 2_000;
/** Links as written, of which some lead nowhere. */
const MAX_WRITTEN = 4 * MAX_LINKS;
const MAX_LABEL = 200;
const MAX_TEXT = 204_800;
const MAX_URL = 2_048;

/** The text of a piece of HTML, at most `max` characters. */
export function stripTags(html: string, max = MAX_TEXT): string {
  return readText(html, undefined, max).text;
}

/** @param base URL that relative links are resolved against; without it no link is returned */
export function readText(html: string, base?: string, max = MAX_TEXT): PageText {
  const { handler, title, text, links } = createTextReader(max);
  readMarkup(html, handler);
  return { title: title(), text: text(), links: base ? links(base) : [] };
}

/** Reads the tags of a page, which others may read at the same time. */
export interface TextReader {
  readonly handler: Required<Pick<MarkupHandler, "open" | "close" | "text">>;
  readonly title: () => string;
  readonly text: () => string;
  /**
   * @param base URL that relative links are resolved against
   * @param mayBeOfUse others need not be parsed
   */
  readonly links: (base: string, mayBeOfUse?: LinkTest) => readonly Link[];
}

/** Decides by the address and the label of a link as written. */
export type LinkTest = (href: string, label: string) => boolean;

/** @param max characters of text */
export function createTextReader(max: number): TextReader {
  const pieces: string[] = [];
  const written: { readonly href: string; readonly label: string[] }[] = [];
  let size = 0;
  let title = "";
  let inTitle = false;
  /** Name of the open hidden element; "" outside. */
  let hidden = "";
  let link: { readonly href: string | undefined; readonly label: string[] } | undefined;

  const endLink = () => {
    const { href, label } = link ?? {};
    if (href !== undefined && label && written.length < MAX_WRITTEN) written.push({ href, label });
    link = undefined;
  };
  const add = (text: string) => {
    if (inTitle) title = (title + text).slice(0, 300);
    else if (size < max) {
      pieces.push(text.slice(0, max));
      size += text.length;
    }
    if (link && link.label.length < 40) link.label.push(text.slice(0, MAX_LABEL));
  };

  return {
    handler: {
      open({ name, attributes, selfClosing }) {
        if (hidden) return;
        if (name === "a") {
          endLink();
          link = { href: attributes.get("href", MAX_URL), label: [] };
        }
        const label = link && attributes.get("aria-label", MAX_URL);
        if (label !== undefined) link?.label.push(` ${label} `);
        const alt = link && name === "img" ? attributes.get("alt", MAX_URL) : undefined;
        if (alt !== undefined) link?.label.push(` ${alt} `);
        if (name === "title") inTitle = true;
        if (HIDDEN.has(name)) hidden = selfClosing ? "" : name;
        else if (BLOCKS.has(name)) add("\n");
      },
      close(name) {
        if (hidden !== "") {
          if (name === hidden) hidden = "";
        } else if (name === "a") endLink();
        else if (name === "title") inTitle = false;
        else if (BLOCKS.has(name)) add("\n");
      },
      text(text) {
        if (hidden === "") add(text);
      },
    },
    title: () => collapse(title),
    text: () => collapse(pieces.join("")).slice(0, max),
    links(base, mayBeOfUse) {
      endLink();
      const links: Link[] = [];
      // Of more links it depends on the others which are among the first.
      const isChosen = written.length <= MAX_LINKS ? mayBeOfUse : undefined;
      for (const { href, label } of written) {
        if (isChosen && !isChosen(href, label.join(""))) continue;
        const target = resolveLink(href, base);
        if (target) links.push({ url: target.href, target, text: collapse(label.join("")).slice(0, MAX_LABEL) });
        if (links.length >= MAX_LINKS) break;
      }
      return links;
    },
  };
}

/** Runs of white space become one space, or one line break if they contain one. */
function collapse(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    .trim();
}

function resolveLink(href: string, base: string): URL | undefined {
  const url = URL.parse(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.href.includes("#")) url.hash = "";
  return url.href.length <= MAX_URL ? url : undefined;
}

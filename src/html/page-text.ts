import { Tokenizer } from "htmlparser2";
import { decode } from "./page-reader.ts";

/** A page as a reader meets it: its title, its words and its links, without markup. */

export interface Link {
  /** Absolute http(s) URL without fragment. */
  readonly url: string;
  /** What the link says, at most 200 characters. */
  readonly text: string;
}

export interface PageText {
  readonly title: string;
  /** Words with single spaces; a line break where a block ends. */
  readonly text: string;
  /** At most 2,000, in order. */
  readonly links: readonly Link[];
}

const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);
const UNREAD = new Set(["noscript", "script", "style", "svg", "template"]);
const LINK_CAP = 2_000;
const LABEL_CAP = 200;
const TEXT_CAP = 204_800;

/** The words of a piece of HTML, at most `cap` characters. */
export function stripTags(html: string, cap = TEXT_CAP): string {
  return readText(html, undefined, cap).text;
}

/** @param base URL that relative links start from; without one no link is kept */
export function readText(html: string, base?: string, cap = TEXT_CAP): PageText {
  const pieces: string[] = [];
  const links: Link[] = [];
  let size = 0;
  let title = "";
  let element = "";
  let attribute = "";
  let inTitle = false;
  /** Name of the element whose content nobody reads, until it is closed. */
  let unread = "";
  let href: string | undefined;
  let label: string[] | undefined;

  const endLink = () => {
    const url = href === undefined || !base ? undefined : resolveLink(href, base);
    if (url && links.length < LINK_CAP) links.push({ url, text: squeeze((label ?? []).join("")).slice(0, LABEL_CAP) });
    href = undefined;
    label = undefined;
  };
  const say = (text: string) => {
    if (inTitle) title = (title + text).slice(0, 300);
    else if (size < cap) {
      pieces.push(text);
      size += text.length;
    }
    if (label && label.length < 40) label.push(text.slice(0, LABEL_CAP));
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        element = html.slice(start, Math.min(end, start + 20)).toLowerCase();
        if (unread) return;
        if (element === "a") {
          endLink();
          label = [];
        }
        if (element === "title") inTitle = true;
        if (UNREAD.has(element)) unread = element;
        else if (BLOCKS.has(element)) say("\n");
      },
      onattribname(start, end) {
        attribute = html.slice(start, Math.min(end, start + 20)).toLowerCase();
      },
      onattribdata(start, end) {
        const value = () => decode(html.slice(start, Math.min(end, start + 2_048)));
        if (unread) return;
        if (element === "a" && attribute === "href" && href === undefined) href = value();
        if (label && (attribute === "aria-label" || (element === "img" && attribute === "alt")))
          label.push(` ${value()} `);
      },
      onclosetag(start, end) {
        const name = html.slice(start, Math.min(end, start + 20)).toLowerCase();
        if (name === unread) unread = "";
        else if (unread) return;
        else if (name === "a") endLink();
        else if (name === "title") inTitle = false;
        else if (BLOCKS.has(name)) say("\n");
      },
      ontext(start, end) {
        if (!unread) say(decode(html.slice(start, Math.min(end, start + cap))));
      },
      onend: endLink,
      onattribend() {},
      onattribentity() {},
      oncdata(start, end) {
        if (!unread) say(html.slice(start, Math.min(end, start + cap)));
      },
      oncomment() {},
      ondeclaration() {},
      onopentagend() {},
      onprocessinginstruction() {},
      onselfclosingtag() {
        if (element === unread) unread = "";
      },
      ontextentity() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { title: squeeze(title), text: squeeze(pieces.join("")).slice(0, cap), links };
}

/** Runs of blanks become one space, or one line break when a line ends in them. */
function squeeze(text: string): string {
  return text
    .replaceAll(/&(?:nbsp|ensp|emsp|thinsp);|\u00a0/g, " ")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    .trim();
}

function resolveLink(href: string, base: string): string | undefined {
  const url = URL.parse(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href.length <= 2_048 ? url.href : undefined;
}

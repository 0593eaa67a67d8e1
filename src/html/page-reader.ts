import { type Attributes, readMarkup } from "./tokenizer.ts";

/** Reads what detection needs of a page: elements that name addresses, scripts, styles, and the markup without its text. */

export type { Attributes };

export interface PageReader {
  /** An opening tag of one of {@link WATCHED}; its attributes are valid until the next tag opens. */
  element(name: string, attributes: Attributes): void;
  /** The content of a script, with the attributes of its tag. */
  script(text: string, attributes: Attributes): void;
  /** The content of a style element or style attribute. */
  style(text: string): void;
}

const WATCHED = new Set("a audio base embed form iframe img link meta object script source video".split(" "));
const MAX_MARKUP = 524_288;

/** Attributes that people read, and drawings: a tool named there is mentioned, not used. */
const NOT_MARKUP = new Set(["alt", "aria-label", "content", "d", "placeholder", "points", "srcset", "title"]);
const EXTERNAL = /^\s{0,20}(?:https?:)?\/\//i;

/**
 * @returns opening tags and comments, without text, the content of scripts and styles, the attributes in NOT_MARKUP and
 * external links; at most 512 Ki characters
 */
export function readPage(source: string, reader: PageReader): string {
  let markup = "";
  const keep = (from: number, to: number) => {
    const room = MAX_MARKUP - markup.length;
    if (room > 0 && to > from) markup += source.slice(from, Math.min(to, from + room));
  };
  let open = "";
  let openAttributes: Attributes | undefined;
  readMarkup(source, {
    open({ name, attributes, selfClosing, start, end }) {
      let from = start;
      for (let at = 0; at < attributes.count; at++) {
        const attribute = attributes.nameAt(at);
        if (attribute === "style" && attributes.rawValueAt(at).includes("url(")) reader.style(attributes.valueAt(at));
        if (
          NOT_MARKUP.has(attribute) ||
          (attribute === "href" && name === "a" && EXTERNAL.test(attributes.rawValueAt(at)))
        ) {
          keep(from, attributes.startAt(at));
          from = attributes.endAt(at);
        }
      }
      keep(from, end);
      if (WATCHED.has(name)) reader.element(name, attributes);
      open = selfClosing ? "" : name;
      openAttributes = attributes;
    },
    rawText(text) {
      if (open === "style") reader.style(text);
      else if (open === "script" && openAttributes) reader.script(text, openAttributes);
    },
    comment: keep,
  });
  return markup;
}

import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict, decodeXML } from "entities/decode";
import { Tokenizer } from "htmlparser2";

/**
 * Reads HTML or XML as a stream of tags and texts, in one pass and in linear time for any input. Everything in `src` that
 * reads markup reads it here.
 *
 * Only the tokenizer of htmlparser2 is used. Its Parser searches the whole stack for each closing tag, so a page of half
 * a million open elements keeps it busy for minutes. Measured on 65 real pages (16 MiB), milliseconds per 300 KB of page
 * after warm-up: tokenizer 0.6, regular expressions 0.7, Bun's HTMLRewriter 1.2, Parser 2.3. The tokenizer handles
 * comments, raw text and broken quotes as a browser does. The content of `<noscript>` is markup, as with scripts disabled.
 */

/** An opening tag. The object is reused: it is valid until the next tag opens. Values are decoded when they are asked for. */
export interface Tag {
  /** Lower case, at most 40 characters. */
  readonly name: string;
  /** Written as `<name/>`. */
  readonly selfClosing: boolean;
  /** Offsets of the tag in the source: of `<`, and after `>`. */
  readonly start: number;
  readonly end: number;
  /** In order; a name may occur twice. */
  readonly attributes: Attributes;
}

export interface MarkupHandler {
  open(tag: Tag): void;
  /** Closing tags as written, whether or not such an element is open; the name in lower case. */
  close?(name: string, start: number): void;
  /** Text with its character references decoded; one run may come in several pieces. */
  text?(text: string): void;
  /** The content of a script, a style or another element without markup in it. */
  rawText?(text: string): void;
  /** Offsets of `<` and of the end. */
  comment?(start: number, end: number): void;
}

const MAX_ATTRIBUTES = 64;
/** Enough for a script of a few thousand lines in a `data:` URL. */
const MAX_VALUE = 65_536;
const MAX_NAME = 40;
const MAX_ATTRIBUTE_NAME = 80;
/** Elements whose content the tokenizer takes as it is written: no tags, no character references. */
const RAW_TEXT = new Set(["iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"]);

/** @param xml elements have no special meaning and `<a/>` closes itself */
export function readMarkup(source: string, handler: MarkupHandler, xml = false): void {
  const nameIn = createNameReader(source);
  const decodeText = xml ? decodeXML : decodeHTML;
  const attributes = new Attributes(source);
  const tag = { name: "", selfClosing: false, start: 0, end: 0, attributes };
  let isRaw = false;
  let attributeName = "";
  let attributeStart = 0;
  let valueStart = -1;
  let valueEnd = -1;

  const open = (end: number, selfClosing: boolean) => {
    tag.end = end + 1;
    tag.selfClosing = selfClosing;
    isRaw = !xml && RAW_TEXT.has(tag.name);
    handler.open(tag);
  };
  const text = (start: number, end: number) => {
    if (isRaw) handler.rawText?.(source.slice(start, end));
    else if (handler.text) {
      const written = source.slice(start, end);
      handler.text(written.includes("&") ? decodeText(written) : written);
    }
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false, xmlMode: xml },
    {
      onopentagname(start, end) {
        tag.name = nameIn(start, Math.min(end, start + MAX_NAME));
        tag.start = start - 1;
        attributes.count = 0;
      },
      onattribname(start, end) {
        attributeName = nameIn(start, Math.min(end, start + MAX_ATTRIBUTE_NAME));
        attributeStart = start;
        valueStart = valueEnd = -1;
      },
      onattribdata(start, end) {
        valueStart = start;
        valueEnd = end;
      },
      onattribend: (_quote, end) => attributes.add(attributeName, attributeStart, valueStart, valueEnd, end),
      onopentagend: (end) => open(end, false),
      onselfclosingtag: (end) => open(end, true),
      onclosetag(start, end) {
        isRaw = false;
        handler.close?.(nameIn(start, Math.min(end, start + MAX_NAME)), start - 2);
      },
      ontext: text,
      oncdata: (start, end, offset) => handler.text?.(source.slice(start, end - offset)),
      oncomment: (start, end) => handler.comment?.(start - 4, end + 1),
      onattribentity() {},
      ondeclaration() {},
      onend() {},
      onprocessinginstruction() {},
      ontextentity() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
}

/** Decodes character references in a text that is not markup; only those that end in a semicolon. */
export const decodeReferences = (text: string): string => (text.includes("&") ? decodeHTMLStrict(text) : text);

/** The attributes of a tag as offsets into the source: most values are never asked for. */
export class Attributes {
  /** At most {@link MAX_ATTRIBUTES}. */
  count = 0;
  readonly #source: string;
  readonly #names: string[] = [];
  readonly #starts: number[] = [];
  readonly #valueStarts: number[] = [];
  readonly #valueEnds: number[] = [];
  readonly #ends: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  add(name: string, start: number, valueStart: number, valueEnd: number, end: number): void {
    const at = this.count;
    if (at >= MAX_ATTRIBUTES) return;
    this.#names[at] = name;
    this.#starts[at] = start;
    this.#valueStarts[at] = valueStart;
    this.#valueEnds[at] = valueEnd;
    this.#ends[at] = end;
    this.count = at + 1;
  }

  /** Lower case, at most 80 characters. */
  nameAt(index: number): string {
    return this.#names[index] ?? "";
  }

  /** Offset of the first character of the name. */
  startAt(index: number): number {
    return this.#starts[index] ?? 0;
  }

  /** Offset after the value and its quote. */
  endAt(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** The first `max` characters of the value as written; empty for an attribute without one. */
  rawValueAt(index: number, max = MAX_VALUE): string {
    const start = this.#valueStarts[index] ?? -1;
    return start < 0 ? "" : this.#source.slice(start, Math.min(this.#valueEnds[index] ?? start, start + max));
  }

  /** The decoded value, of which the first `max` characters are read. */
  valueAt(index: number, max?: number): string {
    const written = this.rawValueAt(index, max);
    return written.includes("&") ? decodeHTMLAttribute(written) : written;
  }

  /** The decoded value of the first attribute of that name. */
  get(name: string, max?: number): string | undefined {
    for (let at = 0; at < this.count; at++) if (this.#names[at] === name) return this.valueAt(at, max);
    return undefined;
  }
}

/**
 * Returns the names in `source`, in lower case. A page repeats a few dozen names thousands of times, so each is cut out
 * once and found again by its length and its first and last character.
 */
function createNameReader(source: string): (start: number, end: number) => string {
  const known: (string | undefined)[] = new Array(256).fill(undefined);
  return (start, end) => {
    const slot = (source.charCodeAt(start) * 31 + source.charCodeAt(end - 1) * 7 + (end - start) * 13) & 255;
    const candidate = known[slot];
    if (candidate?.length === end - start && source.startsWith(candidate, start)) return candidate;
    const written = source.slice(start, end);
    const name = written.toLowerCase();
    if (name === written) known[slot] = name;
    return name;
  };
}

import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict, decodeXML } from "entities/decode";

/**
 * Reads HTML or XML as a stream of tags and texts, in one pass and in linear time for any input. Everything in `src` that
 * reads markup reads it here.
 *
 * Comments, raw text and broken quotes are read as a browser reads them; the content of `<noscript>` is markup, as with
 * scripts disabled. The events are those of htmlparser2's tokenizer, which a test compares, without what it reports of a tag
 * that the end of the source cuts off. Where that one looks at each character, this one searches for the next `<`, `>` or quote.
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
  /** Offsets of `<`, and after `>` or at the end of the source; also of `<!x>`, `<?x>` and `</ x>`, which a browser reads so. */
  comment?(start: number, end: number): void;
}

const MAX_ATTRIBUTES = 64;
/** Enough for a script of a few thousand lines in a `data:` URL. */
const MAX_VALUE = 65_536;
const MAX_NAME = 40;
const MAX_ATTRIBUTE_NAME = 80;
/** Elements whose content the tokenizer takes as it is written: no tags, no character references. */
const RAW_TEXT = new Set(["iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"]);

/** Elements whose content ends only at their closing tag; that of `plaintext` never ends. */
const TEXT_ONLY = new Set([...RAW_TEXT, "textarea", "title"]);

const TAB = 9;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const DASH = 45;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BRACKET = 91;

const isSpace = (code: number) => code === SPACE || (code >= TAB && code <= 13 && code !== 11);
/** Whether a character ends a name in a tag. */
const endsName = (code: number) => code === GREATER || code === SLASH || isSpace(code);
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;

/** @param xml elements have no special meaning and `<a/>` closes itself */
export function readMarkup(source: string, handler: MarkupHandler, xml = false): void {
  const { length } = source;
  const nameIn = createNameReader(source);
  const decodeText = xml ? decodeXML : decodeHTML;
  const attributes = new Attributes(source);
  const tag = { name: "", selfClosing: false, start: 0, end: 0, attributes };

  const text = (start: number, end: number) => {
    if (end <= start || !handler.text) return;
    const written = source.slice(start, end);
    handler.text(written.includes("&") ? decodeText(written) : written);
  };
  const isNameStart = xml ? (code: number) => !endsName(code) : isLetter;
  const nameEnd = (start: number) => {
    let at = start;
    while (at < length && !endsName(source.charCodeAt(at))) at += 1;
    return at;
  };

  /** Where the search for the next tag starts. */
  let at = 0;
  /** Where the text before it starts. */
  let textStart = 0;
  /** What begins at `at` has no end. */
  const cutOff = () => {
    at = length;
    textStart = length;
  };
  const resumeAt = (from: number) => {
    at = from;
    textStart = from;
  };

  /** @param start of the name */
  const closingTag = (start: number) => {
    const end = nameEnd(start + 1);
    if (end >= length) return cutOff();
    handler.close?.(nameIn(start, Math.min(end, start + MAX_NAME)), start - 2);
    const close = source.indexOf(">", end);
    if (close < 0) cutOff();
    else resumeAt(close + 1);
  };

  /** @param start of the name */
  const openingTag = (start: number) => {
    const end = nameEnd(start + 1);
    tag.name = nameIn(start, Math.min(end, start + MAX_NAME));
    tag.start = start - 1;
    const close = readAttributes(source, end, attributes, nameIn);
    if (close < 0) return cutOff();
    tag.selfClosing = attributes.endsWithSlash;
    tag.end = close + 1;
    handler.open(tag);
    resumeAt(close + 1);
    if (!xml && TEXT_ONLY.has(tag.name)) content(tag.name);
  };

  /** Reads what is between the opening and the closing tag of an element without markup in it. */
  const content = (name: string) => {
    const start = at;
    const end = name === "plaintext" ? -1 : closeOf(source, name, start);
    const last = end < 0 ? length : end;
    if (!RAW_TEXT.has(name)) text(start, last);
    else if (last > start) handler.rawText?.(source.slice(start, last));
    if (end < 0) cutOff();
    else closingTag(end + 2);
  };

  /** @param start of the content, behind `<!`, `</` or the `<` of `<?` */
  const bogusComment = (open: number, start: number) => {
    const close = source.indexOf(">", start);
    if (close >= 0) {
      handler.comment?.(open, close + 1);
      return resumeAt(close + 1);
    }
    if (xml) text(start, length);
    else handler.comment?.(open, length);
    cutOff();
  };
  const declaration = (start: number, from: number) => {
    const close = source.indexOf(">", from);
    if (close >= 0) return resumeAt(close + 1);
    if (xml) text(start, length);
    cutOff();
  };

  /** @param open the offset of `<!` */
  const exclamation = (open: number) => {
    const start = open + 2;
    const code = source.charCodeAt(start);
    if (code === DASH && source.charCodeAt(start + 1) === DASH) {
      const close = commentEnd(source, start + 2, xml);
      handler.comment?.(open, close < 0 ? length : close + 1);
      if (close < 0) cutOff();
      else resumeAt(close + 1);
    } else if (source.startsWith("[CDATA[", start)) {
      const from = start + 7;
      const close = source.indexOf("]]>", from);
      if (close >= 0) {
        handler.text?.(source.slice(from, close));
        return resumeAt(close + 3);
      }
      if (!xml) handler.comment?.(open, length);
      else if (from < length) handler.text?.(source.slice(from));
      cutOff();
    } else if (!xml) {
      if (/^doctype/i.test(source.slice(start, start + 7))) declaration(start, start + 7);
      else bogusComment(open, start);
    } else if (code === BRACKET) declaration(start, start + 1);
    else declaration(start, start + (code === DASH ? 2 : 1));
  };

  while (at < length) {
    const open = source.indexOf("<", at);
    if (open < 0) break;
    text(textStart, open);
    textStart = open;
    at = open + 1;
    if (at >= length) break;
    const code = source.charCodeAt(at);
    if (code === SLASH) {
      let name = open + 2;
      if (xml) while (isSpace(source.charCodeAt(name))) name += 1;
      if (name >= length) break;
      const first = source.charCodeAt(name);
      if (isNameStart(first)) closingTag(name);
      else if (first !== GREATER) bogusComment(open, name);
      else if (xml) at = name + 1;
      else resumeAt(name + 1);
    } else if (code === BANG) exclamation(open);
    else if (code === QUESTION) {
      if (!xml) bogusComment(open, open + 1);
      else {
        const close = source.indexOf("?>", open + 2);
        if (close < 0) text(open + 2, length);
        resumeAt(close < 0 ? length : close + 2);
      }
    } else if (isNameStart(code)) openingTag(at);
  }
  text(textStart, length);
}

/**
 * Reads attributes up to the end of the tag.
 *
 * @param from after the name of the element
 * @returns the offset of `>`; -1 without one
 */
function readAttributes(
  source: string,
  from: number,
  attributes: Attributes,
  nameIn: (start: number, end: number) => string,
): number {
  const { length } = source;
  attributes.count = 0;
  attributes.endsWithSlash = false;
  for (let at = from; at < length; ) {
    const code = source.charCodeAt(at);
    if (code === GREATER) return at;
    if (isSpace(code)) at += 1;
    else if (code === SLASH) {
      at += 1;
      while (isSpace(source.charCodeAt(at))) at += 1;
      if (source.charCodeAt(at) !== GREATER) continue;
      attributes.endsWithSlash = true;
      return at;
    } else {
      const start = at;
      let next = 0;
      // The first character belongs to the name, whatever it is.
      for (at += 1; at < length; at++) {
        next = source.charCodeAt(at);
        if (next === EQUALS || endsName(next)) break;
      }
      const name = nameIn(start, Math.min(at, start + MAX_ATTRIBUTE_NAME));
      let end = at;
      while (isSpace(source.charCodeAt(at))) at += 1;
      if (source.charCodeAt(at) !== EQUALS) {
        if (at >= length) return -1;
        attributes.add(name, start, -1, -1, end);
        continue;
      }
      at += 1;
      while (isSpace(source.charCodeAt(at))) at += 1;
      const quote = source.charCodeAt(at);
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
        end = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1);
        if (end < 0) return -1;
        attributes.add(name, start, at + 1, end, end + 1);
        at = end + 1;
      } else {
        const value = at;
        for (; at < length; at++) {
          const code = source.charCodeAt(at);
          if (code === GREATER || isSpace(code)) break;
        }
        if (at >= length) return -1;
        attributes.add(name, start, value, at, at);
      }
    }
  }
  return -1;
}

/** The offset of `</` of an element's closing tag; -1 without one. */
function closeOf(source: string, name: string, from: number): number {
  for (let at = source.indexOf("<", from); at >= 0; at = source.indexOf("<", at + 1)) {
    if (source.charCodeAt(at + 1) !== SLASH) continue;
    let same = 0;
    while (same < name.length && (source.charCodeAt(at + 2 + same) | 32) === name.charCodeAt(same)) same += 1;
    if (same === name.length && endsName(source.charCodeAt(at + 2 + same))) return at;
  }
  return -1;
}

/** The offset of `>` of `-->` or `--!>`, or of `>` right behind the beginning; -1 without one. */
function commentEnd(source: string, start: number, xml: boolean): number {
  for (let at = source.indexOf(">", start); at >= 0; at = source.indexOf(">", at + 1)) {
    if (!xml && (at === start || (at === start + 1 && source.charCodeAt(start) === DASH))) return at;
    const dash = source.charCodeAt(at - 1) === BANG ? at - 2 : at - 1;
    if (dash > start && source.charCodeAt(dash) === DASH && source.charCodeAt(dash - 1) === DASH) return at;
  }
  return -1;
}

/** Decodes character references in a text that is not markup; only those that end in a semicolon. */
export const decodeReferences = (text: string): string => (text.includes("&") ? decodeHTMLStrict(text) : text);

/** The attributes of a tag as offsets into the source: most values are never asked for. */
export class Attributes {
  /** At most {@link MAX_ATTRIBUTES}. */
  count = 0;
  /** Whether the tag is written as `<name/>`. */
  endsWithSlash = false;
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

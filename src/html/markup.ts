import { Tokenizer } from "htmlparser2";

/**
 * Reads HTML or XML as a stream of tags and texts, in one pass and linear time, whatever a stranger wrote. The tokenizer
 * of htmlparser2 is used bare: its Parser searches the whole stack for each closing tag, and a page of half a million
 * open elements keeps it busy for minutes.
 */

export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface MarkupReader {
  /** `alone` when nothing can stand inside it, so that no `close` follows. */
  open(tag: Tag, alone: boolean): void;
  /** Names come in the order of the open elements; what was never opened is never closed. */
  close(name: string): void;
  text(text: string): void;
}

const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 40;
const MAX_VALUE = 20_000;
const VOID = new Set(
  "area base br col embed frame hr img input link meta param source track wbr".split(" ").filter(Boolean),
);
/** Elements that end an open one of their own kind, so that a list without closing tags does not nest. */
const ENDS_ITS_LIKE = new Set(["li", "p", "tr", "td", "th", "dt", "dd", "option", "a"]);

/** @param xml names keep their case and `<a/>` closes itself */
export function readMarkup(source: string, reader: MarkupReader, xml = false): void {
  const open: string[] = [];
  /** Open elements that were too deep to be kept. */
  let beyond = 0;
  let name = "";
  let attributes = new Map<string, string>();
  let attribute = "";
  let value: string[] = [];
  let valueLength = 0;

  const nameOf = (start: number, end: number) => {
    const text = source.slice(start, Math.min(end, start + 80));
    return xml ? text : text.toLowerCase();
  };
  const addValue = (text: string) => {
    if (valueLength < MAX_VALUE) value.push(text.slice(0, MAX_VALUE - valueLength));
    valueLength += text.length;
  };
  const begin = (closed: boolean) => {
    const alone = (!xml && VOID.has(name)) || (xml && closed);
    if (!xml && open.at(-1) === name && ENDS_ITS_LIKE.has(name)) endTop();
    if (!alone && open.length >= MAX_DEPTH) {
      beyond += 1;
      return;
    }
    reader.open({ name, attributes }, alone);
    if (!alone) open.push(name);
  };
  const endTop = () => {
    const top = open.pop();
    if (top !== undefined) reader.close(top);
  };
  const end = (closing: string) => {
    if (beyond > 0) {
      beyond -= 1;
      return;
    }
    const at = open.lastIndexOf(closing);
    if (at < 0) return;
    while (open.length > at) endTop();
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: xml },
    {
      onopentagname(start, stop) {
        name = nameOf(start, stop);
        attributes = new Map();
      },
      onattribname(start, stop) {
        attribute = nameOf(start, stop);
        value = [];
        valueLength = 0;
      },
      onattribdata: (start, stop) => addValue(source.slice(start, Math.min(stop, start + MAX_VALUE))),
      onattribentity: (code) => addValue(String.fromCodePoint(code)),
      onattribend() {
        if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value.join(""));
      },
      onopentagend: () => begin(false),
      onselfclosingtag: () => begin(true),
      onclosetag: (start, stop) => end(nameOf(start, stop)),
      ontext: (start, stop) => reader.text(source.slice(start, stop)),
      ontextentity: (code) => reader.text(String.fromCodePoint(code)),
      oncdata: (start, stop, offset) => reader.text(source.slice(start, stop - offset)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  while (open.length > 0) endTop();
}

/** White space folded to single blanks. */
export function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

import { type Attributes, type MarkupHandler, readMarkup, type Tag } from "./tokenizer.ts";

/** Reads what detection needs of a page: elements that name addresses, scripts, styles, and the markup without its text. */

export type { Attributes };

export interface PageReader {
  /** An opening tag of one of {@link WATCHED}; its attributes are valid until the next tag opens. */
  element(name: string, attributes: Attributes): void;
  /** The content of a script, with the attributes of its tag. */
  script(text: string, attributes: Attributes): void;
  /** The content of a style element or style attribute. */
  style(text: string): void;
  /** What only old versions of Internet Explorer read, in a conditional comment. */
  conditional(markup: string): void;
  /** The address of a file that a caching plug-in merged into another one, whose tag it left in a comment. */
  merged(element: string, address: string): void;
  /** The value of an attribute that holds JSON. */
  data(text: string): void;
  /** The address of a script in a data attribute of another element, which a script of the page loads from it. */
  late(address: string): void;
}

export interface PageText {
  /**
   * Opening tags and comments, without text, the content of scripts and styles, the attributes in NOT_MARKUP and external
   * links; at most 512 Ki characters.
   */
  readonly markup: string;
  /** Class names, ids after `#`, and names of data attributes, each attribute once, separated by spaces; at most 128 Ki. */
  readonly names: string;
  /**
   * The first opening tag with each element and each attribute that HTML does not have, such as `<x-app>` and `x-show`, one a line;
   * of a long tag only its names. Custom properties of a `style` attribute as a tag with their names alone. At most 64 Ki characters.
   */
  readonly custom: string;
}

const WATCHED = new Set("a audio base embed form iframe img link meta object script source video".split(" "));
const MAX_MARKUP = 524_288;

/** Attributes that people read, and drawings: a tool named there is mentioned, not used. */
const NOT_MARKUP = new Set(["alt", "aria-label", "content", "d", "placeholder", "points", "srcset", "title"]);
const MAX_NAMES = 131_072;
const MAX_CUSTOM = 65_536;
const MAX_CUSTOM_TAG = 1_000;
const MAX_CUSTOM_NAMES = 5_000;
const CUSTOM_PROPERTY = /(?<![\w-])--[\w-]{1,80}/g;
/** Custom properties that are read in one attribute. */
const MAX_PROPERTIES = 200;
/** Attributes of HTML; of one that is missing here a page's first tag is kept too, which costs little. */
const HTML_ATTRIBUTES = new Set(
  "action alt as async autocomplete autofocus autoplay border cellpadding cellspacing charset checked class cols colspan content controls crossorigin d datetime decoding defer dir disabled draggable enctype fetchpriority fill for frameborder height hidden href hreflang http-equiv id integrity itemid itemprop itemscope itemtype lang loading loop max maxlength media method min muted name nonce novalidate onclick onload pattern placeholder playsinline points poster preload property readonly referrerpolicy rel required role rows rowspan sandbox scope selected size sizes span src srcdoc srcset start stroke style tabindex target title transform translate type usemap value viewbox width xmlns".split(
    " ",
  ),
);
/** A JSON object or list, also with its quotes as character references. */
const JSON_VALUE = /^\s{0,20}[[{]\s{0,20}[[{]?\s{0,20}(?:"|&quot;|&#34;)/;
const EXTERNAL = /^\s{0,20}(?:https?:)?\/\//i;

/** @param also receives the same tags and their text, so that a page is read once */
export function readPage(
  source: string,
  reader: PageReader,
  also?: Required<Pick<MarkupHandler, "open" | "close" | "text">>,
): PageText {
  let markup = "";
  const keep = (from: number, to: number) => {
    const room = MAX_MARKUP - markup.length;
    if (room > 0 && to > from) markup += source.slice(from, Math.min(to, from + room));
  };
  const names = new Set<string>();
  let namesRoom = MAX_NAMES;
  const name = (text: string) => {
    if (text.length > namesRoom || text.length === 0 || names.has(text)) return;
    names.add(text);
    namesRoom -= text.length + 1;
  };
  let custom = "";
  const customNames = new Set<string>();
  const isNewCustom = (text: string) =>
    customNames.size < MAX_CUSTOM_NAMES && customNames.size < customNames.add(text).size;
  const addCustom = (tag: string) => {
    if (custom.length + tag.length < MAX_CUSTOM) custom += `${tag}\n`;
  };
  const keepCustom = ({ name: element, attributes, start, end }: Tag) => {
    if (end - start <= MAX_CUSTOM_TAG) return addCustom(source.slice(start, end));
    const all = Array.from({ length: attributes.count }, (_, at) => `${attributes.nameAt(at)}=`);
    addCustom(`<${element} ${all.join(" ")}>`);
  };
  const keepProperties = (element: string, style: string) => {
    const found = Array.from(style.matchAll(CUSTOM_PROPERTY).take(MAX_PROPERTIES), ([property]) => property);
    const unseen = found.filter(isNewCustom);
    if (unseen.length > 0) addCustom(`<${element} style="${unseen.join(":;")}:">`);
  };
  let open = "";
  let hasMerged: boolean | undefined;
  let mergedRoom = MAX_MERGED;
  const isMerged = () => {
    hasMerged ??= source.includes(MERGED);
    return hasMerged;
  };
  let openAttributes: Attributes | undefined;
  readMarkup(source, {
    ...(also && { close: also.close, text: also.text }),
    open(tag) {
      also?.open(tag);
      const { name: element, attributes, selfClosing, start, end } = tag;
      let from = start;
      let isCustom = element.includes("-") && isNewCustom(`<${element}`);
      for (let at = 0; at < attributes.count; at++) {
        const attribute = attributes.nameAt(at);
        const isData = attribute.startsWith("data-");
        if (attribute === "class") name(attributes.rawValueAt(at));
        else if (attribute === "id") name(`#${attributes.rawValueAt(at)}`);
        else if (isData && !isSwitchedOff(attribute, attributes.rawValueAt(at))) name(attribute);
        if (!isData && !HTML_ATTRIBUTES.has(attribute) && isNewCustom(attribute)) isCustom = true;
        if (isData || attribute.startsWith(":")) {
          const raw = attributes.rawValueAt(at);
          if (JSON_VALUE.test(raw)) reader.data(attributes.valueAt(at));
          else if (element !== "script" && isScriptAddress(raw)) reader.late(attributes.valueAt(at));
        } else if (attribute === "style") {
          const raw = attributes.rawValueAt(at);
          if (raw.includes("url(")) reader.style(attributes.valueAt(at));
          if (raw.includes("--")) keepProperties(element, raw);
        }
        if (
          NOT_MARKUP.has(attribute) ||
          (attribute === "href" && element === "a" && EXTERNAL.test(attributes.rawValueAt(at)))
        ) {
          keep(from, attributes.startAt(at));
          from = attributes.endAt(at);
        }
      }
      keep(from, end);
      if (isCustom) keepCustom(tag);
      if (WATCHED.has(element)) reader.element(element, attributes);
      open = selfClosing ? "" : element;
      openAttributes = attributes;
    },
    rawText(text) {
      if (open === "style") reader.style(text);
      else if (open === "script" && openAttributes) reader.script(text, openAttributes);
    },
    comment(start, end) {
      const inside = conditionalComment(source, start, end);
      if (inside !== undefined) {
        reader.conditional(inside);
        // Its directory says which theme the site has, whatever browser loads the file.
        const theme = THEME_FOLDER.exec(inside);
        const from = theme === null ? -1 : source.indexOf(theme[0], start);
        if (theme && from >= 0) keep(from, from + theme[0].length);
      }
      // A tag that was commented out is not in use.
      else if (!hasTag(source, start, end)) keep(start, end);
      else if (mergedRoom > 0 && isMerged()) {
        mergedRoom -= 1;
        const [, element = "", address] = MERGED_TAG.exec(source.slice(start, Math.min(end, start + MAX_TAG))) ?? [];
        if (address) reader.merged(element, address);
      }
    },
  });
  return { markup, names: [...names].join(" "), custom };
}

/** `data-vendor-enabled="false"` and `data-vendor-key=""`: names the tool that is not in use. */
const isSwitchedOff = (attribute: string, value: string) =>
  (/-(?:enabled?|active)$/.test(attribute) && /^\s{0,3}(?:false|0|no|off)\s{0,3}$/i.test(value)) ||
  (/-(?:id|key|token|account|sitekey)$/.test(attribute) && value.trim() === "");

/** `data-src="https://widgets.vendor.example/sdk.js"` */
const isScriptAddress = (raw: string) =>
  raw.includes(".js") && /^\s{0,3}(?:https?:)?\/\/[^\s"'<>]{4,500}\.js(?:\?|$)/.test(raw);

/** The folder into which WP Fastest Cache merges files; it leaves the tag of each in a comment. */
const MERGED = "/wpfc-minified/";
const MERGED_TAG =
  /^<!--\s{0,3}<(link|script)\s[^<>]{0,300}?(?:href|src)=["']([^"'<>\s]{0,500}\/wp-(?:content|includes)\/[^"'<>\s]{4,500})/i;
const MAX_TAG = 2_000;
const MAX_MERGED = 500;

const MAX_COMMENT = 65_536;
const THEME_FOLDER = /\/wp-content\/themes\/[a-z0-9_-]{2,60}\//i;
const CONDITION = /^<!--\[if [^\]]{1,80}\]>/;

/** The content of `<!--[if lt IE 9]>…<![endif]-->`. */
function conditionalComment(source: string, start: number, end: number): string | undefined {
  const [condition] = CONDITION.exec(source.slice(start, start + 100)) ?? [];
  if (condition === undefined || end - start > MAX_COMMENT) return undefined;
  const inside = source.slice(start + condition.length, end);
  const close = inside.indexOf("<![endif]");
  return close < 0 ? undefined : inside.slice(0, close);
}

const hasTag = (source: string, start: number, end: number) =>
  /<\/?[a-z]/i.test(source.slice(start, Math.min(end, start + MAX_COMMENT)));

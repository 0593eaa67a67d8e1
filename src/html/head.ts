import { collapseWhitespace, type Element, elementsOf, textOf } from "./tree.ts";

/** What a page says about itself outside its text: its meta elements, its language, its data in JSON. */
export interface Head {
  /** Content by name or property in lower case; several values of one name in document order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** Text of the first `title` element. */
  readonly title: string | null;
  /** Address of `rel=canonical`, as written. */
  readonly canonical: string | null;
  /** URL that relative addresses are resolved against. */
  readonly base: string;
  readonly language: string | null;
  /** Texts of JSON-LD scripts, at most 20. */
  readonly jsonLd: readonly string[];
}

const MAX_METAS = 300;
const MAX_VALUES = 30;
const MAX_VALUE = 1_000;
const MAX_JSON_LD = 20;
const MAX_JSON_LD_LENGTH = 524_288;

export function readHead(page: Element, url: string): Head {
  const metas = new Map<string, string[]>();
  const jsonLd: string[] = [];
  let title: string | null = null;
  let canonical: string | null = null;
  let base: string | null = null;
  let language: string | null = null;
  let count = 0;
  for (const element of elementsOf(page)) {
    const { name, attributes } = element;
    if (name === "meta" && count < MAX_METAS) {
      const key = attributes.property ?? attributes.name ?? attributes.itemprop ?? attributes["http-equiv"] ?? "";
      const value = collapseWhitespace(attributes.content ?? "")
        .slice(0, MAX_VALUE)
        .toWellFormed();
      if (key === "" || value === "") continue;
      count += 1;
      const values = metas.get(key.toLowerCase()) ?? [];
      if (values.length < MAX_VALUES) values.push(value);
      metas.set(key.toLowerCase(), values);
    } else if (name === "title") title ??= textOf(element, 500) || null;
    else if (name === "link" && hasWord(attributes.rel, "canonical")) canonical ??= attributes.href ?? null;
    else if (name === "base" && attributes.href !== undefined) base ??= URL.parse(attributes.href, url)?.href ?? null;
    else if (name === "html") language ??= attributes.lang ?? attributes["xml:lang"] ?? null;
    else if (isJsonLd(element) && jsonLd.length < MAX_JSON_LD)
      jsonLd.push(element.children.join("").slice(0, MAX_JSON_LD_LENGTH));
  }
  return { metas, title, canonical, base: base ?? url, language, jsonLd };
}

/** The first value of the first of these names that the page has. */
export function findMeta({ metas }: Head, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return null;
}

/** Whether a space-separated attribute such as `rel` contains a word, in any letter case. */
export const hasWord = (attribute: string | undefined, word: string): boolean =>
  attribute?.toLowerCase().split(/\s+/, 20).includes(word) ?? false;

export const isJsonLd = ({ name, attributes }: Element): boolean =>
  name === "script" && /ld\+json/i.test(attributes.type ?? "");

/** The JSON value in a script: alone, in CDATA, or assigned (`window.STATE = {…};`). Undefined when there is none. */
export function parseScriptJson(script: string): unknown {
  const text = script.trimStart().replace(/^(?:\/\/\s{0,20})?<!\[CDATA\[/, "");
  const start = text.search(/[{[]/);
  if (start < 0) return undefined;
  for (const candidate of [text, text.slice(start, lastBracket(text) + 1)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The second candidate may parse. JSON that is nested too deeply ends here too.
    }
  }
  return undefined;
}

/** Where the last `}` or `]` is, without that of a closing `]]>`. */
const lastBracket = (text: string) => {
  const end = text.trimEnd().endsWith("]]>") ? text.lastIndexOf("]]>") : text.length;
  return Math.max(text.lastIndexOf("}", end - 1), text.lastIndexOf("]", end - 1));
};

/** Types of a JSON-LD object without their vocabulary, such as `BlogPosting`; at most 10. */
export function typesOf(object: Readonly<Record<string, unknown>>): string[] {
  const type = object["@type"];
  const types: readonly unknown[] = Array.isArray(type) ? type.slice(0, 10) : [type];
  return types.flatMap((one) => (typeof one === "string" ? [one.replace(/^.*[/:#]/, "").slice(0, 60)] : []));
}

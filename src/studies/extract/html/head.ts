import { clean, elementsOf, findElement, textOf } from "./measure.ts";
import type { Element } from "./tree.ts";

/** What a page says of itself outside its text. */
export interface Head {
  /** Content by name or property in lower case; of several, the first comes first. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** Text of the `title` element. */
  readonly title: string | null;
  readonly canonical: string | null;
  /** Addresses start here. */
  readonly base: string;
  readonly language: string | null;
  readonly jsonLd: readonly string[];
}

const MAX_METAS = 300;
const MAX_VALUES = 30;
const MAX_VALUE = 1_000;
const MAX_SCRIPTS = 20;

export function readHead(page: Element, url: string): Head {
  const metas = new Map<string, string[]>();
  let title: string | null = null;
  let canonical: string | null = null;
  let base = url;
  const jsonLd: string[] = [];
  let seen = 0;
  for (const element of elementsOf(page)) {
    const { name, attributes } = element;
    if (name === "meta" && seen < MAX_METAS) {
      const key = (
        attributes.property ??
        attributes.name ??
        attributes.itemprop ??
        attributes["http-equiv"] ??
        ""
      ).toLowerCase();
      const value = clean(attributes.content ?? "")
        .slice(0, MAX_VALUE)
        .toWellFormed();
      if (key === "" || value === "") continue;
      seen += 1;
      const values = metas.get(key) ?? [];
      if (values.length < MAX_VALUES) values.push(value);
      metas.set(key, values);
    } else if (name === "title") title ??= textOf(element, 500) || null;
    else if (name === "link" && /(^|\s)canonical(\s|$)/i.test(attributes.rel ?? ""))
      canonical ??= attributes.href ?? null;
    else if (name === "base" && attributes.href !== undefined && base === url)
      base = URL.parse(attributes.href, url)?.href ?? url;
    else if (name === "script" && jsonLd.length < MAX_SCRIPTS) jsonLd.push(String(element.children[0] ?? ""));
  }
  const html = findElement(page, ({ name }) => name === "html");
  const language = html?.attributes.lang ?? html?.attributes["xml:lang"] ?? null;
  return { metas, title, canonical, base, language, jsonLd };
}

/** The first value of the first name that the page gives. */
export function findMeta({ metas }: Head, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return null;
}

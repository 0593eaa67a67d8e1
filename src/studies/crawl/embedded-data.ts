/** Addresses in JSON: in JSON-LD, in the state that a page hands to its scripts, and in what a "load more" answers. */
import { addressOf, sameSite } from "./address.ts";
import { folded } from "./markup.ts";

export interface NamedAddress {
  readonly url: string;
  /** Title beside it, or "". */
  readonly text: string;
}

export interface JsonAddresses {
  readonly addresses: readonly NamedAddress[];
  /** Last segments of addresses whose folder is not told. */
  readonly slugs: readonly { readonly slug: string; readonly text: string }[];
  /** Address of the following page of the answer. */
  readonly next: string | null;
  /** Markup that the answer carries. */
  readonly markup: readonly string[];
}

export interface LinkedData {
  /** `@type` of what the page is about, lower case. */
  readonly types: readonly string[];
  /** Members of its lists. */
  readonly items: readonly NamedAddress[];
}

const MAX_NODES = 50_000;
const MAX_DEPTH = 40;
const MAX_FOUND = 2_000;
const ADDRESS_KEYS =
  "url link href permalink path uri canonical canonicalUrl canonical_url fullUrl full_url pathname fullSlug full_slug".split(
    " ",
  );
const SLUG_KEYS = ["slug", "uid", "handle"];
const TITLE_KEYS = ["title", "name", "headline", "heading", "client", "company", "customer"];
const NEXT_KEYS = ["next", "next_page", "nextPage", "next_url", "nextUrl", "next_page_url"];
/** Lists beside the stories that have slugs too. */
const NO_STORIES =
  /nav|menu|tag|categor|author|locale|language|footer|header|breadcrumb|industr|filter|facet|product|team|user|job|event|image|media|topic|region|countr/i;
const SLUG = /^[\p{L}\p{N}][\p{L}\p{N}._-]{1,150}$/u;

type Fields = Readonly<Record<string, unknown>>;

/** The value of JSON text, also behind `window.STATE =`; undefined when it is none. */
export function parseJson(text: string): unknown {
  const start = text.search(/[{[]/);
  if (start < 0) return undefined;
  for (const candidate of [text, text.slice(start, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The second reading may do; hostile depth lands here too.
    }
  }
  return undefined;
}

export function addressesIn(json: unknown, base: string): JsonAddresses {
  const addresses: NamedAddress[] = [];
  const slugs: { slug: string; text: string }[] = [];
  const markup: string[] = [];
  let next: string | null = null;
  walk(json, (fields, path) => {
    const found = ADDRESS_KEYS.map((key) => pathText(key, fields[key])).find((value) => value !== null);
    const url = found ? addressOf(found, base) : null;
    const text = titleOf(fields);
    if (url !== null && sameSite(url, base)) {
      if (addresses.length < MAX_FOUND) addresses.push({ url, text });
    } else if (!NO_STORIES.test(path)) {
      const slug = SLUG_KEYS.map((key) => slugText(fields[key])).find((value) => value !== null);
      if (slug && slugs.length < MAX_FOUND) slugs.push({ slug, text });
    }
    for (const key of NEXT_KEYS) {
      const value = fields[key];
      if (typeof value === "string" && /^(?:https?:\/\/|\/|\?)/.test(value)) next ??= addressOf(value, base);
    }
    for (const value of Object.values(fields).slice(0, 200))
      if (typeof value === "string" && markup.length < 50 && /<a\s[^>]{0,500}href/i.test(value)) markup.push(value);
  });
  return { addresses, slugs, next: next !== null && sameSite(next, base) ? next : null, markup };
}

export function readLinkedData(texts: readonly string[], base: string): LinkedData {
  const types = new Set<string>();
  const items: NamedAddress[] = [];
  for (const text of texts) {
    walk(parseJson(text), (fields, path) => {
      const own = typesOf(fields);
      if (!/itemlist|haspart|author|publisher|breadcrumb|about|mentions/i.test(path))
        for (const type of own) if (types.size < 50) types.add(type);
      const inList = own.includes("listitem") || /itemlistelement|haspart|blogpost$/i.test(path);
      if (!inList || /breadcrumb/i.test(path) || items.length >= MAX_FOUND) return;
      const target = [fields.url, fields["@id"], fields.item].find((value) => typeof value === "string");
      const url = typeof target === "string" ? addressOf(target, base) : null;
      if (url !== null) items.push({ url, text: titleOf(fields) });
    });
  }
  // A list of breadcrumbs names its members as any list does.
  return { types: [...types], items: types.has("breadcrumblist") && types.size === 1 ? [] : items };
}

/** Visits every object, outermost first, with the keys that lead to it. No recursion: a stranger chose the depth. */
function walk(json: unknown, see: (fields: Fields, path: string) => void): void {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value: json, path: "", depth: 0 }];
  for (let at = 0; at < waiting.length && at < MAX_NODES; at += 1) {
    const { value, path, depth } = waiting[at] ?? { value: null, path: "", depth: 0 };
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) continue;
    const fields = value as Fields;
    const type = Array.isArray(value) ? "" : typesOf(fields).join(" ");
    if (!Array.isArray(value)) see(fields, path);
    for (const [key, inner] of Object.entries(value).slice(0, MAX_FOUND)) {
      if (typeof inner !== "object" || inner === null || waiting.length >= MAX_NODES) continue;
      const step = Array.isArray(value) ? "" : `/${key.slice(0, 40)}`;
      waiting.push({
        value: inner,
        path: `${path}${type.includes("breadcrumb") ? "/breadcrumb" : ""}${step}`.slice(-200),
        depth: depth + 1,
      });
    }
  }
}

function typesOf(fields: Fields): string[] {
  const type = fields["@type"];
  const list: readonly unknown[] = Array.isArray(type) ? type.slice(0, 10) : [type];
  return list.flatMap((each) => (typeof each === "string" ? each.toLowerCase().slice(0, 60) : []));
}

function titleOf(fields: Fields): string {
  for (const key of TITLE_KEYS) {
    const value = fields[key];
    const text = typeof value === "object" && value !== null ? Reflect.get(value, "rendered") : value;
    if (typeof text === "string" && text.trim() !== "") return folded(text.slice(0, 1_000)).slice(0, 300);
  }
  return "";
}

/** An address or a path from the root; what is relative to nobody knows what is left alone. */
function pathText(key: string, value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_000) return null;
  if (/^(?:https?:\/\/|\/[^/])/i.test(value)) return value;
  return /slug$/i.test(key) && /^[\w-]+(?:\/[\w.-]+)+\/?$/.test(value) ? `/${value}` : null;
}

function slugText(value: unknown): string | null {
  const text = typeof value === "object" && value !== null ? Reflect.get(value, "current") : value;
  return typeof text === "string" && SLUG.test(text) ? text : null;
}

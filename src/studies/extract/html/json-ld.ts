/** Objects of JSON-LD: what a page tells machines of itself. A stranger wrote it, so each is bounded before it is kept. */
export type JsonObject = Readonly<Record<string, unknown>>;

const MAX_OBJECTS = 50;
const MAX_DEPTH = 6;
const MAX_KEYS = 60;
const MAX_ITEMS = 60;
const MAX_STRING = 2_000;
/** Characters of all that is kept. */
const MAX_TOTAL = 200_000;

/** The objects of a page's scripts, those of `@graph` and of lists one by one; text that is no JSON gives none. */
export function parseJsonLd(scripts: readonly string[]): JsonObject[] {
  const objects: JsonObject[] = [];
  let left = MAX_TOTAL;

  const bound = (value: unknown, depth: number): unknown => {
    if (left <= 0) return null;
    left -= 8;
    if (typeof value === "string") {
      const text = value.slice(0, Math.min(MAX_STRING, left)).toWellFormed();
      left -= text.length;
      return text;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => bound(item, depth + 1));
    const entries = Object.entries(value).filter(([key]) => key.length <= 100 && key !== "__proto__");
    return Object.fromEntries(entries.slice(0, MAX_KEYS).map(([key, inner]) => [key, bound(inner, depth + 1)]));
  };
  const take = (value: unknown, depth: number) => {
    if (objects.length >= MAX_OBJECTS || left <= 0 || depth > 3) return;
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_ITEMS)) take(item, depth + 1);
    else if (isObject(value)) {
      const graph = value["@graph"];
      if (Array.isArray(graph)) take(graph, depth + 1);
      if (Object.keys(value).some((key) => key !== "@context" && key !== "@graph")) {
        const { "@graph": _, ...own } = value;
        const bounded = bound(own, 0);
        if (isObject(bounded)) objects.push(bounded);
      }
    }
  };
  for (const script of scripts) take(parse(script), 0);
  return objects;
}

function parse(script: string): unknown {
  try {
    return JSON.parse(script.trim().replace(/^<!\[CDATA\[|\]\]>$|;$/g, ""));
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names of an object's types without their vocabulary: `BlogPosting`. */
export function typesOf(object: JsonObject): string[] {
  const type = object["@type"];
  const types = Array.isArray(type) ? type : [type];
  return types.flatMap((one: unknown) => (typeof one === "string" ? [one.replace(/^.*[/:#]/, "")] : []));
}

/** Texts that a value stands for: itself, its items, or the names of things. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (Array.isArray(item) ? [] : textsIn(item)));
  return isObject(value) && typeof value.name === "string" ? textsIn(value.name) : [];
}

const ARTICLE = /(Article|BlogPosting|Posting|Report|CaseStudy|CreativeWork|Review)$/;

/** The object that describes the page itself: an article, or else a web page. Undefined when several articles could be it. */
export function findArticle(objects: readonly JsonObject[], titles: readonly string[]): JsonObject | undefined {
  const articles = objects.filter((object) => typesOf(object).some((type) => ARTICLE.test(type)));
  const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const wanted = new Set(titles.map(fold));
  const named = articles.find((object) =>
    [object.headline, object.name].some((name) => typeof name === "string" && wanted.has(fold(name))),
  );
  if (named) return named;
  return articles.length === 1 ? articles[0] : articles.length > 1 ? undefined : findType(objects, "WebPage");
}

export const findType = (objects: readonly JsonObject[], ...types: readonly string[]) =>
  objects.find((object) => typesOf(object).some((type) => types.includes(type)));

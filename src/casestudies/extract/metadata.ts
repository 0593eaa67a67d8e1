import { findWrittenDate, isoDay, parseDate } from "../../core/dates.ts";
import { type Head, parseScriptJson, typesOf } from "../../html/head.ts";
import { collapseWhitespace, type Element, textOf } from "../../html/tree.ts";
import type { PageText } from "../types.ts";
import type { Story } from "./story.ts";

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
  for (const script of scripts) take(parseScriptJson(script), 0);
  return objects;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

/**
 * When a story was published, by the first of these that tells: JSON-LD, meta elements, a `time` beside the heading, a
 * day written beside it, the address. A copyright year, a related story's day and the server's clock tell nothing.
 */

type Published = Pick<PageText, "published_at" | "published_from">;

const METAS = [
  "article:published_time",
  "og:published_time",
  "og:article:published_time",
  "article:published",
  "datepublished",
  "date-published",
  "published_time",
  "publish_date",
  "publish-date",
  "publishdate",
  "publication_date",
  "publication-date",
  "pubdate",
  "pub_date",
  "parsely-pub-date",
  "sailthru.date",
  "dc.date.issued",
  "dcterms.issued",
  "dc.date",
  "dcterms.date",
  "dcterms.created",
  "dc.date.created",
  "citation_publication_date",
  "cxenseparse:recs:publishtime",
  "date",
  "created",
  "release_date",
];
/** How far from the heading a date may stand, in characters of text. */
const AFTER = 700;
const BEFORE = 250;
const MAX_SHORT = 160;
/** Longest text beside a day in words: an author, a place, the time that reading takes. */
const MAX_BESIDE = 80;
const CHANGED = /updated?|modified|revised|aktualisiert|geändert|mis(?:e)? à jour|actualizado|更新/i;

export function findPublished(
  url: string,
  {
    head,
    jsonLd,
    titles,
    story,
  }: { head: Head; jsonLd: readonly JsonObject[]; titles: readonly string[]; story: Story },
): Published {
  const told = dayOf(findArticle(jsonLd, titles)) ?? dayOf(findType(jsonLd, "WebPage"));
  if (told !== undefined) return { published_at: told, published_from: "json-ld" };
  for (const name of METAS) {
    const values = head.metas.get(name);
    // Several days of one name are those of several stories.
    const days = new Set(values?.map(parseDate));
    const [day] = days;
    if (days.size === 1 && day !== undefined) return { published_at: day, published_from: "meta" };
  }
  const beside = findBesideHeading(story);
  if (beside) return beside;
  const day = dayInAddress(url);
  return { published_at: day ?? null, published_from: day === undefined ? null : "address" };
}

function dayOf(object: JsonObject | undefined): string | undefined {
  for (const key of ["datePublished", "uploadDate", "dateCreated"]) {
    const value = object?.[key];
    const day = typeof value === "string" ? parseDate(value) : undefined;
    if (day !== undefined) return day;
  }
  return undefined;
}

interface Sign {
  readonly from: "time" | "text";
  readonly day: string;
  /** Where it stands in the text. */
  readonly at: number;
  readonly isMarked: boolean;
}

/** Reads the story's text in order up to a little behind its heading. */
function findBesideHeading({ root, body, heading, surroundings }: Story): Published | undefined {
  const signs: Sign[] = [];
  let at = 0;
  let headingAt: number | undefined;
  let isDone = false;
  let budget = 20_000;
  const say = (text: string) => {
    at += text.length;
    if (headingAt !== undefined && at > headingAt + AFTER) isDone = true;
  };
  const see = (from: Sign["from"], value: string | undefined, element: Element) => {
    const day = value === undefined ? undefined : from === "time" ? parseDate(value) : findWrittenDate(value)?.day;
    if (day === undefined) return;
    const label = `${element.attributes.class ?? ""} ${element.attributes.itemprop ?? ""} ${textOf(element.parent ?? element, 60)}`;
    const isMarked = /datePublished|published|publish|pubdate|entry-date|post-date/i.test(label);
    if (!isMarked && CHANGED.test(label)) return;
    signs.push({ from, day, at, isMarked });
  };
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (isDone || budget <= 0) return;
      budget -= 1;
      if (typeof child === "string") {
        const text = collapseWhitespace(child);
        // A day inside a sentence is when something happened, not when it was told.
        if (text.length <= MAX_SHORT && isShort(element)) see("text", text, element);
        say(text);
      } else if (child === heading) {
        headingAt = at;
        say(textOf(child, 300));
      } else if (!surroundings.has(child) && child.name !== "script") {
        if (
          child.name === "a" &&
          child.children.some((inner) => typeof inner !== "string" && /^(h[1-6]|div)$/.test(inner.name))
        )
          continue;
        if (child.name === "time" || child.attributes.itemprop === "datePublished")
          see("time", child.attributes.datetime ?? child.attributes.content ?? textOf(child, 60), child);
        visit(child);
      }
    }
  };
  const isShort = (element: Element) => {
    const text = textOf(element, MAX_SHORT + 40);
    const date = text.length > MAX_SHORT ? undefined : findWrittenDate(text);
    if (date === undefined) return false;
    const rest = text.replace(date.text, "").trim();
    return rest.length <= MAX_BESIDE && !/\p{Ll}{3,}[.!?](?:\s|$)/u.test(rest);
  };
  visit(heading && !within(heading, root) ? body : root);
  const place = headingAt ?? 0;
  const near = signs.filter((sign) => sign.at >= place - BEFORE && sign.at <= place + AFTER);
  const distance = (sign: Sign) => (sign.at >= place ? sign.at - place : (place - sign.at) * 2);
  const [best] = near.toSorted(
    (a, b) =>
      Number(b.isMarked) - Number(a.isMarked) ||
      Number(b.from === "time") - Number(a.from === "time") ||
      distance(a) - distance(b),
  );
  return best ? { published_at: best.day, published_from: best.from } : undefined;
}

function within(element: Element, ancestor: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** `/2024/03/05/` and `/2024-03-05-name`. */
function dayInAddress(url: string): string | undefined {
  const path = URL.parse(url)?.pathname ?? "";
  const [, year, month, day] = /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)/.exec(path) ?? [];
  return year === undefined ? undefined : isoDay(Number(year), Number(month), Number(day));
}

/** Languages that their script alone gives away. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["th", /\p{Script=Thai}/gu],
];
const SAMPLE = 3_000;

/**
 * The language of a page: what it says, in the order given, unless the script of its text says otherwise (a template's
 * `lang="en"` around Chinese text). Null when nothing tells it.
 *
 * @param claims language tags, `en_US` too
 */
export function chooseLanguage(claims: readonly (string | null)[], text: string): string | null {
  const claimed = claims.map(readTag).find((tag) => tag !== null) ?? null;
  const written = languageOfScript(text.slice(0, SAMPLE));
  if (written === null) return claimed;
  return claimed !== null && (claimed.split("-")[0] === written || /^(?:ja|yue|wuu|yi|zh)/.test(claimed))
    ? claimed
    : written;
}

function readTag(claim: string | null): string | null {
  const tag = claim?.split(",")[0]?.trim().replaceAll("_", "-").slice(0, 35) ?? "";
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,4}$/i.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

function languageOfScript(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return null;
  for (const [language, pattern] of SCRIPTS) {
    const share = (text.match(pattern)?.length ?? 0) / letters;
    if (share > (language === "ja" ? 0.15 : 0.4)) return language;
  }
  return null;
}

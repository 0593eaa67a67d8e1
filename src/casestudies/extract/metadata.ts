import { findWrittenDate, isoDay, parseDate } from "../../core/dates.ts";
import { type Head, parseScriptJson, typesOf } from "../../html/head.ts";
import { collapseWhitespace, type Element, textOf } from "../../html/tree.ts";
import type { PageText } from "../types.ts";
import type { Story } from "./story.ts";
import { normaliseTitle } from "./title.ts";

/** An object of JSON-LD. Its size and depth are limited when it is parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

const MAX_OBJECTS = 50;
const MAX_DEPTH = 6;
const MAX_KEYS = 60;
const MAX_ITEMS = 60;
const MAX_STRING = 2_000;
/** Characters of all objects together. */
const MAX_TOTAL = 200_000;

/** The objects in a page's scripts, with those of `@graph` and of lists one by one. Invalid JSON is ignored. */
export function parseJsonLd(scripts: readonly string[]): JsonObject[] {
  const objects: JsonObject[] = [];
  let left = MAX_TOTAL;

  const limit = (value: unknown, depth: number): unknown => {
    if (left <= 0) return null;
    left -= 8;
    if (typeof value === "string") {
      const text = value.slice(0, Math.min(MAX_STRING, left)).toWellFormed();
      left -= text.length;
      return text;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => limit(item, depth + 1));
    const entries = Object.entries(value).filter(([key]) => key.length <= 100 && key !== "__proto__");
    return Object.fromEntries(entries.slice(0, MAX_KEYS).map(([key, inner]) => [key, limit(inner, depth + 1)]));
  };
  const collect = (value: unknown, depth: number) => {
    if (objects.length >= MAX_OBJECTS || left <= 0 || depth > 3) return;
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_ITEMS)) collect(item, depth + 1);
    else if (isObject(value)) {
      const graph = value["@graph"];
      if (Array.isArray(graph)) collect(graph, depth + 1);
      if (Object.keys(value).some((key) => key !== "@context" && key !== "@graph")) {
        const { "@graph": _, ...own } = value;
        const limited = limit(own, 0);
        if (isObject(limited)) objects.push(limited);
      }
    }
  };
  for (const script of scripts) collect(parseScriptJson(script), 0);
  return objects;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The texts of a value: the value itself, its items, or the `name` of an object. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (Array.isArray(item) ? [] : textsIn(item)));
  return isObject(value) && typeof value.name === "string" ? textsIn(value.name) : [];
}

const ARTICLE = /(Article|BlogPosting|Posting|Report|CaseStudy|CreativeWork|Review)$/;

/**
 * The object that describes the page: the article with one of its titles, the only article, or else the web page.
 * Undefined if it has several articles with other titles.
 */
export function findArticle(objects: readonly JsonObject[], titles: readonly string[]): JsonObject | undefined {
  const articles = objects.filter((object) => typesOf(object).some((type) => ARTICLE.test(type)));
  const wanted = new Set(titles.map(normaliseTitle));
  const named = articles.find((object) =>
    [object.headline, object.name].some((name) => typeof name === "string" && wanted.has(normaliseTitle(name))),
  );
  if (named) return named;
  return articles.length === 1 ? articles[0] : articles.length > 1 ? undefined : findType(objects, "WebPage");
}

export const findType = (objects: readonly JsonObject[], ...types: readonly string[]) =>
  objects.find((object) => typesOf(object).some((type) => types.includes(type)));

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
/** Greatest distance of a date after and before the heading, in characters of text. */
const AFTER = 700;
const BEFORE = 250;
const MAX_SHORT = 160;
/** Most characters next to a date in one text: an author, a place, the reading time. */
const MAX_REST = 80;
/** Labels of dates of a later change. */
const CHANGED = /updated?|modified|revised|aktualisiert|geändert|mis(?:e)? à jour|actualizado|更新/i;

/**
 * The day of publication, from the first source that has one: JSON-LD, meta elements, a `time` element near the heading, a
 * date in the text near it, the address. Copyright years, dates of related stories and `Last-Modified` are not used.
 */
export function findPublished(
  url: string,
  {
    head,
    jsonLd,
    titles,
    story,
  }: { head: Head; jsonLd: readonly JsonObject[]; titles: readonly string[]; story: Story },
): Published {
  const declared = dayOf(findArticle(jsonLd, titles)) ?? dayOf(findType(jsonLd, "WebPage"));
  if (declared !== undefined) return { published_at: declared, published_from: "json-ld" };
  for (const name of METAS) {
    const values = head.metas.get(name);
    // Several dates under one name belong to several stories.
    const days = new Set(values?.map(parseDate));
    const [day] = days;
    if (days.size === 1 && day !== undefined) return { published_at: day, published_from: "meta" };
  }
  const near = findNearHeading(story);
  if (near) return near;
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

interface DateFound {
  readonly from: "time" | "text";
  readonly day: string;
  /** Offset in the text. */
  readonly at: number;
  /** A class or label says that it is the date of publication. */
  readonly isMarked: boolean;
}

/** Reads the text in order, up to {@link AFTER} characters after the heading. */
function findNearHeading({ root, body, heading, surroundings }: Story): Published | undefined {
  const found: DateFound[] = [];
  let at = 0;
  let headingAt: number | undefined;
  let isDone = false;
  let budget = 20_000;
  const advance = (text: string) => {
    at += text.length;
    if (headingAt !== undefined && at > headingAt + AFTER) isDone = true;
  };
  const addDate = (from: DateFound["from"], value: string | undefined, element: Element) => {
    const day = value === undefined ? undefined : from === "time" ? parseDate(value) : findWrittenDate(value)?.day;
    if (day === undefined) return;
    const label = `${element.attributes.class ?? ""} ${element.attributes.itemprop ?? ""} ${textOf(element.parent ?? element, 60)}`;
    const isMarked = /datePublished|published|publish|pubdate|entry-date|post-date/i.test(label);
    if (!isMarked && CHANGED.test(label)) return;
    found.push({ from, day, at, isMarked });
  };
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (isDone || budget <= 0) return;
      budget -= 1;
      if (typeof child === "string") {
        const text = collapseWhitespace(child);
        // A date inside a sentence is that of an event in the story.
        if (text.length <= MAX_SHORT && isShort(element)) addDate("text", text, element);
        advance(text);
      } else if (child === heading) {
        headingAt = at;
        advance(textOf(child, 300));
      } else if (!surroundings.has(child) && child.name !== "script") {
        if (
          child.name === "a" &&
          child.children.some((inner) => typeof inner !== "string" && /^(h[1-6]|div)$/.test(inner.name))
        )
          continue;
        if (child.name === "time" || child.attributes.itemprop === "datePublished")
          addDate("time", child.attributes.datetime ?? child.attributes.content ?? textOf(child, 60), child);
        visit(child);
      }
    }
  };
  const isShort = (element: Element) => {
    const text = textOf(element, MAX_SHORT + 40);
    const date = text.length > MAX_SHORT ? undefined : findWrittenDate(text);
    if (date === undefined) return false;
    const rest = text.replace(date.text, "").trim();
    return rest.length <= MAX_REST && !/\p{Ll}{3,}[.!?](?:\s|$)/u.test(rest);
  };
  visit(heading && !within(heading, root) ? body : root);
  const offset = headingAt ?? 0;
  const near = found.filter((date) => date.at >= offset - BEFORE && date.at <= offset + AFTER);
  const distance = (date: DateFound) => (date.at >= offset ? date.at - offset : (offset - date.at) * 2);
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

/** Languages that their script identifies. */
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
 * The language of a page: the first valid claim, unless the script of its text contradicts it (a template's `lang="en"`
 * around Chinese text). Null when unknown.
 *
 * @param claims language tags, also in the form `en_US`
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

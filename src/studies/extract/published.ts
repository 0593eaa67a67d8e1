/**
 * When a story was published, by the first of these that tells: JSON-LD, meta elements, a `time` beside the heading, a
 * day written beside it, the address. A copyright year, a related story's day and the server's clock tell nothing.
 */
import type { PageText } from "../../vocabulary/page.ts";
import type { Head } from "./html/head.ts";
import { findArticle, findType, type JsonObject } from "./html/json-ld.ts";
import { clean, textOf } from "./html/measure.ts";
import type { Story } from "./html/story.ts";
import type { Element } from "./html/tree.ts";
import { findWrittenDate, isoDay, parseDate } from "./written-date.ts";

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
        const text = clean(child);
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

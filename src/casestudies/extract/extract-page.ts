import { findWrittenDate } from "../../core/dates.ts";
import { siteOf } from "../../core/domain.ts";
import { findMeta, type Head, readHead } from "../../html/head.ts";
import { parsePage, textOf } from "../../html/tree.ts";
import type { FetchedPage, PageText } from "../types.ts";
import { findLabels, findTags, type Label } from "./labels.ts";
import { renderMarkdown } from "./markdown.ts";
import {
  chooseLanguage,
  findArticle,
  findPublished,
  findType,
  type JsonObject,
  parseJsonLd,
  textsIn,
} from "./metadata.ts";
import { type PdfLimits, readPdfInThread } from "./pdf-in-thread.ts";
import { chooseTitle, findImages, findLinks, findStory, withoutSite } from "./story.ts";

const MAX_LABELS = 100;

/** Reads an HTML page. Whatever stands in it, every part of the answer is bounded and nothing is thrown. */
function readHtml(page: FetchedPage, html: string): PageText {
  const tree = parsePage(html);
  const head = readHead(tree, page.url);
  const jsonLd = parseJsonLd(head.jsonLd);
  const siteName = siteNameOf(head, jsonLd);
  const siteNames = [siteName, ...hostNames(page.url)].filter((name) => name !== null);
  const given = [findMeta(head, "og:title"), findMeta(head, "twitter:title"), head.title];
  const titles = given.flatMap((title) => (title === null ? [] : [title, withoutSite(title, siteNames)]));
  const story = findStory(tree, titles);
  const heading = story.heading ? textOf(story.heading, 500) : "";
  const title = chooseTitle(heading, given, siteNames);
  const { labels, elements } = findLabels(story.body, story.sizes, story.surroundings);
  const dropped = new Set([...story.dropped, ...elements, ...(story.heading && title !== null ? [story.heading] : [])]);
  const markdown = renderMarkdown(story.root, { sizes: story.sizes, dropped, isNoText });
  return {
    url: page.url,
    canonical: canonicalOf(head, page.url),
    title,
    site_name: siteName,
    description: findMeta(head, "description", "og:description", "twitter:description"),
    language: chooseLanguage(
      [head.language, findMeta(head, "content-language"), page.language, findMeta(head, "og:locale")],
      `${title ?? ""} ${markdown}`,
    ),
    ...findPublished(page.url, { head, jsonLd, titles: [...titles, title ?? ""], story }),
    markdown,
    images: findImages(story, head.base),
    links: findLinks(story, head.base),
    labels: [
      ...labels,
      ...filedUnder(head, jsonLd, titles),
      ...findTags(story.root).map((value) => ({ name: null, value })),
    ]
      .filter(
        (label, at, all) =>
          all.findIndex(
            (other) => other.value === label.value && (other.name === label.name || label.name === null),
          ) === at,
      )
      .slice(0, MAX_LABELS),
    json_ld: jsonLd,
  };
}

/** Lines beside a heading: the day, the author, the time that reading takes. */
function isNoText(text: string, blocksBefore: number): boolean {
  if (text.length > 120) return false;
  if (
    /^\W{0,3}\d{1,3}\s?(?:min|minutes?|mins)\b.{0,15}$/i.test(text) ||
    /^[\s·•|]*(?:阅读需|阅读时间|預計閱讀)/.test(text)
  )
    return true;
  if (/^(?:no|keine|0|aucun) (?:comments?|kommentare?|commentaires?)$/i.test(text)) return true;
  if (blocksBefore > 4) return false;
  const date = findWrittenDate(text);
  if (date) return !/[.!?。]$/.test(text.replace(date.text, "").trim()) && text.length - date.text.length <= 70;
  return (
    /^(?:by|von|par|por|written by|posted by)\s\p{Lu}[^.]{2,60}$/u.test(text) ||
    /^(?:customer|case|success) (?:story|study)s?$/i.test(text)
  );
}

function siteNameOf(head: Head, jsonLd: readonly JsonObject[]): string | null {
  const publisher = textsIn(
    findArticle(jsonLd, [])?.publisher ?? jsonLd.find((object) => object.publisher)?.publisher,
  )[0];
  const site = findType(jsonLd, "WebSite")?.name ?? findType(jsonLd, "Organization", "Corporation")?.name;
  const name = findMeta(head, "og:site_name") ?? publisher ?? textsIn(site)[0] ?? findMeta(head, "application-name");
  return name?.slice(0, 200) || null;
}

/** `beam.apache.org` → `beam`, `apache`, `beam.apache.org`. */
function hostNames(url: string): string[] {
  const host = URL.parse(url)?.hostname.replace(/^www\./, "") ?? "";
  return [host, ...host.split(".").slice(0, -1)].filter((name) => name.length > 2);
}

/** A canonical address that points to the front page is a mistake of the template. */
function canonicalOf({ canonical, base }: Head, url: string): string | null {
  const told = canonical === null ? null : URL.parse(canonical, base);
  const own = URL.parse(url);
  if (
    !told ||
    !own ||
    !/^https?:$/.test(told.protocol) ||
    told.href.length > 2_048 ||
    siteOf(told.hostname) !== siteOf(own.hostname)
  )
    return null;
  if (told.pathname === "/" && own.pathname !== "/") return null;
  told.hash = "";
  return told.href;
}

function filedUnder(head: Head, jsonLd: readonly JsonObject[], titles: readonly string[]): Label[] {
  const article = findArticle(jsonLd, titles);
  const labels: Label[] = [];
  const add = (name: string | null, value: string) => {
    if (value !== "" && value.length <= 160 && labels.length < MAX_LABELS) labels.push({ name, value });
  };
  for (const key of ["about", "mentions", "articleSection"] as const)
    for (const value of textsIn(article?.[key])) add(key, value);
  for (const value of textsIn(article?.keywords)) for (const one of value.split(/[,;]/)) add("keywords", one.trim());
  for (const value of head.metas.get("article:section") ?? []) add("section", value);
  for (const name of ["article:tag", "keywords", "news_keywords"])
    for (const value of head.metas.get(name) ?? [])
      for (const one of value.split(/[,;]/)) add(name === "article:tag" ? "tag" : "keywords", one.trim());
  return labels;
}

/**
 * A page's own text and what it says of itself. Every part is bounded, and nothing that a page holds makes it throw: one
 * that cannot be read has an empty text and no title. HTML is read at once, a PDF in a thread of its own.
 */
export async function extractPage(page: FetchedPage, pdfLimits?: PdfLimits): Promise<PageText> {
  if (page.kind === "html")
    return readHtml(page, typeof page.content === "string" ? page.content : new TextDecoder().decode(page.content));
  const bytes = typeof page.content === "string" ? new TextEncoder().encode(page.content) : page.content;
  const found = await readPdfInThread(bytes, pdfLimits);
  return {
    url: page.url,
    canonical: null,
    title: found?.title ?? null,
    site_name: null,
    description: null,
    language: chooseLanguage([found?.language ?? null, page.language], found?.markdown ?? ""),
    published_at: found?.created ?? null,
    published_from: found?.created ? "pdf" : null,
    markdown: found?.markdown ?? "",
    images: [],
    links: [],
    labels: [],
    json_ld: [],
  };
}

import { findWrittenDate } from "../../core/dates.ts";
import { hostOfUrl, siteOf } from "../../core/domain.ts";
import { findMeta, type Head, readHead } from "../../html/head.ts";
import { type Element, elementsOf, parsePage, textOf } from "../../html/tree.ts";
import type { FetchedPage, PageText } from "../types.ts";
import { findTags, type Label } from "./labels.ts";
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
import { findImages, findLinks, findStory } from "./story.ts";
import { chooseTitle, withoutSiteName } from "./title.ts";

const MAX_LABELS = 100;

/**
 * The text and metadata of an HTML page. Every part of the result is limited in size, and no page makes it throw: one that
 * cannot be read has an empty text and no title.
 */
export function extractHtml(page: FetchedPage): PageText {
  const html = typeof page.content === "string" ? page.content : new TextDecoder().decode(page.content);
  const tree = parsePage(html);
  fillCounters(tree);
  const head = readHead(tree, page.url);
  const jsonLd = parseJsonLd(head.jsonLd);
  const siteName = siteNameOf(head, jsonLd);
  const siteNames = [siteName, ...hostNames(page.url)].filter((name) => name !== null);
  const headTitles = [findMeta(head, "og:title"), findMeta(head, "twitter:title"), head.title];
  const titles = headTitles.flatMap((title) => (title === null ? [] : [title, withoutSiteName(title, siteNames)]));
  const story = findStory(tree, titles);
  const title = chooseTitle(story.heading ? textOf(story.heading, 500) : "", headTitles, siteNames);
  const { labels, elements } = story.labels;
  const dropped = new Set([...story.dropped, ...elements]);
  if (story.heading && title !== null) dropped.add(story.heading);
  const markdown = renderMarkdown(story.root, { sizes: story.sizes, dropped, isByline });
  const tags = findTags(story.root).map((value) => ({ name: null, value }));
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
    labels: uniqueLabels([...labels, ...declaredLabels(head, jsonLd, titles), ...tags]),
    json_ld: jsonLd,
  };
}

const COUNTER_ATTRIBUTES =
  "data-count data-to-value data-counter data-count-to data-countup data-target data-end data-number data-to data-final data-stop".split(
    " ",
  );

/** Writes the figures that a script counts up to in place of the 0 that the page contains: `<span data-count="45">0</span>`. */
function fillCounters(tree: Element): void {
  for (const element of elementsOf(tree)) {
    const { attributes, children } = element;
    if (children.length > 1 || typeof (children[0] ?? "") !== "string") continue;
    const text = String(children[0] ?? "").trim();
    if (text !== "" && !/^[\d.,]{1,12}$/.test(text)) continue;
    const name = COUNTER_ATTRIBUTES.find((one) => /^\d[\d.,]{0,14}$/.test(attributes[one]?.trim() ?? ""));
    if (name !== undefined) children.splice(0, children.length, attributes[name]?.trim() ?? "");
  }
}

/** Whether a text is a line near the heading that is not part of the story: the date, the author, the reading time. */
function isByline(text: string, blocksBefore: number): boolean {
  if (text.length > 120) return false;
  if (
    /^\W{0,3}\d{1,3}\s?(?:min|minutes?|mins)\b.{0,15}$/i.test(text) ||
    /^[\s·•|]*(?:阅读需|阅读时间|預計閱讀)/.test(text) ||
    /^(?:no|keine|0|aucun) (?:comments?|kommentare?|commentaires?)$/i.test(text)
  )
    return true;
  if (blocksBefore > 4) return false;
  const date = findWrittenDate(text);
  if (date) return !/[.!?。]$/.test(text.replace(date.text, "").trim()) && text.length - date.text.length <= 70;
  return (
    /^(?:by|von|par|por|written by|posted by)\s\p{Lu}[^.]{2,60}$/u.test(text) ||
    /^(?:customer|case|success) (?:story|study)s?$/i.test(text)
  );
}

function siteNameOf(head: Head, jsonLd: readonly JsonObject[]): string | null {
  const publisher = findArticle(jsonLd, [])?.publisher ?? jsonLd.find((object) => object.publisher)?.publisher;
  const site = findType(jsonLd, "WebSite")?.name ?? findType(jsonLd, "Organization", "Corporation")?.name;
  const name =
    findMeta(head, "og:site_name") ?? textsIn(publisher)[0] ?? textsIn(site)[0] ?? findMeta(head, "application-name");
  return name?.slice(0, 200) || null;
}

/** `beam.apache.org` gives `beam`, `apache` and `beam.apache.org`. */
function hostNames(url: string): string[] {
  const host = hostOfUrl(url).replace(/^www\./, "");
  return [host, ...host.split(".").slice(0, -1)].filter((name) => name.length > 2);
}

/** The canonical address on the same site. That of the home page is a mistake of the template. */
function canonicalOf({ canonical, base }: Head, url: string): string | null {
  const target = canonical === null ? null : URL.parse(canonical, base);
  const pageUrl = URL.parse(url);
  if (!target || !pageUrl || !/^https?:$/.test(target.protocol) || target.href.length > 2_048) return null;
  if (siteOf(target.hostname) !== siteOf(pageUrl.hostname)) return null;
  if (target.pathname === "/" && pageUrl.pathname !== "/") return null;
  target.hash = "";
  return target.href;
}

/** Subjects, sections and keywords from JSON-LD and meta elements. */
function declaredLabels(head: Head, jsonLd: readonly JsonObject[], titles: readonly string[]): Label[] {
  const article = findArticle(jsonLd, titles);
  const labels: Label[] = [];
  const add = (name: string, value: string) => {
    if (value !== "" && value.length <= 160 && labels.length < MAX_LABELS) labels.push({ name, value });
  };
  const addEach = (name: string, list: string) => {
    for (const value of list.split(/[,;]/)) add(name, value.trim());
  };
  for (const key of ["about", "mentions", "articleSection"])
    for (const value of textsIn(article?.[key])) add(key, value);
  for (const value of textsIn(article?.keywords)) addEach("keywords", value);
  for (const value of head.metas.get("article:section") ?? []) add("section", value);
  for (const value of head.metas.get("article:tag") ?? []) addEach("tag", value);
  for (const name of ["keywords", "news_keywords"])
    for (const value of head.metas.get(name) ?? []) addEach("keywords", value);
  return labels;
}

/** Each value once under each name; without a name only if no other label has the value. At most {@link MAX_LABELS}. */
function uniqueLabels(labels: readonly Label[]): Label[] {
  const isSame = (one: Label, other: Label) =>
    other.value === one.value && (other.name === one.name || one.name === null);
  return labels.filter((label, at) => labels.findIndex((other) => isSame(label, other)) === at).slice(0, MAX_LABELS);
}

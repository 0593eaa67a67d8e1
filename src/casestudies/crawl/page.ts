import { parseInstant } from "../../core/dates.ts";
import { findMeta, hasWord, isJsonLd, readHead } from "../../html/head.ts";
import { collapseWhitespace, type Element, parsePage, textOf } from "../../html/tree.ts";
import { decodeText, headerOf } from "../../net/exchange.ts";
import { addressOf } from "./address.ts";
import { looksLikePdf, type PageResponse } from "./fetcher.ts";
import type { Unreadable } from "./types.ts";
import { MISSING_PAGE, wordsIn } from "./words.ts";

/** Reads a response as a page: its kind, its structure, text and links, and a hash of its text. */

export type HtmlPage = {
  readonly kind: "html";
  readonly html: string;
  readonly facts: PageFacts;
  readonly hash: string;
};
export type PdfPage = { readonly kind: "pdf"; readonly hash: string };
export type ReadPage =
  | HtmlPage
  | PdfPage
  | ({ readonly kind: "none" } & Unreadable)
  /** Status 200 with a text that says that the page does not exist. */
  | { readonly kind: "missing" };

/** @param partial also read a page that was cut off at the limit */
export function readPage(response: PageResponse, partial = false): ReadPage {
  const { bytes, truncated, url } = response;
  if (truncated && !partial) return { kind: "none", code: "too_large", reason: "too large" };
  if (looksLikePdf(bytes))
    return truncated ? { kind: "none", code: "too_large", reason: "too large" } : { kind: "pdf", hash: hashOf(bytes) };
  const type = response.type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const html = decodeText(bytes, response.type);
  if (!isHtml(type, html))
    return { kind: "none", code: "not_a_page", reason: `not a page (${type.slice(0, 60) || "no content type"})` };
  const facts = readPageFacts(html, url);
  const words = wordsIn(facts.prose);
  if (facts.asksForPassword && words < 150) return { kind: "none", code: "login", reason: "behind a login" };
  if (words <= 150 && (MISSING_PAGE.test(facts.heading ?? "") || MISSING_PAGE.test(facts.title ?? "")))
    return { kind: "missing" };
  return { kind: "html", html, facts, hash: hashOf(`${facts.heading ?? facts.title ?? ""}\n${facts.prose}`) };
}

/** By its content type, or by its first characters when the type says nothing. */
function isHtml(type: string, text: string): boolean {
  if (type === "text/html" || type === "application/xhtml+xml") return true;
  if (!/^(?:|text\/plain|application\/octet-stream)$/.test(type)) return false;
  return /^\s{0,200}(?:<!--|<!doctype html|<html|<head|<body|<\?xml)/i.test(text.slice(0, 600));
}

/** Whether the page or its headers say `noindex`, to everyone or to us. */
export function isNoIndex({ headers }: PageResponse, facts: PageFacts | null): boolean {
  const values = headers.flatMap(([name, value]) => (name === "x-robots-tag" ? value.toLowerCase() : []));
  const forUs = values.filter((value) => !/^[\w-]{2,40}:/.test(value) || value.startsWith("casefile:"));
  return /\b(?:noindex|none)\b/.test(`${forUs.join(" ")} ${facts?.robots ?? ""}`);
}

/** `Last-Modified` as an ISO 8601 instant. */
export function modifiedAt({ headers }: PageResponse): string | null {
  return parseInstant(headerOf(headers, "last-modified")) ?? null;
}

function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

export interface PageLink {
  readonly url: string;
  /** Its text, its label, or the alternative text of its image. */
  readonly text: string;
  readonly rel: string;
  /** Outside the menus, header and footer of the site. */
  readonly inMain: boolean;
  /** The elements and classes around it, the same for the links of repeated cards. */
  readonly shape: string;
}

export interface PageFacts {
  readonly title: string | null;
  readonly heading: string | null;
  readonly siteName: string | null;
  /** As the page declares it, lower case. */
  readonly language: string | null;
  readonly canonical: string | null;
  /** Directives of `<meta name=robots>`, lower case. */
  readonly robots: string;
  readonly headings: readonly string[];
  readonly links: readonly PageLink[];
  /** Versions in other languages. */
  readonly alternates: readonly Alternate[];
  readonly feeds: readonly string[];
  /** `rel=next`. */
  readonly next: string | null;
  readonly jsonLd: readonly string[];
  /** Inline JSON and scripts. */
  readonly scripts: readonly string[];
  /** Values of data attributes that look like addresses, as written. */
  readonly dataAddresses: readonly string[];
  readonly asksForPassword: boolean;
  readonly quotes: number;
  /** Terms of definition lists and short labels in bold. */
  readonly labels: readonly string[];
  /** Text of the main part without that of links outside paragraphs, white space collapsed. */
  readonly prose: string;
  /** Characters of links in the main part, for comparison with {@link prose}. */
  readonly linkedCharacters: number;
}

export interface Alternate {
  readonly language: string;
  readonly url: string;
}

const MAX_LINKS = 2_000;
const MAX_PROSE = 200_000;
const BLOCKS =
  /^(?:address|article|blockquote|br|div|dd|dl|dt|figcaption|h[1-6]|li|main|ol|p|section|table|td|th|tr|ul)$/;
const MENU_ROLE = /^(?:navigation|banner|contentinfo|search|dialog|menu|menubar)$/;
const MENU_CLASS =
  /(?:^|\s)(?:nav|navbar|navigation|(?:main|site|top|primary|mobile|mega)-?(?:nav|menu|header)|menu|footer|(?:site|page|main)-?footer|breadcrumbs?|cookie[\w-]{0,30}|skip-link)(?:\s|$)/i;

/** Where an element is: inside a site's menu, the main part, a heading or label, a link, a paragraph of that link. */
interface Place {
  readonly inMenu: boolean;
  readonly inMain: boolean;
  readonly inHeading: boolean;
  readonly inLink: "no" | "alone" | "in text";
}

export function readPageFacts(html: string, url: string): PageFacts {
  const page = parsePage(html);
  const head = readHead(page, url);
  const base = addressOf(head.base, url) ?? url;
  let heading: string | null = null;
  let next: string | null = null;
  let asksForPassword = false;
  let quotes = 0;
  let linkedCharacters = 0;
  const headings: string[] = [];
  const links: PageLink[] = [];
  const alternates: Alternate[] = [];
  const feeds: string[] = [];
  const scripts: string[] = [];
  const dataAddresses: string[] = [];
  const labels: string[] = [];
  const prose: string[] = [];
  let proseLength = 0;

  const addProse = (text: string) => {
    if (proseLength < MAX_PROSE) prose.push(text);
    proseLength += text.length;
  };
  const readLinkElement = ({ attributes }: Element) => {
    const target = addressOf(attributes.href ?? "", base);
    if (target === null) return;
    const language = (attributes.hreflang ?? "").toLowerCase().slice(0, 20);
    if (hasWord(attributes.rel, "next")) next ??= target;
    else if (hasWord(attributes.rel, "alternate")) {
      if (language !== "" && alternates.length < 100) alternates.push({ language, url: target });
      if (language === "" && /(?:rss|atom)\+xml/i.test(attributes.type ?? "") && feeds.length < 5) feeds.push(target);
    }
  };
  const readLink = (element: Element, inMenu: boolean) => {
    const { attributes } = element;
    const target = links.length < MAX_LINKS ? addressOf(attributes.href ?? "#", base) : null;
    if (target === null) return;
    const label = attributes["aria-label"] ?? attributes.title ?? "";
    links.push({
      url: target,
      text: linkText(element) || collapseWhitespace(label).slice(0, 300),
      rel: (attributes.rel ?? "").toLowerCase().slice(0, 100),
      inMain: !inMenu,
      shape: [...ancestorsOf(element, 4).map(shapeOf).reverse(), shapeOf(element)].join(">"),
    });
    if (hasWord(attributes.rel, "next")) next ??= target;
  };
  const readHeading = (element: Element, inMenu: boolean) => {
    const text = textOf(element, 300);
    if (text === "") return;
    if (element.name.startsWith("h")) {
      if (inMenu) return;
      if (element.name === "h1") heading ??= text;
      if (headings.length < 80) headings.push(text);
    } else if (text.length <= 40 && labels.length < 200) labels.push(text);
  };
  const readDataAddresses = ({ attributes }: Element) => {
    for (const name in attributes) {
      const value = attributes[name] ?? "";
      const isAddress = value.length < 500 && /^(?:https?:\/)?\/[\w.~-]/.test(value) && /^data-|^hx-get$/.test(name);
      if (isAddress && dataAddresses.length < 100) dataAddresses.push(value);
    }
  };
  const visit = (element: Element, above: Place) => {
    const { name } = element;
    readDataAddresses(element);
    if (name === "script") {
      const code = element.children.join("");
      if (!isJsonLd(element) && /\S/.test(code)) scripts.push(code);
      return;
    }
    if (name === "link") return readLinkElement(element);
    if (name === "input" && /^password$/i.test(element.attributes.type ?? "")) asksForPassword = true;
    if (name === "blockquote" || name === "q") quotes += 1;
    const inMain = above.inMain || name === "main" || name === "article";
    const inMenu = above.inMenu || isMenu(element, inMain);
    const isHeading = !above.inHeading && /^(?:h[1-3]|dt|th|strong|b)$/.test(name);
    if (isHeading) readHeading(element, inMenu);
    if (name === "a") readLink(element, above.inMenu);
    const isInText = name === "a" && ancestorsOf(element, 8).some((at) => /^(?:p|blockquote|td)$/.test(at.name));
    const inLink = name === "a" ? (isInText ? "in text" : "alone") : above.inLink;
    const isBlock = BLOCKS.test(name);
    if (isBlock) addProse(" ");
    const place: Place = { inMenu, inMain, inHeading: above.inHeading || isHeading, inLink };
    for (const child of element.children) {
      if (typeof child !== "string") {
        // Their text is not on the page; the links and scripts of a head are.
        visit(child, child.name === "head" || child.name === "select" ? { ...place, inMenu: true } : place);
      } else if (!inMenu) {
        if (inLink === "alone") linkedCharacters += child.trim().length;
        else addProse(child);
      }
    }
    if (isBlock) addProse(" ");
  };
  visit(page, { inMenu: false, inMain: false, inHeading: false, inLink: "no" });

  return {
    title: head.title?.slice(0, 300) ?? findMeta(head, "og:title")?.slice(0, 300) ?? null,
    heading,
    siteName: findMeta(head, "og:site_name")?.slice(0, 100) ?? null,
    language: head.language?.slice(0, 20).toLowerCase() || null,
    canonical: head.canonical === null ? null : addressOf(head.canonical, base),
    robots: [...(head.metas.get("robots") ?? []), ...(head.metas.get("casefile") ?? [])].join(" ").toLowerCase(),
    headings,
    links,
    alternates,
    feeds,
    next,
    jsonLd: head.jsonLd,
    scripts,
    dataAddresses,
    asksForPassword,
    quotes,
    labels,
    prose: collapseWhitespace(prose.join("")),
    linkedCharacters,
  };
}

/** The element and its first class. Further classes, and numbers, often differ from card to card. */
function shapeOf({ name, attributes }: Element): string {
  const [first = ""] = (attributes.class ?? "").slice(0, 120).trim().split(/\s/, 1);
  return `${name}.${first.replace(/\d+/g, "#")}`;
}

/** Whether the element belongs to the site's frame: its menus, header, footer and overlays. */
function isMenu({ name, attributes }: Element, inMain: boolean): boolean {
  if (name === "nav") return true;
  if ((name === "header" || name === "footer") && !inMain) return true;
  if (name === "body" || name === "html" || name === "main") return false;
  return MENU_ROLE.test(attributes.role ?? "") || MENU_CLASS.test((attributes.class ?? "").slice(0, 500));
}

/** Up to `max` ancestors, the nearest first. */
function ancestorsOf(element: Element, max: number): Element[] {
  const ancestors: Element[] = [];
  for (let at = element.parent; at?.parent && ancestors.length < max; at = at.parent) ancestors.push(at);
  return ancestors;
}

/** Text of a link with the alternative texts of its images, at most 300 characters. */
function linkText(link: Element): string {
  let text = "";
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (text.length >= 2_000) return;
      if (typeof child === "string") text += child.slice(0, 300);
      else if (child.name === "img") text += ` ${child.attributes.alt?.slice(0, 200) ?? ""}`;
      else if (child.name !== "script") visit(child);
    }
  };
  visit(link);
  return collapseWhitespace(text).slice(0, 300);
}

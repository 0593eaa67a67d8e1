/**
 * What stands around a story on a page and is none of it: menus, footers, cookie banners, related stories, calls to
 * action. Case-study pages put results into heroes, cards and sidebars, so what is not known as surroundings stays.
 */
import { elementsOf, namesOf, type Size, type Sizes, textOf } from "./measure.ts";
import {
  ABOUT_LAYOUT,
  CALL,
  CALLING,
  COMMENTS,
  CONSENT,
  HIDDEN_NAMES,
  NAMES,
  NEVER_TEXT,
  RELATED,
  ROLES,
} from "./surrounding-words.ts";
import type { Element } from "./tree.ts";

/** Headings that are taken for the start of surroundings; more of them are no page of ours. */
const MAX_SECTIONS = 50;
const MAX_SIBLINGS = 500;

const isHeading = (element: Element) => /^h[1-6]$/.test(element.name);

/** Elements that no reader sees, or that are known as surroundings by their name, role, class or id. */
export function dropSurroundings(body: Element, sizes: Sizes): Set<Element> {
  const dropped = new Set<Element>();
  const total = sizes.get(body)?.text ?? 0;
  const visit = (element: Element, inStory: boolean) => {
    for (const child of element.children) {
      if (typeof child === "string") continue;
      const size = sizes.get(child);
      if (size === undefined) continue;
      const isSmall = size.text < total * 0.4;
      const isBelow = size.text < total * 0.9 && size.titles === 0 && isCommentary(child);
      if (isBelow || isHidden(child, isSmall) || (isNamed(child, size, inStory) && mayGo(child, size, isSmall)))
        dropped.add(child);
      else visit(child, inStory || /^(article|main)$/.test(child.name) || child.attributes.role === "main");
    }
  };
  visit(body, false);
  return dropped;
}

const isCommentary = ({ attributes }: Element) =>
  COMMENTS.test(attributes.class ?? "") || COMMENTS.test(attributes.id ?? "");

const mayGo = ({ name, attributes }: Element, { parts }: Size, isSmall: boolean) =>
  name === "nav" || attributes.role === "navigation" || (isSmall && parts === 0);

function isHidden({ name, attributes }: Element, isSmall: boolean): boolean {
  if (attributes.hidden !== undefined || name === "template") return true;
  if (attributes.style !== undefined && /display:\s?none|visibility:\s?hidden/i.test(attributes.style)) return isSmall;
  if (attributes["aria-hidden"] === "true") return isSmall;
  return attributes.class !== undefined && isSmall && HIDDEN_NAMES.test(attributes.class);
}

function isNamed(element: Element, size: Size, inStory: boolean): boolean {
  const { name, attributes } = element;
  if (NEVER_TEXT.has(name)) return true;
  // A quote's footer names who said it.
  if (name === "footer") return !isQuoted(element);
  if (attributes.role !== undefined && ROLES.test(attributes.role)) return true;
  if (name === "header" && !inStory) return size.headings === 0 || size.menus > 0;
  if (name === "body" || name === "html" || isHeading(element)) return false;
  const names = namesOf(element);
  return names.some((one) => NAMES.has(one)) && !isQuoted(element) && !ABOUT_LAYOUT.test(attributes.class ?? "");
}

function isQuoted(element: Element): boolean {
  for (let at = element.parent; at !== null; at = at.parent) {
    if (/^(blockquote|figure|q)$/.test(at.name)) return true;
    if (/^(article|main|body)$/.test(at.name)) return false;
  }
  return false;
}

/** Adds to `dropped` what is known as surroundings by what it says or by being links; `root` itself stays. */
export function dropByContent(root: Element, sizes: Sizes, dropped: Set<Element>): void {
  const total = sizes.get(root)?.text ?? 0;
  let sections = 0;
  for (const element of elementsOf(root, dropped)) {
    const size = sizes.get(element);
    if (size === undefined || size.text === 0) continue;
    if (isLinkList(element, size) || (size.text < total * 0.4 && isNotice(element, size))) dropped.add(element);
    else if (element.name === "a") {
      if (sections < MAX_SECTIONS && size.text < 30 && CALLING.test(textOf(element, 60))) {
        sections += 1;
        const call = callAround(element, root, sizes);
        if (call) dropped.add(call);
      }
    } else if (sections < MAX_SECTIONS && (isHeading(element) || isTitleLike(element, size.text))) {
      const text = textOf(element, 200);
      const isRelated = RELATED.test(text);
      if (!isRelated && !CALL.test(text)) continue;
      sections += 1;
      const section = isRelated
        ? sectionOf(element, root, sizes, total * 0.4, ({ text, linked }) => linked > text * 0.15)
        : sectionOf(element, root, sizes, Math.min(700, total * 0.3), ({ controls }) => controls > 0);
      for (const part of section) dropped.add(part);
    }
  }
}

/** The widest small element around a link that calls to something, when it has a heading of its own. */
function callAround(link: Element, root: Element, sizes: Sizes): Element | undefined {
  let widest: Element | undefined;
  for (let at = link.parent; at !== null && at !== root; at = at.parent) {
    const size = sizes.get(at);
    if (size === undefined || size.text > 220 || size.titles > 0) break;
    if (size.headings > 0) widest = at;
  }
  return widest;
}

/** The widest element around a heading that `fits` and is no larger than `limit`; or else it and what follows it. */
function sectionOf(
  heading: Element,
  root: Element,
  sizes: Sizes,
  limit: number,
  fits: (size: Size) => boolean,
): Element[] {
  const own = sizes.get(heading)?.text ?? 0;
  let widest: Element | undefined;
  for (let at = heading.parent; at !== null && at !== root; at = at.parent) {
    const size = sizes.get(at);
    if (size === undefined || size.text > limit || (size.titles > 0 && heading.name !== "h1")) break;
    if (size.text > own && fits(size)) widest = at;
  }
  if (widest) return [widest];
  const siblings = heading.parent?.children ?? [];
  const following: Element[] = [];
  const sum = {
    text: 0,
    linked: 0,
    controls: 0,
    parts: 0,
    titles: 0,
    headings: 0,
    menus: 0,
    cookies: 0,
    rights: 0,
    digits: 0,
  };
  for (const next of siblings.slice(siblings.indexOf(heading) + 1)) {
    if (typeof next === "string") continue;
    if (isHeading(next) && next.name <= heading.name) break;
    const size = sizes.get(next);
    if (size === undefined) continue;
    following.push(next);
    sum.text += size.text;
    sum.linked += size.linked;
    sum.controls += size.controls;
  }
  return sum.text > 0 && sum.text <= limit && fits(sum) ? [heading, ...following] : [];
}

const isTitleLike = ({ name, attributes }: Element, size: number) =>
  size < 60 && /^(p|div|span|strong)$/.test(name) && /title|heading/i.test(attributes.class ?? "");

/** Elements that are links and little else. A sentence that is a link as a whole stays. */
function isLinkList(element: Element, { text, linked }: Size): boolean {
  if (linked < text * 0.7 || !/^(aside|div|dl|ol|p|section|table|td|tr|ul)$/.test(element.name)) return false;
  if (linked < text * 0.95 && text > 300) return false;
  if (/^[uo]l$/.test(element.name) && isAnnounced(element)) return false;
  return !(element.name === "p" && /[.!?。\uff01\uff1f]["”»)]?$/.test(textOf(element, 400)));
}

/** A list that a sentence of the story leads to with a colon. */
function isAnnounced(list: Element): boolean {
  const siblings = list.parent?.children ?? [];
  // Lists stand near the start of what holds them, or the page is no story.
  const at = siblings.slice(0, MAX_SIBLINGS).indexOf(list);
  const before = siblings.slice(Math.max(0, at - 2), Math.max(0, at)).findLast((one) => typeof one !== "string");
  return (
    before !== undefined && typeof before !== "string" && before.name === "p" && /[:\uff1a]$/.test(textOf(before, 600))
  );
}

/** A cookie notice, or the small print at a page's end. */
function isNotice(element: Element, { text, rights, cookies, controls }: Size): boolean {
  const { name } = element;
  if (!/^(aside|div|footer|p|section|small|span|table|td|tr|ul)$/.test(name)) return false;
  return (
    (rights > 0 && text < 400) ||
    (cookies > 1 && controls > 0 && name !== "p" && text < 1_200 && CONSENT.test(textOf(element, 1_500)))
  );
}

import { collapseWhitespace, type Element, elementsOf, findElement, textOf } from "../../html/tree.ts";
import type { PageText } from "../types.ts";
import { addTo, emptySize, measure, namesOf, removeFromSizes, type Size, type Sizes } from "./sizes.ts";

const SEPARATOR = /\s(?:[|·•–—-]|::|»|«|›)\s|\s?\|\s?/gu;
/** Headings that many stories of a site share, in place of one of their own. */
const SHARED =
  /^(?:(?:our |all )?(?:customers?|case|success|client)(?: ?(?:stor(?:y|ies)|stud(?:y|ies)|success|spotlight|references?))?s?|testimonials?|resources?|blog|news|home|references?|portfolio|(?:kunden|anwender)?(?:referenz(?:en)?|berichte?|geschichten?)|erfolgsgeschichten?|fallstudien?|cas clients?|témoignages?|casos? de (?:éxito|estudio)|客户案例|案例|导入事例|導入事例|事例)$/i;

/** Whether a heading names the kind of page and nothing of this one. */
const isShared = (heading: string): boolean => SHARED.test(heading.trim());

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** A title without the site's name at its end or its start. */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  const names = siteNames.map(fold).filter((name) => name.length > 1);
  let rest = title.trim();
  for (let round = 0; round < 3; round++) {
    const parts = splitAt(rest);
    if (parts.length < 2) return rest;
    const last = parts.at(-1);
    const first = parts[0];
    if (last && (isShared(last.text) || isSite(last.text, names))) rest = rest.slice(0, last.from).trim();
    else if (first && parts[1] && isSite(first.text, names)) rest = rest.slice(parts[1].at).trim();
    else return rest;
  }
  return rest;
}

/** `at` is where a part starts, `from` where the separator before it does. */
function splitAt(title: string): { text: string; at: number; from: number }[] {
  const parts: { text: string; at: number; from: number }[] = [];
  let at = 0;
  let from = 0;
  for (const match of title.slice(0, 500).matchAll(SEPARATOR)) {
    parts.push({ text: title.slice(at, match.index), at, from });
    from = match.index;
    at = match.index + match[0].length;
  }
  parts.push({ text: title.slice(at), at, from });
  return parts;
}

function isSite(part: string, names: readonly string[]): boolean {
  const folded = fold(part);
  return (
    folded === "" ||
    names.some(
      (name) =>
        folded === name ||
        (folded.startsWith(name) && folded.length < name.length + 12 && !/\s(?:and|und|et|with|x|&)\s/i.test(part)),
    )
  );
}

/**
 * A page's own title: its heading, unless that names only the kind of page or the site; then the title that it gives
 * itself elsewhere. Null when there is none.
 */
export function chooseTitle(
  heading: string,
  others: readonly (string | null)[],
  siteNames: readonly string[],
): string | null {
  const own = withoutSite(heading, siteNames);
  // Behind a bar stands the site's name, even where the page tells it nowhere else.
  const stripped = others.flatMap((other) =>
    other === null ? [] : [withoutSite(other, siteNames).replace(/\s\|\s[^|]{1,30}$/, "")],
  );
  const names = siteNames.map(fold);
  const isOwn = (title: string) => /[\p{L}\p{N}]/u.test(title) && !isShared(title) && !names.includes(fold(title));
  const title = [own, ...stripped].find(isOwn) ?? [own, ...stripped].find((one) => one !== "");
  return title === undefined ? null : title.slice(0, 500).toWellFormed();
}

/** Names, roles and phrases by which the surroundings of a story are known. */
const NEVER_TEXT = new Set("button datalist dialog form input meter nav progress select".split(" "));
const ROLES =
  /^(alert|alertdialog|banner|contentinfo|dialog|menu|menubar|navigation|search|searchbox|status|tablist|toolbar|tooltip|button)$/;
const NAMES = new Set(
  (
    "ad ads advert advertisement banner-cookie breadcrumb breadcrumbs comments consent cookie cookies dialog disqus feedback footer gdpr " +
    "hamburger hubspot-form masthead megamenu menu modal nav navbar navigation newsletter offcanvas onetrust pager pagination paginator popup " +
    "promo related recommendation recommendations recommended share sharing sharedaddy signup sitemap skip skiplink social socials subscribe subscription " +
    "toc tooltip topbar announcement cc didomi cookiebot usercentrics"
  ).split(" "),
);
const HIDDEN_NAMES =
  /(?:^|\s)(sr-only|visually-hidden|visuallyhidden|screen-reader-text|hidden|is-hidden|d-none)(?:\s|$)/;
/** What stands beside one of these says how a page is laid out: `has-sidebar`, `no-nav`. */
const ABOUT_LAYOUT =
  /\b(has|no|with|without|is|not|main|page|content)-(nav|menu|toc|footer|cookie|sidebar|header|banner|social)/;

const RELATED =
  /^(related|similar|more (?:customer|case|success|stories|from|like|articles|posts|resources|to explore|great)|other (?:customer|case|success|stories|articles|posts|projects)|you (?:may|might) (?:also|be)|read (?:next|more)|up next|keep (?:reading|exploring)|explore (?:more|other|related)|recommended|discover more|see (?:more|other|all)|continue reading|latest (?:news|posts|articles|stories|from)|recent (?:posts|news|articles|stories)|what to read|suggested (?:reading|posts|articles|for you)|leave a (?:reply|comment)|join the discussion|\d+ (?:comments|replies|responses)$|further reading|next (?:story|article|post|case)|share (?:this|on)|tags?:?$|follow us|weitere |mehr (?:erfolg|geschichten|kunden|zum|über|fall)|ähnliche|verwandte|das könnte|auch interessant|autres |à lire|sur le même|articles (?:liés|similaires|connexes)|plus d|también te|otros |otras |más (?:casos|historias|artículos)|relacionad|altri |altre |outras |outros |gerelateerd|meer (?:klant|cases|verhalen)|相关|更多|推荐|相關|関連|その他の|おすすめ|관련)/i;
const CALL =
  /^(ready to\b|get started|start (?:your|for|a|building|today|now|free)|try (?:it|us|for|\w{1,20} (?:for )?(?:free|today|now))|talk to|speak (?:to|with)|contact (?:us|sales|our)|book (?:a|your)|request (?:a|your)|schedule (?:a|your)|see \w{1,30} in action|want to (?:learn|know|see|find)|interested in|learn more|join (?:us|our|the|thousands|over)|subscribe|sign up|stay (?:up|in|informed|tuned)|get (?:the|our|a|in touch|your|updates|free)|download (?:the|this|our|now)|let'?s (?:talk|get|build)|have (?:a|any) questions?|was this (?:page|helpful)|feedback|bereit|jetzt |kontakt|sprechen sie|haben sie fragen|mehr erfahren|newsletter|contactez|prêt|demandez|contacta|solicita|¿(?:listo|quieres|necesitas))/i;
const CONSENT =
  /accept|consent|agree|preferences|privacy|allow|zustimm|akzeptier|einwillig|datenschutz|accepte|autoris|acept|同意|接受/i;
/** What readers wrote below a story; it may be longer than the story. */
const COMMENTS = /(?:^|[\s_-])(?:comments|comment-?(?:list|area|section|thread)|respond|disqus)(?:$|[\s_-])/i;
const CALLING =
  /^(?:get (?:started|a demo|in touch)|start (?:now|free|for free|your free trial|a free trial|building|today)|try (?:it |for )?(?:free|now)|(?:book|request|schedule|watch|see|get) (?:a |the |your )?(?:\w{1,12} )?(?:demo|call|meeting|trial)|sign up(?: (?:free|now|for free))?|contact (?:us|sales)|talk to (?:us|sales|an expert)|subscribe|download (?:now|pdf|the pdf|case study)|demo (?:buchen|anfordern)|jetzt (?:testen|starten|anfragen)|kontakt(?:ieren sie uns)?|kostenlos testen|demander une démo|essai gratuit|solicitar (?:una )?demo|立即(?:体验|试用|咨询)|免费试用)\b/i;

/**
 * What stands around a story on a page and is none of it: menus, footers, cookie banners, related stories, calls to
 * action. Case-study pages put results into heroes, cards and sidebars, so what is not known as surroundings stays.
 */

/** Headings that are taken for the start of surroundings; more of them are no page of ours. */
const MAX_SECTIONS = 50;
const MAX_SIBLINGS = 500;

const isHeading = (element: Element) => /^h[1-6]$/.test(element.name);

/** Elements that no reader sees, or that are known as surroundings by their name, role, class or id. */
function dropSurroundings(body: Element, sizes: Sizes): Set<Element> {
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
function dropByContent(root: Element, sizes: Sizes, dropped: Set<Element>): void {
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
  const sum = emptySize();
  for (const next of siblings.slice(siblings.indexOf(heading) + 1)) {
    if (typeof next === "string") continue;
    if (isHeading(next) && next.name <= heading.name) break;
    const size = sizes.get(next);
    if (size === undefined) continue;
    following.push(next);
    addTo(sum, size);
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

/**
 * Where a page's story stands.
 *
 * Readability and defuddle pick the one element that reads most like an article. Case-study pages have no such element:
 * their results stand in heroes, cards and sidebars beside it. So this goes the other way: it takes the page's `main`
 * (or else the body), and drops what is known as surroundings. Only where neither `main` nor `article` says what is what
 * does the weight of the paragraphs decide.
 *
 * Measured against both (linkedom beneath them), mean word-F1 and median time: 11 pages as a site serves them 0.998 in
 * 4 ms, Readability 0.991 in 17 ms, defuddle 0.990 in 53 ms; 34 pages of a site's older HTML 0.997, 0.938, 0.993; 196
 * records in pages of five kinds 0.998, 0.996, 0.990. `test/evaluation/structure.json` holds what it is today.
 */

export interface Story {
  readonly body: Element;
  /** Holds the story and its header. */
  readonly root: Element;
  /** Elements below `body` that are no part of it. */
  readonly dropped: ReadonlySet<Element>;
  /** Those of them that are surroundings of the page, whichever part of it the story is. */
  readonly surroundings: ReadonlySet<Element>;
  readonly heading: Element | null;
  /** Of what is left. */
  readonly sizes: Sizes;
}

/** @param names titles that the page gives itself elsewhere: they tell its heading from a site's name */
export function findStory(page: Element, names: readonly string[]): Story {
  const body = findElement(page, ({ name }) => name === "body") ?? page;
  const sizes = measure(body);
  const gone = new Set<Element>();
  const dropped = dropSurroundings(body, sizes);
  removeFromSizes(dropped, sizes, gone);
  const marked = findMarked(body, dropped, sizes);
  dropByContent(marked ?? body, sizes, dropped);
  removeFromSizes(dropped, sizes, gone);
  if (marked) {
    dropByContent(body, sizes, dropped);
    removeFromSizes(dropped, sizes, gone);
  }
  const surroundings = new Set(dropped);
  const own = marked ? findHeading(marked, dropped, names) : null;
  const heading = own ?? findHeading(body, dropped, names);
  // A hero above the main part belongs to the story when it bears the title.
  const isApart = marked !== undefined && own === null && heading !== null && isStoryNamed(heading, names);
  const root = isApart ? commonAncestor(marked, heading) : (marked ?? body);
  trim(root, heading, sizes, dropped, marked !== undefined && !isApart);
  removeFromSizes(dropped, sizes, gone);
  return { body, root, dropped, surroundings, heading, sizes };
}

/** The element that the page itself calls its main part, if it holds enough of the text to be believed. */
function findMarked(body: Element, dropped: ReadonlySet<Element>, sizes: Sizes): Element | undefined {
  const total = sizes.get(body)?.text ?? 0;
  const textIn = (element: Element) => sizes.get(element)?.text ?? 0;
  const widest = (found: Element[]) => found.toSorted((a, b) => textIn(b) - textIn(a))[0];
  const mains: Element[] = [];
  const articles: Element[] = [];
  for (const element of elementsOf(body, dropped)) {
    if (element.name === "main" || element.attributes.role === "main") mains.push(element);
    else if (element.name === "article" || element.attributes.role === "article") articles.push(element);
  }
  const main = widest(mains);
  if (main && textIn(main) > total * 0.3) return main;
  const article = widest(articles);
  // Of many articles none is the story of the page, unless it outweighs the rest.
  const sum = articles.reduce((so, one) => so + textIn(one), 0);
  return article && textIn(article) > total * 0.4 && textIn(article) > sum * 0.6 ? article : undefined;
}

function commonAncestor(one: Element, other: Element): Element {
  const above = new Set<Element>();
  for (let at: Element | null = one; at !== null; at = at.parent) above.add(at);
  let at = other;
  while (!above.has(at) && at.parent) at = at.parent;
  return at;
}

const isStoryNamed = (heading: Element, names: readonly string[]) =>
  names.some((name) => folded(name) === folded(textOf(heading, 300)));

const folded = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** The `h1` or another heading that says what the page calls itself elsewhere; or else the first `h1` of its own. */
function findHeading(root: Element, dropped: ReadonlySet<Element>, names: readonly string[]): Element | null {
  const titles = names.map(folded).filter((name) => name.length > 3);
  let first: Element | null = null;
  let lesser: Element | null = null;
  let seen = 0;
  for (const element of elementsOf(root, dropped)) {
    if (!/^h[1-3]$/.test(element.name)) continue;
    const plain = textOf(element, 300);
    const text = folded(plain);
    if (text === "") continue;
    seen += 1;
    if (seen > 40) break;
    const isTold =
      text.length > 3 &&
      titles.some((title) => title === text || (title.includes(text) && text.length > title.length / 2));
    if (element.name === "h1" && (isTold || first === null || isShared(textOf(first, 300)))) first = element;
    else if (isTold) lesser ??= element;
    if (isTold && element.name === "h1") return element;
  }
  return first !== null && lesser !== null && isShared(textOf(first, 300)) ? lesser : (first ?? lesser);
}

/** Drops what stands before the heading, and on pages that mark no main part, what lies beside the paragraphs. */
function trim(root: Element, heading: Element | null, sizes: Sizes, dropped: Set<Element>, isMarked: boolean): void {
  const total = sizes.get(root)?.text ?? 0;
  if (heading) {
    for (let at: Element = heading; at !== root && at.parent; at = at.parent) {
      for (const sibling of at.parent.children) {
        if (sibling === at) break;
        if (typeof sibling === "string" || (sizes.get(sibling)?.text ?? 0) > total * 0.25) continue;
        if (!holdsFigure(sibling, sizes)) dropped.add(sibling);
      }
    }
  }
  if (isMarked) return;
  const weights = weigh(root, dropped);
  const all = weights.get(root) ?? 0;
  if (all === 0) return;
  let core = root;
  for (;;) {
    const next = core.children.find((child) => typeof child !== "string" && (weights.get(child) ?? 0) > all * 0.75);
    if (next === undefined || typeof next === "string") break;
    core = next;
  }
  let isAfter = false;
  for (let at = core; at !== root && at.parent; at = at.parent) {
    isAfter = false;
    for (const sibling of at.parent.children) {
      if (sibling === at) isAfter = true;
      else if (typeof sibling !== "string" && isAfter && !belongs(sibling, sizes, weights)) dropped.add(sibling);
    }
  }
}

/** After the story only figures, quotes and more paragraphs belong to it. */
function belongs(element: Element, sizes: Sizes, weights: ReadonlyMap<Element, number>): boolean {
  const size = sizes.get(element);
  if (size === undefined || size.text === 0 || size.linked > size.text * 0.3) return false;
  if ((weights.get(element) ?? 0) >= 200) return true;
  if (/^(blockquote|figure)$/.test(element.name) || findElement(element, ({ name }) => name === "blockquote"))
    return true;
  return (
    holdsFigure(element, sizes) || (size.text < 1_500 && size.controls === 0 && /^["“„«「]/.test(textOf(element, 40)))
  );
}

function holdsFigure(element: Element, sizes: Sizes): boolean {
  const size = sizes.get(element);
  return size !== undefined && size.text < 600 && size.controls === 0 && /\d\s?(%|x\b|×)/.test(textOf(element, 700));
}

/** Characters of paragraphs in each element; a run of text directly in an element is one when it is long. */
function weigh(root: Element, dropped: ReadonlySet<Element>): ReadonlyMap<Element, number> {
  const weights = new Map<Element, number>();
  const visit = (element: Element): number => {
    let weight = 0;
    for (const child of element.children) {
      if (typeof child === "string") weight += child.trim().length > 60 ? child.trim().length : 0;
      else if (child.name !== "a" && child.name !== "script" && !dropped.has(child)) weight += visit(child);
    }
    weights.set(element, weight);
    return weight;
  };
  visit(root);
  return weights;
}

const MAX_IMAGES = 100;
const MAX_LINKS = 500;
const MAX_ADDRESS = 2_048;

/** Pictures of the story and of what stands beside it in its main part: the client's logo often stands above the heading. */
export function findImages({ root, surroundings }: Story, base: string): PageText["images"] {
  const images: { src: string; alt: string }[] = [];
  for (const { name, attributes } of elementsOf(root, surroundings)) {
    if (images.length >= MAX_IMAGES) break;
    if (name !== "img") continue;
    const given = [
      attributes["data-src"],
      attributes["data-lazy-src"],
      attributes.src,
      attributes.srcset?.trim().split(/\s/)[0],
    ];
    const src = given.map((one) => resolve(one, base)).find((one) => one !== undefined);
    const alt = collapseWhitespace(attributes.alt ?? "")
      .slice(0, 300)
      .toWellFormed();
    if (src !== undefined && !images.some((image) => image.src === src && image.alt === alt)) images.push({ src, alt });
  }
  return images;
}

export function findLinks({ root, dropped }: Story, base: string): PageText["links"] {
  const links: { href: string; text: string }[] = [];
  const seen = new Set<string>();
  for (const element of elementsOf(root, dropped)) {
    if (links.length >= MAX_LINKS) break;
    if (element.name !== "a" || (element.attributes.href ?? "").startsWith("#")) continue;
    const href = resolve(element.attributes.href, base);
    const text = textOf(element, 300);
    if (href === undefined || seen.has(`${href} ${text}`)) continue;
    seen.add(`${href} ${text}`);
    links.push({ href, text });
  }
  return links;
}

function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.length > MAX_ADDRESS) return undefined;
  const url = URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_ADDRESS ? url.href : undefined;
}

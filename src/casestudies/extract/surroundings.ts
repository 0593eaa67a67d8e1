import { type Element, elementsOf, textOf } from "../../html/tree.ts";
import { addTo, emptySize, namesOf, type Size, type Sizes } from "./sizes.ts";

/**
 * Finds what surrounds a story on its page: menus, footers, cookie banners, related stories, calls to action. Pages of case
 * studies put results into heroes, cards and sidebars, so everything that is not known as surroundings is kept.
 */

const CONTROLS = new Set("button datalist dialog form input meter nav progress select".split(" "));
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
/** Classes that describe the layout of a page: `has-sidebar`, `no-nav`. */
const LAYOUT_NAMES =
  /\b(has|no|with|without|is|not|main|page|content)-(nav|menu|toc|footer|cookie|sidebar|header|banner|social)/;

/** Headings of other stories, comments and sharing. */
const RELATED =
  /^(related|similar|more (?:customer|case|success|stories|from|like|articles|posts|resources|to explore|great)|other (?:customer|case|success|stories|articles|posts|projects)|you (?:may|might) (?:also|be)|read (?:next|more)|up next|keep (?:reading|exploring)|explore (?:more|other|related)|recommended|discover more|see (?:more|other|all)|continue reading|latest (?:news|posts|articles|stories|from)|recent (?:posts|news|articles|stories)|what to read|suggested (?:reading|posts|articles|for you)|leave a (?:reply|comment)|join the discussion|\d+ (?:comments|replies|responses)$|further reading|next (?:story|article|post|case)|share (?:this|on)|tags?:?$|follow us|weitere |mehr (?:erfolg|geschichten|kunden|zum|über|fall)|ähnliche|verwandte|das könnte|auch interessant|autres |à lire|sur le même|articles (?:liés|similaires|connexes)|plus d|también te|otros |otras |más (?:casos|historias|artículos)|relacionad|altri |altre |outras |outros |gerelateerd|meer (?:klant|cases|verhalen)|相关|更多|推荐|相關|関連|その他の|おすすめ|관련)/i;
/** Headings of calls to action. */
const CALL =
  /^(ready to\b|get started|start (?:your|for|a|building|today|now|free)|try (?:it|us|for|\w{1,20} (?:for )?(?:free|today|now))|talk to|speak (?:to|with)|contact (?:us|sales|our)|book (?:a|your)|request (?:a|your)|schedule (?:a|your)|see \w{1,30} in action|want to (?:learn|know|see|find)|interested in|learn more|join (?:us|our|the|thousands|over)|subscribe|sign up|stay (?:up|in|informed|tuned)|get (?:the|our|a|in touch|your|updates|free)|download (?:the|this|our|now)|let'?s (?:talk|get|build)|have (?:a|any) questions?|was this (?:page|helpful)|feedback|bereit|jetzt |kontakt|sprechen sie|haben sie fragen|mehr erfahren|newsletter|contactez|prêt|demandez|contacta|solicita|¿(?:listo|quieres|necesitas))/i;
const CONSENT =
  /accept|consent|agree|preferences|privacy|allow|zustimm|akzeptier|einwillig|datenschutz|accepte|autoris|acept|同意|接受/i;
/** Comments of readers, which may be longer than the story. */
const COMMENTS = /(?:^|[\s_-])(?:comments|comment-?(?:list|area|section|thread)|respond|disqus)(?:$|[\s_-])/i;
/** Texts of links and buttons that call to action. */
const CALL_LINK =
  /^(?:get (?:started|a demo|in touch)|start (?:now|free|for free|your free trial|a free trial|building|today)|try (?:it |for )?(?:free|now)|(?:book|request|schedule|watch|see|get) (?:a |the |your )?(?:\w{1,12} )?(?:demo|call|meeting|trial)|sign up(?: (?:free|now|for free))?|contact (?:us|sales)|talk to (?:us|sales|an expert)|subscribe|download (?:now|pdf|the pdf|case study)|demo (?:buchen|anfordern)|jetzt (?:testen|starten|anfragen)|kontakt(?:ieren sie uns)?|kostenlos testen|demander une démo|essai gratuit|solicitar (?:una )?demo|立即(?:体验|试用|咨询)|免费试用)\b/i;

/** Headings and links that are checked for surroundings. */
const MAX_SECTIONS = 50;
/** Children of one element that are searched for a list. */
const MAX_SIBLINGS = 500;

export const isHeading = (element: Element) => /^h[1-6]$/.test(element.name);

/** Finds elements that are invisible, or surroundings by their name, role, class or id. */
export function findSurroundings(body: Element, sizes: Sizes): Set<Element> {
  const dropped = new Set<Element>();
  const total = sizes.get(body)?.text ?? 0;
  const visit = (element: Element, inStory: boolean) => {
    for (const child of element.children) {
      if (typeof child === "string") continue;
      const size = sizes.get(child);
      if (size === undefined) continue;
      const isSmall = size.text < total * 0.4;
      const hasComments = size.text < total * 0.9 && size.titles === 0 && isComments(child);
      if (hasComments || isHidden(child, isSmall) || (isNamed(child, size, inStory) && mayDrop(child, size, isSmall)))
        dropped.add(child);
      else visit(child, inStory || /^(article|main)$/.test(child.name) || child.attributes.role === "main");
    }
  };
  visit(body, false);
  return dropped;
}

const isComments = ({ attributes }: Element) =>
  COMMENTS.test(attributes.class ?? "") || COMMENTS.test(attributes.id ?? "");

/** A large part, or one with a title, is the story whatever its class says. */
const mayDrop = ({ name, attributes }: Element, { parts }: Size, isSmall: boolean) =>
  name === "nav" || attributes.role === "navigation" || (isSmall && parts === 0);

function isHidden({ name, attributes }: Element, isSmall: boolean): boolean {
  // Tabs show one part of the story at a time.
  if (attributes.role === "tabpanel") return false;
  if (attributes.hidden !== undefined || name === "template") return true;
  if (attributes.style !== undefined && /display:\s?none|visibility:\s?hidden/i.test(attributes.style)) return isSmall;
  if (attributes["aria-hidden"] === "true") return isSmall;
  return attributes.class !== undefined && isSmall && HIDDEN_NAMES.test(attributes.class);
}

function isNamed(element: Element, size: Size, inStory: boolean): boolean {
  const { name, attributes } = element;
  if (CONTROLS.has(name)) return true;
  // The footer of a quote names the speaker.
  if (name === "footer") return !isQuoted(element);
  if (attributes.role !== undefined && ROLES.test(attributes.role)) return true;
  if (name === "header" && !inStory) return size.headings === 0 || size.menus > 0;
  if (name === "body" || name === "html" || isHeading(element)) return false;
  const names = namesOf(element);
  return names.some((one) => NAMES.has(one)) && !isQuoted(element) && !LAYOUT_NAMES.test(attributes.class ?? "");
}

function isQuoted(element: Element): boolean {
  for (let at = element.parent; at !== null; at = at.parent) {
    if (/^(blockquote|figure|q)$/.test(at.name)) return true;
    if (/^(article|main|body)$/.test(at.name)) return false;
  }
  return false;
}

/** Adds to `dropped` the elements below `root` that are surroundings by their text or because they are mostly links. */
export function dropByContent(root: Element, sizes: Sizes, dropped: Set<Element>): void {
  const total = sizes.get(root)?.text ?? 0;
  let sections = 0;
  for (const element of elementsOf(root, dropped)) {
    const size = sizes.get(element);
    if (size === undefined || size.text === 0) continue;
    if (isLinkList(element, size) || (size.text < total * 0.4 && isNotice(element, size))) dropped.add(element);
    else if (element.name === "a") {
      if (sections < MAX_SECTIONS && size.text < 30 && CALL_LINK.test(textOf(element, 60))) {
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

/** The largest small element with a heading around a call to action. */
function callAround(link: Element, root: Element, sizes: Sizes): Element | undefined {
  let widest: Element | undefined;
  for (let at = link.parent; at !== null && at !== root; at = at.parent) {
    const size = sizes.get(at);
    // Several headings are those of facts or cards.
    if (size === undefined || size.text > 220 || size.titles > 0 || size.headings > 1) break;
    if (size.headings > 0) widest = at;
  }
  return widest;
}

/** The largest element around a heading that `fits` and has at most `limit` characters, or else the heading and what follows it. */
function sectionOf(
  heading: Element,
  root: Element,
  sizes: Sizes,
  limit: number,
  fits: (size: Size) => boolean,
): Element[] {
  const headingSize = sizes.get(heading)?.text ?? 0;
  let widest: Element | undefined;
  for (let at = heading.parent; at !== null && at !== root; at = at.parent) {
    const size = sizes.get(at);
    if (size === undefined || size.text > limit || (size.titles > 0 && heading.name !== "h1")) break;
    if (size.text > headingSize && fits(size)) widest = at;
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

/** Whether an element is mostly links. A whole sentence in a link is not. */
function isLinkList(element: Element, { text, linked }: Size): boolean {
  if (linked < text * 0.7 || !/^(aside|div|dl|ol|p|section|table|td|tr|ul)$/.test(element.name)) return false;
  if (linked < text * 0.95 && text > 300) return false;
  if (/^[uo]l$/.test(element.name) && isAnnounced(element)) return false;
  return !(element.name === "p" && /[.!?。\uff01\uff1f]["”»)]?$/.test(textOf(element, 400)));
}

/** Whether a paragraph before a list ends in a colon. */
function isAnnounced(list: Element): boolean {
  const siblings = list.parent?.children ?? [];
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

import { folded, type MarkupReader, readMarkup, type Tag } from "../../html/markup.ts";
import { addressOf } from "./address.ts";

/** Which part of a page an element is. */

const MENU_ROLE = /^(?:navigation|banner|contentinfo|search|dialog|menu|menubar)$/;
const MENU_CLASS =
  /(?:^|\s)(?:nav|navbar|navigation|(?:main|site|top|primary|mobile|mega)-?(?:nav|menu|header)|menu|footer|(?:site|page|main)-?footer|breadcrumbs?|cookie[\w-]{0,30}|skip-link)(?:\s|$)/i;

/** The element and its first class: those after it, and numbers, often tell one card from the next. */
function shapeOf(name: string, attributes: Tag["attributes"]): string {
  const [first = ""] = (attributes.get("class") ?? "").slice(0, 120).trim().split(/\s/, 1);
  return `${name}.${first.replace(/\d+/g, "#")}`;
}

/** Whether the element belongs to the site's frame: its menus, its header, its footer, what lies over the page. */
function isMenu(name: string, attributes: Tag["attributes"], insideMain: boolean): boolean {
  if (name === "nav") return true;
  if ((name === "header" || name === "footer") && !insideMain) return true;
  if (name === "body" || name === "html" || name === "main") return false;
  return MENU_ROLE.test(attributes.get("role") ?? "") || MENU_CLASS.test((attributes.get("class") ?? "").slice(0, 500));
}

/** What one HTML page shows of its structure, its text and its links: all that a crawl decides by. */

export interface PageLink {
  readonly url: string;
  /** What is written on it, its label, or its picture's alternative text. */
  readonly text: string;
  readonly rel: string;
  /** Outside of menus, headers and footers of the site. */
  readonly inMain: boolean;
  /** Elements and classes around it; links of repeated cards share it. */
  readonly shape: string;
}

export interface PageFacts {
  readonly title: string | null;
  readonly heading: string | null;
  readonly siteName: string | null;
  /** As the page says it, lower case. */
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
  /** Inline JSON and scripts, at most 2 Mi characters in all. */
  readonly scripts: readonly string[];
  /** Values of data attributes that look like addresses, as they were written. */
  readonly dataAddresses: readonly string[];
  readonly asksForPassword: boolean;
  readonly quotes: number;
  /** Terms of definition lists and short labels in bold. */
  readonly labels: readonly string[];
  /** Text of the main part without that of links standing alone, white space folded. */
  readonly prose: string;
  /** Characters of links in the main part, against {@link prose}. */
  readonly linkedCharacters: number;
}

export interface Alternate {
  readonly language: string;
  readonly url: string;
}

const MAX_LINKS = 2_000;
const MAX_SCRIPTS = 2_097_152;
const MAX_PROSE = 200_000;
const SILENT = new Set(["script", "style", "template", "svg", "noscript", "iframe", "object", "select", "head"]);
const BLOCKS =
  /^(?:address|article|blockquote|br|div|dd|dl|dt|figcaption|h[1-6]|li|main|ol|p|section|table|td|th|tr|ul)$/;

interface Open {
  readonly name: string;
  readonly shape: string;
  readonly menu: boolean;
  readonly silent: boolean;
}

interface Link {
  readonly url: string | null;
  readonly rel: string;
  readonly label: string;
  readonly shape: string;
  readonly inMain: boolean;
  readonly inParagraph: boolean;
  text: string;
}

export function readPageFacts(html: string, url: string): PageFacts {
  const stack: Open[] = [];
  const facts = {
    title: "",
    heading: "",
    siteName: null as string | null,
    language: null as string | null,
    canonical: null as string | null,
    robots: "",
    headings: [] as string[],
    links: [] as PageLink[],
    alternates: [] as Alternate[],
    feeds: [] as string[],
    next: null as string | null,
    jsonLd: [] as string[],
    scripts: [] as string[],
    dataAddresses: [] as string[],
    asksForPassword: false,
    quotes: 0,
    labels: [] as string[],
    linkedCharacters: 0,
  };
  let base = url;
  const prose: string[] = [];
  let [proseLength, mainDepth] = [0, 0];
  let scriptRoom = MAX_SCRIPTS;
  let link: Link | null = null;
  /** The element whose whole text is being gathered: a heading, a label, a title, a script. */
  let gathered: { readonly name: string; readonly depth: number; parts: string[]; length: number } | null = null;
  let scriptType = "";

  const say = (text: string) => {
    if (proseLength >= MAX_PROSE) return;
    prose.push(text);
    proseLength += text.length;
  };
  const gather = (name: string) => {
    gathered = { name, depth: stack.length, parts: [], length: 0 };
  };

  const reader: MarkupReader = {
    open({ name, attributes }, alone) {
      const above = stack.at(-1);
      if (name === "a") link = startLink(attributes);
      else if (name === "img" && link && !above?.silent) link.text += ` ${attributes.get("alt")?.slice(0, 200) ?? ""}`;
      else if (name === "meta") readMeta(attributes);
      else if (name === "link") readLink(attributes);
      else if (name === "base") base = addressOf(attributes.get("href") ?? "", url) ?? base;
      else if (name === "html") facts.language = attributes.get("lang")?.slice(0, 20).toLowerCase() || null;
      else if (name === "input" && /^password$/i.test(attributes.get("type") ?? "")) facts.asksForPassword = true;
      else if (name === "blockquote" || name === "q") facts.quotes += 1;
      readData(attributes);
      if (BLOCKS.test(name)) say(" ");
      if (alone) return;
      if (name === "main" || name === "article") mainDepth += 1;
      stack.push({
        name,
        shape: shapeOf(name, attributes),
        menu: (above?.menu ?? false) || isMenu(name, attributes, mainDepth > 0),
        silent: (above?.silent ?? false) || SILENT.has(name),
      });
      if (name === "script") scriptType = (attributes.get("type") ?? "").toLowerCase();
      if (name === "script" || name === "title") gather(name);
      else if (gathered === null && /^(?:h[1-3]|dt|th|strong|b)$/.test(name)) gather(name);
    },
    close(name) {
      if (gathered !== null && gathered.name === name && gathered.depth === stack.length)
        finish(gathered.parts.join(""));
      const closed = stack.pop();
      if (name === "main" || name === "article") mainDepth -= 1;
      if (name === "a" && closed) endLink();
      if (BLOCKS.test(name)) say(" ");
    },
    text(text) {
      const top = stack.at(-1);
      if (gathered !== null && gathered.length < MAX_SCRIPTS) {
        gathered.parts.push(text);
        gathered.length += text.length;
      }
      if (top?.silent) return;
      if (link !== null && link.text.length < 300) link.text += text.slice(0, 300);
      if (top?.menu) return;
      if (link !== null && !link.inParagraph) facts.linkedCharacters += text.trim().length;
      else say(text);
    },
  };

  function startLink(attributes: Tag["attributes"]): Link {
    const above = stack.at(-1);
    const around = stack.slice(-4).map(({ shape }) => shape);
    return {
      url: facts.links.length < MAX_LINKS ? addressOf(attributes.get("href") ?? "#", base) : null,
      rel: (attributes.get("rel") ?? "").toLowerCase().slice(0, 100),
      label: (attributes.get("aria-label") ?? attributes.get("title") ?? "").slice(0, 300),
      shape: [...around, shapeOf("a", attributes)].join(">"),
      inMain: !(above?.menu ?? false) && !(above?.silent ?? false),
      inParagraph: stack.slice(-8).some(({ name }) => name === "p" || name === "blockquote" || name === "td"),
      text: "",
    };
  }

  function endLink() {
    if (link?.url) {
      const text = folded(link.text).slice(0, 300) || folded(link.label);
      facts.links.push({ url: link.url, text, rel: link.rel, inMain: link.inMain, shape: link.shape });
      if (/\bnext\b/.test(link.rel)) facts.next ??= link.url;
    }
    link = null;
  }

  function finish(text: string) {
    const name = gathered?.name ?? "";
    gathered = null;
    if (name === "script") return keepScript(text);
    const clean = folded(text).slice(0, 300);
    if (name === "title") facts.title ||= clean;
    else if (clean !== "" && name.startsWith("h") && !stack.at(-1)?.menu) {
      if (name === "h1") facts.heading ||= clean;
      if (facts.headings.length < 80) facts.headings.push(clean);
    } else if (clean !== "" && clean.length <= 40 && facts.labels.length < 200) facts.labels.push(clean);
  }

  function keepScript(text: string) {
    if (/^application\/ld\+json/.test(scriptType)) {
      if (facts.jsonLd.length < 20) facts.jsonLd.push(text.slice(0, 524_288));
    } else if (text.trim() !== "" && scriptRoom > 0) {
      facts.scripts.push(text.slice(0, scriptRoom));
      scriptRoom -= text.length;
    }
  }

  function readMeta(attributes: Tag["attributes"]) {
    const name = (attributes.get("name") ?? attributes.get("property") ?? "").toLowerCase();
    const content = attributes.get("content") ?? "";
    if (name === "og:site_name") facts.siteName ??= folded(content).slice(0, 100) || null;
    else if (name === "robots" || name === "casefile") facts.robots += ` ${content.toLowerCase().slice(0, 200)}`;
    else if (name === "og:title") facts.title ||= folded(content).slice(0, 300);
  }

  function readLink(attributes: Tag["attributes"]) {
    const rel = (attributes.get("rel") ?? "").toLowerCase();
    const target = addressOf(attributes.get("href") ?? "", base);
    if (target === null) return;
    const language = (attributes.get("hreflang") ?? "").toLowerCase().slice(0, 20);
    if (/\bcanonical\b/.test(rel)) facts.canonical ??= target;
    else if (/\bnext\b/.test(rel)) facts.next ??= target;
    else if (/\balternate\b/.test(rel) && language !== "") {
      if (facts.alternates.length < 100) facts.alternates.push({ language, url: target });
    } else if (/\balternate\b/.test(rel) && /(?:rss|atom)\+xml/i.test(attributes.get("type") ?? "")) {
      if (facts.feeds.length < 5) facts.feeds.push(target);
    }
  }

  function readData(attributes: Tag["attributes"]) {
    for (const [name, value] of attributes) {
      if (facts.dataAddresses.length >= 100) return;
      if (/^data-|^hx-get$/.test(name) && value.length < 500 && /^(?:https?:\/)?\/[\w.~-]/.test(value))
        facts.dataAddresses.push(value);
    }
  }

  readMarkup(html, reader);
  const { title, heading, ...rest } = facts;
  return { ...rest, title: title || null, heading: heading || null, prose: folded(prose.join("")) };
}

import { collapseWhitespace, type Element, elementsOf, textOf } from "../../html/tree.ts";
import { isFigure, rowsOf } from "./markdown.ts";
import type { Sizes } from "./sizes.ts";

/** Finds the labels of a story: "Industry: Retail" in a sidebar, a card, a definition list or a row of a table. */

export interface Label {
  readonly name: string | null;
  readonly value: string;
}

const MAX_LABELS = 100;
const MAX_NAME = 40;
const MAX_VALUE = 160;
/** Most characters of an element that is read as a set of labels. */
const MAX_SET = 700;
const MAX_LEAVES = 60;
const MAX_TABLE = 3_000;
/** Cells of a grid of facts. */
const MAX_CELLS = 12;

const NAMES = new Set(
  (
    "industry|industries|sector|sectors|vertical|industry/sector|branche|branchen|industrie|industriezweig|secteur|secteurs|secteur d'activité|sector industrial|industria|settore|行业|所属行业|業界|業種|" +
    "company|company name|customer|customer name|client|client name|organization|organisation|kunde|unternehmen|firma|cliente|empresa|azienda|entreprise|客户|公司|企業名|会社名|お客様|" +
    "location|locations|headquarters|headquarter|hq|head office|based in|country|countries|region|regions|geography|city|standort|standorte|land|ort|sitz|hauptsitz|firmensitz|ubicación|país|región|lieu|localisation|pays|région|siège|sede|paese|地区|国家|所在地|本社|" +
    "company size|size|employees|number of employees|employee count|no. of employees|team size|workforce|headcount|mitarbeiter|mitarbeitende|mitarbeiterzahl|anzahl mitarbeiter|unternehmensgröße|größe|empleados|tamaño|effectif|effectifs|employés|nombre d'employés|taille|dipendenti|规模|员工|従業員数|" +
    "founded|year founded|founded in|established|gegründet|gründung|gründungsjahr|fundada|fondée|fondée en|设立|設立|revenue|annual revenue|umsatz|funding|stage|company stage|" +
    "website|web|url|site|webseite|homepage|sitio web|site web|网站|" +
    "product|products|products used|product used|products & services|products and services|solutions used|services|service|services used|features|features used|modules|produkt|produkte|eingesetzte produkte|leistungen|produits|produits utilisés|productos|prodotti|产品|使用产品|製品|導入製品|" +
    "tools|tools used|technology|technologies|tech stack|technology stack|stack|integrations|platform|platforms|languages|technologien|technologie|technologies utilisées|tecnologías|技术|技術|" +
    "use case|use cases|application|applications|topic|topics|category|categories|tag|tags|type|business need|business needs|department|departments|team|teams|function|role|anwendungsfall|anwendungsfälle|einsatzbereich|thema|themen|kategorie|kategorien|cas d'usage|catégorie|caso de uso|categoría|标签|分类|カテゴリー|" +
    "partner|partners|implementation partner|project|project type|project duration|duration|timeline|users|number of users|date|published|published on|publication date|last updated|author|written by"
  ).split("|"),
);

/** "Company headquarters", "Our customer's industry", "Wardly products": words around a name that do not change what it means. */
const QUALIFIED =
  /^(?:(?:the|our|main|primary|global|corporate|company|customer|client|organi[sz]ation)(?:['’]s)? )?(.+?)(?: (?:used|in use|name|details|info))?$/;
const nameOf = (text: string): string | undefined => {
  const name = text.replace(/\s?[:\uff1a]\s?$/, "").trim();
  if (name.length > MAX_NAME) return undefined;
  const key = name.toLowerCase();
  return NAMES.has(key) || NAMES.has(QUALIFIED.exec(key)?.[1] ?? "") ? name : undefined;
};
/** `Industry: Retail` in one text. */
const pairIn = (text: string): Label | undefined => {
  const [, name = "", value = ""] = /^([^:\uff1a]{2,40})\s?[:\uff1a]\s?(\S.{0,160})$/.exec(text) ?? [];
  return nameOf(name) && isValue(value) ? { name: name.trim(), value } : undefined;
};
/** Whether a text is short enough for a value and not a sentence. */
const isValue = (text: string) =>
  text.length > 0 &&
  text.length <= MAX_VALUE &&
  !/[.!?。]\s\p{Lu}/u.test(text) &&
  !(/[.!?。]$/.test(text) && text.split(" ").length > 4);

export interface Labels {
  readonly labels: readonly Label[];
  /** Elements that contain only labels, and are not part of the story's text. */
  readonly elements: ReadonlySet<Element>;
}

/** @param dropped surroundings of the page */
export function findLabels(root: Element, sizes: Sizes, dropped: ReadonlySet<Element>): Labels {
  const found: Label[] = [];
  const elements = new Set<Element>();
  const add = (name: string | null, value: string) => {
    const text = collapseWhitespace(value).replace(/^[\s:,|·•-]+|[\s:,|·•]+$/g, "");
    if (found.length >= MAX_LABELS || text === "" || text.length > MAX_VALUE) return;
    if (!found.some((label) => label.name === name && label.value === text)) found.push({ name, value: text });
  };
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (typeof child === "string" || dropped.has(child) || child.name === "script" || found.length >= MAX_LABELS)
        continue;
      const size = sizes.get(child)?.text ?? 0;
      if (size < 3) continue;
      const isSet =
        child.name === "dl"
          ? readTerms(child)
          : child.name === "table"
            ? size < MAX_TABLE && readRows(child)
            : (size <= MAX_SET && readGrid(child)) ||
              (size <= MAX_SET && !/^(h[1-6]|pre|a|blockquote)$/.test(child.name) && readSet(child));
      if (isSet) elements.add(child);
      else if (child.name !== "dl") visit(child);
    }
    readSiblings(element);
  };

  /** Each `dt` with its `dd`. Returns whether all are known labels; other terms may be results of the story. */
  const readTerms = (list: Element): boolean => {
    let name = "";
    let isSet = true;
    for (const part of elementsOf(list, dropped)) {
      if (part.name === "dt") name = textOf(part, MAX_NAME + 10).replace(/\s?[:\uff1a]$/, "");
      else if (part.name === "dd") isSet = addPair(name, textOf(part, MAX_VALUE + 40)) && isSet;
    }
    return isSet;
  };
  const readRows = (table: Element): boolean => {
    const rows = rowsOf(table, dropped);
    let isSet = rows.length > 0;
    for (const [name, value, ...more] of rows) {
      const isPair = name !== undefined && value !== undefined && more.length === 0;
      const term = isPair ? textOf(name, MAX_NAME + 10).replace(/\s?[:\uff1a]$/, "") : "";
      isSet = isPair && nameOf(term) !== undefined && addPair(term, textOf(value, MAX_VALUE + 40)) && isSet;
    }
    return isSet;
  };
  /** Returns whether the name is a known label. */
  const addPair = (name: string, value: string): boolean => {
    if (name === "" || name.length > MAX_NAME || isFigure(name) || isFigure(value) || !isValue(value)) return false;
    add(name, value);
    return nameOf(name) !== undefined;
  };
  /** Cells of the same kind with two texts each. One known name of two shows that the others are names too. */
  const readGrid = (element: Element): boolean => {
    const cells = [...element.children].filter(
      (child) => typeof child !== "string" && !dropped.has(child),
    ) as Element[];
    const [first] = cells;
    if (first === undefined || cells.length < 2 || cells.length > MAX_CELLS || /^t[rdh]$/.test(first.name))
      return false;
    const pairs: [string, string][] = [];
    for (const cell of cells) {
      if (cell.name !== first.name || cell.attributes.class !== first.attributes.class) return false;
      const [name = "", value = "", ...more] = piecesOf(cell, dropped, 3);
      if (value === "" || more.length > 0 || name.length > MAX_NAME || isFigure(name) || !isValue(value)) return false;
      pairs.push([name.replace(/\s?[:\uff1a]$/, ""), value]);
    }
    const known = pairs.filter(([name]) => nameOf(name) !== undefined).length;
    if (known * 2 < pairs.length) return false;
    for (const [name, value] of pairs) add(name, value);
    return true;
  };
  /** An element whose texts are alternately names and values, starting with a name. */
  const readSet = (element: Element): boolean => {
    const pieces = piecesOf(element, dropped, MAX_LEAVES);
    if (pieces.length === 0 || pieces.length >= MAX_LEAVES) return false;
    const labels: { name: string; values: string[] }[] = [];
    for (const piece of pieces) {
      const pair = pairIn(piece);
      // After the first label, any text that ends in a colon is a name.
      const isNext = labels.length > 0 && /^[^:\uff1a]{2,40}[:\uff1a]$/.test(piece);
      const name = pair ? undefined : (nameOf(piece) ?? (isNext ? piece.replace(/\s?[:\uff1a]$/, "") : undefined));
      if (pair) labels.push({ name: pair.name ?? "", values: [pair.value] });
      else if (name !== undefined) labels.push({ name, values: [] });
      else if (labels.length === 0) return false;
      else labels.at(-1)?.values.push(piece);
    }
    const filled = labels.filter(({ values }) => values.length > 0);
    const isPlain = filled.every(
      ({ values }) => values.length <= 8 && values.every((value) => isValue(value) && value.length <= 120),
    );
    // A name before a sentence is a paragraph with a bold start.
    if (filled.length === 0 || !isPlain || labels.length - filled.length > 1) return false;
    for (const { name, values } of filled) for (const value of values) if (!/^[,;|/·•&]$/.test(value)) add(name, value);
    return true;
  };
  /** A name in one element and its value in the next, as in grids without an element for each pair. */
  const readSiblings = (element: Element) => {
    // Text between the elements makes them a sentence.
    if (element.children.some((child) => typeof child === "string" && /\S/.test(child))) return;
    let before: { name: string; element: Element } | undefined;
    for (const child of element.children) {
      if (typeof child === "string" || dropped.has(child) || elements.has(child)) continue;
      const size = sizes.get(child)?.text ?? 0;
      if (size === 0) continue;
      const text = size <= MAX_VALUE ? textOf(child, MAX_VALUE + 40) : "";
      if (
        before &&
        text !== "" &&
        text.length <= 100 &&
        isValue(text) &&
        !/[.!?。]$/.test(text) &&
        !/^h[1-6]$/.test(child.name) &&
        !nameOf(text)
      ) {
        add(before.name, text);
        elements.add(before.element).add(child);
        before = undefined;
        continue;
      }
      const name = text === "" ? undefined : nameOf(text);
      before = name === undefined ? undefined : { name, element: child };
    }
  };
  visit(root);
  return { labels: found, elements };
}

/** The texts inside an element, one for each text node. */
function piecesOf(element: Element, dropped: ReadonlySet<Element>, max: number): string[] {
  const pieces: string[] = [];
  const visit = (at: Element) => {
    for (const child of at.children) {
      if (pieces.length >= max) return;
      if (typeof child === "string") {
        const text = collapseWhitespace(child);
        if (text !== "") pieces.push(text.slice(0, 400));
      } else if (!dropped.has(child) && child.name !== "script") visit(child);
    }
  };
  visit(element);
  return pieces;
}

/** Texts of links with `rel=tag` or to the page of a tag, industry, topic or category. */
export function findTags(root: Element): string[] {
  const tags: string[] = [];
  for (const element of elementsOf(root)) {
    if (tags.length >= 40) break;
    if (element.name !== "a") continue;
    const isTag =
      /(^|\s)tag(\s|$)/.test(element.attributes.rel ?? "") ||
      /^\/?(?:[a-z-]{2,5}\/)?(?:[a-z-]{1,20}\/)?(?:tags?|industry|industries|topics?|category|categories)\/[^/?#]{2,60}\/?$/i.test(
        (element.attributes.href ?? "").replace(/^https?:\/\/[^/]+/, ""),
      );
    const text = isTag ? textOf(element, 80) : "";
    if (text !== "" && text.length <= 60 && !tags.includes(text)) tags.push(text);
  }
  return tags;
}

/** Results in large type: a number in one element, what it counts in the next. A reader sees one phrase; so do we. */
import { clean, type Sizes, textOf } from "../html/measure.ts";
import type { Element } from "../html/tree.ts";

const MAX_CARD = 400;
const MAX_LABEL = 110;
const MAX_PARTS = 16;
const UNIT =
  "%|percent|[xX×]|[kKmMbB]|bn|mn|[kK][bB]|[mMgGtTpP][bB]|mi(?:llion|llions)|million|billion|thousand|mio\\.?|mrd\\.?|" +
  "h(?:rs?|ours?)?|min(?:s|utes?)?|s(?:ecs?|econds?)?|ms|d(?:ays?)?|w(?:ks?|eeks?)|mo(?:nths?)?|y(?:rs?|ears?)|times|fold|pts?|points?|" +
  "fte|people|users|€|\\$|£|¥|eur|usd|kr|tage[n]?|stunden|wochen|monate[n]?|jahre[n]?|jours|heures|mois|días|horas|meses|倍|万|亿|小时|天|分钟|秒";
const NUMBER = "\\d{1,3}(?:[.,\\u00a0\\u202f' ]?\\d{3}){0,4}(?:[.,]\\d{1,3})?";
const AMOUNT = `[<>~≈≤≥+−–-]?\\s?(?:us)?[$€£¥]?\\s?${NUMBER}\\s?-?(?:${UNIT})?`;
/** `60%`, `$1.2M`, `3–4x`, `<5 min`, `Up to 40%`, `10,000+`, `24/7`. */
const FIGURE = new RegExp(
  `^(?:(?:up to|over|more than|less than|under|about|nearly|almost|around|only|bis zu|über|plus de|jusqu'à|más de|hasta|from)\\s)?${AMOUNT}` +
    `(?:\\s?(?:/|to|–|-|—|→|->|bis|à|a)\\s?${AMOUNT})?\\s?[+*]?(?:\\s(?:${UNIT}))?\\.?$`,
  "i",
);

/** Whether a text is a figure alone. A year is none, nor is the number of a step (`01`). */
export function isFigure(text: string): boolean {
  if (text.length === 0 || text.length > 40 || !/\d/.test(text)) return false;
  if (/^((19|20)\d\d|0\d|#\d.*)\.?$/.test(text)) return false;
  return FIGURE.test(text);
}

/**
 * The phrases of an element that shows figures with their labels: `60% lower cost`, or `Cost per order: -60%` where the
 * label comes first. Undefined when it is no such element.
 */
export function readFigures(element: Element, sizes: Sizes, dropped: ReadonlySet<Element>): string[] | undefined {
  const size = sizes.get(element);
  if (size === undefined || size.digits === 0 || size.text > MAX_CARD || size.text < 3) return undefined;
  if (element.children.length < 2) return undefined;
  const parts = partsOf(element, dropped);
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const figures = parts.filter(isFigure).length;
  if (figures === 0 || parts.some((part) => part.length > MAX_LABEL)) return undefined;
  const phrases: string[] = [];
  const figureFirst = isFigure(parts[0] ?? "");
  for (let at = 0; at < parts.length; ) {
    const first = parts[at] ?? "";
    const second = parts[at + 1] ?? "";
    // Each figure has one label and each label one figure, or this is no card.
    if (second === "" || isFigure(first) === isFigure(second) || isFigure(first) !== figureFirst) {
      if (figures > 1 || !figureFirst || parts.length > 3) return undefined;
      return [parts.join(" ")];
    }
    phrases.push(figureFirst ? `${first} ${second}` : `${first.replace(/[:\uff1a]$/, "")}: ${second}`);
    at += 2;
  }
  return phrases;
}

/** Texts of an element's children, one each; none for an element that is a box around another. */
function partsOf(element: Element, dropped: ReadonlySet<Element>): string[] {
  const parts: string[] = [];
  for (const child of element.children) {
    if (typeof child !== "string" && (dropped.has(child) || child.name === "script")) continue;
    const text = typeof child === "string" ? clean(child) : textOf(child, 200);
    if (text !== "") parts.push(text);
    if (parts.length > MAX_PARTS) break;
  }
  return parts;
}

/** Addresses from which a page's scripts would fetch more of its list, where the page shows them. */
import { addressOf, keyOf, sameSite, segmentsOf } from "./address.ts";
import { withoutPage } from "./listing.ts";
import type { PageFacts } from "./page-facts.ts";

export const MAX_MORE = 3;
export const MAX_MORE_PAGES = 20;
const SCRIPT_ADDRESS = /["'`]((?:https?:\/)?\/[\w.~-][^"'`\s<>\\]{1,300})["'`]/g;
const IS_DATA =
  /\/(?:api|ajax|wp-json|_next\/data|rest|graph)\/|\.json(?:[?#]|$)|\/(?:load-?more|more|feed)\b|[?&](?:page|offset|skip|paged|cursor|start|limit|per_page)=/i;
const OF_STORIES = /case|customer|client|stor(?:y|ies)|testimonial|reference|success|kunden|referenz|cliente/i;
const PAGE_PARAMETER = /^(?:page|p|paged|pg|page_?(?:no|number|index)|pageNumber)$/i;
const OFFSET_PARAMETER = /^(?:offset|skip|start|from)$/i;
const SIZE_PARAMETER = /^(?:limit|per_page|perPage|page_?size|pageSize|count|size|take|first)$/i;

/** Templates of such addresses, as the page writes them; at most {@link MAX_MORE}. */
export function findMoreAddresses(facts: PageFacts, listing: string): string[] {
  const written = facts.scripts.flatMap((text) =>
    [...text.replaceAll("\\/", "/").matchAll(SCRIPT_ADDRESS)].slice(0, 2_000).map(([, address = ""]) => address),
  );
  const found = new Map<string, string>();
  for (const address of [...facts.dataAddresses, ...written]) {
    if (found.size >= MAX_MORE) break;
    const first = moreAddress(address, 1, listing);
    if (first === null || !sameSite(first, listing) || !IS_DATA.test(address)) continue;
    if (keyOf(withoutPage(first)) === keyOf(withoutPage(listing))) continue;
    const under = segmentsOf(listing).at(-1);
    if (OF_STORIES.test(address) || (under !== undefined && address.toLowerCase().includes(under)))
      found.set(first, address);
  }
  return [...found.values()];
}

/** The address of page `number`, counted from 1. Null when the template is none, or names no page and `number` is not 1. */
export function moreAddress(template: string, number: number, base: string): string | null {
  const filled = template.replace(/\$\{[^}]{0,60}\}|\{\w{0,20}\}|%7B\w{0,20}%7D/gi, String(number));
  const address = addressOf(filled, base);
  const url = address === null ? null : URL.parse(address);
  if (!url) return null;
  if (filled !== template) return url.href;
  const parameters = [...url.searchParams];
  const page = parameters.find(([name]) => PAGE_PARAMETER.test(name));
  if (page) {
    const start = /^\d{1,4}$/.test(page[1]) ? Number(page[1]) : 1;
    url.searchParams.set(page[0], String(start + number - 1));
    return url.href;
  }
  const offset = parameters.find(([name]) => OFFSET_PARAMETER.test(name));
  if (offset) {
    const size = Number(parameters.find(([name]) => SIZE_PARAMETER.test(name))?.[1] ?? 10) || 10;
    const start = /^\d{1,5}$/.test(offset[1]) ? Number(offset[1]) : 0;
    url.searchParams.set(offset[0], String(start + (number - 1) * size));
    return url.href;
  }
  return number === 1 ? url.href : null;
}

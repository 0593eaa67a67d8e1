import type { FetchedPage, PageText } from "../../vocabulary/page.ts";
import { readHtml } from "./html/read-html.ts";

/**
 * A page's own text and what it says of itself. Bounded in every part, and never thrown at by what the page holds: an
 * unreadable page has an empty text and no title.
 */
export async function extractPage(page: FetchedPage): Promise<PageText> {
  return readHtml(page, String(page.content));
}

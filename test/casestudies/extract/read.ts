import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import type { PageText } from "../../../src/casestudies/types.ts";

export const URL_OF_PAGE = "https://www.routely.example/customers/pinecrest";

/** Reads a page of an invented site. */
export const read = (html: string, url = URL_OF_PAGE, language: string | null = null): Promise<PageText> =>
  extractPage({ url, kind: "html", content: html, language, last_modified: null });

/** Two paragraphs of a case study. */
export const STORY = `<p>Pinecrest moves chilled food for 120 supermarkets. Every morning four planners spent three hours on the
phone before the first truck left the yard.</p><p>The team rolled out the plan in six weeks, depot by depot, and took the whiteboard
down two weeks later. Dispatch now takes 70 minutes.</p>`;

export const inMain = (inside: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Pinecrest | Routely</title>${head}</head><body><main>${inside}</main></body></html>`;

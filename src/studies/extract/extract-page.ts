import type { FetchedPage, PageText } from "../../vocabulary/page.ts";
import { readHtml } from "./html/read-html.ts";
import { chooseLanguage } from "./language.ts";
import { type PdfLimits, readPdfInThread } from "./pdf/pdf-thread.ts";

/**
 * A page's own text and what it says of itself. Every part is bounded, and nothing that a page holds makes it throw: one
 * that cannot be read has an empty text and no title. HTML is read at once, a PDF in a thread of its own.
 */
export async function extractPage(page: FetchedPage, pdfLimits?: PdfLimits): Promise<PageText> {
  if (page.kind === "html")
    return readHtml(page, typeof page.content === "string" ? page.content : new TextDecoder().decode(page.content));
  const bytes = typeof page.content === "string" ? new TextEncoder().encode(page.content) : page.content;
  const found = await readPdfInThread(bytes, pdfLimits);
  return {
    url: page.url,
    canonical: null,
    title: found?.title ?? null,
    site_name: null,
    description: null,
    language: chooseLanguage([found?.language ?? null, page.language], found?.markdown ?? ""),
    published_at: found?.created ?? null,
    published_from: found?.created ? "pdf" : null,
    markdown: found?.markdown ?? "",
    images: [],
    links: [],
    labels: [],
    json_ld: [],
  };
}

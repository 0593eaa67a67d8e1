import { answering } from "../../processes/run-child.ts";
import type { FetchedPage, PageText } from "../types.ts";
import { extractHtml } from "./extract-page.ts";

/** Reads a page in this process. A hostile PDF may use any amount of time and memory, or end the process. */
export async function extractPage(page: FetchedPage): Promise<PageText> {
  if (page.kind === "html") return extractHtml(page);
  // Loaded here: pdf.js is large.
  const { extractPdf } = await import("./pdf.ts");
  return await extractPdf(page);
}

export const extractTask = answering(extractPage);

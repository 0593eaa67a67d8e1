import { createRemoteTask, type RequestLimits } from "../../processes/one-at-a-time.ts";
import type { FetchedPage, PageText } from "../types.ts";
import { extractHtml } from "./extract-page.ts";

/** Name of the task that `extract-child.ts` runs. */
export const EXTRACT_TASK = "extract";

/** Without a file the process needs about 100 MB. A hostile file of 150 MB of drawing ends here. */
const LIMITS: RequestLimits = { timeoutMs: 20_000, memory: 512 * 1_048_576 };

export interface Extractor {
  /**
   * The text and metadata of a page; an empty text for one that cannot be read. One page at a time.
   *
   * @throws ProcessEnded when reading the page exceeded a limit of time or memory
   */
  extract(page: FetchedPage, signal?: AbortSignal): Promise<PageText>;
  close(): void;
}

/**
 * @param isolated reads HTML in the other process too, so that a hostile page does not delay a service; a PDF is always
 * read there
 */
export function createExtractor(isolated: boolean, limits: RequestLimits = LIMITS): Extractor {
  const remote = createRemoteTask<FetchedPage, PageText>(EXTRACT_TASK, limits);
  return {
    async extract(page, signal) {
      return isolated || page.kind === "pdf" ? await remote.run(page, signal) : extractHtml(page);
    },
    close: remote.close,
  };
}

/** What one crawl has in hand while it goes on. */
import { keyOf } from "./address.ts";
import type { Asking } from "./asking.ts";
import type { CrawlEvent, KnownPage } from "./events.ts";
import type { Frontier } from "./frontier.ts";
import type { CrawlLimits } from "./limits.ts";
import type { Alternate } from "./page-facts.ts";
import { type Candidate, judgeLink, type Listing, WEIGHTS, WORTH_READING } from "./score.ts";

export interface Trip {
  readonly asking: Asking;
  readonly limits: CrawlLimits;
  readonly frontier: Frontier;
  readonly rank: (language: string | null) => number;
  readonly known: (url: string) => Promise<KnownPage | undefined>;
  /** Keys of addresses that were asked for. */
  readonly seen: Set<string>;
  /** Keys of lists. */
  readonly lists: Set<string>;
  /** From the key of a case study, and of its versions in other languages, to the address that was kept. */
  readonly kept: Map<string, string>;
  /** From a hash of the text to the address that had it first. */
  readonly texts: Map<string, string>;
  /** Addresses that look like case studies. */
  found: number;
}

/**
 * Takes in what a list names. Yields what its address alone tells to be something else, where the list shows it among
 * its own; answers how many new addresses look like case studies.
 */
export function* takeIn(
  trip: Trip,
  candidates: readonly (Candidate & { readonly alternates?: readonly Alternate[] })[],
  listing: Listing,
  depth: number,
): Generator<CrawlEvent, number> {
  let found = 0;
  for (const candidate of candidates) {
    const verdict = judgeLink(candidate, listing);
    const key = keyOf(candidate.url);
    const likely = !verdict.never && verdict.score > WEIGHTS.bias;
    const fromList = candidate.place === "sitemap" || candidate.place === "feed";
    if (trip.seen.has(key) || trip.lists.has(key)) continue;
    const worth = candidate.place === "known" || (!verdict.never && verdict.score >= WORTH_READING);
    if (!worth || (fromList && !likely)) {
      if (candidate.place !== "card" && candidate.place !== "text") continue;
      trip.seen.add(key);
      const reason = `not a case study by its address: ${verdict.instead ?? "nothing speaks for it"}`;
      yield { type: "skipped", url: candidate.url, reason };
    } else if (trip.frontier.add({ ...candidate, verdict, depth }, candidate.alternates) && likely) {
      found += 1;
    }
  }
  trip.found += found;
  return found;
}

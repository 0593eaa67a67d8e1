import type { FetchedPage } from "../types.ts";
import { keyOf, languageOf, storyKey } from "./address.ts";
import { type CrawlLimits, type EarlyEnd, MAX_CANDIDATES, type PoliteFetcher } from "./fetcher.ts";
import { type Candidate, judgeLink, type Listing, type Verdict, WEIGHTS, WORTH_READING } from "./judge.ts";
import type { Alternate } from "./page-facts.ts";

/** What was kept of a page when it was read last. */
export interface KnownPage {
  readonly url: string;
  readonly etag: string | null;
  /** As the event told it. */
  readonly last_modified: string | null;
  readonly content_hash: string | null;
}

export type CrawlEvent =
  /** A list was read; `found` is how many addresses that look like case studies it named first. */
  | { readonly type: "listing"; readonly url: string; readonly title: string | null; readonly found: number }
  /** A case study. `etag` and `last_modified` are as the server wrote them, to be asked with again. */
  | {
      readonly type: "page";
      readonly page: FetchedPage;
      readonly etag: string | null;
      readonly last_modified: string | null;
      readonly content_hash: string;
      /** 0 to 1. */
      readonly confidence: number;
      readonly reasons: readonly string[];
    }
  /** A known page that has not changed. */
  | { readonly type: "unchanged"; readonly url: string }
  /** A known page that is not there any more: `code` is what its address answers, 200 for a page that says so itself. */
  | { readonly type: "gone"; readonly url: string; readonly code: number }
  | { readonly type: "skipped"; readonly url: string; readonly reason: string }
  /** What a reviewer should know. */
  | { readonly type: "note"; readonly text: string };

export interface CrawlSummary {
  /** After redirects. */
  readonly listing_url: string;
  readonly listing_title: string | null;
  /** Pages that were asked for. */
  readonly pages: number;
  readonly bytes: number;
  /** Addresses that look like case studies, read or not. */
  readonly found: number;
  /** Case studies that were read, changed or not. */
  readonly case_studies: number;
  readonly skipped: number;
  readonly ended: "complete" | EarlyEnd;
}

/** The addresses that a crawl has yet to read, the likeliest first; versions of one story in several languages together. */

export interface Waiting extends Candidate {
  readonly verdict: Verdict;
  /** Links from the first listing to it. */
  readonly depth: number;
}

export interface Story {
  /** Of one story, the language that is wanted most first. */
  readonly versions: readonly Waiting[];
}

interface Frontier {
  /** False when it was known before, or there is no room. */
  add(waiting: Waiting, alternates?: readonly Alternate[]): boolean;
  next(): Story | undefined;
  readonly size: number;
}

interface Group {
  readonly versions: Map<string, Waiting>;
  readonly order: number;
  score: number;
}

/** How much a version in a language is wanted: English, then the listing's own, then any. Lower is better. */
export function createLanguageRank(listing: string, listingLanguage: string | null) {
  const own = (languageOf(listing) ?? listingLanguage ?? "").split("-")[0];
  /** An address that names no language is in the site's first one: the listing's, when that names none either. */
  const first = languageOf(listing) === null ? own : "";
  return (language: string | null): number => {
    const short = (language ?? first ?? "").split(/[-_]/)[0];
    if (short === "en") return 0;
    if (short === own && short !== "") return 1;
    return short === "" || short === "x" ? 1.5 : 2;
  };
}

export function createFrontier(rank: (language: string | null) => number): Frontier {
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, string>();
  let count = 0;
  let order = 0;

  return {
    get size() {
      return groups.size;
    },

    add(waiting, alternates = []) {
      const key = keyOf(waiting.url);
      if (groupOf.has(key) || count >= MAX_CANDIDATES) return false;
      const name =
        alternates.map(({ url }) => groupOf.get(keyOf(url))).find((found) => found !== undefined) ??
        storyKey(waiting.url);
      const group = groups.get(name) ?? { versions: new Map(), order: order++, score: Number.NEGATIVE_INFINITY };
      group.versions.set(key, waiting);
      group.score = Math.max(group.score, waiting.verdict.score);
      groups.set(name, group);
      groupOf.set(key, name);
      count += 1;
      return true;
    },

    next() {
      let best: [string, Group] | undefined;
      for (const entry of groups) {
        const [, group] = entry;
        if (!best || group.score > best[1].score || (group.score === best[1].score && group.order < best[1].order))
          best = entry;
      }
      if (!best) return undefined;
      groups.delete(best[0]);
      const wanted = ({ url }: Waiting) => rank(languageOf(url));
      return { versions: [...best[1].versions.values()].sort((a, b) => wanted(a) - wanted(b)) };
    },
  };
}

/** What one crawl has in hand while it goes on. */

export interface CrawlState {
  readonly asking: PoliteFetcher;
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
export function* enqueue(
  trip: CrawlState,
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

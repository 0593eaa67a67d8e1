import { keyOf, languageOf, storyKey } from "./address.ts";
import type { PoliteFetcher } from "./fetcher.ts";
import { type Candidate, judgeLink, type Listing, type Verdict, WEIGHTS, WORTH_READING } from "./judge.ts";
import type { Alternate } from "./page.ts";
import type { CrawlEvent, CrawlLimits, KnownPage } from "./types.ts";

/** The addresses that a crawl has yet to read, the most probable first, and the state that its parts share. */

/** Most addresses that one crawl queues. */
const MAX_CANDIDATES = 20_000;

export interface QueuedPage extends Candidate {
  readonly verdict: Verdict;
  /** Links from the first listing to it. */
  readonly depth: number;
}

interface Frontier {
  /** Returns false if the address was queued before or the queue is full. */
  add(page: QueuedPage, alternates?: readonly Alternate[]): boolean;
  /** Removes the best story: its versions, the preferred language first. */
  next(): readonly QueuedPage[] | undefined;
  /** Stories in the queue. */
  readonly size: number;
}

interface Group {
  readonly versions: Map<string, QueuedPage>;
  readonly order: number;
  score: number;
}

/** Ranks languages: English, then the listing's own, then any other. Lower is better. */
export function createLanguageRank(listing: string, listingLanguage: string | null) {
  const siteLanguage = (languageOf(listing) ?? listingLanguage ?? "").split("-")[0];
  /** Language of an address that names none: the listing's, if the listing's address names none either. */
  const unnamed = languageOf(listing) === null ? siteLanguage : "";
  return (language: string | null): number => {
    const short = (language ?? unnamed ?? "").split(/[-_]/)[0];
    if (short === "en") return 0;
    if (short === siteLanguage && short !== "") return 1;
    return short === "" || short === "x" ? 1.5 : 2;
  };
}

export function createFrontier(rank: (language: string | null) => number): Frontier {
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, string>();
  let order = 0;

  return {
    get size() {
      return groups.size;
    },

    add(page, alternates = []) {
      const key = keyOf(page.url);
      if (groupOf.has(key) || groupOf.size >= MAX_CANDIDATES) return false;
      const name =
        alternates.map(({ url }) => groupOf.get(keyOf(url))).find((found) => found !== undefined) ?? storyKey(page.url);
      const group = groups.get(name) ?? { versions: new Map(), order: order++, score: Number.NEGATIVE_INFINITY };
      group.versions.set(key, page);
      group.score = Math.max(group.score, page.verdict.score);
      groups.set(name, group);
      groupOf.set(key, name);
      return true;
    },

    next() {
      let best: readonly [string, Group] | undefined;
      for (const [name, group] of groups)
        if (!best || group.score > best[1].score || (group.score === best[1].score && group.order < best[1].order))
          best = [name, group];
      if (!best) return undefined;
      groups.delete(best[0]);
      return [...best[1].versions.values()].sort((a, b) => rank(languageOf(a.url)) - rank(languageOf(b.url)));
    },
  };
}

export interface CrawlState {
  readonly fetcher: PoliteFetcher;
  readonly limits: CrawlLimits;
  readonly frontier: Frontier;
  readonly rank: (language: string | null) => number;
  readonly known: (url: string) => Promise<KnownPage | undefined>;
  /** Keys of requested addresses. */
  readonly seen: Set<string>;
  /** Keys of lists. */
  readonly lists: Set<string>;
  /** From the key of a case study, and of its versions in other languages, to the address that was accepted. */
  readonly accepted: Map<string, string>;
  /** From the hash of a text to the first address that had it. */
  readonly texts: Map<string, string>;
  /** Addresses that are probably case studies. */
  found: number;
}

/**
 * Queues what a list names. Yields an event for each card that its address alone rules out. Returns the number of new
 * addresses that are probably case studies.
 */
export function* enqueue(
  state: CrawlState,
  candidates: readonly (Candidate & { readonly alternates?: readonly Alternate[] })[],
  listing: Listing,
  depth: number,
): Generator<CrawlEvent, number> {
  let found = 0;
  for (const candidate of candidates) {
    const { url, place, alternates } = candidate;
    const key = keyOf(url);
    if (state.seen.has(key) || state.lists.has(key)) continue;
    const verdict = judgeLink(candidate, listing);
    const isProbable = !verdict.never && verdict.score > WEIGHTS.bias;
    const isWorthReading = place === "known" || (!verdict.never && verdict.score >= WORTH_READING);
    if (isWorthReading && (isProbable || (place !== "sitemap" && place !== "feed"))) {
      if (state.frontier.add({ ...candidate, verdict, depth }, alternates) && isProbable) found += 1;
    } else if (place === "card" || place === "text") {
      state.seen.add(key);
      const reason = `not a case study by its address: ${verdict.instead ?? "no sign of one"}`;
      yield { type: "skipped", url, reason };
    }
  }
  state.found += found;
  return found;
}

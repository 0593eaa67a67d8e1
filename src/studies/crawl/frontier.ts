/** The addresses that a crawl has yet to read, the likeliest first; versions of one story in several languages together. */
import { keyOf, languageOf, storyKey } from "./address.ts";
import { MAX_CANDIDATES } from "./limits.ts";
import type { Alternate } from "./page-facts.ts";
import type { Candidate, Verdict } from "./score.ts";

export interface Waiting extends Candidate {
  readonly verdict: Verdict;
  /** Links from the first listing to it. */
  readonly depth: number;
}

export interface Story {
  /** Of one story, the language that is wanted most first. */
  readonly versions: readonly Waiting[];
}

export interface Frontier {
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

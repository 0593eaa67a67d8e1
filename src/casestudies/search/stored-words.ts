import { createSemaphore } from "../../core/async.ts";
import type { PassageFilter } from "../index/passage-memory.ts";
import { queryTerms, termFinder } from "./highlight.ts";
import type { FoundPassage } from "./ranking.ts";

interface StoredPassage {
  readonly id: number;
  readonly case_study_id: string;
  readonly heading: string | null;
  readonly text: string;
  readonly title: string;
  readonly client: string | null;
  /** Slug. */
  readonly company: string;
  /** Display name, lower case. */
  readonly industry_name: string | null;
  readonly country: string | null;
  readonly published_at: string | null;
}

interface StoredPassages {
  /** Newest first. */
  passagesBefore(before: number, size: number): Promise<readonly StoredPassage[]>;
}

/** Searches the passages of the database by words, best first. */
export type StoredWords = (
  query: string,
  search: { readonly limit: number; readonly filter: PassageFilter },
  signal: AbortSignal | undefined,
) => Promise<FoundPassage[]>;

/** Passages read at once, between which other requests are served: about 5 ms. */
const CHUNK = 500;
/** Older passages are not searched. Reading these takes 0.2 s; the included case studies have 1,300. */
const MAX_READ = 20_000;
/** BM25's usual parameters, with the length that most passages have. */
const SATURATION = 1.2;
const LENGTH_EFFECT = 0.75;
const USUAL_WORDS = 90;

/**
 * A search without the index, for the time in which it cannot be read: reads the passages of the database and compares
 * stems of words, by BM25. One search at a time.
 */
export function createStoredWords(passages: StoredPassages): StoredWords {
  const turns = createSemaphore(1);
  return async (query, { limit, filter }, signal) => {
    const stems = queryTerms(query);
    if (stems.length === 0) return [];
    const find = termFinder(stems);
    const studies = filter.studies && new Set(filter.studies);
    const matches: { passage: number; study: string; counts: Map<string, number>; words: number }[] = [];
    const containing = new Map<string, number>();
    let read = 0;
    const release = await turns.acquire(signal ?? new AbortController().signal);
    try {
      for (let before = Number.MAX_SAFE_INTEGER; read < MAX_READ; ) {
        const rows = await passages.passagesBefore(before, CHUNK);
        for (const row of rows) {
          if (!passes(row, filter) || studies?.has(row.case_study_id) === false) continue;
          const { terms, words } = find(
            [row.title, row.company, row.client, row.heading, row.text].filter((part) => part !== null).join("\n"),
          );
          if (terms.length === 0) continue;
          const counts = new Map<string, number>();
          for (const { stem } of terms) counts.set(stem, (counts.get(stem) ?? 0) + 1);
          for (const stem of counts.keys()) containing.set(stem, (containing.get(stem) ?? 0) + 1);
          matches.push({ passage: row.id, study: row.case_study_id, counts, words });
        }
        read += rows.length;
        if (rows.length < CHUNK) break;
        before = rows.at(-1)?.id ?? 0;
        await Bun.sleep(0);
        signal?.throwIfAborted();
      }
    } finally {
      release();
    }
    const weightOf = (stem: string) => {
      const found = containing.get(stem) ?? 0;
      return Math.log(1 + (read - found + 0.5) / (found + 0.5));
    };
    return matches
      .map(({ passage, study, counts, words }) => {
        const norm = SATURATION * (1 - LENGTH_EFFECT + (LENGTH_EFFECT * words) / USUAL_WORDS);
        let score = 0;
        for (const [stem, count] of counts) score += (weightOf(stem) * count * (SATURATION + 1)) / (count + norm);
        return { passage, study, score };
      })
      .sort((a, b) => b.score - a.score || a.passage - b.passage)
      .slice(0, limit);
  };
}

/** The conditions of the index, but for the case studies, on the database's columns. */
function passes(
  { company, industry_name, client, country, published_at }: StoredPassage,
  filter: PassageFilter,
): boolean {
  const { industries, publishedAfter, publishedBefore } = filter;
  return (
    (filter.company === undefined || company === filter.company) &&
    (industries === undefined || (industry_name !== null && industries.includes(industry_name))) &&
    (filter.client === undefined || client === filter.client) &&
    (filter.country === undefined || country === filter.country) &&
    (publishedAfter === undefined || (published_at !== null && published_at >= publishedAfter)) &&
    (publishedBefore === undefined || (published_at !== null && published_at <= publishedBefore))
  );
}

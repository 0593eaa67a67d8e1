import { stemOf, WORD } from "../text/stem.ts";
import { createBestRows, type ScoredRows } from "./best-rows.ts";

/**
 * Words of passages, searched by BM25 in memory: each term has a list of its rows, which are all read. Exact, and with
 * 421,000 passages faster than an engine that skips rows and must be called through its planner.
 */
export interface Words {
  /** Appends a row with its terms, as they were read. */
  add(terms: Uint32Array): void;
  /** Rows with any of the terms of a query, by BM25, among those given, else of all that `isWanted`. */
  find(
    query: Uint32Array,
    limit: number,
    wanted: {
      readonly among?: Uint32Array | undefined;
      readonly isWanted: (row: number) => boolean;
      /** Number of rows that can be found. */
      readonly rows: number;
    },
  ): ScoredRows;
}

/** English words too common to distinguish passages. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its " +
    "itself they them their theirs themselves what which who whom this that these those am is are was were be been being " +
    "have has had having do does did doing a an the and but if or because as until while of at by for with about against " +
    "between into through during before after above below to from up down in out on off over under again further then " +
    "once here there when where why how all any both each few more most other some such no nor not only own same so than " +
    "too very can will just don should now s t"
  ).split(" "),
);

/** Longer runs of letters and digits are no words. */
const MAX_WORD = 40;
/** A term is 28 bits of a hash of its stem, so that it fits 32 bits with its frequency. */
const FREQUENCY_BITS = 4;
const MOST_FREQUENT = (1 << FREQUENCY_BITS) - 1;
/** BM25's usual parameters: saturation of the frequency, effect of the length. */
const K1 = 1.2;
const B = 0.75;
/** Longer passages count as this long. */
const LONGEST = 1_023;
const MOST_KNOWN = 200_000;
const NO_TERM = -1;

/** FNV-1a, with its bits mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns the number of words of a text, then its terms with their frequencies, up to 15. */
export type ReadTerms = (text: string) => Uint32Array;

/** Stemming dominates the cost, so that the terms of words are kept. */
export function createTermReader(): ReadTerms {
  let known = new Map<string, number>();
  const termOf = (word: string): number => {
    let term = known.get(word);
    if (term === undefined) {
      // Stems that are in the list, so that "before" and "because", whose stems are not, count.
      const stem = stemOf(word.toLowerCase());
      term = word.length > MAX_WORD || STOP_WORDS.has(stem) ? NO_TERM : hashOf(stem) >>> FREQUENCY_BITS;
      if (known.size >= MOST_KNOWN) known = new Map();
      known.set(word, term);
    }
    return term;
  };
  return (text) => {
    const counts = new Map<number, number>();
    let length = 0;
    for (const [word] of text.matchAll(WORD)) {
      const term = termOf(word);
      if (term === NO_TERM) continue;
      length += 1;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const terms = new Uint32Array(1 + counts.size);
    terms[0] = length;
    let at = 1;
    for (const [term, count] of counts) terms[at++] = (term << FREQUENCY_BITS) | Math.min(count, MOST_FREQUENT);
    return terms;
  };
}

/** Rows with a term, ascending: each with the frequency of the term in the lowest bits. */
interface Postings {
  list: Uint32Array;
  length: number;
}

export function createWords(): Words {
  const postings = new Map<number, Postings>();
  let rows = 0;
  let words = 0;
  let lengths = new Uint16Array(1_024);
  /** Zero between searches. */
  let scores = new Float32Array(1_024);

  const addPosting = (term: number, posting: number) => {
    const found = postings.get(term);
    if (!found) {
      postings.set(term, { list: Uint32Array.of(posting), length: 1 });
      return;
    }
    if (found.length === found.list.length) {
      const larger = new Uint32Array(Math.ceil(found.length * 1.5) + 1);
      larger.set(found.list);
      found.list = larger;
    }
    found.list[found.length] = posting;
    found.length += 1;
  };

  return {
    add(terms) {
      if (rows === lengths.length) {
        const larger = new Uint16Array(rows * 2);
        larger.set(lengths);
        lengths = larger;
        scores = new Float32Array(rows * 2);
      }
      lengths[rows] = Math.min(terms[0]!, LONGEST);
      words += terms[0]!;
      for (let at = 1; at < terms.length; at += 1) {
        const packed = terms[at]!;
        addPosting(packed >>> FREQUENCY_BITS, ((rows << FREQUENCY_BITS) | (packed & MOST_FREQUENT)) >>> 0);
      }
      rows += 1;
    },

    find(query, limit, { among, isWanted, rows: findable }) {
      const best = createBestRows(limit);
      const lists = Array.from(query.subarray(1), (term) => postings.get(term >>> FREQUENCY_BITS) ?? []).flat();
      if (lists.length === 0) return best.sorted();
      const mean = words / rows;
      const damping = Float32Array.from({ length: LONGEST + 1 }, (_, length) => K1 * (1 - B + (B * length) / mean));
      for (const { list, length } of lists) {
        // Rows that were removed are still in the lists.
        const containing = Math.min(length, findable);
        const weight = Math.log(1 + (findable - containing + 0.5) / (containing + 0.5)) * (K1 + 1);
        for (let at = 0; at < length; at += 1) {
          const posting = list[at]!;
          const row = posting >>> FREQUENCY_BITS;
          const frequency = posting & MOST_FREQUENT;
          scores[row]! += (weight * frequency) / (frequency + damping[lengths[row]!]!);
        }
      }
      const consider = (row: number) => {
        const score = scores[row]!;
        if (score > best.least && score > 0 && isWanted(row)) best.add(row, score);
      };
      if (among) for (const row of among) consider(row);
      else for (let row = 0; row < rows; row += 1) consider(row);
      scores.fill(0, 0, rows);
      return best.sorted();
    },
  };
}

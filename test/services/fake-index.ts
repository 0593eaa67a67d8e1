import type { PassageIndex } from "../../src/casestudies/index/passage-index.ts";
import type { PassageFilter } from "../../src/casestudies/index/passage-memory.ts";
import type { IndexedPassage, PassageHit } from "../../src/casestudies/index/passage-table.ts";
import type { Encoder } from "../../src/embedding/encoder.ts";

const DIMENSIONS = 64;

/** A word without its suffix: sufficient for the words of a test. */
const wordsOf = (text: string) => (text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []).map((word) => word.slice(0, 6));

/** A text's words, each hashed to a place of the vector; texts that share words are near. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    const place = Number(BigInt(Bun.hash(word)) % BigInt(DIMENSIONS));
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** An encoder that uses words, not meaning; the same text has the same vector. */
export const fakeEncoder = (): Encoder => ({
  id: "words-64",
  dimensions: DIMENSIONS,
  maxTokens: 512,
  countTokens: async (texts) => texts.map((text) => wordsOf(text).length),
  async encode(texts, _, signal) {
    signal?.throwIfAborted();
    return texts.map(vectorOf);
  },
  async close() {},
});

function passes(row: IndexedPassage, filter: PassageFilter = {}): boolean {
  const { company, industries, client, country, publishedAfter, publishedBefore, studies } = filter;
  return (
    (company === undefined || row.company === company) &&
    (industries === undefined || (row.industry !== null && industries.includes(row.industry))) &&
    (client === undefined || row.client === client) &&
    (country === undefined || row.country === country) &&
    (publishedAfter === undefined || (row.published_at !== null && row.published_at >= publishedAfter)) &&
    (publishedBefore === undefined || (row.published_at !== null && row.published_at <= publishedBefore)) &&
    (studies === undefined || studies.includes(row.study))
  );
}

/** An in-memory implementation of the index: compares every row, and filters before ranking. */
export function fakeIndex(): PassageIndex {
  let rows = new Map<number, IndexedPassage>();
  const put = (target: Map<number, IndexedPassage>, given: readonly IndexedPassage[]) => {
    const studies = new Set(given.map(({ study }) => study));
    for (const [id, { study }] of target) if (studies.has(study)) target.delete(id);
    for (const row of given) target.set(row.passage, row);
  };
  const ranked = (
    { limit, filter }: { limit: number; filter?: PassageFilter },
    scoreOf: (row: IndexedPassage) => number,
  ): PassageHit[] =>
    [...rows.values()]
      .filter((row) => passes(row, filter))
      .map((row) => ({ passage: row.passage, study: row.study, score: scoreOf(row) }))
      .sort((a, b) => b.score - a.score || a.passage - b.passage)
      .slice(0, limit);

  return {
    state: "ready",
    async upsert(given) {
      put(rows, given);
    },
    async remove(studies) {
      for (const [id, { study }] of rows) if (studies.includes(study)) rows.delete(id);
    },
    nearest: async (vector, search) =>
      ranked(search, (row) =>
        Math.max(
          0,
          row.vector.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
        ),
      ),
    async keyword(query, search) {
      const wanted = new Set(wordsOf(query));
      return ranked(search, (row) => {
        const words = wordsOf(`${row.title} ${row.heading ?? ""} ${row.text}`);
        return words.filter((word) => wanted.has(word)).length / (words.length + 10);
      }).filter(({ score }) => score > 0);
    },
    async optimise() {},
    counts: async () => ({ passages: rows.size }),
    async rebuild(fill) {
      const built = new Map<number, IndexedPassage>();
      await fill(async (given) => put(built, given));
      rows = built;
    },
    files: async () => ({ folder: "", names: [], format: 0, model: "fake", dimensions: 0, passages: rows.size }),
    async adopt() {},
    async warm() {},
    async check() {},
    async close() {},
  };
}

import type { Encoder } from "../../src/embedding/encoder.ts";
import { openRetrievalSearch } from "./retrieval-search.ts";
import type { Retrieval } from "./retrieval-sets.ts";

/** nDCG@10. */
export interface RetrievalFigures {
  /** Vectors only. */
  readonly semantic: number;
  /** The product's keyword search only. */
  readonly keyword: number;
  /** Of both, half and half: what a model's vectors add to words, whatever the product makes of them. */
  readonly halves: number;
  /** Of the product's search by words, vectors and the comparison of tokens. */
  readonly hybrid: number;
}

/**
 * Ranks all documents for each query. In the half and half each side's scores are brought to 0–1 by their least and
 * greatest; a document that shares no word with the query has 0 there.
 */
export async function measureRetrieval(encoder: Encoder, set: Retrieval): Promise<RetrievalFigures> {
  const vectors = await encoder.encode(
    set.documents.map(({ text }) => text),
    "passage",
  );
  const asked = set.queries.filter(({ id }) => idealOf(set, id).length > 0);
  const questions = await encoder.encode(
    asked.map(({ text }) => text),
    "query",
  );
  const search = await openRetrievalSearch(encoder, set.documents, vectors);
  try {
    const gains: RetrievalFigures[] = [];
    for (const [at, { id, text }] of asked.entries()) {
      const near = vectors.map((vector) => dot(vector, questions[at]!));
      const words = await search.wordScores(text);
      const [meaning, shared] = [normalised(near), normalised(words)];
      gains.push({
        semantic: gainOf(set, id, bestTen(set, near)),
        keyword: gainOf(set, id, bestTen(set, words)),
        halves: gainOf(
          set,
          id,
          bestTen(
            set,
            meaning.map((score, document) => score + shared[document]!),
          ),
        ),
        hybrid: gainOf(set, id, await search.bestTen(text)),
      });
    }
    const mean = (side: keyof RetrievalFigures) =>
      Math.round((gains.reduce((sum, gain) => sum + gain[side], 0) / gains.length) * 10_000) / 10_000;
    return { semantic: mean("semantic"), keyword: mean("keyword"), halves: mean("halves"), hybrid: mean("hybrid") };
  } finally {
    await search.close();
  }
}

function normalised(scores: readonly number[]): number[] {
  const least = Math.min(...scores);
  const span = Math.max(...scores) - least;
  return scores.map((score) => (span > 0 ? (score - least) / span : 0));
}

const idealOf = ({ judged }: Retrieval, query: string): number[] =>
  [...(judged.get(query)?.values() ?? [])]
    .filter((grade) => grade > 0)
    .sort((a, b) => b - a)
    .slice(0, 10);

const bestTen = ({ documents }: Retrieval, scores: readonly number[]): string[] =>
  [...scores.keys()]
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, 10)
    .map((document) => documents[document]!.id);

function gainOf(set: Retrieval, query: string, best: readonly string[]): number {
  const grades = set.judged.get(query);
  return gain(best.map((id) => Math.max(grades?.get(id) ?? 0, 0))) / gain(idealOf(set, query));
}

const gain = (grades: readonly number[]) => grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

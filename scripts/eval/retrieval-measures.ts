import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Encoder } from "../../src/embed/encoder.ts";
import { openPassageIndex } from "../../src/store/passage-index.ts";
import type { Retrieval } from "./retrieval-sets.ts";

/** nDCG@10 of the vectors alone, of the product's search by words alone, and of half and half. */
export interface RetrievalFigures {
  readonly semantic: number;
  readonly keyword: number;
  readonly hybrid: number;
}

/** Documents that words find; further ones share too little with the question to matter. */
const FOUND_BY_WORDS = 1_000;

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
  const words = await wordScores(
    set,
    asked.map(({ text }) => text),
  );
  const gains = asked.map(({ id }, at) => {
    const near = vectors.map((vector) => dot(vector, questions[at]!));
    const [meaning, shared] = [normalised(near), normalised(words[at]!)];
    const rank = (scores: readonly number[]) => gainOf(set, id, scores);
    return {
      semantic: rank(near),
      keyword: rank(words[at]!),
      hybrid: rank(meaning.map((score, document) => score + shared[document]!)),
    };
  });
  const mean = (side: keyof RetrievalFigures) =>
    Math.round((gains.reduce((sum, gain) => sum + gain[side], 0) / gains.length) * 10_000) / 10_000;
  return { semantic: mean("semantic"), keyword: mean("keyword"), hybrid: mean("hybrid") };
}

/** Of vectors that are never asked for; the index wants a multiple of eight. */
const DIMENSIONS = 8;

/** Each query's score of each document by the product's own index of words. */
async function wordScores({ documents }: Retrieval, queries: readonly string[]): Promise<number[][]> {
  const vector = new Float32Array(DIMENSIONS).fill(DIMENSIONS ** -0.5);
  const dir = await mkdtemp(join(tmpdir(), "casefile-eval-"));
  const index = await openPassageIndex({ dir, dimensions: DIMENSIONS, model: "none", clock: () => new Date() });
  try {
    await index.upsert(
      documents.map(({ id, text }, at) => ({
        passage: at + 1,
        study: id,
        company: "",
        industry: null,
        client: null,
        country: null,
        published_at: null,
        title: "",
        heading: null,
        text,
        vector,
      })),
    );
    await index.optimise();
    const all: number[][] = [];
    for (const query of queries) {
      const scores = new Array<number>(documents.length).fill(0);
      for (const { passage, score } of await index.keyword(query, { limit: FOUND_BY_WORDS }))
        scores[passage - 1] = score;
      all.push(scores);
    }
    return all;
  } finally {
    await index.close();
    await rm(dir, { recursive: true, force: true });
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

function gainOf(set: Retrieval, query: string, scores: readonly number[]): number {
  const grades = set.judged.get(query);
  const found = [...scores.keys()]
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, 10)
    .map((document) => Math.max(grades?.get(set.documents[document]!.id) ?? 0, 0));
  return gain(found) / gain(idealOf(set, query));
}

const gain = (grades: readonly number[]) => grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

import { join } from "node:path";
import { CANDIDATES } from "./search-engine.ts";
import { FILES } from "./search-material.ts";

export const RECALL_QUERIES = 200;
const NEAREST = 10;
/** A slow engine is asked fewer: each of the two measurements ends after this. */
const MOST_MS = 20_000;
/** Encoders agree to within this; passages that are as near as the tenth count as found. */
const TIE = 1e-5;

export interface Recall {
  /** When ten are asked for. */
  readonly ofTen: number;
  /** Of the first ten when as many are asked for as a search does. */
  readonly asSearched: number;
}

/**
 * The share of the ten nearest passages that an engine finds, against the cosine with every stored vector.
 *
 * @param nearest numbers of an engine's nearest passages, best first
 */
export async function measureRecall(
  folder: string,
  { passages, dimensions }: { passages: number; dimensions: number },
  nearest: (vector: Float32Array, limit: number) => Promise<readonly number[]>,
): Promise<Recall> {
  const read = async (name: string) => new Float32Array(await Bun.file(join(folder, name)).arrayBuffer());
  const [all, asked] = await Promise.all([read(FILES.vectors), read(FILES.queries)]);
  const count = Math.min(RECALL_QUERIES, asked.length / dimensions);
  const queries = Array.from({ length: count }, (_, at) => asked.slice(at * dimensions, (at + 1) * dimensions));
  const tenths = await exactTenths(
    join(folder, `tenths-${passages}.json`),
    all.subarray(0, passages * dimensions),
    queries,
  );
  const found = async (limit: number) => {
    let [right, wanted] = [0, 0];
    const began = performance.now();
    for (const [at, vector] of queries.entries()) {
      const numbers = new Set((await nearest(vector, limit)).slice(0, NEAREST));
      const least = (tenths[at] ?? 1) - TIE;
      right += [...numbers].filter((number) => dot(all, number * dimensions, vector) >= least).length;
      wanted += NEAREST;
      if (performance.now() - began > MOST_MS) break;
    }
    return right / wanted;
  };
  return { ofTen: await found(NEAREST), asSearched: await found(CANDIDATES) };
}

/** Similarity of each query's tenth nearest passage, worked out once for all engines. */
async function exactTenths(path: string, all: Float32Array, queries: readonly Float32Array[]): Promise<number[]> {
  const known = Bun.file(path);
  if (await known.exists()) return await known.json();
  const tenths = queries.map((vector) => {
    const similar = new Float32Array(all.length / vector.length);
    for (let at = 0; at < similar.length; at++) similar[at] = dot(all, at * vector.length, vector);
    return similar.sort()[similar.length - NEAREST] ?? 0;
  });
  await Bun.write(path, JSON.stringify(tenths));
  return tenths;
}

function dot(all: Float32Array, from: number, vector: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < vector.length; at += 4) {
    a += all[from + at]! * vector[at]!;
    b += all[from + at + 1]! * vector[at + 1]!;
    c += all[from + at + 2]! * vector[at + 2]!;
    d += all[from + at + 3]! * vector[at + 3]!;
  }
  return a + b + c + d;
}

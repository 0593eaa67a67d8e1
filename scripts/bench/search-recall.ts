import { join } from "node:path";
import { FILES } from "./search-material.ts";

export const RECALL_QUERIES = 200;
const NEAREST = 10;
/** Encoders agree to within this; passages that are as near as the tenth count as found. */
const TIE = 1e-5;

/**
 * The share of the ten nearest passages that an engine finds, against the cosine with every stored vector.
 *
 * @param nearest numbers of an engine's ten nearest
 */
export async function measureRecall(
  folder: string,
  { passages, dimensions }: { passages: number; dimensions: number },
  nearest: (vector: Float32Array) => Promise<readonly number[]>,
): Promise<number> {
  const read = async (name: string) => new Float32Array(await Bun.file(join(folder, name)).arrayBuffer());
  const [all, asked] = await Promise.all([read(FILES.vectors), read(FILES.queries)]);
  const count = Math.min(RECALL_QUERIES, asked.length / dimensions);
  let [found, wanted] = [0, 0];
  const similar = new Float32Array(passages);
  for (let query = 0; query < count; query++) {
    const vector = asked.slice(query * dimensions, (query + 1) * dimensions);
    for (let at = 0; at < passages; at++) similar[at] = dot(all, at * dimensions, vector);
    const tenth = similar.toSorted()[passages - NEAREST] ?? 0;
    const numbers = new Set(await nearest(vector));
    found += [...numbers].filter((number) => (similar[number] ?? -1) >= tenth - TIE).length;
    wanted += NEAREST;
  }
  return found / wanted;
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

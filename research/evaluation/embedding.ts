import { join } from "node:path";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import type { Encoder } from "../../src/embedding/encoder.ts";
import { measureRetrieval, type RetrievalFigures } from "./retrieval-measures.ts";
import { readCranfield, readDbpedia } from "./retrieval-sets.ts";

export interface EmbeddingFigures {
  readonly model: string;
  /** Spearman's rank correlation with human similarity ratings. */
  readonly sts_dev: number;
  readonly sick: number;
  readonly dbpedia: RetrievalFigures;
  readonly cranfield: RetrievalFigures;
  readonly texts_per_second: number;
  readonly texts_per_second_one_by_one: number;
}

/** Measures the built-in encoder on a folder with `sts-dev.csv`, `sick-test.txt`, `cranfield/` and `dbpedia/`. */
export async function evaluateEmbedding(corpus: string): Promise<EmbeddingFigures> {
  const encoder = await openBuiltInEncoder({ unpackDir: join(corpus, "unused") });
  try {
    const figures = await measureEncoder(encoder, corpus);
    for (const [name, value] of Object.entries(figures))
      console.log(`${name.padEnd(28)} ${typeof value === "object" ? JSON.stringify(value) : value}`);
    return figures;
  } finally {
    await encoder.close();
  }
}

/** The figures of any encoder. */
export async function measureEncoder(encoder: Encoder, corpus: string): Promise<EmbeddingFigures> {
  const retrieval = [await readDbpedia(corpus), await readCranfield(corpus)] as const;
  const sample = retrieval[0].documents.slice(0, 2_000).map(({ text }) => text);
  await encoder.encode(sample.slice(0, 200), "passage");
  return {
    model: encoder.id,
    sts_dev: await likeness(encoder, await readScored(join(corpus, "sts-dev.csv"), [5, 6, 4])),
    sick: await likeness(encoder, await readScored(join(corpus, "sick-test.txt"), [1, 2, 3])),
    dbpedia: await measureRetrieval(encoder, retrieval[0]),
    cranfield: await measureRetrieval(encoder, retrieval[1]),
    texts_per_second: await speed(sample, (texts) => encoder.encode(texts, "passage")),
    texts_per_second_one_by_one: await speed(sample.slice(0, 1_000), async (texts) => {
      for (const text of texts) await encoder.encode([text], "passage");
    }),
  };
}

async function speed(texts: readonly string[], run: (texts: readonly string[]) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run(texts);
  return Math.round((texts.length / (performance.now() - began)) * 1_000);
}

type Scored = readonly (readonly [string, string, number])[];

async function readScored(path: string, [a, b, score]: readonly [number, number, number]): Promise<Scored> {
  const lines = (await Bun.file(path).text()).trim().split("\n");
  return lines.flatMap((line) => {
    const cells = line.split("\t");
    const value = Number(cells[score]);
    return Number.isFinite(value) ? [[cells[a] ?? "", cells[b] ?? "", value] as const] : [];
  });
}

async function likeness(encoder: Encoder, pairs: Scored): Promise<number> {
  const left = await encoder.encode(
    pairs.map(([a]) => a),
    "passage",
  );
  const right = await encoder.encode(
    pairs.map(([, b]) => b),
    "passage",
  );
  return rounded(
    spearman(
      left.map((vector, at) => dot(vector, right[at]!)),
      pairs.map(([, , score]) => score),
    ),
  );
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

/** Pearson's correlation of the ranks; equal values share their mean rank. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (a.length - 1) / 2;
  let [xy, xx, yy] = [0, 0, 0];
  for (const [at, rank] of x.entries()) {
    const [dx, dy] = [rank - middle, y[at]! - middle];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xy / Math.sqrt(xx * yy);
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const out = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1;
    for (let at = from; at <= to; at += 1) out[order[at]!] = (from + to) / 2;
    from = to + 1;
  }
  return out;
}

import { expect, test } from "bun:test";
import { kernelModule } from "../../../scripts/generate-kernel.ts";
import { createVectors, quantise } from "../../../src/casestudies/index/vectors.ts";
import { vectors as randomVectors } from "./passage-examples.ts";

const everything = { isWanted: () => true };

function filled(all: readonly Float32Array[], dimensions: number) {
  const vectors = createVectors(dimensions);
  const quantised = new Int8Array(all.length * dimensions);
  const scales = Float32Array.from(all, (vector, at) => quantise(vector, quantised, at * dimensions));
  vectors.add(quantised, scales);
  return vectors;
}

const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

test.each(["casestudies/index", "embedding"] as const)(
  "the kernel in %s is the one that its source describes",
  async (folder) => {
    const built = await Bun.file(`${import.meta.dir}/../../../src/${folder}/kernel.ts`).text();
    expect(await kernelModule(folder)).toBe(built);
  },
);

test.each([
  ["a multiple of sixteen", 64],
  ["any number", 50],
])("of rows in several chunks at least 98%% of the ten nearest are found, with %s of dimensions", (_, dimensions) => {
  const all = randomVectors(20_001, 3, dimensions);
  const vectors = filled(all, dimensions);
  let found = 0;
  for (const query of randomVectors(20, 5, dimensions)) {
    const cosines = all.map((vector) => cosine(vector, query));
    const nearest = [...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, 10);
    const { rows, scores } = vectors.nearest(query, 60, everything);
    found += nearest.filter((row) => rows.includes(row)).length;
    for (const [at, row] of rows.entries()) expect(Math.abs(scores[at]! - cosines[row]!)).toBeLessThan(0.01);
  }
  expect(found / 200).toBeGreaterThanOrEqual(0.98);
});

test("rows that are not wanted, not among the given ones, or without a vector are not found", () => {
  const all = randomVectors(30_000, 7, 16);
  all[5] = new Float32Array(16);
  const vectors = filled(all, 16);
  const [query = new Float32Array(16)] = randomVectors(1, 8, 16);
  const among = Uint32Array.from({ length: 15_000 }, (_, at) => at * 2);
  const few = Uint32Array.of(3, 5, 9_000, 29_999);
  const { rows } = vectors.nearest(query, 100, { among, isWanted: (row) => row % 3 === 0 });
  expect(rows).toHaveLength(100);
  expect(rows.filter((row) => row % 6 !== 0)).toEqual([]);
  expect([...vectors.nearest(query, 9, { among: few, ...everything }).rows].sort((a, b) => a - b)).toEqual([
    3, 9_000, 29_999,
  ]);
  expect(createVectors(16).nearest(query, 9, everything).rows).toEqual([]);
});

test("up to a sixteenth of the rows are all compared by eight bits when a filter leaves no more", () => {
  const all = randomVectors(150_000, 11, 3);
  const vectors = filled(all, 3);
  // Near an axis: the nearest are in four octants, of which the rough comparison selects three.
  const query = Float32Array.of(0.998, 0.05, 0.04);
  const among = Uint32Array.from({ length: 9_000 }, (_, at) => at * 16);
  const exact = [...among].sort((a, b) => cosine(all[b]!, query) - cosine(all[a]!, query));
  const { rows } = vectors.nearest(query, 60, { among, ...everything });
  // Eight bits hardly distinguish the last ones from those that follow them.
  expect(exact.slice(0, 40).filter((row) => !rows.includes(row))).toEqual([]);
});

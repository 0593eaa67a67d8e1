import { expect, test } from "bun:test";
import { quantise, staticEncoderModel } from "../../research/train/static-graph.ts";
import { BUILT_IN_MANIFEST } from "../../src/embedding/built-in.ts";
import { openStaticSums } from "../../src/embedding/static-sums.ts";

const [ROWS, DIMENSIONS] = [50, 32];

/** Row 7 is zero. */
const table = quantise(
  Float32Array.from({ length: ROWS * DIMENSIONS }, (_, at) =>
    Math.floor(at / DIMENSIONS) === 7 ? 0 : Math.sin(at * 1.3) * (1 + (at % 5)),
  ),
  new Float32Array(ROWS),
  DIMENSIONS,
);
const manifest = { ...BUILT_IN_MANIFEST, dimensions: DIMENSIONS, max_tokens: 64 };
const model = staticEncoderModel(table);

/** What the graph computes, with numbers of 64 bits. */
const expected = (ids: readonly number[]): Float32Array => {
  const sum = new Float64Array(DIMENSIONS);
  for (const id of ids)
    for (let at = 0; at < DIMENSIONS; at += 1)
      sum[at]! += table.values[id * DIMENSIONS + at]! * (table.scales[id] ?? 0);
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
};
const throughRuntime = async (texts: readonly (readonly number[])[]) => texts.map(expected);

test("a text's vector is the sum of its tokens' rows, of length one", async () => {
  const sum = await openStaticSums(manifest, model, throughRuntime);
  for (const ids of [[0], [49], [3, 3, 3, 41], Array.from({ length: 64 }, (_, at) => (at * 11) % ROWS)]) {
    const vector = sum!(ids);
    expected(ids).forEach((value, at) => {
      expect(vector[at]).toBeCloseTo(value, 5);
    });
  }
  expect([...sum!([7, 7])].every((value) => value === 0)).toBe(true);
});

test("a vector stays as it is when another one is computed", async () => {
  const sum = await openStaticSums(manifest, model, throughRuntime);
  const [first, copy] = [sum!([1, 2]), sum!([1, 2])];
  sum!([30]);
  expect(first).toEqual(copy);
});

test("a token that the model lacks is refused", async () => {
  const sum = await openStaticSums(manifest, model, throughRuntime);
  expect(() => sum!([1, ROWS])).toThrow("no token 50");
});

test.each([
  ["computes anything else", manifest, async (texts: readonly (readonly number[])[]) => texts.map(() => expected([1]))],
  ["has other dimensions", { ...manifest, dimensions: 16 }, throughRuntime],
  ["has dimensions that the kernel cannot add up", { ...manifest, dimensions: 20 }, throughRuntime],
  ["returns a vector for each token", { ...manifest, pooling: "mean" as const }, throughRuntime],
])("a graph that %s is left to the runtime", async (_, described, runtime) => {
  expect(await openStaticSums(described, model, runtime)).toBeUndefined();
});

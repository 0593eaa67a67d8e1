import { expect, test } from "bun:test";
import { createKeptRows } from "../../../src/casestudies/index/kept-rows.ts";
import { createPassageMemory, NAMES, type PassageRows } from "../../../src/casestudies/index/passage-memory.ts";
import { quantise } from "../../../src/casestudies/index/vectors.ts";
import { createTermReader } from "../../../src/casestudies/index/words.ts";
import { vectors as randomVectors } from "./passage-examples.ts";

const read = createTermReader();

interface Example {
  readonly passage: number;
  readonly study: string;
  readonly company: string;
  readonly industry: string | null;
}

function rowsOf(examples: readonly Example[]): PassageRows {
  const vectors = new Int8Array(examples.length * 16);
  const random = randomVectors(examples.length, examples.length, 16);
  const scales = Float32Array.from(random, (vector, at) => quantise(vector, vectors, at * 16));
  const terms = read("cranes");
  return {
    passages: Float64Array.from(examples, ({ passage }) => passage),
    writes: Float64Array.from(examples, () => 1),
    names: Object.fromEntries(
      NAMES.map((name) => {
        const values = examples.map(
          (example) => ({ client: null, country: null, published_at: null, ...example })[name],
        );
        return [name, { values, codes: Uint32Array.from(values.keys()) }];
      }),
    ) as unknown as PassageRows["names"],
    vectors,
    scales,
    terms: Uint32Array.from(examples.flatMap(() => [...terms])),
    offsets: Uint32Array.from({ length: examples.length + 1 }, (_, at) => at * terms.length),
  };
}

const example = (passage: number, study: string, company = "quay", industry: string | null = "ports"): Example => ({
  passage,
  study,
  company,
  industry,
});

test("what a filter finds follows each change of the passages", () => {
  const memory = createPassageMemory(16);
  const [vector = new Float32Array(16)] = randomVectors(1, 9, 16);
  const found = (filter: Parameters<typeof memory.nearest>[2]) => {
    const near = memory.nearest(vector, 9, filter).passages.toSorted((a, b) => a - b);
    expect(memory.keyword(read("crane"), 9, filter).passages.toSorted((a, b) => a - b)).toEqual(near);
    return near;
  };
  const ports = { company: "quay", industries: ["ports", "ships"] };
  memory.add(rowsOf([example(1, "a"), example(2, "a", "quay", "rails"), example(3, "b", "mast"), example(4, "c")]));
  expect(found(ports)).toEqual([1, 4]);
  memory.add(rowsOf([example(5, "d", "quay", "ships"), example(6, "e", "quay", null)]));
  expect(found(ports)).toEqual([1, 4, 5]);
  memory.remove(["a"]);
  expect(found(ports)).toEqual([4, 5]);
  memory.keepOnly(Float64Array.of(5, 6), Float64Array.of(1, 1));
  expect(found(ports)).toEqual([5]);
  memory.add(rowsOf([example(5, "d", "mast")]));
  expect(found(ports)).toEqual([]);
  expect(found({ company: "mast" })).toEqual([5]);
  expect(found({ company: undefined })).toEqual([5, 6]);
});

test("rows are kept up to a number of bytes, those used last, and the last ones in any case", () => {
  const kept = createKeptRows(100);
  const finds: string[] = [];
  const get = (key: string, count = 8) =>
    kept.get(key, () => {
      finds.push(key);
      return new Uint32Array(count);
    });
  for (const key of ["a", "b", "c", "a", "d", "a", "c", "b"]) get(key);
  expect(finds.splice(0)).toEqual(["a", "b", "c", "d", "b"]);
  expect(get("large", 100)).toHaveLength(100);
  get("large", 100);
  expect(finds.splice(0)).toEqual(["large"]);
  get("a");
  kept.clear();
  get("a");
  expect(finds).toEqual(["a", "a"]);
});

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import { openTokenizer } from "../../src/embedding/tokenizer.ts";
import { createBatches } from "../train/batches.ts";
import { symmetricEigen, truncatedRows } from "../train/decomposition.ts";
import { ownPairs } from "../train/own-pairs.ts";
import { parseRepeats } from "../train/repeats.ts";
import { quantise } from "../train/static-graph.ts";
import { thesaurusPairs } from "../train/thesaurus.ts";
import { learnVocabulary, pieceIds } from "../train/vocabulary.ts";
import { wordsOf } from "../train/words.ts";

const folder = resolve(import.meta.dir, "../../models/casefile-static");

test.each([
  "Reduce cloud costs by 30%, in 2024!",
  "Zürich's café — naïve résumé",
  "It’s (really) a test_of $100 <b>tags</b> a+b=c `x` ~y ^z|w",
  "漢字 and kana かな",
  "tab\tand\nnew line\u00a0nbsp\u200bzero",
  "unbelievablyextraordinarywordiness",
  "",
])("the trainer tokenises %j as the library does", async (text) => {
  const json = await Bun.file(`${folder}/tokenizer.json`).text();
  const ids = new Map<string, number>(Object.entries(JSON.parse(json).model.vocab));
  expect(wordsOf(text).flatMap((word) => pieceIds(word, ids))).toEqual([...openTokenizer(json, 512).encode(text)]);
});

test("a vocabulary keeps frequent words whole and splits the rest into shared pieces", () => {
  const words = ["cloud", "cost", "lockable", "walkable", "drinkable", "readable"];
  const weights = Float64Array.from([900, 800, 300, 300, 300, 300]);
  const tokens = learnVocabulary(words, weights, { size: 60, wholeWords: 2 });
  expect(tokens.slice(0, 2)).toEqual(["[PAD]", "[UNK]"]);
  expect(tokens).toContain("cloud");
  expect(tokens).not.toContain("lockable");
  expect(tokens.some((token) => token.startsWith("##") && token.endsWith("able"))).toBe(true);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  expect(pieceIds("cloud", ids)).toEqual([tokens.indexOf("cloud")]);
  expect(pieceIds("∂", ids)).toEqual([1]);
});

test("eigenvectors diagonalise a symmetric matrix", () => {
  const { values, vectors } = symmetricEigen(Float64Array.from([2, 1, 1, 2]), 2);
  expect([...values].sort()).toEqual([expect.closeTo(1, 10), expect.closeTo(3, 10)]);
  expect(Math.abs(vectors[0]! * vectors[1]! + vectors[2]! * vectors[3]!)).toBeLessThan(1e-10);
});

test("the decomposition keeps similar rows similar and dissimilar rows apart", () => {
  const size = 60;
  const cells = Array.from({ length: size }, (_, row) => (row % 2 === 0 ? [0, 2, 4] : [1, 3, 5]));
  const rows = truncatedRows(
    {
      rows: size,
      columns: 40,
      starts: Uint32Array.from({ length: size + 1 }, (_, row) => row * 3),
      column: Uint16Array.from(cells.flat()),
      value: new Float32Array(size * 3).fill(1),
    },
    2,
    createRandom(1),
  );
  const dot = (a: number, b: number) => rows[2 * a]! * rows[2 * b]! + rows[2 * a + 1]! * rows[2 * b + 1]!;
  expect(dot(0, 2) / Math.sqrt(dot(0, 0) * dot(2, 2))).toBeCloseTo(1, 3);
  expect(dot(0, 1) / Math.sqrt(dot(0, 0) * dot(1, 1))).toBeCloseTo(0, 3);
});

test("quantised rows are restored to within half a step", () => {
  const table = Float32Array.from([1, -0.5, 0.25, 0, 0, 0]);
  const { values, scales } = quantise(table, new Float32Array(2), 3);
  expect([...values]).toEqual([127, -63, 32, 0, 0, 0]);
  expect(scales[0]).toBeCloseTo(1 / 127, 7);
  expect(scales[1]).toBe(0);
});

test("batches hold pairs of one group, each repeated as configured for its origin", () => {
  const origins = ["wn:def", "docs:crop"];
  const origin = Uint16Array.from({ length: 40 }, (_, pair) => (pair < 20 ? 0 : 1));
  const batches = createBatches(
    { count: 40, origin, origins },
    {
      batch: 10,
      random: createRandom(3),
      isUsable: () => true,
      repeats: (name) => (name === "wn:def" ? 2 : 0.5),
      group: (name) => name,
    },
  )();
  const sides = batches.map((batch) => new Set([...batch].map((pair) => origin[pair])));
  expect(sides.every(({ size }) => size === 1)).toBe(true);
  const times = [...Array(20).keys()].map((pair) =>
    batches.flatMap((batch) => [...batch]).filter((one) => one === pair),
  );
  expect(times.every(({ length }) => length === 2)).toBe(true);
  expect(batches.length).toBeLessThanOrEqual(6);
});

test("repeats are configured for a whole origin or for one kind of pair", () => {
  const repeats = parseRepeats(["lexicon=10", "wn=2", "wn:hyp=0.3", "*=0.5"]);
  expect(["lexicon:question", "wn:def", "wn:hyp", "docs:crop"].map(repeats)).toEqual([10, 2, 0.3, 0.5]);
  expect(() => parseRepeats(["wn:hyp"])).toThrow("ORIGIN=TIMES");
  expect(() => parseRepeats(["wn=-1"])).toThrow("ORIGIN=TIMES");
});

test("a labelled question is paired with the passages of the record that answers it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-train-"));
  try {
    await Bun.write(join(folder, "training/lexicon/a.tsv"), "buy\tpurchase\tlexicon:paraphrase\n");
    await Bun.write(join(folder, "training/questions/acme.tsv"), "acme--one\twho saved money\tplain\n");
    await Bun.write(
      join(folder, "records/acme/one.yaml"),
      "url: https://acme.example/\ntitle: One\nsummary: Two\ntools: []\n",
    );
    expect(await Array.fromAsync(ownPairs(join(folder, "training"), join(folder, "records")))).toEqual([
      ["buy", "purchase", "lexicon:paraphrase"],
      ["who saved money", "One", "question:plain"],
      ["who saved money", "Two", "question:plain"],
    ]);
    expect(await Array.fromAsync(ownPairs(join(folder, "training"), undefined))).toEqual([
      ["buy", "purchase", "lexicon:paraphrase"],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a thesaurus pairs each word with its synonyms, nearest first, three per pair", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-thesaurus-"));
  const lines = [
    "power,current,electricity,energy,force,Voltage",
    "electricity,power,current,energy,voltage",
    "current,power,electricity,energy,stream",
    "energy,power,electricity,current",
    "voltage,power,electricity",
    "force,army",
    "12 volt,power",
  ];
  try {
    await Bun.write(join(folder, "words.txt"), lines.join("\n"));
    const pairs = await Array.fromAsync(thesaurusPairs(join(folder, "words.txt")));
    expect(pairs.filter(([word]) => word === "power")).toEqual([
      ["power", "electricity, energy, current", "thesaurus"],
      ["power", "voltage", "thesaurus"],
    ]);
    expect(pairs.map(([word]) => word)).not.toContain("force");
    expect(pairs.map(([word]) => word)).not.toContain("12 volt");
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { expect, test } from "bun:test";
import { createTermReader, createWords } from "../../../src/casestudies/index/words.ts";

const read = createTermReader();

/** BM25 as published, over whole words. */
function bm25(texts: readonly string[], query: readonly string[]): number[] {
  const words = texts.map((text) => text.split(" "));
  const mean = words.reduce((sum, each) => sum + each.length, 0) / texts.length;
  const containing = new Map(query.map((term) => [term, words.filter((each) => each.includes(term)).length]));
  return words.map((own) =>
    query.reduce((sum, term) => {
      const frequency = own.filter((word) => word === term).length;
      const weight = Math.log(1 + (texts.length - containing.get(term)! + 0.5) / (containing.get(term)! + 0.5));
      return sum + (weight * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * own.length) / mean));
    }, 0),
  );
}

test("scores are those of BM25, best first", () => {
  const vocabulary = ["bank", "crane", "ship", "tug", "port", "quay", "rope", "mast"];
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const texts = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + next(40) }, () => vocabulary[next(next(8) + 1)]).join(" "),
  );
  const words = createWords();
  for (const [row, text] of texts.entries()) {
    words.add(read(text));
    // A search sorts what was added since the one before it, and joins it with what was sorted.
    if (row % 700 === 0) words.find(read("bank"), 1, { isWanted: () => true, rows: row + 1 });
  }
  for (const query of ["mast", "rope quay", "bank mast tug"]) {
    const expected = bm25(texts, query.split(" "));
    const { rows, scores } = words.find(read(query), 20, { isWanted: () => true, rows: texts.length });
    const best = expected.toSorted((a, b) => b - a);
    for (const [at, row] of rows.entries()) {
      // Frequencies above 15 count as 15.
      expect(scores[at]!).toBeCloseTo(expected[row]!, 2);
      expect(scores[at]!).toBeCloseTo(best[at]!, 2);
    }
  }
});

test("inflected forms, accents and case are equal; common words and endless ones are no terms", () => {
  const words = createWords();
  words.add(read("The cafés were MIGRATING"));
  words.add(read(`It is ${"x".repeat(41)}`));
  const find = (query: string) => words.find(read(query), 9, { isWanted: () => true, rows: 2 }).rows;
  expect(find("cafe")).toEqual([0]);
  expect(find("migrates")).toEqual([0]);
  expect(find("the it is were")).toEqual([]);
  expect(find("x".repeat(41))).toEqual([]);
});

test("among few rows scores are the same as among all, and leave nothing behind", () => {
  const words = createWords();
  const vocabulary = ["bank", "crane", "ship", "tug", "port", "quay", "rope", "mast"];
  for (let row = 0; row < 20_000; row += 1) {
    words.add(read(vocabulary.filter((_, at) => (row * (at + 3)) % 7 < 3 || row % (at + 2) === 0).join(" ")));
    // A search sorts what was added since the one before it.
    if (row % 7_000 === 0) words.find(read("bank"), 1, { isWanted: () => true, rows: row + 1 });
  }
  const query = read("crane mast tug sail");
  const find = (among?: Uint32Array) => {
    const { rows, scores } = words.find(query, 20_000, { among, isWanted: () => true, rows: 20_000 });
    return new Map(rows.map((row, at) => [row, scores[at]]));
  };
  const all = find();
  for (const step of [1, 19, 20, 700, 19_999]) {
    const among = Uint32Array.from({ length: Math.ceil(20_000 / step) }, (_, at) => at * step);
    const expected = [...among].flatMap((row) => (all.has(row) ? [[row, all.get(row)]] : []));
    expect([...find(among)].sort(([one], [other]) => one - other)).toEqual(expected as [number, number][]);
  }
  expect(find(new Uint32Array())).toEqual(new Map());
  expect(find()).toEqual(all);
});

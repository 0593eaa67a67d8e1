import { describe, expect, test } from "bun:test";
import { createRandom } from "../../scripts/random.ts";
import { evenOut } from "../train/directions.ts";
import { drawTogether, wordForms } from "../train/word-forms.ts";

const irregular = (await Bun.file("data/training/irregular-forms.txt").text()).trim().split("\n");

describe("forms of a word", () => {
  const vocabulary = ["[PAD]", "[UNK]", "run", "runs", "running", "ran", "insure", "insured", "insurer", "##s", "bus"];
  const forms = wordForms(
    vocabulary,
    irregular.map((line) => line.split(" ")),
  );
  const named = (ids: readonly number[] | undefined) => ids?.map((id) => vocabulary[id]);

  test("are found by spelling rules and in the list of irregular forms", () => {
    expect(named(forms.inflected.get(vocabulary.indexOf("run")))).toEqual(["runs", "running", "ran"]);
    expect(named(forms.inflected.get(vocabulary.indexOf("insure")))).toEqual(["insured"]);
    expect(forms.inflected.has(vocabulary.indexOf("bus"))).toBe(false);
  });

  test("that share a stem are distinguished from inflected forms", () => {
    expect(named(forms.derived.get(vocabulary.indexOf("insure")))).toEqual(["insurer"]);
  });

  test("are moved closer together, the rare one further, and keep their length", () => {
    const table = Float32Array.from(vocabulary.flatMap(() => [0, 0]));
    const set = (word: string, cells: readonly number[]) => table.set(cells, vocabulary.indexOf(word) * 2);
    set("run", [2, 0]);
    set("runs", [0, 1]);
    set("bus", [0, 3]);
    const frequency = Float64Array.from(vocabulary, (word) => (word === "run" ? 9_999 : 0));
    const out = drawTogether(table, forms, frequency, 2);
    const rowOf = (word: string) => [...out.slice(vocabulary.indexOf(word) * 2, vocabulary.indexOf(word) * 2 + 2)];
    const [x = 0, y = 0] = rowOf("run");
    const [rareX = 0, rareY = 0] = rowOf("runs");
    expect(Math.hypot(x, y)).toBeCloseTo(2, 5);
    expect(Math.hypot(rareX, rareY)).toBeCloseTo(1, 5);
    expect(y).toBeGreaterThan(0);
    expect(rareX / rareY).toBeGreaterThan(y / x);
    expect(rowOf("bus")).toEqual([0, 3]);
    expect(rowOf("ran")).toEqual([0, 0]);
  });

  test("appear once each in the list of irregular forms", () => {
    const lines = irregular.map((line) => line.split(" "));
    for (const forms of lines) {
      expect(forms.length).toBeGreaterThan(1);
      expect(new Set(forms).size).toBe(forms.length);
      for (const form of forms) expect(form).toMatch(/^[a-z]+$/);
    }
    expect(new Set(irregular).size).toBe(irregular.length);
  });
});

test("evening out the dominant directions reduces what all texts have in common", () => {
  const random = createRandom(3);
  const [rows, dimensions] = [40, 4];
  const table = Float32Array.from({ length: rows * dimensions }, (_, at) =>
    at % dimensions === 0 ? 3 : random() - 0.5,
  );
  const sides = 60;
  const pairs = {
    count: sides / 2,
    text: Uint16Array.from({ length: sides * 10 }, () => Math.floor(random() * rows)),
    starts: Uint32Array.from({ length: sides + 1 }, (_, side) => side * 10),
  };
  const out = evenOut(table, pairs, dimensions);
  const shareOfFirst = (cells: Float32Array) => {
    const squares = (first: boolean) =>
      cells.reduce((sum, value, at) => (first === (at % dimensions === 0) ? sum + value * value : sum), 0);
    return squares(true) / (squares(true) + squares(false));
  };
  expect(shareOfFirst(table)).toBeGreaterThan(0.9);
  expect(shareOfFirst(out)).toBeLessThan(shareOfFirst(table) - 0.05);
});

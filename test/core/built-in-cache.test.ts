import { expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInCache } from "../../src/core/built-in-cache.ts";
import { type CheckedCatalogue, loadCatalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { requiredLiterals } from "../../src/detection/fingerprints/conditions.ts";
import { packCatalogue, readCatalogueFiles } from "../../src/detection/fingerprints/pack.ts";
import { buildRuleTables } from "../../src/detection/fingerprints/rule-index.ts";

const CACHE = join(import.meta.dir, "../../node_modules/.cache/casefile");
/** Another run of the tests beside this one has its own. */
const NAME = `test${process.pid}`;
const kept = () =>
  readdirSync(CACHE)
    .filter((name) => name.startsWith(`${NAME}-`))
    .sort();

test("a catalogue that was packed before says what its files say", () => {
  const { categories, tools } = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
  const { literals, tables, ...packed }: CheckedCatalogue = JSON.parse(packCatalogue());
  // Two megabytes: as one text, or the difference would be looked for in a minute.
  expect(
    JSON.stringify(packed) === JSON.stringify({ categories: [...categories.values()], tools: [...tools.values()] }),
  ).toBe(true);
  expect(Bun.deepEquals(tables, buildRuleTables([...tools.values()]))).toBe(true);
  expect(literals?.length).toBeGreaterThan(100);
  expect(literals?.filter(([regex, texts]) => !Bun.deepEquals(texts, requiredLiterals(regex) ?? null))).toEqual([]);
});

test("what was packed of the same files is not packed again, and of others is", () => {
  const asked: string[] = [];
  const packed = (place: string) =>
    builtInCache({
      name: NAME,
      from: [place],
      pack: () => {
        asked.push(place);
        return place;
      },
    });
  try {
    expect(["src/core", "src/core", "src/jobs", "src/jobs"].map(packed)).toEqual([
      "src/core",
      "src/core",
      "src/jobs",
      "src/jobs",
    ]);
    expect(asked).toEqual(["src/core", "src/jobs"]);
    expect(kept().length).toBe(1);
  } finally {
    for (const name of kept()) rmSync(join(CACHE, name));
  }
});

test("who packs what another process packs at the same time leaves it what it has written, and writes", () => {
  let part = "";
  const packed = (pack: () => string) => builtInCache({ name: NAME, from: ["src/jobs"], pack });
  try {
    packed(() => {
      packed(() => "the same");
      part = `${kept()[0]}.another`;
      writeFileSync(join(CACHE, part), "the s");
      return "the same";
    });
    expect(kept()).toEqual([part.replace(".another", ""), part]);
    expect(packed(() => "packed again")).toBe("the same");
  } finally {
    for (const name of kept()) rmSync(join(CACHE, name));
  }
});

test("what is wrong with the data is told, and nothing of it is kept", () => {
  const pack = () => {
    throw new Error("a fault");
  };
  expect(() => builtInCache({ name: NAME, from: ["src/jobs"], pack })).toThrow("a fault");
  expect(kept()).toEqual([]);
});

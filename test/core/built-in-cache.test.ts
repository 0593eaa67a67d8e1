import { expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInCache } from "../../src/core/built-in-cache.ts";
import { type CheckedCatalogue, loadCatalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { requiredLiterals } from "../../src/detection/fingerprints/conditions.ts";
import { packCatalogue, readCatalogueFiles } from "../../src/detection/fingerprints/pack.ts";
import { buildRuleTables } from "../../src/detection/fingerprints/rule-index.ts";

const CACHE = join(import.meta.dir, "../../node_modules/.cache/casefile");
/** Concurrent test runs use separate names. */
const NAME = `test${process.pid}`;
const kept = () =>
  readdirSync(CACHE)
    .filter((name) => name.startsWith(`${NAME}-`))
    .sort();

test("a cached catalogue equals its source files", () => {
  const { categories, tools } = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
  const { literals, tables, ...packed }: CheckedCatalogue = JSON.parse(packCatalogue());
  // Compared as one text: a structural diff of 2 MB takes a minute.
  expect(
    JSON.stringify(packed) === JSON.stringify({ categories: [...categories.values()], tools: [...tools.values()] }),
  ).toBe(true);
  expect(Bun.deepEquals(tables, buildRuleTables([...tools.values()]))).toBe(true);
  expect(literals?.length).toBeGreaterThan(100);
  expect(literals?.filter(([regex, texts]) => !Bun.deepEquals(texts, requiredLiterals(regex) ?? null))).toEqual([]);
});

test("packs again only when the source files changed", () => {
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

test("two processes may save the same result at the same time", () => {
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

test("reports invalid data and caches nothing", () => {
  const pack = () => {
    throw new Error("a fault");
  };
  expect(() => builtInCache({ name: NAME, from: ["src/jobs"], pack })).toThrow("a fault");
  expect(kept()).toEqual([]);
});

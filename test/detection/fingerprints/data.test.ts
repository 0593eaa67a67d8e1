import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Failure } from "../../../src/core/errors.ts";
import { loadCatalogue } from "../../../src/detection/fingerprints/catalogue.ts";
import { exampleFaults } from "../../../src/detection/fingerprints/examples.ts";
import { readCatalogueFiles } from "../../../src/detection/fingerprints/pack.ts";
import { AREAS } from "../../../src/detection/fingerprints/types.ts";
import { SELF_NAMING_CATEGORIES } from "../../../src/detection/self-naming/self-naming.ts";
import { processorMs } from "../../processor-time.ts";

const source = readCatalogueFiles(join(import.meta.dir, "../../../data"));

function loaded() {
  try {
    return loadCatalogue(source);
  } catch (error) {
    // The message has only the first error; an editor of the data needs them all.
    if (error instanceof Failure) expect(error.details.problems).toEqual([]);
    throw error;
  }
}

describe("the built-in catalogue", () => {
  test("loads without errors", () => {
    expect(loaded().tools.size).toBe(Object.keys(source.records).length);
  });

  test("passes the hit and miss example of every rule, in seconds", () => {
    const began = processorMs();
    expect([...loaded().tools.values()].flatMap((tool) => exampleFaults(tool))).toEqual([]);
    // Two seconds on a quiet machine; processor time doubles on a crowded one.
    expect(processorMs() - began).toBeLessThan(8_000);
  });

  test("has at least 250 tools, some in each of the nine areas", () => {
    const { tools, categories } = loaded();
    expect(tools.size).toBeGreaterThanOrEqual(250);
    const covered = new Set([...tools.values()].map(({ category }) => categories.get(category)?.area));
    expect(AREAS.filter((area) => !covered.has(area))).toEqual([]);
  });

  test("uses every category, except those of self-naming tools", () => {
    const { tools, categories } = loaded();
    const used = new Set([...[...tools.values()].map(({ category }) => category), ...SELF_NAMING_CATEGORIES]);
    expect([...categories.keys()].filter((id) => !used.has(id))).toEqual([]);
  });

  test("has a unique label for each category", () => {
    const labels = [...loaded().categories.values()].map(({ label }) => label);
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });

  test("has no two tools that a reader could confuse", () => {
    const names = [...loaded().tools.values()].map(({ name }) => name.toLowerCase().replace(/[^a-z0-9]/g, ""));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("contains nothing about the machine on which it was written", () => {
    const local = /(?<![a-z0-9.])\/(?:home|root|tmp|Users|var\/folders)\/[a-z0-9]|\bfile:\/\/|\b127\.0\.0\.1\b/i;
    const reported = [...loaded().tools.values()].flatMap(({ id, rules }) =>
      rules.flatMap((rule) => [rule.hit, rule.miss].filter((text) => local.test(text)).map((text) => `${id}: ${text}`)),
    );
    expect(reported).toEqual([]);
  });
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadCatalogue } from "../../src/catalogue/catalogue.ts";
import { readCatalogueFiles } from "../../src/catalogue/files.ts";
import { packCatalogue } from "../../src/catalogue/pack.ts";
import { packedBefore } from "../../src/catalogue/pack-cache.ts";

test("a catalogue that was packed before says what its files say, and is not packed again", () => {
  const { categories, tools } = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
  const packed = packCatalogue();
  // Two megabytes: as one text, or the difference would be looked for in a minute.
  expect(packed === JSON.stringify({ categories: [...categories.values()], tools: [...tools.values()] })).toBe(true);
  const again = packedBefore(() => {
    throw new Error("packed again");
  });
  expect(again === packed).toBe(true);
});

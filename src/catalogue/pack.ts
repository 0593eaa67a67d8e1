import { join } from "node:path";
import { packedBefore } from "../packing/packed-before.ts";
import { Failure } from "../vocabulary/failure.ts";
import { loadCatalogue } from "./catalogue.ts";
import { readCatalogueFiles } from "./files.ts";

const MADE_FROM = ["data/categories.yaml", "data/fingerprints", "src/catalogue", "src/vocabulary"];

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked catalogue, for `loadCheckedCatalogue`
 * @throws Failure `catalogue.invalid`, so that a bad record breaks the build and not a user's start
 */
export const packCatalogue = (): string => packedBefore({ name: "catalogue", from: MADE_FROM, pack });

function pack(): string {
  try {
    const catalogue = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
    return JSON.stringify({ categories: [...catalogue.categories.values()], tools: [...catalogue.tools.values()] });
  } catch (error) {
    // The bundler hides what a macro throws; the faults must be seen where they can be mended.
    const problems = error instanceof Failure ? (error.details.problems ?? []) : [];
    console.error(error instanceof Error ? error.message : error);
    for (const { pointer, detail } of problems) console.error(`  ${pointer}: ${detail}`);
    throw error;
  }
}

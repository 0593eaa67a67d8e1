import { join } from "node:path";
import { loadCatalogue } from "./catalogue.ts";
import { readCatalogueFiles } from "./files.ts";

/**
 * Runs at bundle time, as a macro; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked catalogue, for `loadCheckedCatalogue`
 * @throws Failure `catalogue.invalid`, so that a bad record breaks the build and not a user's start
 */
export function packCatalogue(): string {
  const catalogue = loadCatalogue(readCatalogueFiles(join(import.meta.dir, "../../data")));
  return JSON.stringify({ categories: [...catalogue.categories.values()], tools: [...catalogue.tools.values()] });
}

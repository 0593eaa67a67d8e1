import { type Catalogue, type CheckedCatalogue, loadCheckedCatalogue } from "./catalogue.ts";
import { packCatalogue } from "./pack.ts" with { type: "macro" };

/** The catalogue of `data/`, checked and read when the program was bundled: an executable has no folder to list. */
const PACKED: string = packCatalogue();

/** The records that this program carries. */
export const builtInRecords = (): CheckedCatalogue => JSON.parse(PACKED);

/** Compiles the indexes of the catalogue that this program carries. */
export function loadBuiltInCatalogue(): Catalogue {
  return loadCheckedCatalogue(builtInRecords());
}

import { createThirdPartyMatcher } from "../third-parties/entities.ts";
import { type Catalogue, type CheckedCatalogue, loadCheckedCatalogue } from "./catalogue.ts";
import { packCatalogue } from "./pack.ts";

/** The catalogue of `data/`, validated when the program was bundled: an executable has no folder to list. */
const PACKED: string = packCatalogue();

/** The built-in records. */
export const builtInRecords = (): CheckedCatalogue => JSON.parse(PACKED);

/** The built-in catalogue. */
export function loadBuiltInCatalogue(): Catalogue {
  return loadCheckedCatalogue(builtInRecords(), undefined, createThirdPartyMatcher);
}

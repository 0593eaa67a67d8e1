import { type Catalogue, catalogueFailure, loadCheckedCatalogue } from "../catalogue.ts";
import { builtInRecords } from "../packed.ts";
import { addOwn, type OwnFingerprints } from "./add-own.ts";
import { LINEAR } from "./linear-expressions.ts";

/**
 * The built-in catalogue with a user's own fingerprints.
 *
 * @throws Failure `catalogue.invalid` with every fault, its file and its place; `fingerprints.invalid` for no folder
 */
export function loadWithOwn(folders: readonly string[]): {
  readonly catalogue: Catalogue;
  readonly own: OwnFingerprints;
} {
  const builtIn = builtInRecords();
  const own = addOwn(builtIn, folders);
  if (own.problems.length > 0) throw catalogueFailure(own.problems, "The own fingerprints have");
  const { literals = [] } = builtIn;
  return { catalogue: loadCheckedCatalogue({ ...own, literals }, LINEAR), own };
}

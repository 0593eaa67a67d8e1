import type { Catalogue } from "./catalogue.ts";
import { loadBuiltInCatalogue } from "./packed.ts";

/**
 * The built-in catalogue, with the user's own folders when there are any: only who has some pays for the engine of
 * their expressions.
 *
 * @throws Failure `catalogue.invalid` with every fault of the folders, `fingerprints.invalid` for one that is not there
 */
export async function openCatalogue(folders: readonly string[], onNote: (note: string) => void): Promise<Catalogue> {
  if (folders.length === 0) return loadBuiltInCatalogue();
  const { loadCustomCatalogue } = await import("./custom.ts");
  const { catalogue, own } = loadCustomCatalogue(folders);
  const some = (verb: string, ids: readonly string[]) =>
    ids.length === 0 ? "" : `; ${verb} the built-in ${ids.slice(0, 20).join(", ")}${ids.length > 20 ? " …" : ""}`;
  onNote(
    `${own.files} own fingerprints with ${own.rules} rules are in use${some("they replace", own.replaced)}${some("they add to", own.extended)}`,
  );
  return catalogue;
}

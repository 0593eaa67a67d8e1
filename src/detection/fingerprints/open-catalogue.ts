import { plural } from "../../core/text.ts";
import type { Catalogue } from "./catalogue.ts";
import { loadBuiltInCatalogue } from "./packed.ts";

/**
 * The built-in catalogue, extended by folders of custom fingerprints. RE2 is loaded only if there are any.
 *
 * @throws Failure `catalogue.invalid` with every fault of the folders, `fingerprints.invalid` for a missing one
 */
export async function openCatalogue(folders: readonly string[], onNote: (note: string) => void): Promise<Catalogue> {
  if (folders.length === 0) return loadBuiltInCatalogue();
  const { loadCustomCatalogue } = await import("./custom.ts");
  const { catalogue, custom } = loadCustomCatalogue(folders);
  const change = (verb: string, ids: readonly string[]) =>
    ids.length === 0 ? "" : `; ${verb} ${ids.slice(0, 20).join(", ")}${ids.length > 20 ? " …" : ""}`;
  onNote(
    `Loaded ${plural(custom.files, "custom fingerprint")} with ${plural(custom.rules, "rule")}${change("replacing", custom.replaced)}${change("extending", custom.extended)}.`,
  );
  return catalogue;
}

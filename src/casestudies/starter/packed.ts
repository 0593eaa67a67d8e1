import { packStarter } from "./pack.ts";
import type { StarterSet } from "./records.ts";

/**
 * The records of `data/starter`, embedded when the program is bundled because an executable has no data folder. Their
 * vectors are not embedded: the built-in model, which the first search loads anyway, computes all 642 in 0.1 s, while
 * they would add 0.6 MiB and have to be kept in sync with the model.
 */
const PACKED: string = packStarter();

/** The records, and their SHA-256 in hex as the version. */
export const loadBuiltInStarter = (): ReturnType<typeof read> => read(PACKED);

/** The minifier inlines the constant wherever it is used, so it is used once. */
const read = (packed: string): { readonly version: string; readonly set: StarterSet } => ({
  version: new Bun.CryptoHasher("sha256").update(packed).digest("hex"),
  set: JSON.parse(packed),
});

import { packStarter } from "./pack.ts" with { type: "macro" };
import type { StarterSet } from "./starter.ts";

/**
 * The records of `data/starter`, checked and read when the program was bundled: an executable has no folder to list.
 * Their vectors are not in it: the built-in model, which a first search opens anyway, makes the 642 of them in 0.1 s of
 * the 1.4 s that a first start takes until it finds something; they would add 0.6 MiB and have to be kept in step.
 */
const PACKED: string = packStarter();

/** The set, and its SHA-256 in hex. */
export const loadBuiltInStarter = (): ReturnType<typeof read> => read(PACKED);

/** The minifier writes the whole text at each place where it is named: it is named once. */
const read = (packed: string): { readonly version: string; readonly set: StarterSet } => ({
  version: new Bun.CryptoHasher("sha256").update(packed).digest("hex"),
  set: JSON.parse(packed),
});

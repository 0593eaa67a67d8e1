import { packStarter } from "./pack.ts" with { type: "macro" };
import type { StarterSet } from "./read.ts";

/** The records of `data/starter`, checked and read when the program was bundled: an executable has no folder to list. */
const PACKED: string = packStarter();

/** SHA-256 of the packed set, in hex. */
export const starterVersion = (): string => new Bun.CryptoHasher("sha256").update(PACKED).digest("hex");

export function loadBuiltInStarter(): StarterSet {
  return JSON.parse(PACKED);
}

import { packEntities } from "./pack.ts";

/** Well-known third parties of the web, from the package `third-party-web` and `data/third-parties.yaml`, without those that a rule knows. */
const PACKED: string = packEntities();

/** JSON of a list of `PackedEntity`. */
export const packedEntities = (): string => PACKED;

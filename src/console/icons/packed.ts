import { packIcons } from "./pack.ts";

/** The brand icons as JSON of `BrandIcons`, chosen at build time: an executable has no packages to search. */
const PACKED: string = packIcons();

export const brandIcons = (): string => PACKED;

import { packBundle } from "./pack.ts" with { type: "macro" };

/** The files that a browser loads, bundled at build time: an executable has no source folder to bundle. */
const PACKED: string = packBundle();

export interface Bundle {
  readonly script: string;
  readonly style: string;
  readonly theme: string;
}

export const loadBundle = (): Bundle => JSON.parse(PACKED);

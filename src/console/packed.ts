import { packBundle } from "./pack.ts" with { type: "macro" };

/** What a browser loads, made when the program was bundled: an executable has no folder to bundle. */
const PACKED: string = packBundle();

export interface Bundle {
  readonly script: string;
  readonly style: string;
  readonly theme: string;
}

export const loadBundle = (): Bundle => JSON.parse(PACKED);

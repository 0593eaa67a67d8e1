import { packBundle } from "./pack.ts";

/** The files that a browser loads, bundled at build time: an executable has no source folder to bundle. */
const PACKED: string = packBundle();

interface Packed {
  readonly name: string;
  readonly text?: string;
  readonly base64?: string;
}

export const loadBundle = (): { readonly files: readonly Packed[] } => JSON.parse(PACKED);

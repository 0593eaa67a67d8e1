/** One native part that an executable carries, compressed. */
export interface NativeFile {
  readonly name: string;
  /** Where the executable holds it: zstd. */
  readonly path: string;
  /** Of the unpacked file, lower-case hex. */
  readonly sha256: string;
}

/**
 * The native parts, libraries before the add-on that needs them. Empty where the program runs from its source:
 * `scripts/build.ts` puts the executable's list in the place of this one.
 */
export const NATIVE_FILES: readonly NativeFile[] = [];

/** One native file that an executable carries, compressed. */
export interface NativeFile {
  readonly name: string;
  /** Where the executable holds it: zstd. */
  readonly path: string;
  /** Of the unpacked file: lower-case hex, and its size. */
  readonly sha256: string;
  readonly bytes: number;
}

/** What one package needs beside itself. Libraries stand before the add-on that needs them. */
export type NativePart = "lancedb" | "onnxruntime";

/**
 * The native files by package. None where the program runs from its source, whose packages find their own:
 * `scripts/build.ts` puts the executable's list in the place of this one.
 */
export const NATIVE_FILES: Readonly<Record<NativePart, readonly NativeFile[]>> = { lancedb: [], onnxruntime: [] };

/** A native file that an executable contains, compressed with zstd. */
export interface NativeFile {
  readonly name: string;
  /** Path of the compressed file inside the executable. */
  readonly path: string;
  /** SHA-256 of the unpacked file, in lower-case hex. */
  readonly sha256: string;
  /** Size of the unpacked file. */
  readonly bytes: number;
}

export type NativePart = "lancedb" | "onnxruntime";

/**
 * The native files of each package, libraries before the add-on that needs them. Empty when the program runs from source,
 * where packages find their own files; `scripts/build.ts` replaces this list in the executable.
 */
export const NATIVE_FILES: Readonly<Record<NativePart, readonly NativeFile[]>> = { lancedb: [], onnxruntime: [] };

import { dlopen, FFIType } from "bun:ffi";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";

export type Lance = typeof import("@lancedb/lancedb");
export type Arrow = typeof import("apache-arrow");

export interface Native {
  readonly lance: Lance;
  readonly arrow: Arrow;
}

/** A file inside an executable has no folder of its own on the disk. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);

/**
 * Loads LanceDB. From source its package finds its own add-on. An executable carries the add-on and Bun writes it, at
 * the first load, to the temp directory that the C library knows: `process.env` does not reach that one, so it is set
 * there to `unpackDir` for the time of the load, and what anybody may write to is never loaded.
 *
 * @param unpackDir a folder for this user alone; made when it is absent
 * @throws Error when the add-on cannot be written or does not fit the machine
 */
export async function loadNative(unpackDir: string): Promise<Native> {
  if (!IN_EXECUTABLE || process.platform === "win32") return await imported();
  await mkdir(unpackDir, { recursive: true, mode: 0o700 });
  const library = dlopen(process.platform === "darwin" ? "libSystem.dylib" : "libc.so.6", {
    setenv: { args: [FFIType.cstring, FFIType.cstring, FFIType.i32], returns: FFIType.i32 },
  });
  const setTemp = (path: string) => library.symbols.setenv(text("TMPDIR"), text(path), 1);
  try {
    setTemp(unpackDir);
    return await imported();
  } finally {
    setTemp(tmpdir());
    library.close();
  }
}

async function imported(): Promise<Native> {
  const [lance, arrow] = await Promise.all([import("@lancedb/lancedb"), import("apache-arrow")]);
  return { lance, arrow };
}

const text = (content: string) => Buffer.from(`${content}\0`);

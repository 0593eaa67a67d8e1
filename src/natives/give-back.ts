import { dlopen, FFIType } from "bun:ffi";
import { readFile } from "node:fs/promises";

/** Linux ≥ 5.4: the kernel may take the pages back now. Nothing is lost; what is used again is read again. */
const MADV_PAGEOUT = 21;

/**
 * An executable's files lie in its memory, and each page of them that was read stays there: 60 MB after unpacking. The
 * kernel takes them back when it is short of memory; until then they count as this program's, so it is asked to at once.
 * Elsewhere than on Linux nothing happens.
 */
export async function giveBackExecutable(): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const ranges = (await readFile("/proc/self/maps", "utf8")).split("\n").flatMap((line) => {
      const [, from = "", to = ""] = /^([0-9a-f]+)-([0-9a-f]+) rw-p /.exec(line) ?? [];
      if (!line.endsWith(process.execPath)) return [];
      return from === "" ? [] : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
    });
    const { symbols, close } = dlopen("libc.so.6", {
      madvise: { args: [FFIType.u64, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    });
    for (const { from, to } of ranges) symbols.madvise(from, to - from, MADV_PAGEOUT);
    close();
  } catch {
    // It is a favour to others on the machine, and no more.
  }
}

import { dlopen, FFIType } from "bun:ffi";
import { readFile } from "node:fs/promises";

/** The pages are dropped, and read again from the file when they are used: mostly from the cache of the system. */
const MADV_DONTNEED = 4;
/** Linux ≥ 5.4: the kernel may reclaim the pages now. No data is lost. */
const MADV_PAGEOUT = 21;

/**
 * Releases the pages of the executable that were read while it unpacked its native files, about 60 MB. The kernel would
 * reclaim them only when memory is short, and until then they count as memory of this process. Linux only.
 */
export async function releaseExecutablePages(): Promise<void> {
  await advise("rw-p", (path) => path === process.execPath, MADV_PAGEOUT);
}

/**
 * Releases the code pages of the native libraries after a large job: about 45 MB after an index was built. Code pages are
 * never written, so no data is lost. Linux only.
 */
export async function releaseLibraryPages(): Promise<void> {
  await advise("r-xp", (path) => path.endsWith(".node") || /\.so[.\d]*$/.test(path), MADV_DONTNEED);
}

async function advise(rights: string, isWanted: (path: string) => boolean, advice: number): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const ranges = (await readFile("/proc/self/maps", "utf8")).split("\n").flatMap((line) => {
      const [, from = "", to = "", found, path = ""] =
        /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(.+)$/.exec(line) ?? [];
      if (found !== rights || !isWanted(path)) return [];
      return [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
    });
    const { symbols, close } = dlopen("libc.so.6", {
      madvise: { args: [FFIType.u64, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    });
    for (const { from, to } of ranges) symbols.madvise(from, to - from, advice);
    close();
  } catch {
    // Another C library or no /proc: the pages stay.
  }
}

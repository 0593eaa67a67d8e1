import { dlopen, FFIType } from "bun:ffi";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";

/** Of glibc's `malloc.h`. */
const M_ARENA_MAX = -8;

/**
 * Lets native libraries have one arena of memory for each core; call it before they make threads. By itself glibc makes
 * up to eight for each, and what one of them has freed the others cannot use: while 420,000 passages were indexed on two
 * cores, sixteen arenas came to hold 900 MB, most of it free. Elsewhere than with glibc nothing happens.
 */
export function keepFewArenas(): void {
  openLibc()?.mallopt(M_ARENA_MAX, availableParallelism());
}

/** Gives back to the system what native libraries have freed, which glibc keeps for later: some 10 ms of work. */
function giveBackFreed(): void {
  openLibc()?.malloc_trim(0);
}

let libc: ReturnType<typeof allocatorOf> | undefined;

function openLibc() {
  libc ??= allocatorOf("libc.so.6");
  return libc;
}

function allocatorOf(library: string) {
  if (process.platform !== "linux") return null;
  try {
    const { symbols } = dlopen(library, {
      mallopt: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
      malloc_trim: { args: [FFIType.u64], returns: FFIType.i32 },
    });
    return symbols;
  } catch {
    // Another C library, whose allocator has no such fault.
    return null;
  }
}

/** The pages go, and are read again from the file, mostly from the system's cache, when they are used again. */
const MADV_DONTNEED = 4;
/** Linux ≥ 5.4: the kernel may take the pages back now. Nothing is lost; what is used again is read again. */
const MADV_PAGEOUT = 21;

/**
 * An executable's files lie in its memory, and each page of them that was read stays there: 60 MB after unpacking. The
 * kernel takes them back when it is short of memory; until then they count as this program's, so it is asked to at once.
 * Elsewhere than on Linux nothing happens.
 */
export async function giveBackExecutable(): Promise<void> {
  await advise("rw-p", (path) => path === process.execPath, MADV_PAGEOUT);
}

/**
 * After a large work of the native libraries: gives back what they have freed, and those pages of their code that only
 * that work ran through, 100 MB after a first index. Code is never written to, so no page is lost with it.
 */
export async function giveBackWork(): Promise<void> {
  giveBackFreed();
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
    // It is a favour to others on the machine, and no more.
  }
}

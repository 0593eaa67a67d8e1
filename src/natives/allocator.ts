import { dlopen, FFIType } from "bun:ffi";
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
export function giveBackFreed(): void {
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

import { dlopen, FFIType, ptr } from "bun:ffi";
import { writeFileSync } from "node:fs";
import os from "node:os";

/** Set by the parent: the limit of private memory in bytes, of which the runtime reserves a part. Removed once the process runs under it. */
export const MEMORY_VARIABLE = "CASEFILE_CHILD_MEMORY";
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const LOWER_PRIORITY = 10;

/**
 * Starts this process again under a limit of its private memory, at most once, before anything hostile is read. The limit
 * must exist before JavaScriptCore starts: afterwards its reservation of address space of 6 GB exceeds every limit. The
 * kernel then refuses more memory, and an allocation fails with an error or ends the process. On Linux only; elsewhere
 * the parent watches alone.
 *
 * Uses no shell: an image may have none.
 */
export function limitMemory(): void {
  const bytes = process.env[MEMORY_VARIABLE];
  if (process.platform !== "linux" || bytes === undefined) return;
  const { symbols: libc } = dlopen("libc.so.6", {
    setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
    unsetenv: { args: [FFIType.ptr], returns: FFIType.i32 },
    execv: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  });
  const text = (value: string) => Buffer.from(`${value}\0`);
  const limit = BigInt(bytes);
  // A core file would hold what was read, and would appear in the working directory.
  libc.setrlimit(RLIMIT_CORE, ptr(new BigUint64Array([0n, 0n])));
  libc.unsetenv(ptr(text(MEMORY_VARIABLE)));
  libc.setrlimit(RLIMIT_DATA, ptr(new BigUint64Array([limit, limit])));
  // The executable contains its script under a path of its own, which is no argument.
  const script = Bun.main.includes("/$bunfs/") ? [] : [Bun.main];
  const args = [process.execPath, ...script, ...process.argv.slice(2)].map(text);
  libc.execv(ptr(args[0]!), ptr(new BigUint64Array([...args.map((each) => BigInt(ptr(each))), 0n])));
}

/**
 * When memory is short the kernel ends this process before the service; when the service is killed it ends too; and the
 * service gets the processor first. Each is an improvement only, and not available everywhere.
 */
export function yieldToParent(): void {
  attempt(() => os.setPriority(LOWER_PRIORITY));
  if (process.platform !== "linux") return;
  attempt(() => writeFileSync("/proc/self/oom_score_adj", "1000"));
  attempt(() => {
    const { symbols } = dlopen("libc.so.6", { prctl: { args: [FFIType.i32, FFIType.u64], returns: FFIType.i32 } });
    symbols.prctl(PR_SET_PDEATHSIG, SIGKILL);
  });
}

function attempt(improve: () => void): void {
  try {
    improve();
  } catch {
    // Not permitted here.
  }
}

import { dlopen, FFIType } from "bun:ffi";
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { giveBackWork } from "../../src/natives/allocator.ts";

const { pointer, i32, u64 } = { pointer: FFIType.ptr, i32: FFIType.i32, u64: FFIType.u64 };
const isGlibc = process.platform === "linux" && (await Bun.file("/lib64/ld-linux-x86-64.so.2").exists());

test.if(isGlibc)(
  "what native libraries have freed goes back to the system, though something after it is in use",
  async () => {
    const { symbols } = dlopen("libc.so.6", {
      malloc: { args: [u64], returns: pointer },
      memset: { args: [pointer, i32, u64], returns: pointer },
      free: { args: [pointer], returns: FFIType.void },
    });
    const written = () => symbols.memset(symbols.malloc(65_536), 1, 65_536);
    const parts = Array.from({ length: 1_024 }, written);
    const last = written();
    for (const part of parts) symbols.free(part);
    const kept = await residentMb();
    await giveBackWork();
    expect(kept - (await residentMb())).toBeGreaterThan(48);
    symbols.free(last);
  },
);

describe("after an index was made", () => {
  let [arenas, codeMb] = [0, 0];
  beforeAll(async () => {
    if (isGlibc) ({ arenas, codeMb } = await afterWork());
  });

  test.if(isGlibc)("native libraries have an arena of memory for each core beside the first, and no more", () => {
    expect(arenas).toBeGreaterThan(0);
    expect(arenas).toBeLessThanOrEqual(availableParallelism() + 1);
  });

  test.if(isGlibc)("code that the making alone ran through is not held in memory", () => {
    expect(codeMb).toBeGreaterThan(0);
    expect(codeMb).toBeLessThan(25);
  });
});

async function afterWork(): Promise<{ readonly arenas: number; readonly codeMb: number }> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-after-work-"));
  try {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "after-work.ts"), folder], { stdout: "pipe" });
    return JSON.parse(await new Response(child.stdout).text());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function residentMb(): Promise<number> {
  const status = await Bun.file("/proc/self/status").text();
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

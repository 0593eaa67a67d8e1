import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const isGlibc = process.platform === "linux" && (await Bun.file("/lib64/ld-linux-x86-64.so.2").exists());
const deploy = (name: string) => readFile(join(import.meta.dir, "../../deploy", name), "utf8");
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

test.each(["casefile.service", "Containerfile"])("%s limits the memory that the allocator keeps", async (name) => {
  const text = await deploy(name);
  for (const [variable, value] of Object.entries(ALLOCATOR)) expect(text).toContain(`${variable}=${value}`);
});

describe("after an index was built, with the variables of the service", () => {
  let [arenas, codeMb] = [0, 0];
  beforeAll(async () => {
    if (isGlibc) ({ arenas, codeMb } = await buildIndex());
  });

  test.if(isGlibc)("the allocator has at most two arenas", () => {
    expect(arenas).toBeGreaterThan(0);
    expect(arenas).toBeLessThanOrEqual(2);
  });

  test.if(isGlibc)("the code of the native libraries is not resident", () => {
    expect(codeMb).toBeGreaterThan(0);
    expect(codeMb).toBeLessThan(25);
  });
});

async function buildIndex(): Promise<{ readonly arenas: number; readonly codeMb: number }> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-memory-"));
  try {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "build-index.ts"), folder], {
      stdout: "pipe",
      env: { ...process.env, ...ALLOCATOR },
    });
    return JSON.parse(await new Response(child.stdout).text());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

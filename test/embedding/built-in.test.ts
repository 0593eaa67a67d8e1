import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BUILT_IN_MANIFEST, openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import type { Encoder } from "../../src/embedding/encoder.ts";

let encoder: Encoder;
beforeAll(async () => {
  encoder = await openBuiltInEncoder({ unpackDir: "never-written" });
});
afterAll(() => encoder.close());

const likeness = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  a!.reduce((sum, value, at) => sum + value * b![at]!, 0);

describe("the built-in model", () => {
  test.each([
    ["reduce cloud costs", "cut infrastructure spending", "hire nurses"],
    ["recruiting new employees", "hiring staff", "database replication"],
    ["a shop on the web", "online store", "payroll taxes"],
    ["customers pay their invoices late", "overdue payments", "website design"],
    ["migrate the database to the cloud", "move data to cloud storage", "e-mail marketing campaign"],
  ])("places %j nearer to %j than to %j", async (text, near, far) => {
    const [a, b, c] = await encoder.encode([text, near, far], "passage");
    expect(likeness(a, b)).toBeGreaterThan(likeness(a, c) + 0.1);
  });

  test("returns unit vectors of its manifest's size", async () => {
    const [vector] = await encoder.encode(["payments for small shops"], "query");
    expect(vector).toHaveLength(BUILT_IN_MANIFEST.dimensions);
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
  });

  test("encodes any text", async () => {
    const odd = ["\u0000\uFFFF", "漢字かな", "🙂🙂", "x".repeat(100_000), "a\u0301 ".repeat(5_000), "]]><script>"];
    for (const vector of await encoder.encode(odd, "passage"))
      expect(vector.every((value) => Number.isFinite(value))).toBe(true);
  });
});

test("encoding writes no file to the home or working directory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-embed-"));
  try {
    const program = `
      const { openBuiltInEncoder } = await import(${JSON.stringify(resolve(import.meta.dir, "../../src/embedding/built-in.ts"))});
      const encoder = await openBuiltInEncoder({ unpackDir: "unpack" });
      const [vector] = await encoder.encode(["cut costs"], "query");
      await encoder.close();
      console.log(vector.length);`;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: folder,
      // Disable the runtime's own cache of compiled sources: it would write files too.
      env: {
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
        HOME: folder,
        TMPDIR: folder,
        XDG_CACHE_HOME: folder,
        PATH: process.env.PATH ?? "",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, problems] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(problems).toBe("");
    expect(out.trim()).toBe(String(BUILT_IN_MANIFEST.dimensions));
    expect(await readdir(folder, { recursive: true })).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the shipped model matches its manifest", async () => {
  const folder = resolve(import.meta.dir, "../../models/casefile-static");
  for (const { name, bytes, sha256 } of BUILT_IN_MANIFEST.files) {
    expect((await stat(join(folder, name))).size).toBe(bytes);
    const content = await Bun.file(join(folder, name)).bytes();
    expect(new Bun.CryptoHasher("sha256").update(content).digest("hex")).toBe(sha256);
  }
});

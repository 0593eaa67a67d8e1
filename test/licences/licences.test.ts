import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataLicences, gatherLicences } from "../../src/licences/gather.ts";
import { loadLicences } from "../../src/licences/licences.ts";

const ROOT = join(import.meta.dir, "../..");

test("every package that the program needs is named with its version and a licence's text", async () => {
  const { dependencies } = await Bun.file(join(ROOT, "package.json")).json();
  const text = await gatherLicences(ROOT);
  for (const [name, version] of Object.entries(dependencies)) {
    const [, told = ""] = text.split(`\n${name} ${version}\n${"=".repeat(80)}\n`);
    expect([name, told.split("=".repeat(80))[0]?.trim().length]).toEqual([name, expect.any(Number)]);
    expect(told.split("=".repeat(80))[0]?.trim().length ?? 0).toBeGreaterThan(80);
  }
});

test("the runtime, what is linked into it, the libraries inside native parts and the data's sources are named", async () => {
  const text = await gatherLicences(ROOT);
  for (const part of [
    `Bun ${Bun.version} `,
    "JavaScriptCore",
    "Microsoft",
    "tokio",
    "jenkins-infra/stories",
    "WordNet",
  ])
    expect(text).toContain(part);
});

test("each case study that comes with the program tells its source and licence", async () => {
  expect(await dataLicences(ROOT)).not.toContain("unknown (");
});

test("an executable tells the text that it carries", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-licences-"));
  try {
    await Bun.write(join(folder, "text.zst"), Bun.zstdCompressSync("what was gathered at build time"));
    expect(await loadLicences(join(folder, "text.zst"))).toBe("what was gathered at build time");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a package without a licence file whose licence is not known here stops the build", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-licences-"));
  try {
    await Bun.write(join(folder, "package.json"), '{"version":"1.0.0"}');
    await Bun.write(join(folder, "LICENSE"), "Ours.");
    await Bun.write(
      join(folder, "package-lock.json"),
      '{"packages":{"node_modules/odd":{},"node_modules/dev":{"dev":true}}}',
    );
    await Bun.write(
      join(folder, "node_modules/odd/package.json"),
      '{"name":"odd","version":"2.0.0","license":"Odd-1.0"}',
    );
    const error = await gatherLicences(folder).catch(String);
    expect(error).toBe("Error: odd brings no licence file, and its licence is Odd-1.0");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

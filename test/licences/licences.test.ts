import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataLicences, gatherLicences } from "../../src/licences/gather.ts";
import { loadLicences } from "../../src/licences/licences.ts";

const ROOT = join(import.meta.dir, "../..");

test("every runtime dependency is listed with its version and licence text", async () => {
  const { dependencies } = await Bun.file(join(ROOT, "package.json")).json();
  const text = await gatherLicences(ROOT);
  for (const [name, version] of Object.entries(dependencies)) {
    const [, section = ""] = text.split(`\n${name} ${version}\n${"=".repeat(80)}\n`);
    expect([name, section.split("=".repeat(80))[0]?.trim().length]).toEqual([name, expect.any(Number)]);
    expect(section.split("=".repeat(80))[0]?.trim().length ?? 0).toBeGreaterThan(60);
  }
});

test("the runtime, its libraries, those of native packages and the sources of the data are listed", async () => {
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

test("every built-in case study has a source and a licence", async () => {
  expect(await dataLicences(ROOT)).not.toContain("unknown (");
});

test("an executable prints the text embedded in it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-licences-"));
  try {
    await Bun.write(join(folder, "text.zst"), Bun.zstdCompressSync("collected at build time"));
    expect(await loadLicences(join(folder, "text.zst"))).toBe("collected at build time");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a package without a licence file and without a known licence fails the build", async () => {
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
    expect(error).toBe("Error: odd has no licence file, and no standard text is known for Odd-1.0");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { assertNewer, releaseChangelog, releaseNotes } from "../../scripts/release/changelog.ts";
import { formulaOf } from "../../scripts/release/formula.ts";
import { packageUnit } from "../../scripts/release/packages.ts";

const ROOT = join(import.meta.dir, "../..");

describe("the changelog of a release", () => {
  const text = "# Changelog\n\nIntro.\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0\n\nThe first edition.\n";

  test("dates what is unreleased and opens a new section", () => {
    expect(releaseChangelog(text, "0.2.0", "2026-12-01")).toEqual({
      notes: "### Added\n\n- A.",
      text: "# Changelog\n\nIntro.\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- A.\n\n## 0.1.0\n\nThe first edition.\n",
    });
  });

  test.each([
    ["# Changelog\n", "has no section"],
    ["## Unreleased\n\n## 0.1.0\n", "has nothing"],
    ["## Unreleased\n\n- A.\n\n## 0.2.0\n", "a section for 0.2.0 already"],
  ])("is refused: %j", (changelog, reason) => {
    expect(() => releaseChangelog(changelog, "0.2.0", "2026-12-01")).toThrow(reason);
  });

  test("is published without links into the repository, with the contact", () => {
    const notes = "- A, see [Batches](docs/api.md#batches) and [RFC 9421](https://www.rfc-editor.org/rfc/rfc9421).";
    expect(releaseNotes("0.2.0", notes, "security@acme.example")).toBe(
      "# Casefile 0.2.0\n\n- A, see Batches and [RFC 9421](https://www.rfc-editor.org/rfc/rfc9421).\n\n## Security and conduct contact\n\nsecurity@acme.example\n",
    );
  });

  test("that is in the repository has something to release", async () => {
    expect(releaseChangelog(await Bun.file(join(ROOT, "CHANGELOG.md")).text(), "9.0.0", "2026-12-01").notes).toMatch(
      /\S/,
    );
  });
});

test.each([
  ["0.1.0", "0.2.0"],
  ["0.9.9", "0.10.0"],
  ["0.9.9", "1.0.0"],
])("%s may be followed by %s", (current, next) => {
  expect(() => assertNewer(current, next)).not.toThrow();
});

test.each([
  ["0.1.0", "0.1.0"],
  ["0.10.0", "0.9.9"],
  ["0.1.0", "v0.2.0"],
  ["0.1.0", "0.2"],
])("%s is not followed by %s", (current, next) => {
  expect(() => assertNewer(current, next)).toThrow();
});

test("the unit of a package runs the packaged executable as the package's user", async () => {
  const unit = packageUnit(await Bun.file(join(ROOT, "deploy/casefile.service")).text());
  expect(unit).toContain("ExecStart=/usr/bin/casefile serve");
  expect(unit).toContain("EnvironmentFile=-/etc/casefile/casefile.env");
  expect(unit).toContain("User=casefile\nGroup=casefile\n");
  expect(unit).not.toMatch(/DynamicUser|usr\/local/);
  expect(() => packageUnit("[Unit]\n")).toThrow("has no line");
});

test("the formula has the address and the sum of each executable", () => {
  const files = ["darwin-arm64", "linux-x64", "linux-arm64"].map((target, at) => ({
    name: `casefile-0.2.0-${target}`,
    sha256: String(at).repeat(64),
  }));
  const formula = formulaOf("0.2.0", "https://downloads.example", files);
  for (const { name, sha256 } of files)
    expect(formula).toContain(`url "https://downloads.example/v0.2.0/${name}"\n      sha256 "${sha256}"`);
  expect(() => formulaOf("0.2.0", "https://downloads.example", files.slice(1))).toThrow("casefile-0.2.0-darwin-arm64");
});

test.skipIf(Bun.which("ruby") === null)("ruby parses the formula", async () => {
  const files = ["darwin-arm64", "linux-x64", "linux-arm64"].map((target) => ({
    name: `casefile-0.2.0-${target}`,
    sha256: "0".repeat(64),
  }));
  const child = Bun.spawn(["ruby", "-c", "-"], {
    stdin: Buffer.from(formulaOf("0.2.0", "https://downloads.example", files)),
    stdout: "pipe",
    stderr: "pipe",
  });
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
});

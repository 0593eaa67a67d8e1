import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inDirectory } from "../store/examples.ts";
import { ended, start } from "./process.ts";

const SLOW = 60_000;

/** All commands and settings that read a file or a folder. */
test.each([
  [["enrich", "--from", "absent"]],
  [["enrich", "-", "--output", "folder"]],
  [["import", "absent"]],
  [["model", "eval", "--questions", "absent"]],
  [["model", "add", "absent"]],
  [["fingerprints", "check", "absent"]],
  [["fingerprints", "import-wappalyzer", "absent"]],
  [["backup", "verify", "absent"]],
  [["backup", "verify", "file/below"]],
  [["backup", "restore", "absent"]],
  [["restore", "folder"]],
  [["keys", "list", "--config", "absent"]],
  [["keys", "list", "--net-ca-file", "absent"]],
  [["keys", "list", "--net-ca-file", "file"]],
  [["keys", "list", "--fingerprints", "absent"]],
])(
  "an unreadable file is a usage error with exit code 2: %j",
  async (argv) => {
    await inDirectory(async (directory) => {
      await mkdir(join(directory, "folder"));
      await writeFile(join(directory, "file"), "");
      const { code, out, err } = await ended(start(directory, argv));
      expect([code, out]).toEqual([2, ""]);
      const named = argv.at(-1) ?? "";
      expect(err).toMatch(new RegExp(`^casefile: .*(?:${named}|no such folder)`, "s"));
      expect(err).not.toContain("    at ");
    });
  },
  SLOW,
);

test.each([[["keys", "list"]], [["serve", "--port", "0"]], [["mcp"]]])(
  "a data directory that is a file is reported as one: %j",
  async (argv) => {
    await inDirectory(async (directory) => {
      await writeFile(join(directory, "file"), "");
      const { code, out, err } = await ended(start(directory, [...argv, "--data-dir", "file"]));
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(
        /^casefile: The data directory \S+file is a file, not a folder; give another with --data-dir\.\n$/,
      );
    });
  },
  SLOW,
);

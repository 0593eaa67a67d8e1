import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { Failure, type Problem } from "../../vocabulary/failure.ts";

/** One file of a user's own: its name, its parsed content. */
export interface OwnFile {
  readonly file: string;
  readonly id: string;
  readonly raw: unknown;
}

export interface OwnFolder {
  /** `categories.yaml`, when there is one. */
  readonly categories: OwnFile | undefined;
  readonly records: readonly OwnFile[];
  readonly problems: readonly Problem[];
}

const MAX_FILES = 10_000;
const MAX_BYTES = 262_144;
const CATEGORIES = "categories";

/**
 * Reads the `.yaml` files of a folder, unchecked. A file that cannot be read, is too large or no YAML is a problem.
 *
 * @throws Failure `fingerprints.invalid` when there is no such folder: nothing is known of its fingerprints then
 */
export function readOwnFolder(folder: string): OwnFolder {
  const names = namesIn(folder);
  if (names.length > MAX_FILES) {
    const detail = `holds more than ${MAX_FILES} files`;
    return { categories: undefined, records: [], problems: [{ pointer: folder, detail }] };
  }
  const problems: Problem[] = [];
  const files = names.flatMap((file) => {
    const read = readOne(join(folder, file));
    if ("fault" in read) problems.push({ pointer: file, detail: read.fault });
    return "raw" in read ? [{ file, id: file.slice(0, -".yaml".length), raw: read.raw }] : [];
  });
  return {
    categories: files.find(({ id }) => id === CATEGORIES),
    records: files.filter(({ id }) => id !== CATEGORIES),
    problems,
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".yaml"))
      .sort();
  } catch {
    throw new Failure("fingerprints.invalid", `${folder} is no folder that can be read; give one with .yaml files.`);
  }
}

function readOne(path: string): { readonly raw: unknown } | { readonly fault: string } {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { fault: "is no file" };
    if (found.size > MAX_BYTES) return { fault: `is larger than ${MAX_BYTES / 1_024} KiB` };
    text = readFileSync(path, "utf8");
  } catch {
    return { fault: "cannot be read" };
  }
  try {
    return { raw: YAML.parse(text) };
  } catch {
    return { fault: `is no YAML; the fault is in or near line ${faultyLine(text)}` };
  }
}

/** The parser does not say where: the line after the longest beginning that halving finds sound. */
function faultyLine(text: string): number {
  const lines = text.split("\n");
  let [sound, broken] = [0, lines.length];
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1;
    if (isYaml(lines.slice(0, middle).join("\n"))) sound = middle;
    else broken = middle;
  }
  return broken;
}

function isYaml(text: string): boolean {
  try {
    YAML.parse(text);
    return true;
  } catch {
    return false;
  }
}

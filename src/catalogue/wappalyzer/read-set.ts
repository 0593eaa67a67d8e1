import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../vocabulary/failure.ts";
import type { TechnologySet } from "./import-set.ts";

const MAX_FILES = 64;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TECHNOLOGIES = 20_000;

/**
 * Reads `technologies/*.json` and `categories.json` of a folder, or the `technologies.json` that older sets have.
 *
 * @throws Failure `fingerprints.invalid` naming the file
 */
export function readSet(folder: string): TechnologySet {
  const inside = namesIn(join(folder, "technologies"));
  const names = inside ? inside.map((name) => join("technologies", name)) : namesIn(folder);
  if (!names || names.length === 0) {
    throw invalid(`${folder} holds no technologies/*.json; give the folder of a set in the format of Wappalyzer.`);
  }
  if (names.length > MAX_FILES) throw invalid(`${folder} holds more than ${MAX_FILES} files.`);
  const technologies = new Map<string, unknown>();
  const categories = new Map<string, unknown>();
  const read = (name: string) => {
    const content = jsonOf(folder, name);
    if (name === "categories.json") return each(content, categories);
    // Older sets keep both in one file.
    each(content.technologies ?? content.apps ?? (content.categories === undefined ? content : {}), technologies);
    if (content.categories !== undefined) each(content.categories, categories);
  };
  for (const name of names) read(name);
  if (inside && isFile(join(folder, "categories.json"))) read("categories.json");
  if (technologies.size > MAX_TECHNOLOGIES)
    throw invalid(`${folder} holds more than ${MAX_TECHNOLOGIES} technologies.`);
  return { technologies: Object.fromEntries(technologies), categories: Object.fromEntries(categories) };
}

/**
 * Writes the files of an import into a folder, which is made when it is absent.
 *
 * @throws Failure `fingerprints.invalid` when the folder holds something or cannot be written
 */
export function writeSet(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) throw invalid(`${folder} is not empty; give a new folder with --output.`);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw invalid(`${folder} cannot be written; give another folder with --output.`);
  }
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return undefined;
  }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function jsonOf(folder: string, name: string): Readonly<Record<string, unknown>> {
  const path = join(folder, name);
  if (!isFile(path) || statSync(path).size > MAX_BYTES) throw invalid(`${name} is no file of at most 16 MiB.`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw invalid(`${name} is no JSON.`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw invalid(`${name} holds no object.`);
  return { ...content };
}

function each(raw: unknown, into: Map<string, unknown>): void {
  if (typeof raw !== "object" || raw === null) return;
  for (const [name, value] of Object.entries(raw)) into.set(name, value);
}

const invalid = (advice: string) => new Failure("fingerprints.invalid", advice);

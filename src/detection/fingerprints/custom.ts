import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { Failure, type Problem } from "../../core/errors.ts";
import {
  type Catalogue,
  type CheckedCatalogue,
  catalogueFailure,
  loadCheckedCatalogue,
  sharedNames,
  toolFaults,
} from "./catalogue.ts";
import { exampleFaults } from "./examples.ts";
import { LINEAR_REGEX } from "./linear-regex.ts";
import { builtInRecords } from "./packed.ts";
import { type Addition, isProblems, readCategories, readCustomRecord } from "./record.ts";
import type { Category, Fingerprint } from "./types.ts";

/** One file of a user's own: its name, its parsed content. */
interface CustomFile {
  readonly file: string;
  readonly id: string;
  readonly raw: unknown;
}

interface CustomFolder {
  /** `categories.yaml`, when there is one. */
  readonly categories: CustomFile | undefined;
  readonly records: readonly CustomFile[];
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
function readCustomFolder(folder: string): CustomFolder {
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

/** What a user's own folders make of the built-in catalogue. */
export interface CustomFingerprints extends CheckedCatalogue {
  /** Files read and the rules in them. */
  readonly files: number;
  readonly rules: number;
  /** Ids that were known before: replaced by a whole file, or extended by rules. */
  readonly replaced: readonly string[];
  readonly extended: readonly string[];
  /** Every fault; `pointer` is a file and the place in it. */
  readonly problems: readonly Problem[];
}

/**
 * Adds the files of folders, in their order, to a catalogue that was checked. A whole file of a known id takes the
 * tool's place; one that says `extends: true` adds to it. Faulty files are left out and told.
 *
 * @param prove also runs each rule's hit and miss
 */
export function addCustom(
  known: CheckedCatalogue,
  folders: readonly string[],
  { prove = false }: { readonly prove?: boolean } = {},
): CustomFingerprints {
  const categories = new Map(known.categories.map((category) => [category.id, category]));
  const tools = new Map(known.tools.map((tool) => [tool.id, tool]));
  const fileOf = new Map<string, string>();
  const problems: Problem[] = [];
  const replaced = new Set<string>();
  const extended = new Set<string>();
  let files = 0;
  let rules = 0;

  for (const name of folders) {
    const folder = readCustomFolder(name);
    problems.push(...folder.problems);
    for (const category of ownCategories(folder, problems)) categories.set(category.id, category);
    for (const { file, id, raw } of folder.records) {
      files += 1;
      fileOf.set(id, file);
      const read = readCustomRecord(id, raw);
      if (isProblems(read)) {
        problems.push(...read.map((problem) => inFile(problem, id, file)));
        continue;
      }
      const before = tools.get(id);
      const made = "tool" in read ? read.tool : before && extendedBy(before, read.addition);
      if (!made) {
        problems.push({ pointer: `${file}/extends`, detail: `there is no tool "${id}" to add to; write a whole one` });
        continue;
      }
      if (before) ("tool" in read ? replaced : extended).add(id);
      rules += "tool" in read ? read.tool.rules.length : read.addition.rules.length;
      tools.set(id, made);
    }
  }

  for (const [id, file] of fileOf) {
    const tool = tools.get(id);
    if (!tool) continue;
    const faults = toolFaults(tool, categories, tools, LINEAR_REGEX);
    problems.push(...faults.map((problem) => inFile(problem, id, file)));
    if (prove && faults.length === 0) {
      const own = { ...tool, rules: tool.rules.filter((rule) => rule.own) };
      problems.push(...exampleFaults(own, LINEAR_REGEX).map((problem) => inFile(problem, id, file)));
    }
  }
  // A name that two tools have is a fault of the user's, whichever was read first.
  for (const { pointer, detail } of sharedNames([...tools.values()])) {
    const id = pointer.split("/")[0] ?? "";
    const file = fileOf.get(id);
    const advice = file === undefined ? "" : "; name the file by that id to replace it";
    problems.push({ pointer: file ? `${file}/name` : pointer, detail: `${detail}${advice}` });
  }
  return {
    categories: [...categories.values()],
    tools: [...tools.values()],
    files,
    rules,
    replaced: [...replaced].sort(),
    extended: [...extended].sort(),
    problems,
  };
}

function ownCategories({ categories }: CustomFolder, problems: Problem[]): readonly Category[] {
  if (!categories) return [];
  const read = readCategories(categories.raw);
  if (!isProblems(read)) return read;
  problems.push(...read.map((problem) => inFile(problem, categories.id, categories.file)));
  return [];
}

function extendedBy(tool: Fingerprint, { rules, role, product_of, ...lists }: Addition): Fingerprint {
  const joined = (["implies", "excludes", "requires"] as const).flatMap((key) => {
    const all = [...new Set([...(tool[key] ?? []), ...(lists[key] ?? [])])];
    return all.length > 0 ? [[key, all] as const] : [];
  });
  return {
    ...tool,
    ...(role === undefined ? {} : { role }),
    ...(product_of === undefined ? {} : { product_of }),
    ...Object.fromEntries(joined),
    rules: [...tool.rules, ...rules],
  };
}

/** `widget/rules/0/see` → `widget.yaml/rules/0/see`. */
const inFile = ({ pointer, detail }: Problem, id: string, file: string): Problem => ({
  pointer: pointer.startsWith(id) ? `${file}${pointer.slice(id.length)}` : `${file}/${pointer}`,
  detail,
});

/**
 * The built-in catalogue with a user's own fingerprints.
 *
 * @throws Failure `catalogue.invalid` with every fault, its file and its place; `fingerprints.invalid` for no folder
 */
export function loadCustomCatalogue(folders: readonly string[]): {
  readonly catalogue: Catalogue;
  readonly own: CustomFingerprints;
} {
  const builtIn = builtInRecords();
  const own = addCustom(builtIn, folders);
  if (own.problems.length > 0) throw catalogueFailure(own.problems, "The own fingerprints have");
  const { literals = [] } = builtIn;
  return { catalogue: loadCheckedCatalogue({ ...own, literals }, LINEAR_REGEX), own };
}

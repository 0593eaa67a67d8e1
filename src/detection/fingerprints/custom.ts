import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { Failure, type Problem } from "../../core/errors.ts";
import { createThirdPartyMatcher } from "../third-parties/entities.ts";
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

/** One custom file and its parsed content. */
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
 * Reads the `.yaml` files of a folder without validating them. Files that are unreadable, too large or not YAML are
 * problems.
 *
 * @throws Failure `fingerprints.invalid` when the folder cannot be read
 */
function readCustomFolder(folder: string): CustomFolder {
  const names = namesIn(folder);
  if (names.length > MAX_FILES) {
    const detail = `contains more than ${MAX_FILES} files`;
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
    throw new Failure("fingerprints.invalid", `Cannot read the folder ${folder}; give a folder of .yaml files.`);
  }
}

function readOne(path: string): { readonly raw: unknown } | { readonly fault: string } {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { fault: "is not a regular file" };
    if (found.size > MAX_BYTES) return { fault: `is larger than ${MAX_BYTES / 1_024} KiB` };
    text = readFileSync(path, "utf8");
  } catch {
    return { fault: "cannot be read" };
  }
  try {
    return { raw: YAML.parse(text) };
  } catch {
    return { fault: `is not valid YAML; the error is in or near line ${faultyLine(text)}` };
  }
}

/** The parser does not report the line: bisects for the line after the longest prefix that parses. */
function faultyLine(text: string): number {
  const lines = text.split("\n");
  let [valid, broken] = [0, lines.length];
  while (broken - valid > 1) {
    const middle = (valid + broken) >> 1;
    if (isYaml(lines.slice(0, middle).join("\n"))) valid = middle;
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

/** The built-in catalogue with custom files added. */
export interface CustomFingerprints extends CheckedCatalogue {
  /** Files read and the rules in them. */
  readonly files: number;
  readonly rules: number;
  /** Known ids: replaced by a complete file, or extended. */
  readonly replaced: readonly string[];
  readonly extended: readonly string[];
  /** Every fault; `pointer` is the file and the place in it. */
  readonly problems: readonly Problem[];
}

/**
 * Adds the files of folders, in order, to a validated catalogue. A complete file replaces a tool of the same id; one with
 * `extends: true` adds to it. Invalid files are skipped and reported as problems.
 *
 * @param testExamples also tests each rule's hit and miss
 */
export function addCustom(
  known: CheckedCatalogue,
  folders: readonly string[],
  { testExamples = false }: { readonly testExamples?: boolean } = {},
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
    for (const category of customCategories(folder, problems)) categories.set(category.id, category);
    for (const { file, id, raw } of folder.records) {
      files += 1;
      fileOf.set(id, file);
      const read = readCustomRecord(id, raw);
      if (isProblems(read)) {
        problems.push(...read.map((problem) => inFile(problem, id, file)));
        continue;
      }
      const before = tools.get(id);
      const result = "tool" in read ? read.tool : before && extendedBy(before, read.addition);
      if (!result) {
        problems.push({
          pointer: `${file}/extends`,
          detail: `there is no tool "${id}" to extend; write a complete fingerprint`,
        });
        continue;
      }
      if (before) ("tool" in read ? replaced : extended).add(id);
      rules += "tool" in read ? read.tool.rules.length : read.addition.rules.length;
      tools.set(id, result);
    }
  }

  for (const [id, file] of fileOf) {
    const tool = tools.get(id);
    if (!tool) continue;
    const faults = toolFaults(tool, categories, tools, LINEAR_REGEX);
    problems.push(...faults.map((problem) => inFile(problem, id, file)));
    if (testExamples && faults.length === 0) {
      const customRules = { ...tool, rules: tool.rules.filter((rule) => rule.custom) };
      problems.push(...exampleFaults(customRules, LINEAR_REGEX).map((problem) => inFile(problem, id, file)));
    }
  }
  // Built-in names are unique, so a duplicate is a fault of a custom file.
  for (const { pointer, detail } of sharedNames([...tools.values()])) {
    const id = pointer.split("/")[0] ?? "";
    const file = fileOf.get(id);
    const advice = file === undefined ? "" : "; to replace it, use its id as the file name";
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

function customCategories({ categories }: CustomFolder, problems: Problem[]): readonly Category[] {
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
 * The built-in catalogue with custom fingerprints.
 *
 * @throws Failure `catalogue.invalid` with every fault; `fingerprints.invalid` for a missing folder
 */
export function loadCustomCatalogue(folders: readonly string[]): {
  readonly catalogue: Catalogue;
  readonly custom: CustomFingerprints;
} {
  const builtIn = builtInRecords();
  const custom = addCustom(builtIn, folders);
  if (custom.problems.length > 0) throw catalogueFailure(custom.problems, "The custom fingerprints have");
  const { literals = [] } = builtIn;
  return { catalogue: loadCheckedCatalogue({ ...custom, literals }, LINEAR_REGEX, createThirdPartyMatcher), custom };
}

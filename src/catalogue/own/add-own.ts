import type { Problem } from "../../vocabulary/failure.ts";
import type { Category, Fingerprint } from "../../vocabulary/fingerprint.ts";
import { type CheckedCatalogue, sharedNames, toolFaults } from "../catalogue.ts";
import { proofFaults } from "../proof.ts";
import { type Addition, isProblems, readCategories, readOwnRecord } from "../record.ts";
import { type OwnFolder, readOwnFolder } from "./folder.ts";
import { LINEAR } from "./linear-expressions.ts";

/** What a user's own folders make of the built-in catalogue. */
export interface OwnFingerprints extends CheckedCatalogue {
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
export function addOwn(
  known: CheckedCatalogue,
  folders: readonly string[],
  { prove = false }: { readonly prove?: boolean } = {},
): OwnFingerprints {
  const categories = new Map(known.categories.map((category) => [category.id, category]));
  const tools = new Map(known.tools.map((tool) => [tool.id, tool]));
  const fileOf = new Map<string, string>();
  const problems: Problem[] = [];
  const replaced = new Set<string>();
  const extended = new Set<string>();
  let files = 0;
  let rules = 0;

  for (const name of folders) {
    const folder = readOwnFolder(name);
    problems.push(...folder.problems);
    for (const category of ownCategories(folder, problems)) categories.set(category.id, category);
    for (const { file, id, raw } of folder.records) {
      files += 1;
      fileOf.set(id, file);
      const read = readOwnRecord(id, raw);
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
    const faults = toolFaults(tool, categories, tools, LINEAR);
    problems.push(...faults.map((problem) => inFile(problem, id, file)));
    if (prove && faults.length === 0) {
      const own = { ...tool, rules: tool.rules.filter((rule) => rule.own) };
      problems.push(...proofFaults(own, LINEAR).map((problem) => inFile(problem, id, file)));
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

function ownCategories({ categories }: OwnFolder, problems: Problem[]): readonly Category[] {
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

import { Failure, type Problem } from "../vocabulary/failure.ts";
import type { Category, Fingerprint } from "../vocabulary/fingerprint.ts";
import type { Signal } from "../vocabulary/signal.ts";
import { ruleFaults } from "./conditions.ts";
import { isProblems, readCategories, readRecord } from "./record.ts";
import { createRuleIndex, type RuleHit } from "./rule-index.ts";

export type { RuleHit } from "./rule-index.ts";

/** Every known tool, and the way from a signal to the rules that it meets. */
export interface Catalogue {
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly categories: ReadonlyMap<string, Category>;
  readonly match: (signal: Signal) => RuleHit[];
}

/** The catalogue's files as parsed YAML: what {@link readCatalogueFiles} reads and the executable carries. */
export interface CatalogueSource {
  readonly categories: unknown;
  readonly records: Readonly<Record<string, unknown>>;
}

/**
 * Checks every record and compiles the indexes.
 *
 * @throws Failure `catalogue.invalid` listing every fault of every record
 */
export function loadCatalogue(source: CatalogueSource): Catalogue {
  const problems: Problem[] = [];
  const categories = readCategories(source.categories);
  if (isProblems(categories)) throw catalogueFailure(categories);
  const known = new Map(categories.map((category) => [category.id, category]));
  const tools = new Map<string, Fingerprint>();
  for (const [id, raw] of Object.entries(source.records)) {
    const record = readRecord(id, raw);
    if (isProblems(record)) problems.push(...record);
    else tools.set(id, record);
  }
  for (const tool of tools.values()) problems.push(...toolFaults(tool, known, tools));
  problems.push(...sharedNames([...tools.values()]));
  if (problems.length > 0) throw catalogueFailure(problems);
  return { tools, categories: known, match: createRuleIndex([...tools.values()]) };
}

/**
 * The same without the checks, for records that were checked when the executable was built:
 * reading them again would double the time to start.
 */
export function loadCheckedCatalogue(source: {
  readonly categories: readonly Category[];
  readonly tools: readonly Fingerprint[];
}): Catalogue {
  return {
    tools: new Map(source.tools.map((tool) => [tool.id, tool])),
    categories: new Map(source.categories.map((category) => [category.id, category])),
    match: createRuleIndex(source.tools),
  };
}

function toolFaults(
  tool: Fingerprint,
  categories: ReadonlyMap<string, Category>,
  tools: ReadonlyMap<string, Fingerprint>,
): Problem[] {
  const problems: Problem[] = [];
  const fault = (pointer: string, detail: string) => problems.push({ pointer: `${tool.id}${pointer}`, detail });
  if (!categories.has(tool.category)) fault("/category", `no category "${tool.category}"`);
  for (const implied of tool.implies ?? []) {
    if (!tools.has(implied) || implied === tool.id) fault("/implies", `no other tool "${implied}"`);
  }
  const ids = new Set<string>();
  for (const rule of tool.rules) {
    if (ids.has(rule.id)) fault(`/rules/${rule.id}`, "a second rule has this id");
    ids.add(rule.id);
    for (const detail of ruleFaults(rule)) fault(`/rules/${rule.id}`, detail);
  }
  return problems;
}

/** A name stands for one tool, or a result would show two rows that read the same. */
function sharedNames(tools: readonly Fingerprint[]): Problem[] {
  const owner = new Map<string, string>();
  return tools.flatMap((tool) => {
    const name = tool.name.toLowerCase();
    const other = owner.get(name);
    owner.set(name, tool.id);
    return other ? [{ pointer: `${tool.id}/name`, detail: `"${tool.name}" is the name of ${other} too` }] : [];
  });
}

const catalogueFailure = (problems: readonly Problem[]) =>
  new Failure(
    "catalogue.invalid",
    `The catalogue has ${problems.length} fault(s); the first: ${problems[0]?.pointer}: ${problems[0]?.detail}.`,
    { problems },
  );

import { Failure, type Problem } from "../../core/errors.ts";
import { createSelfNaming } from "../self-naming/self-naming.ts";
import type { Signal } from "../signals.ts";
import { type Expressions, ruleFaults, toArray } from "./conditions.ts";
import { createVendorDomainMatcher, createVerificationNameMatcher } from "./implicit-rules.ts";
import { isProblems, readCategories, readRecord } from "./record.ts";
import { createRuleIndex, type RuleHit, type Tabulated } from "./rule-index.ts";
import type { Category, Fingerprint } from "./types.ts";

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
  return { tools, categories: known, match: matcherOf([...tools.values()]) };
}

/** Records that were checked. */
export interface CheckedCatalogue extends Tabulated {
  readonly categories: readonly Category[];
  readonly tools: readonly Fingerprint[];
}

/**
 * The same without the checks, for records that were checked when the executable was built:
 * reading them again would double the time to start.
 *
 * @param own runs the expressions of a user's own files, if there are any
 */
export function loadCheckedCatalogue(source: CheckedCatalogue, own?: Expressions): Catalogue {
  return {
    tools: new Map(source.tools.map((tool) => [tool.id, tool])),
    categories: new Map(source.categories.map((category) => [category.id, category])),
    match: matcherOf(source.tools, own, source),
  };
}

/** What the rules tell of a signal; of one that none of them knows, what the name in it tells. */
function matcherOf(tools: readonly Fingerprint[], own?: Expressions, made?: Tabulated): Catalogue["match"] {
  const byRule = createRuleIndex(tools, own, made);
  const byVerification = createVerificationNameMatcher(tools);
  const byDomain = createVendorDomainMatcher(tools);
  const bySelf = createSelfNaming(tools);
  return (signal) => {
    const hits = byRule(signal);
    const named = bySelf(signal).filter(({ tool }) => !hits.some((hit) => hit.tool.id === tool.id));
    if (hits.length > 0) return [...hits, ...named];
    return [...named, ...(signal.kind === "dns.txt" ? byVerification(signal.value) : byDomain(signal))];
  };
}

/**
 * What is wrong with a tool beyond its schema.
 *
 * @param own what the expressions of a user's own rules are written in
 */
export function toolFaults(
  tool: Fingerprint,
  categories: ReadonlyMap<string, Category>,
  tools: ReadonlyMap<string, Fingerprint>,
  own?: Expressions,
): Problem[] {
  const problems: Problem[] = [];
  const fault = (pointer: string, detail: string) => problems.push({ pointer: `${tool.id}${pointer}`, detail });
  if (!categories.has(tool.category)) fault("/category", `no category "${tool.category}"`);
  for (const relation of ["implies", "excludes", "requires", "product_of"] as const) {
    for (const other of toArray(tool[relation])) {
      if (!tools.has(other) || other === tool.id) fault(`/${relation}`, `no other tool "${other}"`);
    }
  }
  for (const id of tool.excludes ?? []) {
    if (tool.implies?.includes(id) || tool.requires?.includes(id)) fault("/excludes", `"${id}" is implied or required`);
  }
  const ids = new Set<string>();
  for (const rule of tool.rules) {
    if (ids.has(rule.id)) fault(`/rules/${rule.id}`, "a second rule has this id");
    ids.add(rule.id);
    for (const detail of ruleFaults(rule, rule.own ? own : undefined)) fault(`/rules/${rule.id}`, detail);
  }
  return problems;
}

/** A name stands for one tool, or a result would show two rows that read the same. */
export function sharedNames(tools: readonly Fingerprint[]): Problem[] {
  const owner = new Map<string, string>();
  return tools.flatMap((tool) => {
    const name = tool.name.toLowerCase();
    const other = owner.get(name);
    owner.set(name, tool.id);
    return other ? [{ pointer: `${tool.id}/name`, detail: `"${tool.name}" is the name of ${other} too` }] : [];
  });
}

export const catalogueFailure = (problems: readonly Problem[], subject = "The catalogue has") =>
  new Failure(
    "catalogue.invalid",
    `${subject} ${problems.length} fault(s); the first: ${problems[0]?.pointer}: ${problems[0]?.detail}.`,
    { problems },
  );

import { Failure, type Problem } from "../../core/errors.ts";
import { findClosest, plural } from "../../core/text.ts";
import { compactName } from "../self-naming/names.ts";
import { createSelfNaming } from "../self-naming/self-naming.ts";
import type { Signal } from "../signals.ts";
import { type RegexEngine, ruleFaults, toArray } from "./conditions.ts";
import { isProblems, readCategories, readRecord } from "./record.ts";
import { createRuleIndex, type PreparedRules, type RuleHit } from "./rule-index.ts";
import type { Category, Fingerprint, Rule } from "./types.ts";

/** Every known tool, and a matcher from signals to rules. */
export interface Catalogue {
  readonly tools: ReadonlyMap<string, Fingerprint>;
  readonly categories: ReadonlyMap<string, Category>;
  readonly match: (signal: Signal) => RuleHit[];
}

/** The catalogue's files as parsed YAML. */
export interface CatalogueSource {
  readonly categories: unknown;
  readonly records: Readonly<Record<string, unknown>>;
}

/**
 * Validates every record and builds the indexes.
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
  problems.push(...sharedNames([...tools.values()]), ...sharedAliases([...tools.values()]));
  if (problems.length > 0) throw catalogueFailure(problems);
  return { tools, categories: known, match: matcherOf([...tools.values()]) };
}

/** Validated records. */
export interface CheckedCatalogue extends PreparedRules {
  readonly categories: readonly Category[];
  readonly tools: readonly Fingerprint[];
}

/**
 * The same without validation, for records that were validated at build time: doing it again would double the time to
 * start.
 *
 * @param customRegex compiles the regexes of custom rules, if there are any
 * @param fallback matches what nothing else does
 */
export function loadCheckedCatalogue(
  source: CheckedCatalogue,
  customRegex?: RegexEngine,
  fallback?: (tools: Catalogue["tools"]) => Catalogue["match"],
): Catalogue {
  const tools = new Map(source.tools.map((tool) => [tool.id, tool]));
  return {
    tools,
    categories: new Map(source.categories.map((category) => [category.id, category])),
    match: matcherOf(source.tools, customRegex, source, fallback?.(tools)),
  };
}

/**
 * Matches a signal by rules and by tools that name themselves in it, and one that no rule matches by the tool's name or
 * domain.
 */
function matcherOf(
  tools: readonly Fingerprint[],
  customRegex?: RegexEngine,
  prepared?: PreparedRules,
  fallback: Catalogue["match"] = () => [],
): Catalogue["match"] {
  const byRule = createRuleIndex(tools, customRegex, prepared);
  const { byName, byOwner } = createSelfNaming(tools);
  const styled = styledTools((names) => [...byRule(names), ...byName(names)]);
  return (signal) => {
    const all = byName(signal);
    const hits = withVersions(byRule(signal), all);
    // Most signals name nothing.
    const named =
      hits.length === 0 || all.length === 0
        ? all
        : all.filter(({ tool, isOff }) => isOff || !hits.some((hit) => hit.tool.id === tool.id));
    if (signal.kind === "html.style")
      return [...hits, ...named, ...styled(signal, new Set([...hits, ...named].map(({ tool }) => tool.id)))];
    if (hits.length > 0) return [...hits, ...named];
    const found = [...named, ...byOwner(signal)];
    return found.length > 0 ? found : fallback(signal);
  };
}

/** Rules for a file mostly read no version, which the same address may show. */
const withVersions = (hits: readonly RuleHit[], named: readonly RuleHit[]): readonly RuleHit[] =>
  named.every(({ version }) => version === null)
    ? hits
    : hits.map((hit) =>
        hit.version !== null
          ? hit
          : {
              ...hit,
              version: named.find(({ tool, version }) => tool.id === hit.tool.id && version !== null)?.version ?? null,
            },
      );

const SELECTOR = /[.#]([A-Za-z][\w-]{4,60})/g;
/** Of one page, with repetitions: more cost more than these hints are worth. */
const MAX_SELECTORS = 400;
const STYLED: Rule = {
  id: "styled",
  see: "html.style",
  match: {},
  strength: "weak",
  means: "runs",
  why: "the page's own style sheet styles its classes",
  hit: "",
  miss: "",
};

/** Tools whose classes and ids the style elements of a page name: hints, because the rest of the site may be theirs. */
function styledTools(byNames: (signal: Signal) => readonly RuleHit[]) {
  return ({ value, location }: Signal, known: ReadonlySet<string>): RuleHit[] => {
    const names = new Set<string>();
    let read = 0;
    for (const [, name = ""] of value.matchAll(SELECTOR)) {
      names.add(name);
      if (++read >= MAX_SELECTORS) break;
    }
    if (names.size === 0) return [];
    const tools = new Map<string, RuleHit>();
    for (const { tool, excerpt } of byNames({ kind: "html.names", value: [...names].join(" "), location }))
      if (!known.has(tool.id)) tools.set(tool.id, { tool, rule: STYLED, excerpt, version: null });
    return [...tools.values()];
  };
}

/**
 * Faults of a tool that its schema cannot express.
 *
 * @param customRegex validates the regexes of custom rules
 */
export function toolFaults(
  tool: Fingerprint,
  categories: ReadonlyMap<string, Category>,
  tools: ReadonlyMap<string, Fingerprint>,
  customRegex?: RegexEngine,
): Problem[] {
  const problems: Problem[] = [];
  const fault = (pointer: string, detail: string) => problems.push({ pointer: `${tool.id}${pointer}`, detail });
  if (!categories.has(tool.category)) {
    const meant = findClosest(tool.category, [...categories.keys()]);
    fault("/category", `unknown category "${tool.category}"${meant === undefined ? "" : `; did you mean ${meant}?`}`);
  }
  for (const relation of ["implies", "excludes", "requires", "product_of"] as const) {
    for (const other of toArray(tool[relation])) {
      if (!tools.has(other) || other === tool.id) fault(`/${relation}`, `"${other}" is not another tool`);
    }
  }
  for (const id of tool.excludes ?? []) {
    if (tool.implies?.includes(id) || tool.requires?.includes(id)) fault("/excludes", `"${id}" is implied or required`);
  }
  const ids = new Set<string>();
  const bySign = new Map<string, Rule>();
  for (const rule of tool.rules) {
    if (ids.has(rule.id)) fault(`/rules/${rule.id}`, "duplicate rule id");
    ids.add(rule.id);
    const sign = signOf(rule);
    const same = bySign.get(sign);
    // A company's own file may repeat what the catalogue has.
    if (same && !rule.custom) fault(`/rules/${rule.id}`, `sees and matches the same as ${same.id}`);
    else bySign.set(sign, rule);
    for (const detail of ruleFaults(rule, rule.custom ? customRegex : undefined)) fault(`/rules/${rule.id}`, detail);
  }
  return problems;
}

/** What a rule sees and matches, however its lists are written: of two such rules the stronger would void the weaker. */
function signOf({ see, match }: Rule): string {
  const conditions = Object.entries(match).map(([key, value]) => [key, [...toArray(value)].sort()]);
  return JSON.stringify([[...toArray(see)].sort(), conditions.sort()]);
}

/** Names must be unique, or a result would show two rows with the same name. */
export function sharedNames(tools: readonly Fingerprint[]): Problem[] {
  const idByName = new Map<string, string>();
  return tools.flatMap((tool) => {
    const name = tool.name.toLowerCase();
    const other = idByName.get(name);
    idByName.set(name, tool.id);
    return other ? [{ pointer: `${tool.id}/name`, detail: `"${tool.name}" is also the name of ${other}` }] : [];
  });
}

/**
 * Ids and aliases must be nobody else's: self-naming drops a name that two tools share, and prefers a name to an alias.
 */
export function sharedAliases(tools: readonly Fingerprint[]): Problem[] {
  const owners = new Map<string, string>();
  const problems: Problem[] = [];
  const claim = (tool: Fingerprint, field: string, written: string) => {
    const name = compactName(written);
    const owner = owners.get(name);
    if (name === "" || owner === tool.id) return;
    if (owner === undefined) owners.set(name, tool.id);
    else problems.push({ pointer: `${tool.id}${field}`, detail: `"${written}" is also a name of ${owner}` });
  };
  for (const tool of tools) claim(tool, "/name", tool.name);
  for (const tool of tools) claim(tool, "", tool.id);
  for (const tool of tools) for (const alias of tool.aliases ?? []) claim(tool, "/aliases", alias);
  return problems;
}

export const catalogueFailure = (problems: readonly Problem[], subject = "The catalogue has") =>
  new Failure(
    "catalogue.invalid",
    `${subject} ${plural(problems.length, "fault")}. First: ${problems[0]?.pointer}: ${problems[0]?.detail.replace(/\.$/, "")}.`,
    { problems },
  );

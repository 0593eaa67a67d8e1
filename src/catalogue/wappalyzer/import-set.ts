import { YAML } from "bun";
import type { Category } from "../../vocabulary/fingerprint.ts";
import type { CheckedCatalogue } from "../catalogue.ts";
import { plain } from "../named-verification.ts";
import { categoryFor, slugOf } from "./categories.ts";
import { placesIn } from "./places.ts";
import { ruleOf } from "./rule-of.ts";
import { entriesIn, readTagged, textsIn } from "./tagged.ts";

/** A set of technologies as its JSON says it. */
export interface TechnologySet {
  readonly technologies: Readonly<Record<string, unknown>>;
  readonly categories: Readonly<Record<string, unknown>>;
}

/** What became of a set. */
export interface ImportSummary {
  /** Technologies read, and those of them that became a tool of their own or rules of one that is known. */
  readonly technologies: number;
  readonly added: number;
  readonly extended: number;
  readonly rules: number;
  /** Patterns that became rules, by the set's key. */
  readonly carried: Readonly<Record<string, number>>;
  /** What could not be carried, most first. */
  readonly left: readonly LeftOut[];
}

export interface LeftOut {
  readonly key: string;
  readonly reason: string;
  readonly count: number;
  /** `TECHNOLOGY: pattern`, three at most. */
  readonly examples: readonly string[];
}

export interface ImportedSet {
  readonly summary: ImportSummary;
  /** YAML by file name. */
  readonly files: ReadonlyMap<string, string>;
}

const MAX_RULES = 60;

/**
 * Turns a set in the format of Wappalyzer into fingerprints of ours, as far as our kinds of rules allow. A technology
 * that is known by its name or an alias adds its rules to that tool; relations of known tools stay as they are.
 */
export function importSet(set: TechnologySet, known: CheckedCatalogue): ImportedSet {
  const names = new Map(
    known.tools.flatMap(({ id, name, aliases = [] }) => [name, ...aliases].map((one) => [folded(one), id] as const)),
  );
  const left = new Map<string, { key: string; reason: string; count: number; examples: string[] }>();
  const leave = (key: string, reason: string, example: string) => {
    const entry = left.get(`${key} ${reason}`) ?? { key, reason, count: 0, examples: [] };
    entry.count += 1;
    if (entry.examples.length < 3) entry.examples.push(example.slice(0, 160));
    left.set(`${key} ${reason}`, entry);
  };

  const technologies = Object.entries(set.technologies);
  const idOf = idsFor(
    technologies.map(([name]) => name),
    names,
    known,
  );
  const carried: Record<string, number> = {};
  const records = new Map<string, Record<string, unknown>>();
  const categories = new Map<string, Category>();
  const wanted = new Map<string, { name: string; raw: Readonly<Record<string, unknown>> }>();
  let extended = 0;

  for (const [name, raw] of technologies) {
    const id = idOf.get(name);
    if (id === undefined || typeof raw !== "object" || raw === null || Array.isArray(raw)) {
      leave("technology", "no name that can be an id, or no record", name);
      continue;
    }
    const technology: Readonly<Record<string, unknown>> = { ...raw };
    const keys: string[] = [];
    const rules = rulesOf(name, technology, { keys, leave });
    const keep = () => {
      for (const key of keys) carried[key] = (carried[key] ?? 0) + 1;
    };
    const isKnown = names.has(folded(name));
    if (rules.length === 0) {
      leave("technology", "no pattern of it could be carried", name);
      continue;
    }
    if (isKnown) {
      const before = records.get(id);
      const all = [...(Array.isArray(before?.rules) ? before.rules : []), ...rules].slice(0, MAX_RULES);
      records.set(id, { extends: true, rules: numbered(all) });
      extended += 1;
      keep();
      continue;
    }
    const website = /^https?:\/\/\S{3,200}$/.exec(String(technology.website ?? ""))?.[0];
    if (!website || name.length > 80) {
      leave("technology", "no web site, or a name of more than 80 characters", name);
      continue;
    }
    const category = categoryFor(categoryName(technology, set), known.categories);
    if (!known.categories.includes(category)) categories.set(category.id, category);
    keep();
    wanted.set(id, { name, raw: technology });
    records.set(id, { name, vendor: name, website, category: category.id, rules: numbered(rules) });
  }

  const isThere = (id: string) => records.has(id) || known.tools.some((tool) => tool.id === id);
  for (const [id, { name, raw }] of wanted) {
    const { rules, ...head } = records.get(id) ?? {};
    records.set(id, { ...head, ...relationsOf(name, raw, { id, idOf, isThere, leave }), rules });
  }

  const files = new Map([...records].map(([id, record]) => [`${id}.yaml`, `${YAML.stringify(record, null, 2)}\n`]));
  if (categories.size > 0) {
    const own = Object.fromEntries([...categories.values()].map(({ id, label, area }) => [id, { label, area }]));
    files.set("categories.yaml", `${YAML.stringify(own, null, 2)}\n`);
  }
  return {
    summary: {
      technologies: technologies.length,
      added: records.size - [...records.values()].filter((record) => record.extends === true).length,
      extended,
      rules: Object.values(carried).reduce((sum, count) => sum + count, 0),
      carried,
      left: [...left.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    },
    files,
  };
}

interface Notes {
  /** Of the patterns that became rules. */
  readonly keys: string[];
  readonly leave: (key: string, reason: string, example: string) => void;
}

function rulesOf(name: string, technology: Readonly<Record<string, unknown>>, { keys, leave }: Notes): object[] {
  const rules: object[] = [];
  const seen = new Set<string>();
  const doubted = technology.requiresCategory !== undefined;
  for (const found of placesIn(technology)) {
    const example = `${name}: ${found.text}`;
    if ("refused" in found) {
      leave(found.key, found.refused, example);
      continue;
    }
    const made = ruleOf(found.tagged, found.place);
    if ("refused" in made) {
      leave(found.key, made.refused, example);
      continue;
    }
    const text = JSON.stringify([made.rule.see, made.rule.match]);
    if (seen.has(text)) continue;
    seen.add(text);
    if (rules.length === MAX_RULES) {
      leave(found.key, `more than ${MAX_RULES} rules of one tool`, example);
      continue;
    }
    if (found.tagged.hasOtherVersion) leave("version", "a version that is no group of the expression", example);
    keys.push(found.key);
    rules.push(doubted ? { ...made.rule, strength: "weak" } : made.rule);
  }
  return rules;
}

const numbered = (rules: readonly object[]) =>
  rules.map((rule, index) => ({ id: `imported-${index + 1}`, ...withoutId(rule) }));
const withoutId = (rule: object) => Object.fromEntries(Object.entries(rule).filter(([key]) => key !== "id"));

interface Others {
  readonly id: string;
  readonly idOf: ReadonlyMap<string, string>;
  readonly isThere: (id: string) => boolean;
  readonly leave: Notes["leave"];
}

/** Ours say what is certain, so a doubtful implication stays behind. */
function relationsOf(name: string, raw: Readonly<Record<string, unknown>>, { id, idOf, isThere, leave }: Others) {
  const related = (key: "implies" | "excludes" | "requires") => {
    const ids = textsIn(raw[key]).flatMap((one) => {
      const tagged = readTagged(one);
      const other = tagged && (idOf.get(tagged.source) ?? idOf.get(tagged.source.replaceAll("\\", "")));
      if (!other || other === id || !isThere(other))
        leave(key, "the other technology was not carried", `${name}: ${one}`);
      else if (tagged.confidence < 100) leave(key, "it is not certain", `${name}: ${one}`);
      else return [other];
      return [];
    });
    return [...new Set(ids)].slice(0, 20);
  };
  const implies = related("implies");
  const requires = related("requires");
  const excludes = related("excludes").filter((other) => !implies.includes(other) && !requires.includes(other));
  const lists = { implies, excludes, requires };
  return Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));
}

/** A name that is known has that tool's id; another gets one that nobody has. */
function idsFor(
  names: readonly string[],
  known: ReadonlyMap<string, string>,
  { tools }: CheckedCatalogue,
): ReadonlyMap<string, string> {
  const taken = new Set(tools.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const name of names) {
    const slug = slugOf(name);
    const free = [slug, `${slug}-imported`, `${slug}-imported-2`].find((id) => !taken.has(id));
    const id = known.get(folded(name)) ?? (slug === "" ? undefined : free);
    if (id === undefined) continue;
    taken.add(id);
    ids.set(name, id);
  }
  return ids;
}

function categoryName(technology: Readonly<Record<string, unknown>>, { categories }: TechnologySet): string {
  for (const cat of textsIn(technology.cats)) {
    const name = entriesIn(categories[String(cat)]).find(([key]) => key === "name")?.[1];
    if (typeof name === "string" && name.trim() !== "") return name;
  }
  return "Other";
}

const folded = (name: string) => plain(name) || name.toLowerCase();

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { Failure } from "../../../core/errors.ts";
import { compactName } from "../../self-naming/names.ts";
import type { CheckedCatalogue } from "../catalogue.ts";
import type { Area, Category } from "../types.ts";
import { entriesIn, placesIn, readTagged, ruleOf, textsIn } from "./rules.ts";

/** The area of a category by its name; the first match counts. */
const AREA_PATTERNS: readonly (readonly [RegExp, Area])[] = [
  [/e-?mail|authent|identity|webmail|saml|sso/i, "email and identity"],
  [/crm|sales|appointment|schedul|chat|support|customer success/i, "CRM and sales"],
  [
    /analytics|tag manager|a\/b|experiment|rum|survey|heat|session|data platform|attribution/i,
    "analytics and tracking",
  ],
  [/payment|commerce|billing|cart|pay later|fulfil|shop/i, "payments and billing"],
  [/recruit|\bhr\b|human res|jobs?\b|payroll/i, "HR and recruiting"],
  [
    /cdn|hosting|paas|iaas|server|cach|dns|database|security|ssl|waf|cloud|operating|network|load balanc/i,
    "cloud and infrastructure",
  ],
  [/wiki|documentation|collaborat|forum|message board|project|issue track|video conf|intranet/i, "collaboration"],
  [
    /marketing|advert|seo|retarget|affiliate|cms|blog|page builder|landing|loyalty|review|social|consent|cookie|personali|widget|form/i,
    "marketing",
  ],
];
const OTHER_AREA: Area = "developer tools";

/** Built-in categories by the set's names, in lower case. */
const CATEGORY_BY_NAME: Readonly<Record<string, string>> = {
  cms: "cms",
  "tag managers": "tag-management",
  ecommerce: "e-commerce",
  "javascript libraries": "javascript-library",
  "javascript frameworks": "javascript-library",
  "web frameworks": "web-framework",
  "web servers": "web-server",
  "programming languages": "programming-language",
  "payment processors": "payments",
  "marketing automation": "marketing-automation",
  "live chat": "customer-support",
  "font scripts": "fonts",
  "cookie compliance": "consent-management",
  hosting: "hosting",
  paas: "hosting",
  maps: "maps",
  "video players": "video",
  "search engines": "search",
  "issue trackers": "project-management",
};

/** The category for a name of the set: one with the same label, an equivalent one, or a new one. */
function categoryFor(name: string, known: readonly Category[]): Category {
  const folded = name.trim().toLowerCase();
  const found =
    known.find(({ label }) => label.toLowerCase() === folded) ??
    known.find(({ id }) => id === CATEGORY_BY_NAME[folded]);
  if (found) return found;
  const id = slugOf(name) || "other";
  const area = AREA_PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? OTHER_AREA;
  return { id: `imported-${id}`.slice(0, 60).replace(/-$/, ""), label: name.trim().slice(0, 40) || "Other", area };
}

const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]{1,100}/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)
    .replace(/-$/, "");

/** A set of technologies as parsed JSON. */
export interface TechnologySet {
  readonly technologies: Readonly<Record<string, unknown>>;
  readonly categories: Readonly<Record<string, unknown>>;
}

/** The result of an import. */
export interface ImportSummary {
  /** Technologies read, those that became new tools, and those that extend known tools. */
  readonly technologies: number;
  readonly added: number;
  readonly extended: number;
  readonly rules: number;
  /** Patterns that became rules, by key of the set. */
  readonly carried: Readonly<Record<string, number>>;
  /** What could not be imported, most frequent first. */
  readonly left: readonly LeftOut[];
}

interface LeftOut {
  readonly key: string;
  readonly reason: string;
  readonly count: number;
  /** `TECHNOLOGY: pattern`, three at most. */
  readonly examples: readonly string[];
}

interface ImportedSet {
  readonly summary: ImportSummary;
  /** YAML by file name. */
  readonly files: ReadonlyMap<string, string>;
}

const MAX_RULES = 60;

/**
 * Converts a set in the Wappalyzer format into fingerprints, as far as rules can express it. A technology with the name
 * or an alias of a known tool adds its rules to that tool; relations of known tools do not change.
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
      leave("technology", "unusable name, or not an object", name);
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
      leave("technology", "no pattern could be imported", name);
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
      leave("technology", "no website, or a name of more than 80 characters", name);
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
  /** Keys of the patterns that became rules. */
  readonly keys: string[];
  readonly leave: (key: string, reason: string, example: string) => void;
}

function rulesOf(name: string, technology: Readonly<Record<string, unknown>>, { keys, leave }: Notes): object[] {
  const rules: object[] = [];
  const seen = new Set<string>();
  const isUncertain = technology.requiresCategory !== undefined;
  for (const found of placesIn(technology)) {
    const example = `${name}: ${found.text}`;
    if ("refused" in found) {
      leave(found.key, found.refused, example);
      continue;
    }
    const result = ruleOf(found.tagged, found.place);
    if ("refused" in result) {
      leave(found.key, result.refused, example);
      continue;
    }
    const text = JSON.stringify([result.rule.see, result.rule.match]);
    if (seen.has(text)) continue;
    seen.add(text);
    if (rules.length === MAX_RULES) {
      leave(found.key, `more than ${MAX_RULES} rules for one tool`, example);
      continue;
    }
    if (found.tagged.hasOtherVersion) leave("version", "the version is not a group of the regex", example);
    keys.push(found.key);
    rules.push(isUncertain ? { ...result.rule, strength: "weak" } : result.rule);
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

/** Only certain relations are imported. */
function relationsOf(name: string, raw: Readonly<Record<string, unknown>>, { id, idOf, isThere, leave }: Others) {
  const related = (key: "implies" | "excludes" | "requires") => {
    const ids = textsIn(raw[key]).flatMap((one) => {
      const tagged = readTagged(one);
      const other = tagged && (idOf.get(tagged.source) ?? idOf.get(tagged.source.replaceAll("\\", "")));
      if (!other || other === id || !isThere(other))
        leave(key, "the other technology was not imported", `${name}: ${one}`);
      else if (tagged.confidence < 100) leave(key, "the relation is not certain", `${name}: ${one}`);
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

/** Ids by name: that of a known tool, else an unused one. */
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

const folded = (name: string) => compactName(name) || name.toLowerCase();

const MAX_FILES = 64;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TECHNOLOGIES = 20_000;

/**
 * Reads `technologies/*.json` and `categories.json` of a folder, or the `technologies.json` of older sets.
 *
 * @throws Failure `fingerprints.invalid` naming the file
 */
export function readSet(folder: string): TechnologySet {
  const inside = namesIn(join(folder, "technologies"));
  const names = inside ? inside.map((name) => join("technologies", name)) : namesIn(folder);
  if (!names || names.length === 0) {
    throw invalid(`${folder} contains no technologies/*.json; give the folder of a set in the Wappalyzer format.`);
  }
  if (names.length > MAX_FILES) throw invalid(`${folder} contains more than ${MAX_FILES} files.`);
  const technologies = new Map<string, unknown>();
  const categories = new Map<string, unknown>();
  const read = (name: string) => {
    const content = jsonOf(folder, name);
    if (name === "categories.json") return each(content, categories);
    // Older sets have both in one file.
    each(content.technologies ?? content.apps ?? (content.categories === undefined ? content : {}), technologies);
    if (content.categories !== undefined) each(content.categories, categories);
  };
  for (const name of names) read(name);
  if (inside && isFile(join(folder, "categories.json"))) read("categories.json");
  if (technologies.size > MAX_TECHNOLOGIES)
    throw invalid(`${folder} contains more than ${MAX_TECHNOLOGIES} technologies.`);
  return { technologies: Object.fromEntries(technologies), categories: Object.fromEntries(categories) };
}

/**
 * Writes the files of an import into a folder, which is created if it does not exist.
 *
 * @throws Failure `fingerprints.invalid` when the folder is not empty or cannot be written
 */
export function writeSet(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) throw invalid(`${folder} is not empty; give a new folder with --output.`);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw invalid(`Cannot write to ${folder}; give another folder with --output.`);
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
  if (!isFile(path) || statSync(path).size > MAX_BYTES) throw invalid(`${name} is not a file of at most 16 MiB.`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw invalid(`${name} is not valid JSON.`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw invalid(`${name} is not a JSON object.`);
  return { ...content };
}

function each(raw: unknown, into: Map<string, unknown>): void {
  if (typeof raw !== "object" || raw === null) return;
  for (const [name, value] of Object.entries(raw)) into.set(name, value);
}

const invalid = (message: string) => new Failure("fingerprints.invalid", message);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { normalisePhrase } from "./taxonomy.ts";

const DATA = join(import.meta.dir, "../../../data");
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Run at bundle time, as macros; when the program runs from source, that is each time it starts.
 *
 * @returns JSON of the checked rows
 * @throws Error that names every fault, so that a bad row breaks the build and not a user's start
 */
export function packIndustries(): string {
  return packRows("industries.yaml", industryFaults);
}

export function packKnownOrganisations(): string {
  return packRows("known-organisations.yaml", (rows) =>
    organisationFaults(rows, YAML.parse(readFileSync(join(DATA, "industries.yaml"), "utf8"))),
  );
}

export function packProductNames(): string {
  return packRows("product-names.yaml", productFaults);
}

export function packOutcomeMetrics(): string {
  return packRows("outcome-metrics.yaml", metricFaults);
}

function packRows(file: string, faultsOf: (rows: unknown) => string[]): string {
  const rows: unknown = YAML.parse(readFileSync(join(DATA, file), "utf8"));
  const faults = faultsOf(rows);
  if (faults.length === 0) return JSON.stringify(rows);
  // The bundler hides what a macro throws; the faults must be seen where they can be mended.
  for (const fault of faults) console.error(`${file}: ${fault}`);
  throw new Error(`${file}: ${faults.join("; ")}`);
}

/** Faults of `data/industries.yaml`: shapes, repeated slugs and names, synonyms without a word. */
export function industryFaults(rows: unknown): string[] {
  if (!Array.isArray(rows)) return ["is no list"];
  return [
    ...rows.flatMap((row, index) =>
      rowFaults(row, `row ${index}`, ["slug", "name", "synonyms", "cues", "generic"], "synonyms"),
    ),
    ...rows.flatMap((row, index) => cueFaults(row, `row ${index}`)),
    ...duplicatesIn(rows.map((row) => field(row, "slug"))),
    ...duplicatesIn(rows.map((row) => normalisePhrase(String(field(row, "name"))))),
  ];
}

/** Faults of `data/known-organisations.yaml`: slugs that are no industry, names that stand twice. */
export function organisationFaults(rows: unknown, industries: unknown): string[] {
  if (typeof rows !== "object" || rows === null || Array.isArray(rows)) return ["is no mapping"];
  const slugs = new Set(Array.isArray(industries) ? industries.map((row) => field(row, "slug")) : []);
  const lists = Object.entries(rows);
  return [
    ...lists.filter(([slug]) => !slugs.has(slug)).map(([slug]) => `no industry "${slug}"`),
    ...lists.filter(([, names]) => !areTexts(names)).map(([slug]) => `${slug}: no list of words`),
    ...duplicatesIn(lists.flatMap(([, names]) => (areTexts(names) ? names.map(normalisePhrase) : []))),
  ];
}

const MAX_PRODUCTS = 300;

/** Faults of `data/product-names.yaml`: shapes, names and aliases that stand twice, too many of them. */
export function productFaults(rows: unknown): string[] {
  if (!Array.isArray(rows)) return ["is no list"];
  const names = rows.flatMap((row) => (typeof row === "string" ? [row] : [field(row, "name"), ...aliasesOf(row)]));
  const known = ["name", "aliases"];
  return [
    ...(rows.length > MAX_PRODUCTS ? [`has more than ${MAX_PRODUCTS} products`] : []),
    ...rows.flatMap((row, index) =>
      typeof row === "string"
        ? []
        : Object.keys(Object(row))
            .filter((key) => !known.includes(key))
            .map((key) => `row ${index}: unknown key "${key}"`),
    ),
    ...names.filter((name) => typeof name !== "string" || name.trim() === "").map((name) => `"${name}" is no name`),
    ...duplicatesIn(names),
  ];
}

function aliasesOf(row: unknown): readonly unknown[] {
  const aliases = field(row, "aliases") ?? [];
  return Array.isArray(aliases) ? aliases : [aliases];
}

/** Faults of `data/outcome-metrics.yaml`. */
export function metricFaults(rows: unknown): string[] {
  const metrics = field(rows, "metrics");
  const units = field(rows, "units");
  if (!Array.isArray(metrics)) return ["metrics is no list"];
  if (typeof units !== "object" || units === null) return ["units is no mapping"];
  const known = new Set(Object.keys(units));
  return [
    ...metrics.flatMap((row, index) => rowFaults(row, `metric ${index}`, ["slug", "name", "cues", "units"], "cues")),
    ...duplicatesIn(metrics.map((row) => field(row, "slug"))),
    ...metrics.flatMap((row) => {
      const own = field(row, "units");
      return Array.isArray(own)
        ? own.filter((unit) => !known.has(String(unit))).map((unit) => `no unit "${unit}"`)
        : ["units is no list"];
    }),
    ...Object.entries(units).flatMap(([unit, spellings]) =>
      areTexts(spellings) ? [] : [`unit ${unit}: no list of words`],
    ),
  ];
}

function rowFaults(row: unknown, place: string, known: readonly string[], words: string): string[] {
  if (typeof row !== "object" || row === null) return [`${place} is no mapping`];
  const slug = field(row, "slug");
  const name = field(row, "name");
  const faults = Object.keys(row)
    .filter((key) => !known.includes(key))
    .map((key) => `${place}: unknown key "${key}"`);
  if (typeof slug !== "string" || !SLUG.test(slug)) faults.push(`${place}: slug is no slug`);
  if (typeof name !== "string" || normalisePhrase(name) === "") faults.push(`${place}: name is missing`);
  const own = field(row, words);
  if (!areTexts(own)) faults.push(`${place}: ${words} is no list of words`);
  else faults.push(...duplicatesIn(own.map((word) => word.toLowerCase())).map((fault) => `${place}: ${fault}`));
  return faults;
}

/** Cues are as words are, and none of them is a synonym already. */
function cueFaults(row: unknown, place: string): string[] {
  const cues = field(row, "cues") ?? [];
  if (!areTexts(cues)) return [`${place}: cues is no list of words`];
  const synonyms = field(row, "synonyms");
  const known = new Set(areTexts(synonyms) ? synonyms.map(normalisePhrase) : []);
  return [
    ...duplicatesIn(cues.map((word) => word.toLowerCase())).map((fault) => `${place}: ${fault}`),
    ...cues.filter((cue) => known.has(normalisePhrase(cue))).map((cue) => `${place}: the cue "${cue}" is a synonym`),
  ];
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((word) => typeof word === "string" && word.trim() !== "");

const duplicatesIn = (values: readonly unknown[]) => [
  ...new Set(
    values.filter((value, index) => values.indexOf(value) !== index).map((value) => `"${value}" stands twice`),
  ),
];

function field(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, key) : undefined;
}

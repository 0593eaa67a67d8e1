import { readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import { normalisePhrase } from "./taxonomy.ts";

const DATA = join(import.meta.dir, "../../../data");
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/*
 * These functions run when an executable is built, or at each start when the program runs from source. They return the
 * checked rows as JSON, and throw when a row is faulty, so that the build fails instead of a user's start.
 */

export function packIndustries(): string {
  return packRows("industries.yaml", industryFaults);
}

export function packKnownOrganisations(): string {
  return packRows("known-organisations.yaml", (rows) =>
    organisationFaults(rows, YAML.parse(readFileSync(join(DATA, "industries.yaml"), "utf8"))),
  );
}

/** Countries by code with the lower-case names of their larger cities. */
export function packCities(): string {
  return packRows("cities.json", (rows) =>
    typeof rows === "object" &&
    rows !== null &&
    Object.entries(rows).every(([code, names]) => /^[A-Z]{2}$/.test(code) && areTexts(names))
      ? []
      : ["is not a mapping from country codes to lists of cities"],
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
  for (const fault of faults) console.error(`${file}: ${fault}`);
  throw new Error(`${file}: ${faults.join("; ")}`);
}

/** Faults of `data/industries.yaml`: shapes, duplicate slugs and names. */
export function industryFaults(rows: unknown): string[] {
  if (!Array.isArray(rows)) return ["is not a list"];
  return [
    ...rows.flatMap((row, index) =>
      rowFaults(row, `row ${index}`, ["slug", "name", "synonyms", "cues", "translations", "generic"], "synonyms"),
    ),
    ...rows.flatMap((row, index) => cueFaults(row, `row ${index}`)),
    ...duplicatesIn(rows.map((row) => field(row, "slug"))),
    ...duplicatesIn(rows.map((row) => normalisePhrase(String(field(row, "name"))))),
  ];
}

/** Faults of `data/known-organisations.yaml`: unknown industries, duplicate names. */
export function organisationFaults(rows: unknown, industries: unknown): string[] {
  if (typeof rows !== "object" || rows === null || Array.isArray(rows)) return ["is not a mapping"];
  const slugs = new Set(Array.isArray(industries) ? industries.map((row) => field(row, "slug")) : []);
  const lists = Object.entries(rows);
  return [
    ...lists.filter(([slug]) => !slugs.has(slug)).map(([slug]) => `unknown industry "${slug}"`),
    ...lists.filter(([, names]) => !areTexts(names)).map(([slug]) => `${slug}: not a list of texts`),
    ...duplicatesIn(lists.flatMap(([, names]) => (areTexts(names) ? names.map(normalisePhrase) : []))),
  ];
}

const MAX_PRODUCTS = 1_500;

/** Faults of `data/product-names.yaml`: shapes, duplicate names and aliases, too many products. */
export function productFaults(rows: unknown): string[] {
  if (!Array.isArray(rows)) return ["is not a list"];
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
    ...names.filter((name) => typeof name !== "string" || name.trim() === "").map((name) => `"${name}" is not a name`),
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
  if (!Array.isArray(metrics)) return ["metrics is not a list"];
  if (typeof units !== "object" || units === null) return ["units is not a mapping"];
  const known = new Set(Object.keys(units));
  return [
    ...metrics.flatMap((row, index) => rowFaults(row, `metric ${index}`, ["slug", "name", "cues", "units"], "cues")),
    ...duplicatesIn(metrics.map((row) => field(row, "slug"))),
    ...metrics.flatMap((row) => {
      const rowUnits = field(row, "units");
      return Array.isArray(rowUnits)
        ? rowUnits.filter((unit) => !known.has(String(unit))).map((unit) => `unknown unit "${unit}"`)
        : ["units is not a list"];
    }),
    ...Object.entries(units).flatMap(([unit, spellings]) =>
      areTexts(spellings) ? [] : [`unit ${unit}: not a list of texts`],
    ),
  ];
}

function rowFaults(row: unknown, place: string, known: readonly string[], words: string): string[] {
  if (typeof row !== "object" || row === null) return [`${place} is not a mapping`];
  const slug = field(row, "slug");
  const name = field(row, "name");
  const faults = Object.keys(row)
    .filter((key) => !known.includes(key))
    .map((key) => `${place}: unknown key "${key}"`);
  if (typeof slug !== "string" || !SLUG.test(slug)) faults.push(`${place}: slug is not a slug`);
  if (typeof name !== "string" || normalisePhrase(name) === "") faults.push(`${place}: name is missing`);
  const texts = field(row, words);
  if (!areTexts(texts)) faults.push(`${place}: ${words} is not a list of texts`);
  else faults.push(...duplicatesIn(texts.map((word) => word.toLowerCase())).map((fault) => `${place}: ${fault}`));
  return faults;
}

/** A cue must not be a synonym as well. */
function cueFaults(row: unknown, place: string): string[] {
  const cues = field(row, "cues") ?? [];
  if (!areTexts(cues)) return [`${place}: cues is not a list of texts`];
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
    values.filter((value, index) => values.indexOf(value) !== index).map((value) => `"${value}" occurs twice`),
  ),
];

function field(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, key) : undefined;
}

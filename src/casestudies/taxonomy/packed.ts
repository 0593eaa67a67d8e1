import { packCities, packIndustries, packKnownOrganisations, packOutcomeMetrics, packProductNames } from "./pack.ts";
import { createIndustries, createOutcomeMetrics, type Industries, type OutcomeMetrics } from "./taxonomy.ts";

/** The rows of `data/`, embedded when the program is bundled because an executable has no data folder. */
const CITIES: string = packCities();
const INDUSTRIES: string = packIndustries();
const KNOWN_ORGANISATIONS: string = packKnownOrganisations();
const PRODUCT_NAMES: string = packProductNames();
const OUTCOME_METRICS: string = packOutcomeMetrics();

export function loadBuiltInIndustries(): Industries {
  return createIndustries(JSON.parse(INDUSTRIES));
}

export function loadBuiltInOutcomeMetrics(): OutcomeMetrics {
  return createOutcomeMetrics(JSON.parse(OUTCOME_METRICS));
}

/** Country code to the lower-case names of its larger cities. */
export function loadBuiltInCities(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(CITIES);
}

/** Industry slug to its best-known organisations. */
export function loadBuiltInOrganisations(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(KNOWN_ORGANISATIONS);
}

/** Products that case studies mention and the fingerprint catalogue does not contain. */
export function loadBuiltInProductNames(): { readonly name: string; readonly aliases: readonly string[] }[] {
  const rows: (string | { name: string; aliases?: string[] })[] = JSON.parse(PRODUCT_NAMES);
  return rows.map((row) =>
    typeof row === "string" ? { name: row, aliases: [] } : { name: row.name, aliases: row.aliases ?? [] },
  );
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { YAML } from "bun";
import listed from "third-party-web/dist/entities-nostats.json";
import { builtInCache } from "../../core/built-in-cache.ts";
import type { CheckedCatalogue } from "../fingerprints/catalogue.ts";
import { toArray } from "../fingerprints/conditions.ts";
import { packCatalogue } from "../fingerprints/pack.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import { compactName } from "../self-naming/names.ts";

/** `[name, category id, vendor, website, id of a catalogue tool or "", …domains]`; a domain includes its subdomains. */
export type PackedEntity = readonly [string, string, string, string, string, ...string[]];

interface Entity {
  readonly name: string;
  readonly company?: string;
  readonly homepage?: string;
  readonly category: string;
  readonly domains: readonly string[];
  /** From our own list, whose categories are those of the catalogue. */
  readonly isOurs?: boolean;
}

/** Our category for each of the package's. Hosts of the others say nothing about a tool, unless the catalogue has it. */
const CATEGORY: Readonly<Record<string, string>> = {
  ad: "advertising",
  analytics: "analytics",
  "consent-provider": "consent-management",
  "customer-success": "customer-support",
  marketing: "marketing-automation",
  "tag-manager": "tag-management",
  utility: "developer-tools",
  video: "video",
};
/** What `third-party-web` adds to the names of services that have ended. */
const CLOSED = /-VOID$/;
/** Names that `third-party-web` misspells. */
const CORRECTED: Readonly<Record<string, string>> = { Hexton: "Hextom", LeasdBoxer: "LeadBoxer" };
/** A vendor's collection of unrelated services, or a name that is nobody's product. */
const COLLECTION = /^other\b|\bAPIs?\b|\bSDKs?\b/i;
/** Beyond this length a name is not an everyday word. */
const DISTINCT = 8;

const MADE_FROM = ["data/categories.yaml", "data/fingerprints", "data/third-parties.yaml", "src/detection", "src/core"];

/**
 * The entities of `third-party-web` with those domains that no rule of the catalogue knows. Runs when an executable is
 * built; from source, at each start.
 *
 * @returns JSON of {@link PackedEntity}s
 */
export const packEntities = (): string => builtInCache({ name: "third-parties", from: MADE_FROM, pack });

function pack(): string {
  const { tools }: CheckedCatalogue = JSON.parse(packCatalogue());
  return JSON.stringify(unknownEntities([...listed, ...entitiesOfOurs()], tools));
}

/** Those of `data/third-parties.yaml`: category → name → host or hosts. */
function entitiesOfOurs(): Entity[] {
  const file = readFileSync(join(import.meta.dir, "../../../data/third-parties.yaml"), "utf8");
  const byCategory = YAML.parse(file) as Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  return Object.entries(byCategory).flatMap(([category, entities]) =>
    Object.entries(entities).map(([name, hosts]) => ({ name, category, domains: toArray(hosts), isOurs: true })),
  );
}

/** Entities with the domains that no rule of these tools knows. */
export function unknownEntities(entities: readonly Entity[], tools: readonly Fingerprint[]): PackedEntity[] {
  const ruleHosts = new Set(tools.flatMap(({ rules }) => rules.flatMap(({ match }) => toArray(match.host))));
  const ruleSuffixes = new Set([...ruleHosts].flatMap(suffixesOf));
  const names = new Map(tools.map((tool) => [compactName(tool.name), tool]));
  return entities.flatMap(({ name: written, category, company, homepage = "", domains, isOurs }): PackedEntity[] => {
    const current = written.replace(CLOSED, "");
    const name = CORRECTED[current] ?? current;
    const known = names.get(compactName(name));
    const own = isOurs ? category : CATEGORY[category];
    if (COLLECTION.test(name) || (known === undefined && own === undefined)) return [];
    const unknown = domains
      .map((domain) => domain.replace(/^\*\./, ""))
      .filter((domain) => !ruleSuffixes.has(domain) && !suffixesOf(domain).some((suffix) => ruleHosts.has(suffix)))
      // A short name is often that of another product.
      .filter((domain) => !known || compactName(name).length >= DISTINCT || domain.includes(compactName(name)));
    if (unknown.length === 0) return [];
    return [[name, own ?? "", company ?? name, homepage, known?.id ?? "", ...unknown]];
  });
}

/** `a.b.c` → `a.b.c`, `b.c`. */
const suffixesOf = (host: string): string[] => {
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
};

import type { RecordType } from "../../src/net/snapshot.ts";
import { fullName, type Records, type Sites, sitesOf, type World } from "./company.ts";

/** One record whose `data` is one line of zone-file order, as a description writes it. */
export interface ZoneRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly data: string;
}

export interface ZoneAnswer {
  readonly status: "ok" | "nxdomain";
  /** The aliases that were followed, then the records. */
  readonly records: readonly ZoneRecord[];
  /** The configured delay. */
  readonly delayMs: number;
}

/** Every DNS name of a world, with the answer of a resolver. */
export interface Zone {
  /** Described names in full, wildcards included. */
  readonly names: ReadonlyMap<string, Records>;
  answer(name: string, type: RecordType): ZoneAnswer;
}

/** As far as a resolver follows aliases. */
const LONGEST_CHAIN = 8;

/**
 * Reads the DNS of a world.
 *
 * A host with pages answers A with `address` unless it has a configured address, or is in `elsewhere`.
 * An alias of an undescribed host answers with the alias only. Any other name does not exist.
 */
export function readZone(world: World, address: string, elsewhere: ReadonlyMap<string, string> = new Map()): Zone {
  const sites = sitesOf(world);
  const names = describedNames(world, sites);
  const existing = withParents(names.keys());

  const find = (name: string): Records | undefined => {
    if (existing.has(name)) return names.get(name) ?? {};
    for (let parent = above(name); parent; parent = above(parent)) {
      const wild = names.get(`*.${parent}`);
      if (wild || existing.has(parent)) return wild;
    }
    return undefined;
  };

  const hasPages = (name: string) => sites.has(name) || (!existing.has(name) && sites.has(`*.${above(name)}`));

  return {
    names,
    answer(asked, type) {
      const chain: ZoneRecord[] = [];
      let name = asked;
      let delayMs = 0;
      while (chain.length < LONGEST_CHAIN) {
        const records = find(name);
        delayMs = Math.max(delayMs, records?.delayMs ?? 0);
        const alias = listOf(records?.CNAME)[0]?.toLowerCase();
        if (alias !== undefined && type !== "CNAME") {
          chain.push({ name, type: "CNAME", data: alias });
          name = alias;
          continue;
        }
        // Also a host that is an alias of another.
        const nobody = elsewhere.get(name) ?? elsewhere.get(asked);
        const data = type === "A" && nobody !== undefined ? [nobody] : listOf(records?.[type]);
        if (data.length === 0 && type === "A" && (hasPages(name) || hasPages(asked))) data.push(address);
        const status = records || chain.length > 0 ? "ok" : "nxdomain";
        return { status, records: [...chain, ...data.map((line) => ({ name, type, data: line }))], delayMs };
      }
      return { status: "ok", records: chain, delayMs };
    },
  };
}

function describedNames(world: World, sites: Sites): Map<string, Records> {
  const names = new Map<string, Records>();
  for (const { domain, records = {} } of world.companies ?? []) {
    names.set(domain.toLowerCase(), {});
    for (const [name, described] of Object.entries(records)) names.set(fullName(name, domain), described);
  }
  for (const [name, described] of Object.entries(world.zone ?? {})) names.set(name.toLowerCase(), described);
  for (const host of sites.keys()) if (!names.has(host)) names.set(host, {});
  return names;
}

/** A name exists when a name below it does, even without records. */
function withParents(names: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (const name of names) {
    for (let each = name.replace(/^\*\./, ""); each && !all.has(each); each = above(each)) all.add(each);
  }
  return all;
}

const above = (name: string): string => (name.includes(".") ? name.slice(name.indexOf(".") + 1) : "");

/** Always a new list. */
function listOf(lines: string | readonly string[] | undefined): string[] {
  return lines === undefined ? [] : typeof lines === "string" ? [lines] : [...lines];
}

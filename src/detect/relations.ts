import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Fingerprint } from "../vocabulary/fingerprint.ts";
import type { Detection, Evidence } from "../vocabulary/scan.ts";
import { IMPLIED } from "./weights.ts";

export interface RelateOptions {
  /** Tools below it are not told. */
  readonly limit: number;
  /** `TOOL-ID/RULE-ID`, `TOOL-ID/implies` among them, of what must not tell its tool here. */
  readonly suppressed: ReadonlySet<string>;
  /** Tools that are not told yet. */
  readonly held?: ReadonlySet<string>;
}

/** In place of a rule's id in the evidence of an implied tool. */
export const IMPLIES = "implies";

/**
 * What the told tools say of each other: one that a surer one excludes goes, one that lacks what it requires goes, and
 * what is implied comes.
 *
 * @param told by tool id; changed
 */
export function relate(told: Map<string, Detection>, catalogue: Catalogue, options: RelateOptions): void {
  for (const id of options.held ?? []) told.delete(id);
  dropExcluded(told, catalogue);
  dropUnmet(told, catalogue);
  tellImplied(told, catalogue, options);
  // A tool may be implied that another one excludes.
  dropExcluded(told, catalogue);
}

/** Tools that another may exclude. While a scan runs they are held back: what was told must not go. */
export const excludable = ({ tools }: Catalogue): ReadonlySet<string> =>
  new Set([...tools.values()].flatMap(({ excludes = [] }) => excludes));

/** The surest tools speak first, and one that was dropped says nothing. */
function dropExcluded(told: Map<string, Detection>, catalogue: Catalogue): void {
  for (const { id, confidence } of [...told.values()].sort((a, b) => b.confidence - a.confidence)) {
    if (!told.has(id)) continue;
    for (const excluded of catalogue.tools.get(id)?.excludes ?? []) {
      if ((told.get(excluded)?.confidence ?? 1) < confidence) told.delete(excluded);
    }
  }
}

function dropUnmet(told: Map<string, Detection>, catalogue: Catalogue): void {
  // What is implied counts as there.
  const isThere = (id: string) =>
    told.has(id) || [...told.keys()].some((other) => catalogue.tools.get(other)?.implies?.includes(id));
  for (let before = -1; before !== told.size; ) {
    before = told.size;
    for (const id of [...told.keys()]) {
      if (!(catalogue.tools.get(id)?.requires ?? []).every(isThere)) told.delete(id);
    }
  }
}

/** Walks from each told tool to what it implies, and from there on; a tool is never surer than the one implying it. */
function tellImplied(
  told: Map<string, Detection>,
  catalogue: Catalogue,
  { limit, suppressed, held }: RelateOptions,
): void {
  const queue = [...told.values()].sort((a, b) => b.confidence - a.confidence);
  for (let parent = queue.shift(); parent; parent = queue.shift()) {
    for (const id of catalogue.tools.get(parent.id)?.implies ?? []) {
      const tool = catalogue.tools.get(id);
      const confidence = round(parent.confidence * IMPLIED);
      const own = told.get(id);
      if (
        !tool ||
        held?.has(id) ||
        suppressed.has(`${parent.id}/${IMPLIES}`) ||
        confidence < limit ||
        (own && own.confidence >= confidence)
      )
        continue;
      const implied: Evidence = {
        source: "catalogue",
        signal: "implied",
        value: parent.tool,
        location: parent.evidence[0]?.location ?? "",
        rule: `${parent.id}/${IMPLIES}`,
        strength: parent.evidence[0]?.strength ?? "weak",
      };
      const detection: Detection = own
        ? { ...own, confidence, evidence: [...own.evidence, implied] }
        : { ...described(tool, catalogue), version: null, confidence, means: parent.means, evidence: [implied] };
      told.set(id, detection);
      queue.push(detection);
    }
  }
}

export function described(tool: Fingerprint, catalogue: Catalogue) {
  return {
    id: tool.id,
    tool: tool.name,
    category: catalogue.categories.get(tool.category)?.label ?? tool.category,
    vendor: tool.vendor,
    website: tool.website,
  };
}

export const round = (chance: number): number => Math.round(chance * 100) / 100;

import type { Catalogue, RuleHit } from "../catalogue/catalogue.ts";
import type { Fingerprint, Meaning } from "../vocabulary/fingerprint.ts";
import type { Detection, Evidence } from "../vocabulary/scan.ts";
import { type Family, SIGNALS, type Signal } from "../vocabulary/signal.ts";
import { redact } from "./redact.ts";
import { CEILING, IMPLIED, LOWEST_THRESHOLD, MEANINGS, RELIABILITY, STRENGTH, THRESHOLD } from "./weights.ts";

/** Gathers what the signals prove, and tells at any time which tools are detected so far. */
export interface Ledger {
  /** @returns whether the list of detections may have changed */
  add(source: string, signal: Signal): boolean;
  /** Sorted by category label, then name. */
  detections(): Detection[];
}

interface Claim {
  readonly evidence: Evidence;
  readonly family: Family;
  readonly means: Meaning;
  readonly chance: number;
  readonly version: string | null;
}

/** The best proofs of a tool that are told. All count: a cap on claims would make the result hang on their order. */
const MAX_EVIDENCE = 24;

/**
 * @param threshold 0.46–1; tools below it are not told
 */
export function createLedger(catalogue: Catalogue, threshold: number = THRESHOLD): Ledger {
  const claims = new Map<string, Map<string, Claim>>();
  const limit = Math.max(threshold, LOWEST_THRESHOLD);

  return {
    add(source, signal) {
      let changed = false;
      for (const hit of catalogue.match(signal)) {
        const own = claims.get(hit.tool.id) ?? new Map<string, Claim>();
        // One rule on one kind is one claim: the same tag on a second page proves nothing new, and ten thousand tags
        // cost no memory.
        const key = `${hit.rule.id} ${signal.kind}`;
        const known = own.get(key);
        if (known && (known.version !== null || hit.version === null)) continue;
        own.set(key, claimOf(source, signal, hit));
        claims.set(hit.tool.id, own);
        changed = true;
      }
      return changed;
    },

    detections() {
      const told = new Map<string, Detection>();
      for (const [id, own] of claims) {
        const tool = catalogue.tools.get(id);
        const detection = tool && judge(tool, [...own.values()], catalogue);
        if (detection && detection.confidence >= limit) told.set(id, detection);
      }
      tellImplied(told, catalogue, limit);
      return [...told.values()].sort(
        (a, b) => compare(a.category, b.category) || compare(a.tool, b.tool) || compare(a.id, b.id),
      );
    },
  };
}

function claimOf(source: string, signal: Signal, hit: RuleHit): Claim {
  const { rule } = hit;
  return {
    evidence: {
      source,
      signal: signal.kind,
      value: redact(signal.kind, hit.excerpt),
      location: redact("html.anchor", signal.location),
      rule: `${hit.tool.id}/${rule.id}`,
      strength: rule.strength,
    },
    family: SIGNALS[signal.kind].family,
    means: rule.means,
    chance: STRENGTH[rule.strength] * (RELIABILITY[signal.kind] ?? 1),
    version: hit.version,
  };
}

/**
 * One proof a family: its best claim. Families are taken as independent, so the chance that all of them are wrong is
 * the product of the chances that each is: 1 − ∏(1 − p). The best meaning present sets the ceiling.
 */
function judge(tool: Fingerprint, claims: readonly Claim[], catalogue: Catalogue): Detection {
  const best = new Map<Family, number>();
  for (const { family, chance } of claims) best.set(family, Math.max(best.get(family) ?? 0, chance));
  const doubt = [...best.values()].reduce((product, chance) => product * (1 - chance), 1);
  const means = MEANINGS.find((meaning) => claims.some((claim) => claim.means === meaning)) ?? "mentions";
  const ceiling = Math.max(
    ...MEANINGS.map((meaning) => (claims.some((claim) => claim.means === meaning) ? CEILING[meaning] : 0)),
  );
  return {
    ...described(tool, catalogue),
    version: claims.find((claim) => claim.version)?.version ?? null,
    confidence: round(Math.min(1 - doubt, ceiling)),
    means,
    evidence: claims
      .toSorted((a, b) => b.chance - a.chance)
      .slice(0, MAX_EVIDENCE)
      .map((claim) => claim.evidence),
  };
}

/** Walks from each told tool to what it implies, and from there on; a tool is never surer than the one implying it. */
function tellImplied(told: Map<string, Detection>, catalogue: Catalogue, limit: number): void {
  const queue = [...told.values()].sort((a, b) => b.confidence - a.confidence);
  for (let parent = queue.shift(); parent; parent = queue.shift()) {
    for (const id of catalogue.tools.get(parent.id)?.implies ?? []) {
      const tool = catalogue.tools.get(id);
      const confidence = round(parent.confidence * IMPLIED);
      const own = told.get(id);
      if (!tool || confidence < limit || (own && own.confidence >= confidence)) continue;
      const implied: Evidence = {
        source: "catalogue",
        signal: "implied",
        value: parent.tool,
        location: parent.evidence[0]?.location ?? "",
        rule: `${parent.id}/implies`,
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

function described(tool: Fingerprint, catalogue: Catalogue) {
  return {
    id: tool.id,
    tool: tool.name,
    category: catalogue.categories.get(tool.category)?.label ?? tool.category,
    vendor: tool.vendor,
    website: tool.website,
  };
}

/** By code unit, so that the order is the same on every machine. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const round = (chance: number) => Math.round(chance * 100) / 100;

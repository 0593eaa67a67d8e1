import type { Catalogue, RuleHit } from "../catalogue/catalogue.ts";
import type { Fingerprint, Meaning, Rule, Strength } from "../vocabulary/fingerprint.ts";
import type { Detection, Evidence } from "../vocabulary/scan.ts";
import { type Family, SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
import { redact } from "./redact.ts";
import { described, relate, round } from "./relations.ts";
import { CEILING, LOWEST_THRESHOLD, MEANINGS, RELIABILITY, STRENGTH, THRESHOLD } from "./weights.ts";

/** Gathers what the signals prove, and tells at any time which tools are detected so far. */
export interface Ledger {
  /** @returns whether the list of detections may have changed */
  add(source: string, signal: Signal): boolean;
  /**
   * Sorted by category label, then name.
   *
   * @param held tools that are not told yet
   */
  detections(held?: ReadonlySet<string>): Detection[];
}

export interface LedgerOptions {
  /** `TOOL-ID/RULE-ID` of what must not tell its tool here. */
  readonly suppressed?: ReadonlySet<string>;
  /** Told of each signal whether a rule knew it, suppressed or not. */
  readonly onSignal?: (signal: Signal, isKnown: boolean) => void;
}

interface Claim {
  readonly rule: Rule;
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
export function createLedger(
  catalogue: Catalogue,
  threshold: number = THRESHOLD,
  { suppressed = new Set(), onSignal }: LedgerOptions = {},
): Ledger {
  const claims = new Map<Fingerprint, Claim[]>();
  const limit = Math.max(threshold, LOWEST_THRESHOLD);

  return {
    add(source, signal) {
      let changed = false;
      const hits = catalogue.match(signal);
      onSignal?.(signal, hits.length > 0);
      for (const hit of hits) {
        if (suppressed.size > 0 && suppressed.has(`${hit.tool.id}/${hit.rule.id}`)) continue;
        const own = claims.get(hit.tool) ?? [];
        // One rule on one kind is one claim: the same tag on a second page proves nothing new, and ten thousand tags
        // cost no memory.
        const at = own.findIndex(({ rule, evidence }) => rule === hit.rule && evidence.signal === signal.kind);
        const known = own[at];
        if (known && (known.version !== null || hit.version === null)) continue;
        own[known ? at : own.length] = claimOf(source, signal, hit);
        claims.set(hit.tool, own);
        changed = true;
      }
      return changed;
    },

    detections(held) {
      const told = new Map<string, Detection>();
      for (const [tool, own] of claims) {
        const detection = judge(tool, own, catalogue);
        if (detection.confidence >= limit) told.set(tool.id, detection);
      }
      relate(told, catalogue, { limit, suppressed, ...(held ? { held } : {}) });
      return [...told.values()].sort(
        (a, b) => compare(a.category, b.category) || compare(a.tool, b.tool) || compare(a.id, b.id),
      );
    },
  };
}

function claimOf(source: string, signal: Signal, hit: RuleHit): Claim {
  const { rule } = hit;
  return {
    rule,
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
    chance: chanceOf(rule.strength, signal.kind),
    version: hit.version,
  };
}

/**
 * One proof a family: its best claim. Families are taken as independent, so the chance that all of them are wrong is
 * the product of the chances that each is: 1 − ∏(1 − p). The best meaning present sets the ceiling.
 */
export function confidenceOf(claims: readonly Pick<Claim, "family" | "chance" | "means">[]): number {
  const best = new Map<Family, number>();
  for (const { family, chance } of claims) best.set(family, Math.max(best.get(family) ?? 0, chance));
  const doubt = [...best.values()].reduce((product, chance) => product * (1 - chance), 1);
  const ceiling = Math.max(0, ...claims.map(({ means }) => CEILING[means]));
  return round(Math.min(1 - doubt, ceiling));
}

/** What a rule of this strength proves when it is met on this kind. */
export const chanceOf = (strength: Strength, kind: SignalKind): number => STRENGTH[strength] * (RELIABILITY[kind] ?? 1);

function judge(tool: Fingerprint, claims: readonly Claim[], catalogue: Catalogue): Detection {
  const means = MEANINGS.find((meaning) => claims.some((claim) => claim.means === meaning)) ?? "mentions";
  return {
    ...described(tool, catalogue),
    version: claims.find((claim) => claim.version)?.version ?? null,
    confidence: confidenceOf(claims),
    means,
    evidence: claims
      .toSorted((a, b) => b.chance - a.chance)
      .slice(0, MAX_EVIDENCE)
      .map((claim) => claim.evidence),
  };
}

/** By code unit, so that the order is the same on every machine. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

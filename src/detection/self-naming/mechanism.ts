import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal } from "../signals.ts";
import type { NameIndex } from "./names.ts";
import type { ToolNamed } from "./tool-naming.ts";

/** Finds the tools that one kind of signal names. Keeps no state. */
export type Mechanism = (signal: Signal, names: NameIndex, toolNamed: ToolNamed) => readonly RuleHit[];

/** What most signals name. */
export const NOTHING: readonly RuleHit[] = [];

/** One hit for each tool: the first, or the first that is no hint. */
export function bestOf(hits: readonly RuleHit[]): RuleHit[] {
  const best = new Map<string, RuleHit>();
  for (const hit of hits) {
    const before = best.get(hit.tool.id);
    if (!before || (before.rule.strength === "weak" && hit.rule.strength !== "weak")) best.set(hit.tool.id, hit);
  }
  return [...best.values()];
}

import type { Problem } from "../../core/errors.ts";
import { SIGNALS, type SignalKind } from "../signals.ts";
import { type Expressions, firingKinds } from "./conditions.ts";
import { createRuleIndex } from "./rule-index.ts";
import type { Fingerprint, Rule } from "./types.ts";

/**
 * Runs a tool's own proofs: each rule must meet its `hit` and must not meet its `miss`, on every kind on which it
 * can fire. A rule that can never fire, or that fires on a near neighbour, is named.
 *
 * @param own runs the expressions of a user's own files
 */
export function exampleFaults(tool: Fingerprint, own?: Expressions): readonly Problem[] {
  const match = createRuleIndex([tool], own);
  const meets = (rule: Rule, kind: SignalKind, value: string) =>
    match({ kind, value, location: "proof" }).some((hit) => hit.rule === rule);
  return tool.rules.flatMap((rule) => {
    const pointer = `${tool.id}/rules/${rule.id}`;
    const kinds = firingKinds(rule);
    const deaf = kinds.filter((kind) => !meets(rule, kind, asValueOf(kind, rule.hit)));
    const loose = kinds.filter((kind) => meets(rule, kind, asValueOf(kind, rule.miss)));
    return [
      ...(deaf.length > 0 ? [{ pointer, detail: `hit "${rule.hit}" is not met as ${deaf.join(", ")}` }] : []),
      ...(loose.length > 0 ? [{ pointer, detail: `miss "${rule.miss}" is met as ${loose.join(", ")}` }] : []),
    ];
  });
}

/** A URL given as the example of a host-shaped kind stands for its host, and a host for a URL at that host. */
function asValueOf(kind: SignalKind, example: string): string {
  const shape = SIGNALS[kind].shape;
  const url = /^https?:\/\//.test(example);
  if (shape === "host" && url) return URL.parse(example)?.hostname ?? example;
  if (shape === "url" && !url) return `https://${example.replace(/^\/\//, "")}${example.includes("/") ? "" : "/"}`;
  return example;
}

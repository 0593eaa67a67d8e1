import type { Problem } from "../../core/errors.ts";
import { SIGNALS, type SignalKind } from "../signals.ts";
import { matchableKinds, type RegexEngine } from "./conditions.ts";
import { createRuleIndex } from "./rule-index.ts";
import type { Fingerprint, Rule } from "./types.ts";

/**
 * Tests the rules of a tool: each must match its `hit` and must not match its `miss`, on every kind that it can match.
 *
 * @param customRegex compiles the regexes of custom rules
 */
export function exampleFaults(tool: Fingerprint, customRegex?: RegexEngine): readonly Problem[] {
  const match = createRuleIndex([tool], customRegex);
  const matches = (rule: Rule, kind: SignalKind, value: string) =>
    match({ kind, value, location: "example" }).some((hit) => hit.rule === rule);
  return tool.rules.flatMap((rule) => {
    const pointer = `${tool.id}/rules/${rule.id}`;
    const kinds = matchableKinds(rule);
    const missed = kinds.filter((kind) => !matches(rule, kind, valueFor(kind, rule.hit)));
    const wrong = kinds.filter((kind) => matches(rule, kind, valueFor(kind, rule.miss)));
    return [
      ...(missed.length > 0 ? [{ pointer, detail: `hit "${rule.hit}" does not match as ${missed.join(", ")}` }] : []),
      ...(wrong.length > 0 ? [{ pointer, detail: `miss "${rule.miss}" matches as ${wrong.join(", ")}` }] : []),
    ];
  });
}

/** An example in the shape of a kind: the host of a URL, or a URL at a host. */
function valueFor(kind: SignalKind, example: string): string {
  const shape = SIGNALS[kind].shape;
  const url = /^https?:\/\//.test(example);
  if (shape === "host" && url) return URL.parse(example)?.hostname ?? example;
  if (shape === "url" && !url) return `https://${example.replace(/^\/\//, "")}${example.includes("/") ? "" : "/"}`;
  return example;
}

import type { Fingerprint, Match, Rule } from "../../../src/detection/fingerprints/types.ts";

/** A rule that proves itself strong and running, but for what is given. */
export function ruleOf(match: Match, rest: Partial<Rule> = {}): Rule {
  return {
    id: "rule",
    see: "html.script",
    match,
    strength: "strong",
    means: "runs",
    why: "the loader that the vendor documents",
    hit: "hit",
    miss: "miss",
    ...rest,
  };
}

/** An invented tool. */
export function toolOf(rules: readonly Rule[], rest: Partial<Fingerprint> = {}): Fingerprint {
  return {
    id: "widget",
    name: "Widget",
    vendor: "Widget Works",
    website: "https://widget.test/",
    category: "analytics",
    rules,
    ...rest,
  };
}

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

/** The file of an invented tool, as an operator writes it. */
export const HARBOUR_WIDGET = `name: Harbour Widget
vendor: Harbour
website: https://harbour.example
category: analytics
rules:
  - id: own
    see: html.script
    match: { host: widget.harbour.example }
    strength: strong
    means: runs
    why: an own loader
    hit: https://widget.harbour.example/a.js
    miss: https://other.example/b.js
`;

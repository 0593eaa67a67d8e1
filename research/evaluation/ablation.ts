import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import type { RuleHit } from "../../src/detection/fingerprints/rule-index.ts";
import type { NAMING_RULES } from "../../src/detection/self-naming/naming-rules.ts";
import { EXTENSION_CATEGORIES } from "../../src/detection/self-naming/platforms.ts";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";

/** Mechanisms that the evaluation can switch off, to measure what each adds. */
type Mechanism = (signal: Signal, hit: RuleHit) => boolean;

const KINDS =
  (...kinds: SignalKind[]): Mechanism =>
  ({ kind }) =>
    kinds.includes(kind);
/** Hits of self-naming: their rules are none of the tool's. */
const RULES =
  (...ids: string[]): Mechanism =>
  (_, { tool, rule }) =>
    ids.includes(rule.id) && !tool.rules.includes(rule);

/** The ids of `NAMING_RULES` by mechanism, each in one. */
export const OF_NAMING: Readonly<Record<string, readonly (typeof NAMING_RULES)[number][]>> = {
  settings: ["credential", "adapter", "object", "setting"],
  "settings that switch off": ["off"],
  identifiers: ["identifier"],
  marks: ["attribute", "vocabulary", "mark"],
  handles: ["handle"],
  files: ["named-file"],
  directories: ["directory"],
  packages: ["package"],
  extensions: [...EXTENSION_CATEGORIES, "add-on"],
  "Drupal's settings": ["drupal-library"],
  "class marks": ["class-mark"],
  "word marks": ["word-mark"],
  "font faces": ["font-face"],
  "calls and printed settings": ["library-call", "printed-settings"],
  "parent themes": ["parent-theme"],
  "heads of copies": ["banner"],
  keys: ["key"],
  comments: ["app-block", "comment", "signed-comment"],
  "consent lists": ["declared"],
  "generators and metas": ["generator", "meta-name"],
};

export const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  ...Object.fromEntries(Object.entries(OF_NAMING).map(([name, ids]) => [name, RULES(...ids)])),
  verifications: RULES("named-verification"),
  "own domains": RULES("own-domain", "own-domain-mail"),
  "known hosts": RULES("third-party-web"),
  selectors: RULES("styled"),
  "calls of the catalogue": (_, { tool, rule }) => /^code-(?:calls|objects)/.test(rule.id) && tool.rules.includes(rule),
  "addresses in code": KINDS("html.inline-url"),
  "class rules": (signal, { tool, rule }) => signal.kind === "html.names" && tool.rules.includes(rule),
};

/**
 * @param names keys of {@link MECHANISMS}
 * @throws Error for an unknown name
 */
export function withoutMechanisms(catalogue: Catalogue, names: readonly string[]): Catalogue {
  const off = names.map((name) => {
    const mechanism = MECHANISMS[name];
    if (!mechanism) throw new Error(`Unknown mechanism "${name}": use ${Object.keys(MECHANISMS).join(", ")}.`);
    return mechanism;
  });
  if (off.length === 0) return catalogue;
  return {
    ...catalogue,
    match: (signal) => catalogue.match(signal).filter((hit) => !off.some((isOf) => isOf(signal, hit))),
  };
}

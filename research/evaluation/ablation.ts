import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import type { RuleHit } from "../../src/detection/fingerprints/rule-index.ts";
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

export const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  settings: RULES("credential", "adapter", "setting"),
  identifiers: RULES("identifier"),
  marks: RULES("attribute", "mark"),
  handles: RULES("handle"),
  files: RULES("named-file"),
  packages: RULES("package"),
  extensions: RULES(
    ...["wordpress-plugin", "wordpress-theme", "drupal-module", "drupal-theme", "joomla-extension", "typo3-extension"],
  ),
  "Drupal's settings": RULES("drupal-library"),
  "class marks": RULES("class-mark"),
  "calls and printed settings": RULES("library-call", "printed-settings"),
  "parent themes": RULES("parent-theme"),
  "known hosts": RULES("third-party-web"),
  "calls of the catalogue": (_, { tool, rule }) => /^code-(?:calls|objects)/.test(rule.id) && tool.rules.includes(rule),
  "heads of copies": RULES("banner"),
  keys: RULES("key"),
  comments: RULES("comment"),
  "generators and metas": RULES("generator", "meta-name", "named-verification"),
  "own domains": RULES("own-domain"),
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

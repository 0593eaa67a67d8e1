import type { Meaning, Rule, Strength } from "../fingerprints/types.ts";
import type { SignalKind } from "../signals.ts";
import { EXTENSION_CATEGORIES } from "./platforms.ts";

/** Ids of the rules that mechanisms make: what a report's evidence names in place of a rule of the catalogue. */
export const NAMING_RULES = [
  ...["add-on", "attribute", "banner", "class-mark", "comment", "declared", "directory", "drupal-library", "generator"],
  ...["app-block", "font-face", "word-mark"],
  ...[
    "handle",
    "key",
    "library-call",
    "mark",
    "meta-name",
    "named-file",
    "package",
    "parent-theme",
    "printed-settings",
  ],
  ...["signed-comment", "vocabulary"],
  // Kinds of settings.
  ...["adapter", "credential", "identifier", "object", "off", "setting"],
  ...EXTENSION_CATEGORIES,
] as const;

const rules = new Map<string, Rule>();

/**
 * The rule of a hit. One object for each id, kind and strength, since evidence is merged by the identity of its rule; there are a
 * few dozen.
 *
 * @param why in one clause; the first that is given for an id, kind and strength is kept
 */
export function rule(
  id: (typeof NAMING_RULES)[number],
  see: SignalKind,
  strength: Strength,
  why: string,
  means: Meaning = "runs",
): Rule {
  const key = `${id} ${see} ${strength}`;
  const made = rules.get(key) ?? { id, see, match: {}, strength, means, why, hit: "", miss: "" };
  rules.set(key, made);
  return made;
}

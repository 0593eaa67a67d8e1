import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Strength } from "../fingerprints/types.ts";
import type { Signal } from "../signals.ts";
import { biddersIn } from "./bidders.ts";
import { codeMarksIn } from "./code-marks.ts";
import { keysIn } from "./keys.ts";
import { compactName, type NameIndex, thirdPartyId } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { type NamedCode, namedCode } from "./settings.ts";
import type { ToolNamed } from "./tool-naming.ts";

const OFF = "the settings of the page switch it off, or have no account";
const CODE: Readonly<Record<Exclude<NamedCode["kind"], "off">, readonly [strength: Strength, why: string]>> = {
  credential: ["strong", "a key or an address of an account is named after it"],
  adapter: ["strong", "a setting names it as the tool to use"],
  object: ["strong", "a script sets up the object or queue that is named after it"],
  setting: ["weak", "a block or a switch of the page's settings is named after it"],
  identifier: ["weak", "an identifier in the page's code is named after it"],
};

/** Tools after which code and settings name objects, keys and blocks. */
export function codeHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  return namedCode(value, names).map(({ tool, kind: place, at, end }) => ({
    tool,
    rule: place === "off" ? rule(place, kind, "weak", OFF) : rule(place, kind, ...CODE[place]),
    excerpt: excerptOf(value, at - 20, end + 60),
    version: null,
    ...(place === "off" ? { isOff: true } : place !== "identifier" && { isSetUp: true }),
  }));
}

/** Tools whose vendor gives its keys a shape of their own. */
export function keyHits({ kind, value }: Signal, names: NameIndex): RuleHit[] {
  return keysIn(value).flatMap(({ tool: name, at, length, strength }) => {
    const tool = names.exact(name);
    if (!tool) return [];
    const excerpt = excerptOf(value, at - 20, at + length + 20);
    const keyRule = rule("key", kind, strength, "a key has the shape of its keys");
    return [{ tool, rule: keyRule, excerpt, version: null, isSetUp: true }];
  });
}

const thirdParty = (name: string): Fingerprint => ({
  id: thirdPartyId(name),
  name,
  vendor: name,
  website: "",
  category: "advertising",
  rules: [],
});

/** Bidders of the page's header bidding; one that the catalogue does not have is a third party. */
export function bidderHits({ kind, value }: Signal, names: NameIndex): readonly RuleHit[] {
  return biddersIn(value).map(({ name, at, length }) => {
    const tool = names.exact(compactName(name)) ?? thirdParty(name);
    const bidder = rule("adapter", kind, ...CODE.adapter);
    return { tool, rule: bidder, excerpt: excerptOf(value, at, at + length + 60), version: null, isSetUp: true };
  });
}

const CALLED = "a script calls a method or an object that only the library defines";
const PRINTED = "a variable in which only this extension prints its settings";

/** Libraries that a script calls, and extensions that print settings into one. */
export function callHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return codeMarksIn(value).map(({ name, category, excerpt }) => ({
    tool: toolNamed(name, category),
    rule:
      category === "javascript-library"
        ? rule("library-call", kind, "strong", CALLED)
        : rule("printed-settings", kind, "strong", PRINTED),
    excerpt,
    version: null,
  }));
}

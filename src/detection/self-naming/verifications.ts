import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Rule } from "../fingerprints/types.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { compactName, type NameIndex, WITHOUT_ACCOUNTS } from "./names.ts";

/** `acme-domain-verification=…`, `acme_verify: …`, `acme-site-verification-x1y2z3=…`: the name comes first. */
const VERIFICATION =
  /^_?([a-z0-9][a-z0-9._-]{1,40}?)[-_](?:(?:domain|site|sso|email|tenant)[-_]?)?(?:verification|verify|validation)(?:[-_][a-z0-9]{2,12})?\s{0,3}[=:]\s{0,3}\S/i;
/** Suffixes of vendor names: `acme-ai`, `acme.io`. */
const NAME_SUFFIX = /[._-](?:ai|app|co|com|hq|io)$/i;
/** Their plug-ins and themes have no accounts either. */
const PLUGIN_PLATFORMS = new Set(["wordpress", "shopify", "woocommerce"]);

/** Where a verification may stand: a TXT record, a meta tag. */
const VERIFICATION_KINDS = new Set<SignalKind>(["dns.txt", "html.meta"]);

/**
 * Matches verifications that contain a tool's name but match no rule, because vendors add such records faster than rules
 * can be written: TXT records, and meta tags. An ambiguous name matches nothing.
 *
 * @returns a matcher for signals: one hit or none
 */
export function createVerificationNameMatcher(names: () => NameIndex): (signal: Signal) => RuleHit[] {
  const rules = new Map<Fingerprint, Rule>();

  return ({ kind, value }) => {
    if (!VERIFICATION_KINDS.has(kind)) return [];
    const name = VERIFICATION.exec(value)?.[1];
    if (name === undefined) return [];
    const { exact } = names();
    const tool = [name, name.replace(NAME_SUFFIX, "")].map((each) => exact(compactName(each))).find(hasAccounts);
    if (tool === undefined) return [];
    // Evidence is merged by the identity of the rule.
    const rule = rules.get(tool) ?? ruleOf(name.toLowerCase());
    rules.set(tool, rule);
    return [{ tool, rule, excerpt: excerptOf(value), version: null }];
  };
}

/** Parts of a vendor's service inside pages: a site is verified for the service itself. */
const IN_PAGES = /\s(?:Buttons?|Embeds?|Pixel|Player|Tag|Widgets?)$/;

const hasAccounts = (tool: Fingerprint | undefined): tool is Fingerprint =>
  tool !== undefined &&
  !WITHOUT_ACCOUNTS.has(tool.category) &&
  !IN_PAGES.test(tool.name) &&
  ![...(tool.implies ?? []), ...(tool.requires ?? [])].some((id) => PLUGIN_PLATFORMS.has(id));

const ruleOf = (name: string): Rule => ({
  id: "named-verification",
  see: ["dns.txt", "html.meta"],
  match: { prefix: name },
  strength: "strong",
  means: "verified-once",
  why: "verification with the tool's name",
  hit: `${name}-domain-verification=a1b2c3d4`,
  miss: `my-${name}-domain-verification=a1b2c3d4`,
});

import type { Fingerprint, Rule } from "../vocabulary/fingerprint.ts";
import type { RuleHit } from "./rule-entry.ts";

/** `acme-domain-verification=…`, `acme_verify: …`, `acme-site-verification-x1y2z3=…`: who asked for it stands first. */
const NAMED =
  /^_?([a-z0-9][a-z0-9._-]{1,40}?)[-_](?:(?:domain|site|sso|email|tenant)[-_]?)?(?:verification|verify|validation)(?:[-_][a-z0-9]{2,12})?\s{0,3}[=:]\s{0,3}\S/i;
/** What vendors hang on their name: `acme-ai`, `acme.io`. */
const TAIL = /[._-](?:ai|app|co|com|hq|io)$/i;
/** Tools of these categories have no accounts: one of the same name is somebody else. */
const WITHOUT_ACCOUNTS = new Set([
  "fonts",
  "javascript-library",
  "programming-language",
  "web-framework",
  "web-server",
]);
/** Nor have plug-ins and themes. */
const HOSTS_OF_PLUGINS = new Set(["wordpress", "shopify", "woocommerce"]);

/**
 * Tells a tool by a verification record that carries its name, though it has no rule for it: vendors make such records
 * faster than anyone lists them. A name that two tools share tells neither.
 *
 * @returns what a TXT string that no rule knows tells: one hit or none
 */
export function createNamedVerifications(tools: readonly Fingerprint[]): (text: string) => RuleHit[] {
  const made = new Map<Fingerprint, Rule>();
  let names: ReadonlyMap<string, Fingerprint | undefined> | undefined;

  return (text) => {
    const name = NAMED.exec(text)?.[1];
    if (name === undefined) return [];
    names ??= namesOf(tools.filter(hasAccounts));
    const tool = names.get(plain(name)) ?? names.get(plain(name.replace(TAIL, "")));
    if (tool === undefined) return [];
    // The same object each time: a rule is one proof, however often it is met.
    const rule = made.get(tool) ?? ruleOf(name.toLowerCase());
    made.set(tool, rule);
    return [{ tool, rule, excerpt: text.slice(0, 300), version: null }];
  };
}

/** Ids and names first: an alias may be the name of another tool. */
function namesOf(tools: readonly Fingerprint[]): ReadonlyMap<string, Fingerprint | undefined> {
  const names = new Map<string, Fingerprint | undefined>();
  for (const namesIn of [({ id, name }: Fingerprint) => [id, name], ({ aliases = [] }: Fingerprint) => aliases]) {
    const round = new Map<string, Fingerprint | undefined>();
    for (const tool of tools)
      for (const key of new Set(namesIn(tool).map(plain)))
        if (!names.has(key)) round.set(key, round.has(key) && round.get(key) !== tool ? undefined : tool);
    for (const [key, tool] of round) names.set(key, tool);
  }
  return names;
}

const hasAccounts = ({ category, implies = [], requires = [] }: Fingerprint) =>
  !WITHOUT_ACCOUNTS.has(category) && ![...implies, ...requires].some((id) => HOSTS_OF_PLUGINS.has(id));

/** Letters and digits alone: names are written in many ways. */
export const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

const ruleOf = (name: string): Rule => ({
  id: "named-verification",
  see: "dns.txt",
  match: { prefix: name },
  strength: "strong",
  means: "verified-once",
  why: "proof of ownership that carries the tool's own name",
  hit: `${name}-domain-verification=a1b2c3d4`,
  miss: `my-${name}-domain-verification=a1b2c3d4`,
});

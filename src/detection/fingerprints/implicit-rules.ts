import { SIGNAL_GROUPS, SIGNALS, type Signal, type SignalKind } from "../signals.ts";
import { toArray } from "./conditions.ts";
import { type RuleHit, suffixes } from "./rule-index.ts";
import type { Fingerprint, Meaning, Rule } from "./types.ts";

/** `acme-domain-verification=…`, `acme_verify: …`, `acme-site-verification-x1y2z3=…`: the name comes first. */
const VERIFICATION =
  /^_?([a-z0-9][a-z0-9._-]{1,40}?)[-_](?:(?:domain|site|sso|email|tenant)[-_]?)?(?:verification|verify|validation)(?:[-_][a-z0-9]{2,12})?\s{0,3}[=:]\s{0,3}\S/i;
/** Suffixes of vendor names: `acme-ai`, `acme.io`. */
const NAME_SUFFIX = /[._-](?:ai|app|co|com|hq|io)$/i;
/** Tools of these categories have no accounts, so a verification with their name is another vendor's. */
const WITHOUT_ACCOUNTS = new Set([
  "fonts",
  "javascript-library",
  "programming-language",
  "web-framework",
  "web-server",
]);
/** Their plug-ins and themes have no accounts either. */
const PLUGIN_PLATFORMS = new Set(["wordpress", "shopify", "woocommerce"]);

/**
 * Matches verification records that contain a tool's name but match no rule, because vendors add such records faster
 * than rules can be written. An ambiguous name matches nothing.
 *
 * @returns a matcher for TXT strings: one hit or none
 */
export function createVerificationNameMatcher(tools: readonly Fingerprint[]): (text: string) => RuleHit[] {
  const rules = new Map<Fingerprint, Rule>();
  let names: ReadonlyMap<string, Fingerprint | undefined> | undefined;

  return (text) => {
    const name = VERIFICATION.exec(text)?.[1];
    if (name === undefined) return [];
    names ??= namesOf(tools.filter(hasAccounts));
    const tool = names.get(normaliseName(name)) ?? names.get(normaliseName(name.replace(NAME_SUFFIX, "")));
    if (tool === undefined) return [];
    // Evidence is merged by the identity of the rule.
    const rule = rules.get(tool) ?? ruleOf(name.toLowerCase());
    rules.set(tool, rule);
    return [{ tool, rule, excerpt: text.slice(0, 300), version: null }];
  };
}

/** Ids and names first: an alias may be the name of another tool. */
function namesOf(tools: readonly Fingerprint[]): ReadonlyMap<string, Fingerprint | undefined> {
  const names = new Map<string, Fingerprint | undefined>();
  for (const namesIn of [({ id, name }: Fingerprint) => [id, name], ({ aliases = [] }: Fingerprint) => aliases]) {
    const round = new Map<string, Fingerprint | undefined>();
    for (const tool of tools)
      for (const key of new Set(namesIn(tool).map(normaliseName)))
        if (!names.has(key)) round.set(key, round.has(key) && round.get(key) !== tool ? undefined : tool);
    for (const [key, tool] of round) names.set(key, tool);
  }
  return names;
}

const hasAccounts = ({ category, implies = [], requires = [] }: Fingerprint) =>
  !WITHOUT_ACCOUNTS.has(category) && ![...implies, ...requires].some((id) => PLUGIN_PLATFORMS.has(id));

/** Only letters and digits, to compare names. */
export const normaliseName = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

const ruleOf = (name: string): Rule => ({
  id: "named-verification",
  see: "dns.txt",
  match: { prefix: name },
  strength: "strong",
  means: "verified-once",
  why: "domain verification with the tool's name",
  hit: `${name}-domain-verification=a1b2c3d4`,
  miss: `my-${name}-domain-verification=a1b2c3d4`,
});

/** What a vendor's host in a signal of each kind means. Links, images and allowed hosts mean nothing. */
const MEANS: Partial<Record<SignalKind, Meaning>> = {
  "html.script": "runs",
  "html.frame": "runs",
  "html.form": "runs",
  "dns.cname": "runs",
  "dns.ns": "runs",
  "dns.mx": "runs",
  "dns.dmarc": "runs",
  "dns.spf": "sends-as",
  "dns.dkim": "sends-as",
};
/** Kinds whose rules name a service by its hosts; the others name mail exchanges, name servers and tenants. */
const SERVICE_KINDS = new Set<string>([
  "web",
  "alias",
  ...SIGNAL_GROUPS.web,
  ...SIGNAL_GROUPS.alias,
  "dns.spf",
  "dns.dkim",
]);
/** A script from a host of these tools does not show that they serve the page. */
const SERVES_PAGES = new Set(["cdn", "cloud", "cms", "dns", "hosting", "web-server"]);

/**
 * Matches hosts under a tool's domains that match no rule, because products add hosts faster than rules can be written.
 * A tool's domains are that of its website, if it contains the tool's name (a vendor's domain does not identify one of
 * several products), and the hosts of its rules for other kinds. A domain of two tools matches nothing.
 *
 * @returns a matcher for signals: one hit or none
 */
export function createVendorDomainMatcher(tools: readonly Fingerprint[]): (signal: Signal) => RuleHit[] {
  const rules = new Map<string, Rule>();
  let toolByDomain: ReadonlyMap<string, Fingerprint | undefined> | undefined;

  return ({ kind, value }) => {
    const means = MEANS[kind];
    if (means === undefined) return [];
    const host = SIGNALS[kind].shape === "url" ? URL.parse(value)?.hostname : value.toLowerCase();
    if (host === undefined) return [];
    toolByDomain ??= toolsByDomain(tools);
    for (const domain of suffixes(host)) {
      const tool = toolByDomain.get(domain);
      if (tool === undefined) continue;
      if (kind.startsWith("html.") && SERVES_PAGES.has(tool.category)) return [];
      // Evidence is merged by the identity of the rule.
      const key = `${tool.id} ${means}`;
      const rule = rules.get(key) ?? vendorDomainRule(domain, kind, means);
      rules.set(key, rule);
      return [{ tool, rule, excerpt: value.slice(0, 300), version: null }];
    }
    return [];
  };
}

function toolsByDomain(tools: readonly Fingerprint[]): ReadonlyMap<string, Fingerprint | undefined> {
  const byDomain = new Map<string, Fingerprint | undefined>();
  for (const tool of tools)
    for (const domain of [...websiteDomain(tool), ...hostsOf(tool)])
      byDomain.set(domain, byDomain.has(domain) && byDomain.get(domain) !== tool ? undefined : tool);
  return byDomain;
}

/** The domain of the tool's website, if it contains the tool's name. */
function websiteDomain({ id, name, aliases = [], website }: Fingerprint): readonly string[] {
  const domain = /^https?:\/\/(?:www\.)?([^/?#:]{1,253})/i.exec(website)?.[1]?.toLowerCase();
  if (domain === undefined) return [];
  const label = normaliseName(domain.slice(0, domain.indexOf(".")));
  const names = [id, name, ...aliases].map(normaliseName);
  return names.includes(label) || names.includes(normaliseName(domain)) ? [domain] : [];
}

/** Hosts that are enough to detect the tool as a service. */
const hostsOf = ({ rules }: Fingerprint): readonly string[] =>
  rules.flatMap(({ see, match, strength }) =>
    strength === "weak" || Object.keys(match).length > 1 || !toArray(see).every((each) => SERVICE_KINDS.has(each))
      ? []
      : toArray(match.host).map((host) => host.toLowerCase()),
  );

const vendorDomainRule = (domain: string, see: SignalKind, means: Meaning): Rule => ({
  id: means === "sends-as" ? "own-domain-mail" : "own-domain",
  see,
  match: { host: domain },
  strength: "strong",
  means,
  why: "host of the tool's domain",
  hit: domain,
  miss: `${domain}.example`,
});

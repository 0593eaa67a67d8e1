import { SIGNAL_GROUPS, SIGNALS, type Signal, type SignalKind } from "../signals.ts";
import { toArray } from "./conditions.ts";
import { type RuleHit, suffixes } from "./rule-index.ts";
import type { Fingerprint, Meaning, Rule } from "./types.ts";

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
export function createVerificationNameMatcher(tools: readonly Fingerprint[]): (text: string) => RuleHit[] {
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

/** Ways in which a company takes a host into its service, and what each says. Links, images and allowances are not. */
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
/** Ways in which rules name a service by its hosts. Others name machines of a house: mail exchanges, name servers, tenants. */
const OF_SERVICES = new Set<string>([
  "web",
  "alias",
  ...SIGNAL_GROUPS.web,
  ...SIGNAL_GROUPS.alias,
  "dns.spf",
  "dns.dkim",
]);
/** Their own pages load what their customers' pages do not need: a script of theirs says nothing of who serves the page. */
const SERVES_PAGES = new Set(["cdn", "cloud", "cms", "dns", "hosting", "web-server"]);

/**
 * Tells a tool by a host of its own domain, though it has no rule for that host there: a product grows hosts faster than
 * anyone lists them. Its own are the domain of its web site, where that carries the tool's very name (a house of many
 * products does not tell which), and what its rules name of a host in other places. What two tools own tells neither.
 *
 * @returns what a signal that no rule knows tells: one hit or none
 */
export function createVendorDomainMatcher(tools: readonly Fingerprint[]): (signal: Signal) => RuleHit[] {
  const made = new Map<string, Rule>();
  let owners: ReadonlyMap<string, Fingerprint | undefined> | undefined;

  return ({ kind, value }) => {
    const means = MEANS[kind];
    if (means === undefined) return [];
    const host = SIGNALS[kind].shape === "url" ? URL.parse(value)?.hostname : value.toLowerCase();
    if (host === undefined) return [];
    owners ??= ownersAmong(tools);
    for (const domain of suffixes(host)) {
      const tool = owners.get(domain);
      if (tool === undefined) continue;
      if (kind.startsWith("html.") && SERVES_PAGES.has(tool.category)) return [];
      // The same object each time: a rule is one proof, however often it is met.
      const key = `${tool.id} ${means}`;
      const rule = made.get(key) ?? ownDomainRule(domain, kind, means);
      made.set(key, rule);
      return [{ tool, rule, excerpt: value.slice(0, 300), version: null }];
    }
    return [];
  };
}

function ownersAmong(tools: readonly Fingerprint[]): ReadonlyMap<string, Fingerprint | undefined> {
  const owners = new Map<string, Fingerprint | undefined>();
  for (const tool of tools)
    for (const domain of [...siteOf(tool), ...hostsOf(tool)])
      owners.set(domain, owners.has(domain) && owners.get(domain) !== tool ? undefined : tool);
  return owners;
}

/** The domain of the tool's web site, if it carries the tool's name. */
function siteOf({ id, name, aliases = [], website }: Fingerprint): readonly string[] {
  const domain = /^https?:\/\/(?:www\.)?([^/?#:]{1,253})/i.exec(website)?.[1]?.toLowerCase();
  if (domain === undefined) return [];
  const label = plain(domain.slice(0, domain.indexOf(".")));
  const carries = [id, name, ...aliases].map(plain);
  return carries.includes(label) || carries.includes(plain(domain)) ? [domain] : [];
}

/** Hosts that prove the tool by themselves where it is a service that a company takes in or sends with. */
const hostsOf = ({ rules }: Fingerprint): readonly string[] =>
  rules.flatMap(({ see, match, strength }) =>
    strength === "weak" || Object.keys(match).length > 1 || !toArray(see).every((each) => OF_SERVICES.has(each))
      ? []
      : toArray(match.host).map((host) => host.toLowerCase()),
  );

const ownDomainRule = (domain: string, see: SignalKind, means: Meaning): Rule => ({
  id: means === "sends-as" ? "own-domain-mail" : "own-domain",
  see,
  match: { host: domain },
  strength: "strong",
  means,
  why: "host of a domain that is the tool's own",
  hit: domain,
  miss: `${domain}.example`,
});

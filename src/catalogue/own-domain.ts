import type { Fingerprint, Meaning, Rule } from "../vocabulary/fingerprint.ts";
import { SIGNAL_GROUPS, SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
import { listed } from "./conditions.ts";
import { plain } from "./named-verification.ts";
import { type RuleHit, suffixes } from "./rule-entry.ts";

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
export function createOwnDomains(tools: readonly Fingerprint[]): (signal: Signal) => RuleHit[] {
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
      const rule = made.get(key) ?? ruleOf(domain, kind, means);
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
    strength === "weak" || Object.keys(match).length > 1 || !listed(see).every((each) => OF_SERVICES.has(each))
      ? []
      : listed(match.host).map((host) => host.toLowerCase()),
  );

const ruleOf = (domain: string, see: SignalKind, means: Meaning): Rule => ({
  id: means === "sends-as" ? "own-domain-mail" : "own-domain",
  see,
  match: { host: domain },
  strength: "strong",
  means,
  why: "host of a domain that is the tool's own",
  hit: domain,
  miss: `${domain}.example`,
});

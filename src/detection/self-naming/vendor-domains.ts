import { remembered } from "../../core/remembered.ts";
import { excerptOf } from "../excerpt.ts";
import { toArray } from "../fingerprints/conditions.ts";
import { type RuleHit, suffixes } from "../fingerprints/rule-index.ts";
import type { Fingerprint, Meaning, Rule, Strength } from "../fingerprints/types.ts";
import { hostOfSignal, SIGNAL_GROUPS, type Signal, type SignalKind } from "../signals.ts";
import { compactName, LINKED } from "./names.ts";

/** What a vendor's host in a signal of each kind means, and how much it counts. Links and allowed hosts mean nothing. */
const MEANS: Partial<Record<SignalKind, readonly [Meaning, Strength]>> = {
  "html.script": ["runs", "strong"],
  "html.frame": ["runs", "strong"],
  /** A form may search another site, as those of job boards do. */
  "html.form": ["runs", "weak"],
  "html.link": ["runs", "strong"],
  "html.request": ["runs", "strong"],
  "html.inline-url": ["runs", "strong"],
  /** Pictures are shown from the hosts of partners and of those written about. */
  "html.image": ["runs", "weak"],
  "html.inline-host": ["runs", "weak"],
  "html.hint": ["runs", "strong"],
  "dns.cname": ["runs", "strong"],
  "dns.ns": ["runs", "strong"],
  "dns.mx": ["runs", "strong"],
  "dns.dmarc": ["runs", "strong"],
  "dns.spf": ["sends-as", "strong"],
  "dns.dkim": ["sends-as", "strong"],
};
/** Labels of hosts that serve a product's files and requests, and no pages about it. */
const SERVICE_LABEL =
  /(?:^|[.-])(?:ads?|api|assets?|beacon|bidder|cdn|chat|collect(?:or)?|data|embed|events?|fonts|hb|js|loader|log(?:s|ger)?|pixel|player|rtb|scripts?|sdk|ssp|static|stats|sync|tags?|telemetry|track(?:er|ing)?|widgets?)\d{0,3}(?:[.-]|$)/;
const SCRIPT = /\.m?js(?:[?#]|$)/i;
/** Hosts whose owner is remembered. */
const MAX_HOSTS = 4_096;
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
  const owned = remembered(MAX_HOSTS, (host) => {
    toolByDomain ??= toolsByDomain(tools);
    for (const domain of suffixes(host)) {
      const tool = toolByDomain.get(domain);
      if (tool !== undefined) return { domain, tool };
    }
    return undefined;
  });

  return (signal) => {
    const { kind, value, location } = signal;
    const [means, strength] = MEANS[kind] ?? [];
    if (means === undefined || strength === undefined) return [];
    const host = hostOfSignal(signal);
    if (host === undefined) return [];
    const owner = owned(host);
    if (owner === undefined) return [];
    const { domain, tool } = owner;
    if (kind.startsWith("html.") && SERVES_PAGES.has(tool.category)) return [];
    // A vendor's own pages are made of its files; whether it uses its tools there is for other evidence.
    if (kind.startsWith("html.") && URL.parse(location)?.hostname.endsWith(domain)) return [];
    // Code names the addresses of profiles and share buttons.
    if ((kind === "html.inline-host" || kind === "html.hint") && LINKED.has(compactName(tool.id))) return [];
    // Lists of partners and customers hold the addresses of their websites.
    if (kind === "html.inline-host" && isWebsite(host, domain, tool)) return [];
    // A link in a script's texts is none of its requests.
    const isService = SERVICE_LABEL.test(host.slice(0, -domain.length - 1));
    if (kind === "html.inline-url" && !SCRIPT.test(value) && !isService) return [];
    // Evidence is merged by the identity of the rule.
    const counts = kind === "html.inline-host" && isService ? "strong" : strength;
    const key = `${tool.id} ${means} ${counts}`;
    const rule = rules.get(key) ?? vendorDomainRule(domain, kind, means, counts);
    rules.set(key, rule);
    return [{ tool, rule, excerpt: excerptOf(value), version: null }];
  };
}

function toolsByDomain(tools: readonly Fingerprint[]): ReadonlyMap<string, Fingerprint | undefined> {
  const byDomain = new Map<string, Fingerprint | undefined>();
  for (const tool of tools)
    for (const domain of [...websiteDomain(tool), ...hostsOf(tool)])
      byDomain.set(domain, byDomain.has(domain) && byDomain.get(domain) !== tool ? undefined : tool);
  return byDomain;
}

const isWebsite = (host: string, domain: string, tool: Fingerprint) =>
  (host === `www.${domain}` || (host === domain && !hostsOf(tool).includes(domain))) &&
  websiteDomain(tool)[0] === domain;

/** The domain of the tool's website, if it contains the tool's name. */
function websiteDomain({ id, name, aliases = [], website }: Fingerprint): readonly string[] {
  const domain = /^https?:\/\/(?:www\.)?([^/?#:]{1,253})/i.exec(website)?.[1]?.toLowerCase();
  if (domain === undefined) return [];
  const label = compactName(domain.slice(0, domain.indexOf(".")));
  const names = [id, name, ...aliases].map(compactName);
  return names.includes(label) || names.includes(compactName(domain)) ? [domain] : [];
}

/** Hosts that are enough to detect the tool as a service. */
const hostsOf = ({ rules }: Fingerprint): readonly string[] =>
  rules.flatMap(({ see, match, strength }) =>
    strength === "weak" || Object.keys(match).length > 1 || !toArray(see).every((each) => SERVICE_KINDS.has(each))
      ? []
      : toArray(match.host).map((host) => host.toLowerCase()),
  );

const vendorDomainRule = (domain: string, see: SignalKind, means: Meaning, strength: Strength): Rule => ({
  id: means === "sends-as" ? "own-domain-mail" : "own-domain",
  see,
  match: { host: domain },
  strength,
  means,
  why: "host of the tool's domain",
  hit: domain,
  miss: `${domain}.example`,
});

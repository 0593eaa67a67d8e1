import type { Fingerprint, Meaning, Rule } from "../vocabulary/fingerprint.ts";
import { SIGNALS, type Signal, type SignalKind } from "../vocabulary/signal.ts";
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
/** Their own pages load what their customers' pages do not need: a script of theirs says nothing of who serves the page. */
const SERVES_PAGES = new Set(["cdn", "cloud", "cms", "dns", "hosting", "web-server"]);

/**
 * Tells a tool by a host of its own domain, though it has no rule for that host: a product grows hosts faster than
 * anyone lists them. The domain is that of its web site, and only where it carries the tool's very name: a house of many
 * products does not tell which.
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
  for (const tool of tools) {
    const domain = /^https?:\/\/(?:www\.)?([^/?#:]{1,253})/i.exec(tool.website)?.[1]?.toLowerCase();
    if (domain === undefined) continue;
    const label = plain(domain.slice(0, domain.indexOf(".")));
    const carries = [tool.id, tool.name, ...(tool.aliases ?? [])].map(plain);
    if (!carries.includes(label) && !carries.includes(plain(domain))) continue;
    owners.set(domain, owners.has(domain) ? undefined : tool);
  }
  return owners;
}

const ruleOf = (domain: string, see: SignalKind, means: Meaning): Rule => ({
  id: means === "sends-as" ? "own-domain-mail" : "own-domain",
  see,
  match: { host: domain },
  strength: "strong",
  means,
  why: "host of the domain that carries the tool's own name",
  hit: domain,
  miss: `${domain}.example`,
});

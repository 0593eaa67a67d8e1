import { belongsTo, type Domain, registeredDomain } from "../../core/domain.ts";
import { redact, withoutSecretLabels } from "../redaction.ts";
import { hostOfSignal, type Signal, type SignalKind } from "../signals.ts";
import type { ThirdParty } from "../types.ts";

/**
 * Kinds of signals that name hosts by which the company is served. Links lead elsewhere, certificates are shared, and lists
 * of sellers are copied from partners: their hosts are not the company's third parties.
 */
const KINDS: ReadonlySet<SignalKind> = new Set<SignalKind>([
  "html.script",
  "html.link",
  "html.image",
  "html.frame",
  "html.form",
  "html.request",
  "html.hint",
  "html.inline-host",
  "http.policy-host",
  "js.bundle-host",
  "gtm.host",
  "dns.mx",
  "dns.spf",
  "dns.dkim",
  "dns.dmarc",
  "dns.tls-rpt",
  "dns.cname",
  "dns.ns",
]);

/** Per scan, against pages that name hosts without end. */
const MAX_DOMAINS = 300;
/** Known domains are remembered too, and a page may name any number. */
const MAX_KNOWN = 5_000;
const MAX_HOSTS = 5;
const MAX_SIGHTINGS = 5;

interface Collected {
  readonly hosts: Set<string>;
  /** By kind of signal: where it was seen first. */
  readonly seen: Map<SignalKind, string>;
}

/** Collects the third-party domains of one scan that belong to no tool: none of their hosts was matched. */
export function createThirdPartyCollector(domain: Pick<Domain, "name">) {
  const collected = new Map<string, Collected>();
  const known = new Set<string>();

  return {
    add(signal: Signal, isMatched: boolean): void {
      const { kind, location } = signal;
      // A link to a tool shows that its domain is known.
      if (!KINDS.has(kind) && !(isMatched && kind === "html.anchor")) return;
      const host = hostOfSignal(signal);
      const party = host && registeredDomain(host);
      if (!host || !party || host.length > 253 || belongsTo(host, domain.name) || domain.name === party) return;
      if (isMatched) {
        if (known.size < MAX_KNOWN) known.add(party);
        collected.delete(party);
        return;
      }
      if (known.has(party)) return;
      const before = collected.get(party);
      if (!before && collected.size >= MAX_DOMAINS) return;
      const entry = before ?? { hosts: new Set(), seen: new Map() };
      collected.set(party, entry);
      if (entry.hosts.size < MAX_HOSTS) entry.hosts.add(withoutSecretLabels(host));
      if (!entry.seen.has(kind) && entry.seen.size < MAX_SIGHTINGS)
        entry.seen.set(kind, redact("html.anchor", location));
    },

    /** By domain. */
    list: (): readonly ThirdParty[] =>
      [...collected]
        .map(([party, { hosts, seen }]) => ({
          domain: party,
          hosts: [...hosts].sort(),
          seen: [...seen].map(([signal, location]) => ({ signal, location })),
        }))
        .sort((a, b) => (a.domain < b.domain ? -1 : 1)),
  };
}

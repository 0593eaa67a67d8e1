import type { IconName } from "../components/icon.tsx";

/** Kinds of evidence: the icon, and the name of a single piece. */
const KINDS = {
  script: ["code", "Script"],
  page: ["file", "Page"],
  cookie: ["cookie", "Cookie"],
  header: ["server", "Response header"],
  policy: ["shield", "Security policy"],
  dns: ["lines", "DNS record"],
  certificate: ["lock", "Certificate"],
  hiring: ["briefcase", "Job posting"],
  disclosure: ["shield", "Disclosure"],
  implied: ["link", "Implied by another tool"],
} as const satisfies Record<string, readonly [IconName, string]>;

export type Kind = keyof typeof KINDS;

/** By the kind of signal, or its prefix; the longest match counts. */
const BY_SIGNAL: readonly (readonly [string, Kind])[] = [
  ["http.cookie", "cookie"],
  ["http.policy", "policy"],
  ["http.", "header"],
  ["html.script", "script"],
  ["html.inline", "script"],
  ["html.request", "script"],
  ["html.", "page"],
  ["js.", "script"],
  ["gtm.", "script"],
  ["consent.", "page"],
  ["tls.", "certificate"],
  ["board.", "hiring"],
  ["page.disclosure", "disclosure"],
  ["file.", "page"],
  ["implied", "implied"],
];

/** Names that say more than their kind. */
const NAMES: Readonly<Record<string, string>> = {
  "dns.mx": "MX record",
  "dns.spf": "SPF record",
  "dns.dkim": "DKIM record",
  "dns.dkim-selector": "DKIM key",
  "dns.dmarc": "DMARC record",
  "dns.tls-rpt": "TLS-RPT record",
  "dns.mta-sts": "MTA-STS policy",
  "dns.bimi": "BIMI record",
  "dns.txt": "Verification record",
  "dns.cname": "CNAME record",
  "dns.srv": "SRV record",
  "dns.ns": "Name server",
  "dns.soa": "SOA record",
  "dns.caa": "CAA record",
  "dns.ptr": "Reverse DNS",
  "net.asn": "Network",
  "tenant.host": "Sign-in tenant",
  "tenant.state": "Sign-in tenant",
  "html.link": "Linked file",
  "html.image": "Image",
  "html.frame": "Embedded frame",
  "html.form": "Form",
  "html.meta": "Meta tag",
  "html.anchor": "Link",
  "html.hint": "Preconnect",
  "html.request": "Request",
  "html.inline": "Inline script",
  "html.data": "Page data",
  "consent.service": "Consent service",
  "gtm.tag": "Tag manager tag",
  "gtm.host": "Tag manager host",
  "js.global": "Script variable",
  "file.robots": "robots.txt",
  "file.sitemap": "Sitemap",
  "file.ads": "ads.txt",
};

export const kindOf = (signal: string): Kind => BY_SIGNAL.find(([prefix]) => signal.startsWith(prefix))?.[1] ?? "dns";
export const kindIcon = (kind: Kind): IconName => KINDS[kind][0];
export const kindLabel = (kind: Kind): string => KINDS[kind][1];
export const signalName = (signal: string): string => NAMES[signal] ?? kindLabel(kindOf(signal));

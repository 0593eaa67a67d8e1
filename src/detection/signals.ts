import { hostOfUrl } from "../core/domain.ts";

/** A fact that a scanner found. It never names a tool; the rules of the catalogue do. */
export interface Signal {
  readonly kind: SignalKind;
  /** In the form of the kind's shape; see {@link SIGNALS}. */
  readonly value: string;
  /** Where it was found: a URL, a DNS name with its record type, or a file. */
  readonly location: string;
}

/**
 * The form of a value, which decides what a rule can match on it.
 * - `host`  a lower-case host name without a trailing dot
 * - `url`   an absolute http(s) URL
 * - `path`  the path and query of a first-party URL, from its first `/`
 * - `word`  a short string (cookie name, TXT record, AS number)
 * - `named` `name: content`, the name in lower case (headers, meta tags, SRV records)
 * - `text`  a long text searched for what it contains
 */
export type Shape = "host" | "url" | "path" | "word" | "named" | "text";

/** Kinds that are not independent evidence share a family: only different families add to the confidence. */
export type Family =
  | "mail-route"
  | "mail-sender"
  | "mail-signature"
  | "mail-report"
  | "verification"
  | "service-name"
  | "tenant"
  | "name-server"
  | "address"
  | "certificate"
  | "page-load"
  | "page-code"
  | "page-policy"
  | "page-mark"
  | "header"
  | "cookie"
  | "site-file"
  | "container"
  | "outlink"
  | "job-board"
  | "job-text"
  | "disclosure";

/** Each kind of signal: its shape, its family, and a description of its value. */
export const SIGNALS = {
  "dns.mx": { shape: "host", family: "mail-route", about: "mail exchange of the domain" },
  "dns.spf": {
    shape: "host",
    family: "mail-sender",
    about: "host in an include:, redirect=, a:, mx: or exists: of the company's SPF records",
  },
  "dns.dkim": { shape: "host", family: "mail-signature", about: "CNAME target of SELECTOR._domainkey" },
  "dns.dkim-selector": {
    shape: "word",
    family: "mail-signature",
    about: "selector with a published DKIM key",
  },
  "dns.dmarc": { shape: "host", family: "mail-report", about: "mail host of a DMARC rua or ruf address" },
  "dns.tls-rpt": { shape: "host", family: "mail-report", about: "host of a TLS-RPT rua address or URL" },
  "dns.mta-sts": {
    shape: "host",
    family: "mail-route",
    about: "CNAME target of mta-sts, or an mx of the MTA-STS policy",
  },
  "dns.bimi": { shape: "host", family: "mail-report", about: "host of a BIMI logo or certificate" },
  "dns.txt": {
    shape: "word",
    family: "verification",
    about: "whole TXT string at the apex or at a name of the zone",
  },
  "dns.srv": { shape: "named", family: "service-name", about: "service label: target host (`_sip._tls: host`)" },
  "dns.cname": {
    shape: "host",
    family: "service-name",
    about: "target in the CNAME chain of a host of the company",
  },
  "dns.ns": { shape: "host", family: "name-server", about: "authoritative name server" },
  "dns.soa": { shape: "host", family: "name-server", about: "SOA primary or contact host" },
  "dns.caa": { shape: "host", family: "certificate", about: "issuer domain of a CAA record" },
  "dns.ptr": { shape: "host", family: "address", about: "reverse name of an address of the apex or www" },
  "net.asn": { shape: "word", family: "address", about: "autonomous system of the apex or www address: `AS13335`" },
  "tenant.host": {
    shape: "host",
    family: "tenant",
    about: "identity provider host in the answer of a tenant lookup",
  },
  "tenant.state": {
    shape: "word",
    family: "tenant",
    about: "`microsoft:managed`, `microsoft:federated`, or `LABEL:found` of a configured lookup",
  },
  "tls.issuer": { shape: "word", family: "certificate", about: "issuer organisation and common name" },
  "tls.san": { shape: "host", family: "certificate", about: "name in the certificate that is not the company's" },
  "html.script": { shape: "url", family: "page-load", about: "src of a script tag" },
  "html.link": { shape: "url", family: "page-load", about: "href of a stylesheet, icon, manifest or preloaded file" },
  "html.image": { shape: "url", family: "page-load", about: "src of an image" },
  "html.frame": { shape: "url", family: "page-load", about: "src of an iframe, embed, video or object" },
  "html.form": { shape: "url", family: "page-load", about: "action of a form" },
  "html.request": { shape: "url", family: "page-load", about: "request of a recorded browser" },
  "html.hint": {
    shape: "url",
    family: "page-policy",
    about: "preconnect or dns-prefetch, or a script that only old browsers load",
  },
  "html.anchor": { shape: "url", family: "outlink", about: "link from the company's page to another site" },
  "html.path": { shape: "path", family: "page-load", about: "path of a first-party file that the page loads" },
  "html.inline": { shape: "text", family: "page-code", about: "text of the inline scripts" },
  "html.inline-host": { shape: "host", family: "page-load", about: "host named inside an inline script" },
  "html.inline-url": {
    shape: "url",
    family: "page-load",
    about: "address of a file on another host, inside an inline script",
  },
  "html.data": { shape: "text", family: "page-code", about: "text of JSON data in the page: data scripts, attributes" },
  "html.names": {
    shape: "text",
    family: "page-mark",
    about: "class names, ids (after `#`) and names of data attributes of the page",
  },
  "html.markup": {
    shape: "text",
    family: "page-mark",
    about: "start of the page source: comments, attributes and classes",
  },
  "html.custom": {
    shape: "text",
    family: "page-mark",
    about: "opening tags with elements, attributes or style properties that HTML does not have",
  },
  "html.style": { shape: "text", family: "page-mark", about: "text of the style elements" },
  "html.meta": { shape: "named", family: "page-mark", about: "meta tag, `name: content`" },
  "consent.service": {
    shape: "word",
    // The same script also has settings named after the services: together they are one piece of evidence.
    family: "page-code",
    about: "service that the configuration of the page's consent platform declares",
  },
  "http.header": { shape: "named", family: "header", about: "response header of the company's page" },
  "http.cookie": { shape: "word", family: "cookie", about: "name of a cookie set by the company's page" },
  "http.policy-host": {
    shape: "host",
    family: "page-policy",
    about: "host named in CSP, Report-To, NEL or a similar header",
  },
  "js.bundle": { shape: "text", family: "page-code", about: "text of a first-party script file" },
  "js.bundle-host": { shape: "host", family: "page-code", about: "host named inside a first-party script file" },
  "js.global": {
    shape: "text",
    family: "page-code",
    about: "global variables after a page was loaded in a browser, one assignment a line",
  },
  "gtm.host": { shape: "host", family: "container", about: "host named inside the GTM container" },
  "gtm.tag": { shape: "word", family: "container", about: "tag type of the GTM container, such as `__googtag`" },
  "file.robots": { shape: "text", family: "site-file", about: "text of robots.txt" },
  "file.sitemap": { shape: "text", family: "site-file", about: "start of the sitemap" },
  "file.ads": { shape: "host", family: "site-file", about: "seller domain in ads.txt or app-ads.txt" },
  "file.manifest": { shape: "text", family: "site-file", about: "text of the web app manifest" },
  "file.favicon": { shape: "word", family: "site-file", about: "sha256 (hex) of /favicon.ico" },
  "file.well-known": {
    shape: "text",
    family: "site-file",
    about: "`NAME`, a line break, and the text of /.well-known/NAME or /security.txt",
  },
  "board.url": { shape: "url", family: "job-board", about: "address of a public job board or careers page" },
  "board.posting": { shape: "text", family: "job-text", about: "text of one job posting" },
  "page.disclosure": {
    shape: "text",
    family: "disclosure",
    about: "text of a sub-processor, privacy, cookie or security page",
  },
} as const satisfies Record<string, { shape: Shape; family: Family; about: string }>;

export type SignalKind = keyof typeof SIGNALS;

let lastSignal: Signal | undefined;
let lastHost: string | undefined;

/** The host that an address or a host of a signal names, in lower case; several collectors ask for that of one signal. */
export function hostOfSignal(signal: Signal): string | undefined {
  if (signal !== lastSignal) {
    const { kind, value } = signal;
    lastHost = (SIGNALS[kind].shape === "url" ? hostOfUrl(value) : value).toLowerCase();
    lastSignal = signal;
  }
  return lastHost;
}

/** Groups of kinds that a rule can match together. Each kind keeps its own reliability, see `weights.ts`. */
export const SIGNAL_GROUPS = {
  /** A third-party address that the page loads, allows, or contains in its code. */
  web: [
    "html.script",
    "html.link",
    "html.image",
    "html.frame",
    "html.form",
    "html.request",
    "html.inline-host",
    "html.inline-url",
    "html.hint",
    "http.policy-host",
    "js.bundle-host",
    "gtm.host",
  ],
  /** Code that runs on the page. */
  code: ["html.inline", "js.bundle", "js.global"],
  /** A host of the company that is an alias of a vendor's host, or a link to the company's page there. */
  alias: ["dns.cname", "html.anchor"],
  /** A text that names products without proving their use. */
  mention: ["board.posting", "page.disclosure"],
} as const satisfies Record<string, readonly SignalKind[]>;

export type SignalGroup = keyof typeof SIGNAL_GROUPS;

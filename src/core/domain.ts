import { parse } from "tldts";
import { Failure } from "./errors.ts";
import { remembered } from "./remembered.ts";
import { quoted } from "./text.ts";

/** A registrable domain, by the public suffix list with its private part. */
export interface Domain {
  /** ASCII (punycode), lower case, no trailing dot. */
  readonly name: string;
  /** The label before the public suffix: `acme` of `acme.co.uk`. */
  readonly label: string;
}

/** Top-level names outside the public DNS: RFC 2606, 6761, 6762, 7686, 8375, 9476 and ICANN's `.internal`. */
const RESERVED = new Set([
  "alt",
  "arpa",
  "corp",
  "example",
  "home",
  "internal",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "mail",
  "onion",
  "test",
]);
const RESERVED_DOMAINS = new Set(["example.com", "example.net", "example.org"]);

/**
 * Domains of providers of sites, blogs, shops and accounts, whose customers each have a host below them, and which the public
 * suffix list does not contain. Unlike a public suffix, the domain itself is a company's.
 */
const SHARED_DOMAINS: ReadonlySet<string> = new Set(
  `angelfire.com atlassian.net bandcamp.com beehiiv.com bigcartel.com business.site canalblog.com canva.site cargo.site
  crisp.help e-monsite.com eklablog.com forumotion.com freshdesk.com ghost.io glitch.me godaddysites.com hashnode.dev
  helpscoutdocs.com home.blog hs-sites.com hubspotpagebuilder.com instapage.com intercom.help itch.io jimdo.com
  jimdofree.com jimdosite.com kinsta.cloud livedoor.blog livejournal.com mailchimpsites.com medium.com micro.blog
  my.salesforce.com my.site.com mybigcommerce.com mykajabi.com myportfolio.com mystrikingly.com neocities.org ning.com
  over-blog.com personio.de posthaven.com proboards.com recruitee.com salesforce-sites.com sharepoint.com site123.me
  skyrock.com softr.app squarespace.com statuspage.io strikingly.com substack.com svbtle.com teachable.com
  teamtailor.com thinkific.com tilda.ws tripod.com tumblr.com typeform.com typepad.com unbouncepages.com uservoice.com
  volusion.com webador.com webnode.com webnode.page webs.com weebly.com weeblysite.com wikidot.com wordpress.com
  wpcomstaging.com wpengine.com write.as zendesk.com zohosites.com`.split(/\s+/),
);
/** Hosts below them that are the provider's own, with or without a number; and so are those of two letters, such as languages. */
const PROVIDER_LABELS: ReadonlySet<string> = new Set(
  `about academy account accounts admin ajax api app apps assets auth blog careers cdn community dashboard dev developer
  developers docs ekr embed engineering events files fonts form forum forums get help images img info investors jobs learn
  legal login mail maps marketplace media miro my news newsroom partner partners press public-api renderer-assets resources
  sdk secure shop sso static stats status store subscribe support trust try wchat web webmail widget widgets wiki www`.split(
    /\s+/,
  ),
);

/**
 * Parses a domain as people paste it: a URL, a host with a path, upper case, a trailing dot, an IDN in either form.
 *
 * @param allow reserved top-level names that this installation uses internally
 * @throws Failure `domain.invalid` for an IP address, a single label, a public suffix or other text;
 *   `domain.reserved` for a name outside the public DNS
 */
export function parseDomain(input: string, allow: readonly string[] = []): Domain {
  const host = hostOf(input);
  if (!host) {
    const given = input.trim() === "" ? "Give" : `${quoted(input)} is not a domain: give`;
    throw invalid(`${given} a company's domain, such as acme.com.`);
  }
  const parts = partsOf(host);
  // The URL parser has normalised every notation (hexadecimal, octal, one number) to the dotted one.
  if (parts.isIp || /^\[|^\d+(\.\d+){3}$/.test(host)) {
    // A number, such as a cell of another column, does not look like an address.
    if (!/[.:]/.test(input))
      throw invalid(`${quoted(input)} is a number (the IP address ${host}), not a domain: give one such as acme.com.`);
    throw invalid("An IP address is not a company domain; give a name such as acme.com.");
  }
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  if (labels.length < 2) throw invalid(`${quoted(host)} has no ending such as .com; give a domain such as acme.com.`);
  if (RESERVED.has(top) && !allow.includes(top)) throw reserved(top);
  if (!parts.domain || !parts.domainWithoutSuffix)
    throw invalid(`${host} is a public suffix, which many owners share; give the domain of the company.`);
  if (RESERVED_DOMAINS.has(parts.domain)) throw reserved(parts.domain);
  return { name: parts.domain, label: parts.domainWithoutSuffix };
}

/** The top-level name: `uk` of `acme.co.uk`. */
export const topLevelOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase();

/** Whether many owners share what is below a name, such as `co.uk` or `github.io`. */
export const isPublicSuffix = (host: string): boolean => {
  const parts = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return (parts.isIcann === true || parts.isPrivate === true) && parts.publicSuffix === host;
};

/** Whether a top-level name is outside the public DNS, so that only the operator's own resolver has it. */
export const isReservedTop = (top: string): boolean => RESERVED.has(top);

/** Whether a top-level name is in the list of public suffixes. */
export const isPublicTop = (top: string): boolean => parse(top, { extractHostname: false }).isIcann === true;

/**
 * The domain of a recording, as the recording states it. It may be reserved, or a subdomain when the recording is of a
 * zone.
 */
export function recordedDomain(name: string): Domain {
  return { name, label: partsOf(name).domainWithoutSuffix || (name.split(".")[0] ?? name) };
}

/** Whether `host` is the domain or one of its subdomains. */
export function belongsTo(host: string, domain: string): boolean {
  // Without a text for each comparison: a page asks thousands of times.
  const before = host.length - domain.length - 1;
  return host === domain || (before >= 0 && host[before] === "." && host.endsWith(domain));
}

/** Hosts of letters, digits and hyphens that no parser changes: no numbers of an IP address, no encoded names. */
const PLAIN_HOST = /^https?:\/\/((?:[a-z0-9-]{1,63}\.){0,8}[a-z][a-z0-9-]{0,62})(?=[/?#]|$)/;

/** The host of an absolute address, as `URL.parse` gives it, which takes ten times as long; empty for none. */
export function hostOfUrl(address: string): string {
  const plain = PLAIN_HOST.exec(address)?.[1];
  return plain !== undefined && !plain.includes("xn--") ? plain : (URL.parse(address)?.hostname ?? "");
}

/**
 * The site of a host: its registrable domain, or the host itself when it has none (an IP address, a single label, a public
 * suffix).
 */
export function siteOf(host: string): string {
  const name = host.replace(/\.$/, "").toLowerCase();
  return partsOf(name).domain ?? name;
}

/** Whether a host is one of many that different owners have below one name: `acme.github.io`, `acme.wordpress.com`. */
export function isSharedHost(host: string): boolean {
  const name = host.toLowerCase();
  const { isPrivate, domainWithoutSuffix } = parse(name, { allowPrivateDomains: true, extractHostname: false });
  if (isPrivate === true) return !PROVIDER_LABELS.has(domainWithoutSuffix ?? "");
  return tenantOf(name) !== undefined;
}

interface HostParts {
  readonly domain: string | null;
  readonly domainWithoutSuffix: string | null;
  readonly isIp: boolean | null;
}

/** The registrable domain of a host, by the public suffix list with its private part and by {@link SHARED_DOMAINS}. */
function partsOf(host: string): HostParts {
  const tenant = tenantOf(host);
  if (tenant !== undefined) return { ...tenant, isIp: false };
  return parse(host, { allowPrivateDomains: true, extractHostname: false, detectIp: true });
}

/** `acme.wordpress.com` of `blog.acme.wordpress.com`; undefined for the provider's own hosts. */
function tenantOf(host: string): { readonly domain: string; readonly domainWithoutSuffix: string } | undefined {
  const labels = host.split(".");
  // The shared domains have two or three labels.
  for (const length of [2, 3]) {
    const shared = labels.slice(-length).join(".");
    const label = labels.at(-length - 1);
    if (label === undefined || !SHARED_DOMAINS.has(shared) || isOfProvider(label)) continue;
    return { domain: `${label}.${shared}`, domainWithoutSuffix: label };
  }
  return undefined;
}

/** `static1` and `by2` are numbered servers. */
function isOfProvider(label: string): boolean {
  const name = label.replace(/\d{1,3}$/, "");
  return name.length <= 2 || PROVIDER_LABELS.has(name);
}

/** The registered domain by ICANN suffixes only: `vendor.com` of `a1b2.cdn.vendor.com`. Undefined for an IP address. */
export const registeredDomain = remembered(
  4_096,
  (host) => parse(host, { extractHostname: false }).domain ?? undefined,
);

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** The host of a domain or URL as people paste it, in ASCII and lower case. */
export function hostOf(input: string): string | undefined {
  const text = input.trim();
  if (text.length === 0 || text.length > 2_048) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const host = url.hostname.replace(/\.$/, "").toLowerCase();
  if (host.startsWith("[")) return host;
  if (host.length > 253 || !host.split(".").every((label) => LABEL.test(label))) return undefined;
  return host;
}

const invalid = (message: string) => new Failure("domain.invalid", message);
const reserved = (name: string) =>
  new Failure(
    "domain.reserved",
    `Names under ${name} are reserved and have no public records; give a public domain, or add ${name} to scan.allowed_reserved_tlds.`,
  );

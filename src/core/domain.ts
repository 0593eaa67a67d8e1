import { parse } from "tldts";
import { Failure } from "./errors.ts";
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
  const parts = parse(host, { allowPrivateDomains: true, extractHostname: false, detectIp: true });
  // The URL parser has normalised every notation (hexadecimal, octal, one number) to the dotted one.
  if (parts.isIp || /^\[|^\d+(\.\d+){3}$/.test(host))
    throw invalid("An IP address is not a company domain; give a name such as acme.com.");
  const labels = host.split(".");
  const top = labels.at(-1) ?? "";
  if (labels.length < 2) throw invalid("A single label is not a company domain; give a name such as acme.com.");
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
  return {
    name,
    label: parse(name, { allowPrivateDomains: true }).domainWithoutSuffix || (name.split(".")[0] ?? name),
  };
}

/** Whether `host` is the domain or one of its subdomains. */
export function belongsTo(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * The site of a host: its registrable domain, or the host itself when it has none (an IP address, a single label, a public
 * suffix).
 */
export function siteOf(host: string): string {
  const name = host.replace(/\.$/, "").toLowerCase();
  return parse(name, { allowPrivateDomains: true, extractHostname: false }).domain ?? name;
}

/** The registered domain by ICANN suffixes only: `vendor.com` of `a1b2.cdn.vendor.com`. Undefined for an IP address. */
export function registeredDomain(host: string): string | undefined {
  return parse(host, { extractHostname: false }).domain ?? undefined;
}

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

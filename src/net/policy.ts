import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Failure } from "../core/errors.ts";

/** What the service may reach. Asked of the address that a socket is about to use, never of a name alone. */
export interface Policy {
  /** Whether a socket may be opened to `ip`: public unicast, or inside an allowed block. */
  addressAllowed(ip: string): boolean;
  /** Whether a URL may be asked for; its host, when it is a name, has yet to be looked up and vetted. */
  urlAllowed(url: string | URL): boolean;
  /** Why `urlAllowed` says no, in one clause; null when it says yes. */
  refusal(url: string | URL): string | null;
  /** The setting that would let through what is refused; null when none would. */
  remedy(url: string | URL): keyof PolicySettings | null;
}

export interface PolicySettings {
  /** CIDR blocks beside the public internet that may be reached: `10.20.0.0/16`, `fd00:1::/32`. */
  readonly allowCidrs: readonly string[];
  /** TCP ports beside 80 and 443 that a URL may name. */
  readonly extraPorts: readonly number[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/**
 * Blocks that ipaddr.js counts as unicast and that are not the public internet: documentation (RFC 5737, 3849, 9637),
 * benchmarking, relay anycast, AS112, segment routing, and the address at which Azure answers its machines.
 */
const NEVER: readonly Block[] = [
  "0.0.0.0/8",
  "100.64.0.0/10",
  "168.63.129.16/32",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
].map((cidr) => ipaddr.parseCIDR(cidr));

/** The only part of IPv6 from which public unicast addresses are given out. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/** What `localhost`, and every name below it, stands for without any look-up (RFC 6761, section 6.3). */
export const LOOPBACK = ["127.0.0.1", "::1"] as const;
export const isLoopbackName = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);

/**
 * Builds the guard.
 *
 * @throws Failure `config.invalid` when a block is no CIDR
 */
export function createPolicy(settings: PolicySettings): Policy {
  const allowed = settings.allowCidrs.map(parseBlock);
  const ports = new Set(["", "80", "443", ...settings.extraPorts.map(String)]);

  function addressAllowed(ip: string): boolean {
    const address = read(ip);
    return address !== undefined && (inside(address, allowed) || isPublic(address));
  }

  function judge(input: string | URL): Refusal | null {
    const url = typeof input === "string" ? URL.parse(input) : input;
    if (!url) return { why: "not a URL", remedy: null };
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return { why: `the scheme ${url.protocol} is not fetched`, remedy: null };
    if (url.username || url.password) return { why: "a URL with credentials is not fetched", remedy: null };
    if (!ports.has(url.port)) return { why: `port ${url.port} is not allowed`, remedy: "extraPorts" };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !addressAllowed(host))
      return { why: `the address ${host} is not allowed`, remedy: "allowCidrs" };
    if (isLoopbackName(host) && !LOOPBACK.some(addressAllowed))
      return { why: `${host} is this machine, whose address ${LOOPBACK[0]} is not allowed`, remedy: "allowCidrs" };
    return null;
  }

  return {
    addressAllowed,
    urlAllowed: (url) => judge(url) === null,
    refusal: (url) => judge(url)?.why ?? null,
    remedy: (url) => judge(url)?.remedy ?? null,
  };
}

interface Refusal {
  readonly why: string;
  readonly remedy: keyof PolicySettings | null;
}

/** The address that packets would reach in the end: an IPv4 address wrapped in IPv6 is judged as what it wraps. */
function read(ip: string): Address | undefined {
  // ipaddr.js also reads octal, hexadecimal and short forms, and scoped addresses: none of them comes out of a resolver.
  if (isIP(ip) === 0 || ip.includes("%")) return undefined;
  const address = ipaddr.parse(ip);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (inside(address, [NAT64])) return ipaddr.fromByteArray(address.toByteArray().slice(12));
  return address;
}

/** 6to4 and Teredo carry an IPv4 address inside too; no site is published there, so they are refused whole. */
function isPublic(address: Address): boolean {
  if (inside(address, NEVER)) return false;
  if (address.kind() === "ipv6" && !inside(address, [GLOBAL_UNICAST])) return false;
  return address.range() === "unicast";
}

function inside(address: Address, blocks: readonly Block[]): boolean {
  return blocks.some((block) => block[0].kind() === address.kind() && address.match([block[0], block[1]]));
}

function parseBlock(cidr: string): Block {
  const [ip = "", bits = ""] = cidr.split("/");
  if (isIP(ip) === 0 || !ipaddr.isValidCIDR(cidr) || !/^\d{1,3}$/.test(bits))
    throw new Failure("config.invalid", `${cidr} is not a CIDR block such as 10.20.0.0/16.`);
  return ipaddr.parseCIDR(cidr);
}

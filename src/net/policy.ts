import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Failure } from "../core/errors.ts";

/** What the service may connect to. Decides by the address of a connection, never by a name alone. */
export interface Policy {
  /** Whether a connection to `ip` is allowed: public unicast, or inside an allowed block. */
  addressAllowed(ip: string): boolean;
  /** Whether a URL may be requested; the addresses of a host name have yet to be checked. */
  urlAllowed(url: string | URL): boolean;
  /** Why a URL is not allowed, as a clause; null when it is allowed. */
  refusal(url: string | URL): string | null;
  /** The setting that would allow a refused URL; null when none would. */
  remedy(url: string | URL): keyof PolicySettings | null;
}

export interface PolicySettings {
  /** Allowed CIDR blocks in addition to the public internet: `10.20.0.0/16`, `fd00:1::/32`. */
  readonly allowCidrs: readonly string[];
  /** Allowed TCP ports of URLs in addition to 80 and 443. */
  readonly extraPorts: readonly number[];
}

/** The names of the settings. */
export const POLICY_SETTINGS = { allowCidrs: "net.allow_cidrs", extraPorts: "net.extra_ports" } as const;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/**
 * Blocks that ipaddr.js classifies as unicast but that are not the public internet: documentation (RFC 5737, 3849, 9637),
 * benchmarking, relay anycast, AS112, segment routing, and the internal address of Azure's platform services.
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

/** The only IPv6 block from which public unicast addresses are assigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/** The addresses of `localhost` and every name below it, without a lookup (RFC 6761, section 6.3). */
export const LOOPBACK = ["127.0.0.1", "::1"] as const;
export const isLoopbackName = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);

/** @throws Failure `config.invalid` for a block that is not a CIDR block */
export function createPolicy(settings: PolicySettings): Policy {
  const allowed = settings.allowCidrs.map(parseBlock);
  const ports = new Set(["", "80", "443", ...settings.extraPorts.map(String)]);

  function addressAllowed(ip: string): boolean {
    const address = read(ip);
    return address !== undefined && (inside(address, allowed) || isPublic(address));
  }

  function check(input: string | URL): Refusal | null {
    const url = typeof input === "string" ? URL.parse(input) : input;
    if (!url) return { why: "not a URL", remedy: null };
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return { why: `the scheme ${url.protocol} is not allowed`, remedy: null };
    if (url.username || url.password) return { why: "a user or password in the URL is not allowed", remedy: null };
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
    urlAllowed: (url) => check(url) === null,
    refusal: (url) => check(url)?.why ?? null,
    remedy: (url) => check(url)?.remedy ?? null,
  };
}

interface Refusal {
  readonly why: string;
  readonly remedy: keyof PolicySettings | null;
}

/** The effective address: the IPv4 address inside an IPv4-mapped or NAT64 address. */
function read(ip: string): Address | undefined {
  // ipaddr.js also parses octal, hexadecimal, short and scoped forms, which no resolver returns.
  if (isIP(ip) === 0 || ip.includes("%")) return undefined;
  const address = ipaddr.parse(ip);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (inside(address, [NAT64])) return ipaddr.fromByteArray(address.toByteArray().slice(12));
  return address;
}

/** 6to4 and Teredo addresses contain an IPv4 address too; no website uses them, so all of them are refused. */
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

import ipaddr from "ipaddr.js";
import type { Visit } from "../net/visit.ts";
import { isForeign, outsideHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";

const ADDRESSES_LIMIT = 6;
/** Addresses of somebody's own network: asking the world about them would tell it, and it could not answer. */
const INTERNAL = new Set(["private", "loopback", "linkLocal", "uniqueLocal", "carrierGradeNat", "unspecified"]);

/** Whose network the web site stands in: the alias of www, the reverse names and the autonomous systems of its addresses. */
export const addresses: Scanner = {
  id: "addresses",
  phase: "hosting",
  sees: ["dns.cname", "dns.ptr", "net.asn"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const www = `www.${apex}`;
    const chain = await aliasChain(visit, www);
    for (const target of chain.flatMap((each) => outsideHost(each, visit.domain) ?? []))
      emit({ kind: "dns.cname", value: target, location: `${www} CNAME` });
    // Where a vendor's host answers, the network is the vendor's choice.
    const names = chain.some((target) => isForeign(target, visit.domain)) ? [apex] : [apex, www];
    await inParallel(await addressesOf(visit, names), 6, async (address) => {
      const [reverse, system] = await Promise.all([
        visit.dns(reverseName(address, address.kind() === "ipv4" ? "in-addr.arpa" : "ip6.arpa"), "PTR"),
        origin(visit, address),
      ]);
      for (const { type, value } of reverse.records.slice(0, 8)) {
        const host = type === "PTR" ? outsideHost(value, visit.domain) : undefined;
        if (host !== undefined) emit({ kind: "dns.ptr", value: host, location: `${address} PTR` });
      }
      for (const number of system) emit({ kind: "net.asn", value: `AS${number}`, location: `${address} ASN` });
    });
  },
};

type Address = ReturnType<typeof ipaddr.parse>;

async function addressesOf(visit: Visit, names: readonly string[]): Promise<readonly Address[]> {
  const answers = await Promise.all(names.flatMap((name) => [visit.dns(name, "A"), visit.dns(name, "AAAA")]));
  const found = new Map<string, Address>();
  // Round by round, so that one name with many addresses does not crowd out the others.
  for (let round = 0; round < ADDRESSES_LIMIT; round++)
    for (const { records } of answers) {
      const value = records.filter(({ type }) => type === "A" || type === "AAAA")[round]?.value ?? "";
      if (found.size >= ADDRESSES_LIMIT || !ipaddr.isValid(value)) continue;
      const address = ipaddr.process(value);
      if (!INTERNAL.has(address.range())) found.set(address.toString(), address);
    }
  return [...found.values()];
}

/** Numbers of the systems that announce an address; the zone answers `13335 209242 | 104.16.0.0/12 | US | …`. */
async function origin(visit: Visit, address: Address): Promise<readonly string[]> {
  const zone = address.kind() === "ipv4" ? visit.sources.asnZone : visit.sources.asn6Zone;
  if (zone === null) return [];
  const { records } = await visit.dns(reverseName(address, zone), "TXT");
  const numbers = records
    .slice(0, 8)
    .flatMap(({ value }) => value.slice(0, value.indexOf("|")).match(/\d{1,10}/g) ?? []);
  return [...new Set(numbers)].slice(0, 4);
}

function reverseName(address: Address, zone: string): string {
  const parts =
    address.kind() === "ipv4"
      ? address.toByteArray()
      : address.toByteArray().flatMap((byte) => [(byte >> 4).toString(16), (byte & 15).toString(16)]);
  return `${parts.reverse().join(".")}.${zone}`;
}

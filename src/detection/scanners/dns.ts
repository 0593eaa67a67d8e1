import ipaddr from "ipaddr.js";
import { inParallel } from "../../core/async.ts";
import type { DnsRecord } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import {
  COMMON_SUBDOMAINS,
  cnameChain,
  companyTexts,
  isThirdParty,
  knownNames,
  thirdPartyHost,
  thirdPartyUrlHost,
  wildcardProbes,
  wildcardTargets,
} from "./dns-names.ts";
import { isSpf } from "./mail.ts";
import type { Scanner } from "./scanner.ts";

const ADDRESSES_LIMIT = 6;
/** Ranges of private networks: a public lookup would reveal them and find nothing. */
const PRIVATE_RANGES = new Set(["private", "loopback", "linkLocal", "uniqueLocal", "carrierGradeNat", "unspecified"]);

/** The network of the website: the CNAME of www, reverse names and autonomous systems of its addresses. */
export const addresses: Scanner = {
  id: "addresses",
  phase: "hosting",
  emits: ["dns.cname", "dns.ptr", "net.asn"],
  timeoutMs: 8_000,
  needs: "dns",

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const www = `www.${apex}`;
    const chain = await cnameChain(visit, www);
    for (const target of chain.flatMap((each) => thirdPartyHost(each, visit.domain) ?? []))
      emit({ kind: "dns.cname", value: target, location: `${www} CNAME` });
    // For a CNAME of a vendor, the vendor chose the network.
    const names = chain.some((target) => isThirdParty(target, visit.domain)) ? [apex] : [apex, www];
    await inParallel(await addressesOf(visit, names), 6, async (address) => {
      const [reverse, system] = await Promise.all([
        visit.dns(reverseName(address, address.kind() === "ipv4" ? "in-addr.arpa" : "ip6.arpa"), "PTR"),
        autonomousSystems(visit, address),
      ]);
      for (const { type, value } of reverse.records.slice(0, 8)) {
        const host = type === "PTR" ? thirdPartyHost(value, visit.domain) : undefined;
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
  // One address per name in turn, so that a name with many addresses does not use up the limit.
  for (let round = 0; round < ADDRESSES_LIMIT; round++)
    for (const { records } of answers) {
      const value = records.filter(({ type }) => type === "A" || type === "AAAA")[round]?.value ?? "";
      if (found.size >= ADDRESSES_LIMIT || !ipaddr.isValid(value)) continue;
      const address = ipaddr.process(value);
      if (!PRIVATE_RANGES.has(address.range())) found.set(address.toString(), address);
    }
  return [...found.values()];
}

/** Numbers of the autonomous systems that announce an address. The zone answers `13335 209242 | 104.16.0.0/12 | US | …`. */
async function autonomousSystems(visit: Visit, address: Address): Promise<readonly string[]> {
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

const CONCURRENCY = 24;

/**
 * CNAMEs of the company's hosts to vendors: hosted products use names such as `status`, `help` and `careers`. A CNAME
 * without an existing target also counts, because someone set it up and nobody removed it.
 */
export const aliases: Scanner = {
  id: "aliases",
  phase: "subdomains",
  emits: ["dns.cname"],
  timeoutMs: 10_000,
  needs: "dns",

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const guessed = COMMON_SUBDOMAINS.map((label) => `${label}.${apex}`);
    const wildcard = await wildcardTargets(visit, apex);
    for (const target of [...wildcard].flatMap((each) => thirdPartyHost(each, visit.domain) ?? []))
      emit({ kind: "dns.cname", value: target, location: `*.${apex} CNAME` });
    // DKIM records would otherwise count twice, as a signature and as an alias.
    const known = knownNames(visit).filter((name) => !name.includes("._domainkey."));
    await emitCnames(visit, [...new Set([...guessed, ...known])], wildcard, emit);
  },
};

/** Emits the CNAME targets of each name, without those of a wildcard. */
export async function emitCnames(
  visit: Visit,
  names: readonly string[],
  wildcard: ReadonlySet<string>,
  emit: Parameters<Scanner["scan"]>[1],
): Promise<void> {
  await inParallel(names, CONCURRENCY, async (name) => {
    const chain = await cnameChain(visit, name);
    if (chain[0] === undefined || wildcard.has(chain[0])) return;
    for (const value of chain.flatMap((target) => thirdPartyHost(target, visit.domain) ?? []))
      emit({ kind: "dns.cname", value, location: `${name} CNAME` });
  });
}

const VALUE_LIMIT = 4_096;
/** Names of email policies and keys, which other scanners read. */
const MAIL_LABEL = /(?:^|\.)(?:_domainkey|_dmarc|_tls|_mta-sts|_bimi)(?:\.|$)/;

/** Names of vendors' domain verifications; `LABEL` is replaced by the company's. */
const VERIFICATION_NAMES = [
  "_acme-challenge",
  "_amazonses",
  "_atproto",
  "_cf-custom-hostname",
  "_discord",
  "_dnsauth",
  "_dnslink",
  "_domainconnect",
  "_fly-ownership",
  "_gh-LABEL-e",
  "_gh-LABEL-o",
  "_github-challenge-LABEL",
  "_github-challenge-LABEL-org",
  "_github-pages-challenge-LABEL",
  "_gitlab-pages-verification-code",
  "_keybase",
  "_mailchannels",
  "_pki-validation",
  "_railway-verify",
  "_scw-challenge",
  "_shopify",
  "_twilio",
  "_vercel",
  "asuid",
  "netlify-challenge",
  "www",
];

/** Like labels with `_`, it identifies the vendor: `asuid.HOST` contains the id of an Azure subscription. */
const AZURE_LABEL = "asuid";

/**
 * TXT records that verify the domain for a vendor. At a name whose first label starts with `_`, the label identifies the
 * vendor and the text is random, so a second signal combines them: `_label=text`.
 */
export const verifications: Scanner = {
  id: "verifications",
  phase: "identity",
  emits: ["dns.txt", "dns.cname"],
  timeoutMs: 4_000,
  needs: "dns",

  async scan(visit, emit) {
    const { name: apex, label } = visit.domain;
    const named = knownNames(visit);
    const guessed = VERIFICATION_NAMES.map((name) => `${name.replace("LABEL", label)}.${apex}`);
    const wildcard = Promise.all([
      wildcardTargets(visit, apex),
      visit.dns(wildcardProbes(apex)[0], "TXT").then((answer) => new Set(companyTexts(answer, visit))),
    ]);
    const scanName = async (name: string, aliases: ReadonlySet<string>, texts: ReadonlySet<string>) => {
      if (MAIL_LABEL.test(name)) return;
      const location = `${name} TXT`;
      const first = name.slice(0, name.indexOf("."));
      for (const text of companyTexts(await visit.dns(name, "TXT"), visit)) {
        if (text.length === 0 || isSpf(text) || texts.has(text)) continue;
        emit({ kind: "dns.txt", value: text.slice(0, VALUE_LIMIT), location });
        if (first.startsWith("_") || first === AZURE_LABEL)
          emit({ kind: "dns.txt", value: `${first}=${text}`.slice(0, VALUE_LIMIT), location });
      }
      if (named.includes(name) || name === `www.${apex}`) return;
      const chain = await cnameChain(visit, name);
      if (chain[0] === undefined || aliases.has(chain[0])) return;
      for (const target of chain.flatMap((each) => thirdPartyHost(each, visit.domain) ?? []))
        emit({ kind: "dns.cname", value: target, location: `${name} CNAME` });
    };
    // Known names need no comparison with a wildcard and do not wait for it.
    await Promise.all([
      inParallel(named, 16, (name) => scanName(name, new Set(), new Set())),
      wildcard.then(([aliases, texts]) =>
        inParallel(
          guessed.filter((name) => !named.includes(name)),
          16,
          (name) => scanName(name, aliases, texts),
        ),
      ),
    ]);
  },
};

type Emit = Parameters<Scanner["scan"]>[1];

/** Name servers (NS, SOA), delegated subzones, and allowed certificate authorities (CAA). */
export const zone: Scanner = {
  id: "zone",
  phase: "hosting",
  emits: ["dns.ns", "dns.soa", "dns.caa"],
  timeoutMs: 8_000,
  needs: "dns",

  async scan(visit, emit) {
    await Promise.all([
      authority(visit, emit),
      inParallel(knownNames(visit), 16, (name) => delegation(visit, name, emit)),
    ]);
  },
};

async function delegation(visit: Visit, name: string, emit: Emit): Promise<void> {
  const [servers, authorities] = await Promise.all([visit.dns(name, "NS"), visit.dns(name, "CAA")]);
  // A CNAME answers with the records of its target.
  for (const { type, value } of servers.records.filter((record) => record.name === name).slice(0, 20)) {
    const host = type === "NS" ? thirdPartyHost(value, visit.domain) : undefined;
    if (host !== undefined) emit({ kind: "dns.ns", value: host, location: `${name} NS` });
  }
  for (const record of authorities.records.filter((each) => each.name === name).slice(0, 40)) {
    const host = caaHost(visit, record);
    if (host !== undefined) emit({ kind: "dns.caa", value: host, location: `${name} CAA` });
  }
}

async function authority(visit: Visit, emit: Emit): Promise<void> {
  const apex = visit.domain.name;
  const { records } = await visit.dns(apex, "SOA");
  for (const host of records.filter(({ type }) => type === "SOA").flatMap(({ value }) => soaHosts(visit, value)))
    emit({ kind: "dns.soa", value: host, location: `${apex} SOA` });
}

/** The primary server and the host of the contact, `hostmaster.vendor.example`; a mailbox with escaped dots is cut off. */
function soaHosts(visit: Visit, value: string): readonly string[] {
  const [primary = "", contact = ""] = value.slice(0, 600).split(" ");
  const hosts = [primary, contact.replace(/^(?:[^.\\]{0,63}\\\.){1,8}[^.]{0,63}\./, "")];
  return hosts.flatMap((host) => thirdPartyHost(host, visit.domain) ?? []);
}

/** The host in `issue "ca.example; account=1"` or in an `iodef` address or URL; `;` alone allows no issuer. */
function caaHost(visit: Visit, { type, tag, value }: DnsRecord): string | undefined {
  if (type !== "CAA") return undefined;
  if (tag !== "iodef") return thirdPartyHost(value.split(";")[0] ?? "", visit.domain);
  return /^mailto:/i.test(value)
    ? thirdPartyHost(value.slice(value.lastIndexOf("@") + 1), visit.domain)
    : thirdPartyUrlHost(value, visit.domain);
}

import {
  type CertificateAnswer,
  type DnsAnswer,
  type DnsRecord,
  type HttpExchange,
  RECORD_TYPES,
  type RecordType,
  type Snapshot,
} from "../../src/net/snapshot.ts";
import { type Company, findPage, type Page, sitesOf, type World } from "./company.ts";
import { pageBody, pageHeaders, pageStatus } from "./http-wire.ts";
import { readZone, type Zone, type ZoneRecord } from "./zone.ts";

export interface Occasion {
  /** Address of hosts without a configured one. */
  readonly address: string;
  readonly at: Date;
  /** The recorder named in the recording. */
  readonly origin: string;
  /** URLs that a scan requests without success; a recording contains their 404 too. */
  readonly absent?: readonly string[];
}

/**
 * The recording that a scan of the world's first company would make, written straight from the description.
 * Every described name and page is in it; faults, delays and wildcards are not.
 */
export function snapshotOf(world: World, { address, at, origin, absent = [] }: Occasion): Snapshot {
  const company = world.companies?.[0];
  if (!company) throw new Error("The world has no company.");
  const zone = readZone(world, address);
  const hosts = ownHosts(world, company);
  return {
    format: "casefile-snapshot",
    version: 1,
    domain: company.domain,
    captured_at: at.toISOString(),
    origin,
    dns: [
      ...[...zone.names.keys()].flatMap((name) => dnsAnswers(zone, name, name === company.domain, hosts)),
      dnsAnswer(zone, `${address.split(".").reverse().join(".")}.in-addr.arpa`, "PTR"),
    ],
    http: [...plainAnswers(company), ...webAnswers(world), ...absent.map((url) => exchange(url, { status: 404 }))],
    certificates: hosts.map((host) => certificate(company, host, at)),
    requests: [],
    zone: true,
  };
}

const ownHosts = (world: World, { domain }: Company): string[] =>
  [...sitesOf(world).keys()].filter((host) => host === domain || host.endsWith(`.${domain}`));

/** All types at the apex; elsewhere what is described, and the addresses of aliases and of hosts with pages. */
function dnsAnswers(zone: Zone, name: string, apex: boolean, hosts: readonly string[]): DnsAnswer[] {
  const described = zone.names.get(name) ?? {};
  const addressed = described.CNAME !== undefined || hosts.includes(name);
  const asked = (type: RecordType) => apex || described[type] !== undefined || (addressed && /^A|^CNAME$/.test(type));
  if (name.startsWith("*.")) return [];
  return RECORD_TYPES.filter(asked).map((type) => dnsAnswer(zone, name, type));
}

function dnsAnswer(zone: Zone, name: string, type: RecordType): DnsAnswer {
  const { status, records } = zone.answer(name, type);
  return { name, type, status, records: records.map(readRecord) };
}

function readRecord({ name, type, data }: ZoneRecord): DnsRecord {
  const [first = "", second = "", third = "", fourth = ""] = data.split(/\s+/);
  const common = { name, type, ttl: 300 };
  if (type === "MX") return { ...common, value: second, priority: Number(first) };
  if (type === "SRV") return { ...common, value: fourth, priority: Number(first) };
  if (type === "CAA") return { ...common, value: third.replaceAll('"', ""), tag: second };
  return { ...common, value: type === "SOA" ? `${first} ${second}` : data };
}

const plainAnswers = ({ domain, plain }: Company): HttpExchange[] =>
  plain === "same" ? [] : [exchange(`http://${domain}/`, { status: 301, redirect: `https://${domain}/` })];

function webAnswers(world: World): HttpExchange[] {
  const sites = sitesOf(world);
  return [...sites].flatMap(([host, site]) =>
    [...site.keys()]
      .filter((path) => !host.startsWith("*.") && !path.endsWith("*"))
      .map((path) => exchange(`https://${host}${path}`, findPage(sites, host, path) ?? "")),
  );
}

function exchange(url: string, page: Page): HttpExchange {
  const fields = typeof page === "string" ? { body: page } : page;
  const body = pageBody(fields);
  const answer = { method: "GET", url, status: "ok", code: pageStatus(fields), headers: pageHeaders(fields) } as const;
  return typeof body === "string"
    ? { ...answer, body }
    : { ...answer, body: Buffer.from(body).toString("base64"), encoding: "base64" };
}

const DAY = 86_400_000;

function certificate({ certificate: shown }: Company, host: string, at: Date): CertificateAnswer {
  const organisation = shown?.issuer ?? "Casefile Box";
  const names = shown?.names ?? [host];
  return {
    host,
    status: "ok",
    issuer: { organisation, name: `${organisation} R1` },
    subject: names[0] ?? host,
    names,
    valid_from: (shown?.from ?? new Date(at.getTime() - 30 * DAY)).toISOString(),
    valid_to: (shown?.to ?? new Date(at.getTime() + 60 * DAY)).toISOString(),
  };
}

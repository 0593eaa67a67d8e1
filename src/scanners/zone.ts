import type { Visit } from "../net/visit.ts";
import type { DnsRecord } from "../vocabulary/snapshot.ts";
import { outsideHost, outsideUrlHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { ownNames } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";

type Emit = Parameters<Scanner["scan"]>[1];

/** Who serves the company's zone (NS, SOA), whom a part of it was handed to, and who may issue its certificates (CAA). */
export const zone: Scanner = {
  id: "zone",
  phase: "hosting",
  sees: ["dns.ns", "dns.soa", "dns.caa"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    await Promise.all([
      authority(visit, emit),
      inParallel(ownNames(visit), 16, (name) => delegation(visit, name, emit)),
    ]);
  },
};

async function delegation(visit: Visit, name: string, emit: Emit): Promise<void> {
  const [servers, authorities] = await Promise.all([visit.dns(name, "NS"), visit.dns(name, "CAA")]);
  // A name that is an alias answers with the records of its target.
  for (const { type, value } of servers.records.filter((record) => record.name === name).slice(0, 20)) {
    const host = type === "NS" ? outsideHost(value, visit.domain) : undefined;
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

/** The primary server and the contact address, `hostmaster.vendor.example`; a mailbox with an escaped dot is cut off. */
function soaHosts(visit: Visit, value: string): readonly string[] {
  const [primary = "", contact = ""] = value.slice(0, 600).split(" ");
  const hosts = [primary, contact.replace(/^(?:[^.\\]{0,63}\\\.){1,8}[^.]{0,63}\./, "")];
  return hosts.flatMap((host) => outsideHost(host, visit.domain) ?? []);
}

/** `issue "ca.example; account=1"`, or an `iodef` address or URL; `;` alone allows nobody. */
function caaHost(visit: Visit, { type, tag, value }: DnsRecord): string | undefined {
  if (type !== "CAA") return undefined;
  if (tag !== "iodef") return outsideHost(value.split(";")[0] ?? "", visit.domain);
  return /^mailto:/i.test(value)
    ? outsideHost(value.slice(value.lastIndexOf("@") + 1), visit.domain)
    : outsideUrlHost(value, visit.domain);
}

import { getServers } from "node:dns";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";

/** Where a DNS server listens. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** Reads `ip`, `ip:port` or `[v6]:port`; undefined for anything else. */
export function parseServer(text: string): ServerAddress | undefined {
  const trimmed = text.trim();
  if (isIP(trimmed) !== 0) return { ip: trimmed, port: 53 };
  const match = /^(?:\[([^\]]{2,60})\]|([\d.]{7,15})):(\d{1,5})$/.exec(trimmed);
  const ip = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3]);
  return isIP(ip) !== 0 && port > 0 && port < 65_536 ? { ip, port } : undefined;
}

/** Resolvers of this machine: the name servers of `/etc/resolv.conf`, else what the runtime knows; at most three. */
export function systemServers(file = "/etc/resolv.conf"): string[] {
  const listed = readIfThere(file)
    .split("\n")
    .flatMap((line) => /^\s*nameserver\s+(\S{2,60})/.exec(line)?.[1] ?? [])
    .filter((ip) => isIP(ip) !== 0);
  return (listed.length > 0 ? listed : getServers()).slice(0, 3);
}

/** Windows and minimal containers have no such file. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

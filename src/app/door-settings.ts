import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { DOOR_DEFAULTS, type DoorSettings, userAgent } from "../net/door.ts";
import { Failure } from "../vocabulary/failure.ts";

/**
 * What the configuration says of the door, over its defaults.
 *
 * @throws Failure `config.invalid` when the file of authorities cannot be read
 */
export function doorSettings({ net }: Config, version: string): DoorSettings {
  return {
    ...DOOR_DEFAULTS,
    dnsServers: net.resolvers.length > 0 ? net.resolvers : null,
    dnsTimeoutMs: net.dnsTimeoutMs,
    allowCidrs: net.allowCidrs,
    extraPorts: net.extraPorts,
    connectPorts: new Map(net.connectPorts.map(({ from, to }) => [from, to])),
    proxy: net.proxy,
    extraCa: net.caFile === null ? null : authoritiesIn(net.caFile),
    userAgent: userAgent(version, net.contact),
    connections: net.global,
    connectionsPerHost: net.perHost,
    exchangeMs: net.httpTimeoutMs,
    pageBytes: net.pageBytes,
  };
}

function authoritiesIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Failure("config.invalid", `The file of net.ca_file, ${path}, cannot be read.`);
  }
}

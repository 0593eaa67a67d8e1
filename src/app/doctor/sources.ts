import type { Config } from "../../config.ts";
import type { Door } from "../../net/door.ts";
import { type Check, check, failed, ok, skipped, warning } from "./check.ts";

/** A domain that is kept for examples (RFC 2606): asking about it tells nobody anything. */
const EXAMPLE = "example.com";
const LIMIT_MS = 10_000;

type Asked = Pick<Door, "dns" | "dnsReachable" | "http">;

/** An outside source as it is set: the setting, and where it leads; null when it is off. */
interface Source {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly at: string | null;
  /** A zone of the DNS; else a web address with places to fill in. */
  readonly isZone?: boolean;
}

function sourcesOf({ sources }: Config): Source[] {
  const { certificateLogs, tenantLookups, jobBoards } = sources;
  return [
    { id: "asn-zone", title: "Networks of IPv4 addresses", key: "asn_zone", at: sources.asnZone, isZone: true },
    { id: "asn6-zone", title: "Networks of IPv6 addresses", key: "asn6_zone", at: sources.asn6Zone, isZone: true },
    ...certificateLogs.map((at, nth) => ({
      id: `certificate-log-${nth + 1}`,
      title: "Certificate log",
      key: "certificate_logs",
      at,
    })),
    { id: "microsoft-realm", title: "Microsoft tenants", key: "microsoft_realm", at: sources.microsoftRealm },
    ...tenantLookups.map(({ label, url: at }) => ({
      id: `tenant-${label}`,
      title: `Tenants of ${label}`,
      key: "tenant_lookups",
      at,
    })),
    { id: "tag-manager", title: "Tag manager containers", key: "tag_manager", at: sources.tagManager },
    ...Object.entries(jobBoards).map(([board, at]) => ({
      id: `job-board-${board}`,
      title: `Job board ${board}`,
      key: `job_boards.${board}`,
      at,
    })),
  ];
}

/** The names' servers, then every outside source one by one. `seen` is told the Date header of an answer. */
export async function* checkSources(config: Config, door: Asked, seen: (date: Date) => void): AsyncGenerator<Check> {
  const servers = config.net.resolvers.length > 0 ? config.net.resolvers.join(", ") : "the system's servers";
  const remedy = "Name servers that answer in net.resolvers; live scans need DNS.";
  yield await check(
    "dns",
    "DNS",
    async () =>
      (await door.dnsReachable(AbortSignal.timeout(LIMIT_MS)))
        ? ok(`${servers} answer.`)
        : failed(`${servers} do not answer.`, remedy),
    remedy,
  );
  for (const { id, title, key, at, isZone = false } of sourcesOf(config)) {
    const remedy = `Let this machine reach it, or set sources.${key} to another or to off; scans go on without it.`;
    const look = async () => {
      if (at === null) return skipped(`Switched off by sources.${key}.`);
      const fault = isZone ? await faultOfZone(at, door) : await faultOfSite(filled(at), door, seen);
      return fault === null ? ok(`${isZone ? at : new URL(filled(at)).host} answers.`) : warning(fault, remedy);
    };
    yield await check(`source-${id}`, title, look, remedy);
  }
}

/** @returns what is wrong, in one sentence; null when it answers */
async function faultOfZone(name: string, door: Asked): Promise<string | null> {
  const { status, detail } = await door.dns(name, "SOA", AbortSignal.timeout(LIMIT_MS));
  return status === "ok" || status === "nxdomain" ? null : `${name}: ${detail ?? status}.`;
}

/** @returns what is wrong, in one sentence; null when it answers */
async function faultOfSite(url: string, door: Asked, seen: (date: Date) => void): Promise<string | null> {
  const { final } = await door.http(url, { maxBytes: 65_536 }, AbortSignal.timeout(LIMIT_MS));
  const date = final.headers.find(([name]) => name === "date")?.[1];
  if (date !== undefined && !Number.isNaN(Date.parse(date))) seen(new Date(date));
  const { host } = new URL(url);
  if (final.status !== "ok") return `${host}: ${final.detail ?? final.status}.`;
  // "No such tenant" and "no such board" are answers.
  return final.code < 500 && final.code !== 429 ? null : `${host} answers ${final.code}.`;
}

const PLACES = { domain: EXAMPLE, label: "example", board: "example", id: "GTM-0000000" };
const filled = (template: string): string =>
  Object.entries(PLACES).reduce((url, [place, word]) => url.replaceAll(`{${place}}`, word), template);

import type { Config } from "../../config.ts";
import type { Door } from "../../net/door.ts";
import { type Check, check, failed, ok, skipped, warning } from "./check.ts";

/** A domain that is kept for examples (RFC 2606): asking about it tells nobody anything. */
const EXAMPLE = "example.com";
const LIMIT_MS = 10_000;

/** The names' servers, then every outside source one by one. `seen` is told the Date header of an answer. */
export async function* checkSources(
  config: Config,
  door: Pick<Door, "dns" | "dnsReachable" | "http">,
  seen: (date: Date) => void,
): AsyncGenerator<Check> {
  const servers = config.net.resolvers.length > 0 ? config.net.resolvers.join(", ") : "the system's servers";
  yield await check(
    "dns",
    "DNS",
    async () =>
      (await door.dnsReachable(AbortSignal.timeout(LIMIT_MS)))
        ? ok(`${servers} answer.`)
        : failed(`${servers} do not answer.`, "Name servers that answer in net.resolvers; live scans need DNS."),
    "Name servers that answer in net.resolvers; live scans need DNS.",
  );

  const { sources } = config;
  yield await zone("source-asn-zone", "Networks of IPv4 addresses", "sources.asn_zone", sources.asnZone, door);
  yield await zone("source-asn6-zone", "Networks of IPv6 addresses", "sources.asn6_zone", sources.asn6Zone, door);
  for (const [at, url] of sources.certificateLogs.entries()) {
    yield await web(`source-certificate-log-${at + 1}`, "Certificate log", "sources.certificate_logs", url, door, seen);
  }
  yield await web(
    "source-microsoft-realm",
    "Microsoft tenants",
    "sources.microsoft_realm",
    sources.microsoftRealm,
    door,
    seen,
  );
  for (const { label, url } of sources.tenantLookups) {
    yield await web(`source-tenant-${label}`, `Tenants of ${label}`, "sources.tenant_lookups", url, door, seen);
  }
  yield await web(
    "source-tag-manager",
    "Tag manager containers",
    "sources.tag_manager",
    sources.tagManager,
    door,
    seen,
  );
  for (const [board, url] of Object.entries(sources.jobBoards)) {
    yield await web(`source-job-board-${board}`, `Job board ${board}`, `sources.job_boards.${board}`, url, door, seen);
  }
}

const off = (key: string) => skipped(`Switched off by ${key}.`);
const without = (key: string) =>
  `Scans go on without it; let this machine reach it, or set ${key} to another or to off.`;

const zone = (id: string, title: string, key: string, name: string | null, door: Pick<Door, "dns">): Promise<Check> =>
  check(
    id,
    title,
    async () => {
      if (name === null) return off(key);
      const { status, detail } = await door.dns(name, "SOA", AbortSignal.timeout(LIMIT_MS));
      const answered = status === "ok" || status === "nxdomain";
      return answered ? ok(`${name} answers.`) : warning(`${name}: ${detail ?? status}.`, without(key));
    },
    without(key),
  );

const web = (
  id: string,
  title: string,
  key: string,
  template: string | null,
  door: Pick<Door, "http">,
  seen: (date: Date) => void,
): Promise<Check> =>
  check(
    id,
    title,
    async () => {
      if (template === null) return off(key);
      const url = template
        .replaceAll("{domain}", EXAMPLE)
        .replaceAll("{label}", "example")
        .replaceAll("{board}", "example")
        .replaceAll("{id}", "GTM-0000000");
      const { final } = await door.http(url, { maxBytes: 65_536 }, AbortSignal.timeout(LIMIT_MS));
      const date = final.headers.find(([name]) => name === "date")?.[1];
      if (date !== undefined && !Number.isNaN(Date.parse(date))) seen(new Date(date));
      const { host } = new URL(url);
      if (final.status !== "ok") return warning(`${host}: ${final.detail ?? final.status}.`, without(key));
      // "No such tenant" and "no such board" are answers.
      return final.code < 500 && final.code !== 429
        ? ok(`${host} answers.`)
        : warning(`${host} answers ${final.code}.`, without(key));
    },
    without(key),
  );

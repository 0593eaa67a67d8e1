import { type DataSources, JOB_BOARDS, PUBLIC_SOURCES } from "../core/data-sources.ts";
import { type Baseline, compare, type ToolChange } from "./compare.ts";
import type { ScanRepository } from "./repository.ts";
import type { Scanner } from "./scanners/scanner.ts";
import type { Phase, SourceStatus } from "./types.ts";

interface NamedTool {
  readonly tool: string;
  readonly category: string;
}

/** The newest scan of a domain compared with the earlier ones, by the rule of {@link compare}. */
export interface ScanChanges {
  readonly domain: string;
  readonly tools_detected: number;
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  /** Time of the previous scan; null when there is none, and then nothing changed. */
  readonly previous_at: string | null;
  readonly appeared: readonly NamedTool[];
  readonly gone: readonly NamedTool[];
  /** Not detected by data sources that detected them before; gone if the next scan does not detect them either. */
  readonly missed: readonly NamedTool[];
}

/** Scans that are compared: enough to remember a tool over some recordings of another kind. */
const MAX_COMPARED = 10;

export interface HistoryParts {
  readonly scans: Pick<ScanRepository, "history" | "recentDomains">;
  /** Lists the false positives that the operator reported for a domain. */
  readonly falsePositives: (domain: string) => Promise<readonly { readonly tool_id: string }[]>;
  /** Tools without which a tool is not detected. */
  readonly requires: (toolId: string) => readonly string[];
  /** The number of tools in the stored result of a domain, as every answer has it. */
  readonly toolsDetected: (domain: string) => Promise<number>;
}

/** @returns undefined when the domain was never scanned */
export async function readScanChanges(parts: HistoryParts, input: string): Promise<ScanChanges | undefined> {
  const domain = input.toLowerCase();
  const history = await parts.scans.history(domain, MAX_COMPARED);
  const [latest, previous] = history;
  if (!latest) return undefined;
  const falsePositives = new Set((await parts.falsePositives(domain)).map(({ tool_id }) => tool_id));
  const options = { falsePositives, requires: parts.requires };
  let baseline: Baseline | null = null;
  let changes: readonly ToolChange[] = [];
  for (const { report } of history.toReversed())
    ({ baseline, changes } = compare(baseline, report, { ...options, rules: report.rules ?? "" }));
  const changed = (kind: ToolChange["change"]) => changes.filter(({ change }) => change === kind).map(nameOf);
  return {
    domain,
    tools_detected: await parts.toolsDetected(domain),
    scanned_at: latest.scanned_at,
    previous_at: previous?.scanned_at ?? null,
    appeared: changed("appeared"),
    gone: changed("disappeared"),
    missed: baseline?.tools.filter(({ missed }) => missed > 0).map(nameOf) ?? [],
  };
}

const nameOf = ({ tool, category }: NamedTool): NamedTool => ({ tool, category });

/** The changes of each domain's newest scan, most recently scanned domains first. */
export async function readRecentScans(parts: HistoryParts, limit: number): Promise<readonly ScanChanges[]> {
  const domains = await parts.scans.recentDomains(limit);
  const changes = await Promise.all(domains.map((domain) => readScanChanges(parts, domain)));
  return changes.filter((change) => change !== undefined);
}

/** A public service that a scanner queries besides the company's own hosts. */
interface OutsideService {
  /** The configuration key: `sources.tag_manager`. */
  readonly setting: string;
  readonly state: "on" | "off" | "elsewhere";
  /** Host or DNS zone; null when off. The rest of the address is omitted because it may contain a key. */
  readonly host: string | null;
}

/** Outcomes of one scanner over the latest scans. */
export interface SourceHealth extends Readonly<Record<SourceStatus, number>> {
  /** The id of the scanner, as in the `sources` of a result. */
  readonly source: string;
  readonly phase: Phase;
  readonly services: readonly OutsideService[];
  /** Over scans that did not skip it; null without any. */
  readonly median_ms: number | null;
  /** The newest timeout or failure. */
  readonly last_fault: {
    readonly domain: string;
    readonly scanned_at: string;
    readonly status: "timeout" | "failed";
    readonly detail: string | null;
  } | null;
}

export interface SourceHealthReport {
  /** The number of scans that were counted, 200 at most. */
  readonly scans: number;
  readonly sources: readonly SourceHealth[];
}

const MAX_SCANS = 200;

/** The status of each scanner over the latest scans. */
export async function readSourceHealth(
  scans: Pick<ScanRepository, "latestOutcomes">,
  scanners: readonly Scanner[],
  dataSources: DataSources,
): Promise<SourceHealthReport> {
  const services = outsideServices(dataSources);
  const latest = await scans.latestOutcomes(MAX_SCANS);
  const outcomes = latest.flatMap(({ sources, ...scan }) => sources.map((outcome) => ({ ...scan, ...outcome })));
  const byScanner = Map.groupBy(outcomes, ({ source }) => source);
  return {
    scans: latest.length,
    sources: scanners.map(({ id, phase }) => {
      const own = byScanner.get(id) ?? [];
      const counts = { ok: 0, empty: 0, timeout: 0, failed: 0, skipped: 0 };
      for (const { status } of own) counts[status] += 1;
      const [fault = null] = own.flatMap(({ status, domain, scanned_at, detail }) =>
        status === "failed" || status === "timeout" ? { domain, scanned_at, status, detail } : [],
      );
      const durations = own.flatMap(({ status, duration_ms }) => (status === "skipped" ? [] : duration_ms));
      return {
        source: id,
        phase,
        services: services.get(id) ?? [],
        ...counts,
        median_ms: medianOf(durations),
        last_fault: fault,
      };
    }),
  };
}

/** The lower of the two middle values, so that the result is a measured time. */
const medianOf = (values: readonly number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;

/** Public services by the id of the scanner that queries them. */
function outsideServices(sources: DataSources): ReadonlyMap<string, readonly OutsideService[]> {
  const usual: DataSources = PUBLIC_SOURCES;
  const service = (setting: string, address: string | null, isUsual: boolean): OutsideService => ({
    setting: `sources.${setting}`,
    state: address === null ? "off" : isUsual ? "on" : "elsewhere",
    host: address === null ? null : hostOf(address),
  });
  const single = (setting: string, address: string | null, usualAddress: string | null) => [
    service(setting, address, address === usualAddress),
  ];
  const list = (setting: string, addresses: readonly string[], usualAddresses: readonly string[]) =>
    addresses.length === 0
      ? [service(setting, null, false)]
      : addresses.map((address) => service(setting, address, usualAddresses.includes(address)));
  const urls = ({ tenantLookups }: DataSources) => tenantLookups.map(({ url }) => url);
  return new Map([
    [
      "addresses",
      [...single("asn_zone", sources.asnZone, usual.asnZone), ...single("asn6_zone", sources.asn6Zone, usual.asn6Zone)],
    ],
    ["certificate-logs", list("certificate_logs", sources.certificateLogs, usual.certificateLogs)],
    [
      "tenants",
      [
        ...single("microsoft_realm", sources.microsoftRealm, usual.microsoftRealm),
        ...list("tenant_lookups", urls(sources), urls(usual)),
      ],
    ],
    ["tag-manager", single("tag_manager", sources.tagManager, usual.tagManager)],
    [
      "job-boards",
      JOB_BOARDS.flatMap((board) => single(`job_boards.${board}`, sources.jobBoards[board], usual.jobBoards[board])),
    ],
  ]);
}

/** The host of a URL with placeholders, such as `{label}.okta.com`, or a DNS zone as it is. */
const hostOf = (address: string): string => /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)/.exec(address)?.[1] ?? address;

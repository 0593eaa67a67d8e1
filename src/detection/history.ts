import type { ScanRepository, StoredScan } from "./repository.ts";
import { SCANNERS } from "./scanners/registry.ts";
import type { Phase, SourceOutcome, SourceStatus } from "./types.ts";
import { type DataSources, JOB_BOARDS, PUBLIC_SOURCES } from "./visit/visit.ts";

interface NamedTool {
  readonly tool: string;
  readonly category: string;
}

/** What the newest scan of a domain saw, beside the one before it. */
interface ScanChanges {
  readonly domain: string;
  readonly tools_detected: number;
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  /** Of the scan before; null when there is none, and then nothing changed. */
  readonly previous_at: string | null;
  readonly appeared: readonly NamedTool[];
  readonly gone: readonly NamedTool[];
}

export interface ScanHistory {
  /** Undefined when the domain was never scanned. */
  scanChanges(domain: string): Promise<ScanChanges | undefined>;
  /** Of each domain, those scanned last first. */
  recentScans(limit: number): Promise<readonly ScanChanges[]>;
}

export function createScanHistory(scans: Pick<ScanRepository, "history" | "recentDomains">): ScanHistory {
  const changesOf = async (domain: string): Promise<ScanChanges | undefined> => {
    const [latest, before] = await scans.history(domain, 2);
    if (!latest) return undefined;
    return {
      domain,
      tools_detected: latest.report.detections.length,
      scanned_at: latest.scanned_at,
      previous_at: before?.scanned_at ?? null,
      appeared: before ? beyond(latest, before) : [],
      gone: before ? beyond(before, latest) : [],
    };
  };
  return {
    scanChanges: (domain) => changesOf(domain.toLowerCase()),
    async recentScans(limit) {
      const changes = await Promise.all((await scans.recentDomains(limit)).map(changesOf));
      return changes.filter((change) => change !== undefined);
    },
  };
}

function beyond(one: StoredScan, other: StoredScan): NamedTool[] {
  const known = new Set(other.report.detections.map(({ id }) => id));
  return one.report.detections.filter(({ id }) => !known.has(id)).map(({ tool, category }) => ({ tool, category }));
}

/** Something outside that a way of looking asks beside the company's own hosts. */
interface OutsideService {
  /** The setting that names it: `sources.tag_manager`. */
  readonly setting: string;
  readonly state: "on" | "off" | "elsewhere";
  /** Its host, or its DNS zone; null when it is off. Of its address no more is told: it may hold a key. */
  readonly host: string | null;
}

/** How one way of looking fared over the latest scans. */
export interface SourceHealth extends Readonly<Record<SourceStatus, number>> {
  /** The scanner, as the `sources` of a result name it. */
  readonly source: string;
  readonly phase: Phase;
  readonly services: readonly OutsideService[];
  /** Of the scans that it was not skipped in; null without one. */
  readonly median_ms: number | null;
  /** The newest time when it could not look. */
  readonly last_fault: {
    readonly domain: string;
    readonly scanned_at: string;
    readonly status: "timeout" | "failed";
    readonly detail: string | null;
  } | null;
}

interface SourceHealthReport {
  /** How many scans were looked at: the latest. */
  readonly scans: number;
  readonly sources: readonly SourceHealth[];
}

export interface SourceHealthService {
  sourceHealth(): Promise<SourceHealthReport>;
}

const SCANS = 200;

export function createSourceHealth(
  scans: Pick<ScanRepository, "latestOutcomes">,
  sources: DataSources,
): SourceHealthService {
  const services = outsideServices(sources);
  return {
    async sourceHealth() {
      const latest = await scans.latestOutcomes(SCANS);
      const outcomes = latest.flatMap(({ domain, scanned_at, sources }) =>
        sources.map((outcome) => ({ domain, scanned_at, ...outcome })),
      );
      const bySource = Map.groupBy(outcomes, ({ source }) => source);
      return {
        scans: latest.length,
        sources: SCANNERS.map(({ id, phase }) => {
          const told = bySource.get(id) ?? [];
          const fault = told.flatMap(({ status, domain, scanned_at, detail }) =>
            status === "failed" || status === "timeout" ? { domain, scanned_at, status, detail } : [],
          )[0];
          return {
            ...{ source: id, phase, services: services.get(id) ?? [] },
            ...countsOf(told),
            median_ms: medianOf(told.flatMap(({ status, duration_ms }) => (status === "skipped" ? [] : duration_ms))),
            last_fault: fault ?? null,
          };
        }),
      };
    },
  };
}

function countsOf(told: readonly SourceOutcome[]): Record<SourceStatus, number> {
  const counts = { ok: 0, empty: 0, timeout: 0, failed: 0, skipped: 0 };
  for (const { status } of told) counts[status] += 1;
  return counts;
}

/** The lower one of two in the middle: a time that was measured. */
function medianOf(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;
}

/** The outside services, by the id of the scanner that asks them. */
function outsideServices(sources: DataSources): ReadonlyMap<string, readonly OutsideService[]> {
  const one = (setting: string, address: string | null, usual: string | null): OutsideService =>
    address === null
      ? { setting: `sources.${setting}`, state: "off", host: null }
      : { setting: `sources.${setting}`, state: address === usual ? "on" : "elsewhere", host: hostOf(address) };
  /** A list that is empty is off. */
  const several = (setting: string, addresses: readonly string[], usual: readonly string[]) =>
    addresses.length === 0
      ? [one(setting, null, null)]
      : addresses.map((address) => one(setting, address, usual.find((each) => each === address) ?? null));
  const urls = ({ tenantLookups }: DataSources) => tenantLookups.map(({ url }) => url);
  const usual = PUBLIC_SOURCES;
  return new Map([
    [
      "addresses",
      [one("asn_zone", sources.asnZone, usual.asnZone), one("asn6_zone", sources.asn6Zone, usual.asn6Zone)],
    ],
    ["certificate-logs", several("certificate_logs", sources.certificateLogs, usual.certificateLogs)],
    [
      "tenants",
      [
        one("microsoft_realm", sources.microsoftRealm, usual.microsoftRealm),
        ...several("tenant_lookups", urls(sources), urls(usual)),
      ],
    ],
    ["tag-manager", [one("tag_manager", sources.tagManager, usual.tagManager)]],
    [
      "job-boards",
      JOB_BOARDS.map((board) => one(`job_boards.${board}`, sources.jobBoards[board], usual.jobBoards[board])),
    ],
  ]);
}

/** Of an address with places to fill in, `{label}.okta.com` among them, or of a DNS zone. */
const hostOf = (address: string): string => /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)/.exec(address)?.[1] ?? address;

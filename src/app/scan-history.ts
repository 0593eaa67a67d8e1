import type { Scans, StoredScan } from "../store/scans.ts";

interface NamedTool {
  readonly tool: string;
  readonly category: string;
}

/** What the newest scan of a domain saw, beside the one before it. */
export interface ScanChanges {
  readonly domain: string;
  readonly tools_detected: number;
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  /** Of the scan before; null when there is none, and then nothing changed. */
  readonly previous_at: string | null;
  readonly appeared: readonly NamedTool[];
  readonly gone: readonly NamedTool[];
}

export interface ScanHistoryVerbs {
  /** Undefined when the domain was never scanned. */
  scanChanges(domain: string): Promise<ScanChanges | undefined>;
  /** Of each domain, those scanned last first. */
  recentScans(limit: number): Promise<readonly ScanChanges[]>;
}

export function createScanHistory(scans: Pick<Scans, "history" | "recentDomains">): ScanHistoryVerbs {
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

import type { Snapshot } from "../vocabulary/snapshot.ts";

/** An empty recording, to be filled by one of the readers. */
export function snapshotOf(domain: string, origin: string, capturedAt: string, parts: Partial<Snapshot>): Snapshot {
  return {
    format: "casefile-snapshot",
    version: 1,
    domain,
    captured_at: capturedAt,
    origin,
    dns: [],
    http: [],
    certificates: [],
    requests: [],
    zone: false,
    ...parts,
  };
}

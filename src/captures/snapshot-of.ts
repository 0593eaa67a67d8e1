import type { HeaderLimits } from "../net/web/headers.ts";
import type { Snapshot } from "../vocabulary/snapshot.ts";

/** As a live visit keeps: a snapshot must not hold what no visit would. */
const MAX_BODY = 3 * 1024 * 1024;
export const HEADER_LIMITS: HeaderLimits = { headerCount: 200, headerBytes: 64 * 1024 };

export const boundedBody = (text: string): { readonly body: string; readonly truncated?: true } =>
  text.length > MAX_BODY ? { body: text.slice(0, MAX_BODY), truncated: true } : { body: text };

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

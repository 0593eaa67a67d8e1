import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { Detection, Report } from "../../src/detection/types.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";

export function reportOf(scanned_at: string, ...tools: readonly string[]): Report {
  const detections = tools.map(
    (id): Detection => ({
      id,
      tool: id,
      category: "Analytics",
      vendor: id,
      website: `https://${id}.example`,
      version: null,
      confidence: 0.9,
      means: "runs",
      evidence: [],
    }),
  );
  return { domain: "acme.example", detections, sources: [], scanned_at, duration_ms: 5 };
}

export function snapshotOf(captured_at: string, origin = "test"): Snapshot {
  return {
    format: "casefile-snapshot",
    version: 1,
    domain: "acme.example",
    captured_at,
    origin,
    dns: [],
    http: [],
    certificates: [],
    requests: [],
    zone: false,
  };
}

/** Runs `use` with a temporary directory, which is removed afterwards. */
export async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "casefile-test-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Names in the folder `backups` of the data directory; empty without one. */
export const backupsIn = (dataDir: string) => readdir(join(dataDir, "backups")).catch(() => []);

/** The failure that an attempt throws. */
export async function refusalOf(attempt: Promise<unknown>): Promise<Failure> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof Failure) return outcome;
  throw new Error(`No failure but ${outcome}`);
}

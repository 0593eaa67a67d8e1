import type { Kysely } from "kysely";
import type { SourceOutcome } from "../vocabulary/scan.ts";
import type { Tables } from "./tables.ts";

/** How the ways of looking fared in one scan. */
export interface ScanOutcomes {
  readonly domain: string;
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  readonly sources: readonly SourceOutcome[];
}

/** Of the scans that were saved last, newest first, at most `limit`. */
export async function latestOutcomes(queries: Kysely<Tables>, limit: number): Promise<readonly ScanOutcomes[]> {
  const rows = await queries
    .selectFrom("scans")
    .select((eb) => [
      "domain",
      "scanned_at",
      // The tools are the most of a report, and nobody asks for them here.
      eb.fn<string>("json_extract", ["report", eb.val("$.sources")]).as("sources"),
    ])
    .orderBy("saved_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ sources, ...scan }) => ({ ...scan, sources: JSON.parse(sources) }));
}

import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface StoredStats {
  /** Domains that were scanned at least once. */
  readonly domains_enriched: number;
  /** When a scan was saved last, ISO 8601 UTC; null before the first. */
  readonly updated_at: string | null;
}

export interface Stats {
  read(): Promise<StoredStats>;
}

export function statsIn(queries: Kysely<Tables>): Stats {
  return {
    async read() {
      const row = await queries
        .selectFrom("scans")
        .select((eb) => [
          eb.fn.count<number>("domain").distinct().as("domains_enriched"),
          eb.fn.max<string | null>("saved_at").as("updated_at"),
        ])
        .executeTakeFirstOrThrow();
      return { domains_enriched: Number(row.domains_enriched), updated_at: row.updated_at };
    },
  };
}

import type { Kysely } from "kysely";
import type { Origin } from "../casestudies/types.ts";
import { cachedFor } from "../core/async.ts";
import type { Tables } from "../db/schema.ts";

interface StoredStats {
  readonly companies: number;
  readonly case_studies: number;
  readonly by_origin: Readonly<Record<Origin, number>>;
  /** Industries with at least one case study. */
  readonly industries: number;
  /** Domains scanned at least once. */
  readonly domains_enriched: number;
  /** When a scan or a case study was last saved, ISO 8601 UTC; null before the first. */
  readonly updated_at: string | null;
}

export interface StatsRepository {
  read(): Promise<StoredStats>;
}

export function createStatsRepository(queries: Kysely<Tables>): StatsRepository {
  return {
    async read() {
      const scans = await queries
        .selectFrom("scans")
        .select((eb) => [
          eb.fn.count<number>("domain").distinct().as("domains_enriched"),
          eb.fn.max<string | null>("saved_at").as("updated_at"),
        ])
        .executeTakeFirstOrThrow();
      const counts = await queries
        .selectNoFrom(({ selectFrom }) => [
          selectFrom("companies")
            .select((eb) => eb.fn.countAll<number>().as("companies"))
            .as("companies"),
          selectFrom("case_studies")
            .select((eb) => eb.fn.countAll<number>().as("case_studies"))
            .as("case_studies"),
          selectFrom("case_studies")
            .select((eb) => eb.fn.count<number>("industry_key").distinct().as("industries"))
            .as("industries"),
          selectFrom("case_studies")
            .select((eb) => eb.fn.max<string | null>("updated_at").as("updated_at"))
            .as("updated_at"),
        ])
        .executeTakeFirstOrThrow();
      const origins = await queries
        .selectFrom("case_studies")
        .select((eb) => ["origin", eb.fn.countAll<number>().as("studies")])
        .groupBy("origin")
        .execute();
      const times = [scans.updated_at, counts.updated_at].flatMap((time) => time ?? []).sort();
      return {
        companies: counts.companies ?? 0,
        case_studies: counts.case_studies ?? 0,
        by_origin: { starter: 0, submitted: 0, imported: 0, ...countsOf(origins) },
        industries: counts.industries ?? 0,
        domains_enriched: scans.domains_enriched,
        updated_at: times.at(-1) ?? null,
      };
    },
  };
}

const CACHED_MS = 5_000;

/** Counts rows at most every 5 seconds: PostgreSQL reads a whole table for each count. */
export const cachedStats = ({ read }: StatsRepository): StatsRepository => ({ read: cachedFor(CACHED_MS, read).get });

const countsOf = (rows: readonly { readonly origin: Origin; readonly studies: number }[]) =>
  Object.fromEntries(rows.map(({ origin, studies }) => [origin, studies]));

export interface ServiceStats extends StoredStats {
  readonly tools: number;
  /** Categories with at least one tool. */
  readonly categories: number;
  readonly version: string;
}

export interface StatsService {
  stats(): Promise<ServiceStats>;
}

export const createStatsService = (
  repository: StatsRepository,
  tools: readonly { readonly category: string }[],
  version: string,
): StatsService => ({
  stats: async () => ({
    tools: tools.length,
    categories: new Set(tools.map(({ category }) => category)).size,
    ...(await repository.read()),
    version,
  }),
});

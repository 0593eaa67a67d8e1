import type { Database } from "bun:sqlite";

export interface StoreHealth {
  /** Number of the newest migration. */
  readonly schema: number;
  readonly caseStudies: number;
  readonly passages: number;
  /** What SQLite finds wrong with the file, in its words; null when it is whole. */
  readonly fault: string | null;
}

/** Reads the whole file: a second for each gigabyte or so. */
export function healthOf(database: Database): StoreHealth {
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  const faults = database
    .query<{ quick_check: string }, []>("pragma quick_check(3)")
    .all()
    .map(({ quick_check }) => quick_check);
  return {
    schema: count("select max(id) n from migrations"),
    caseStudies: count("select count(*) n from case_studies"),
    passages: count("select count(*) n from passages"),
    fault: faults.join() === "ok" ? null : faults.join("; "),
  };
}

import type { Database } from "bun:sqlite";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Kysely } from "kysely";
import { Failure } from "../core/errors.ts";
import { asStoreFailure, DAMAGED } from "./faults.ts";
import { FLUSH_FAILED } from "./flush.ts";
import type { Tables } from "./schema.ts";
import { type Structure, schemaDifferences } from "./structure.ts";

interface ProbeOptions {
  readonly database: Database;
  readonly queries: Kysely<Tables>;
  /** The file; null for a database in memory. */
  readonly path: string | null;
  /** Whether a query met a damaged page. */
  readonly damage: () => boolean;
  /** Whether a commit could not be brought to the disk. */
  readonly hasFailedFlush: () => boolean;
  /** The schema of this release. */
  readonly expected: Structure;
}

/** Pages of these tables are checked: without them no request is answered. Every other table may be large. */
const CHECKED_TABLES = ["settings", "keys"] as const;
const CHECK_EVERY_MS = 60_000;
/** The write-ahead log may have room left when the disk has none. */
const FULL_BELOW_BYTES = 1_048_576;

/**
 * Reads and writes a row, compares the schema when it has changed, and looks whether the file is still there and the
 * disk has room: 1 ms. Once a minute it checks the pages of small tables that every request needs.
 *
 * @returns why requests fail, in one sentence; null when they should succeed
 */
export function createProbe(options: ProbeOptions): () => Promise<string | null> {
  const { database, queries, path, damage, hasFailedFlush, expected } = options;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checkedSchema = -1;
  let inode: bigint | undefined;

  const fileProblem = async (): Promise<string | null> => {
    if (path === null) return null;
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    inode ??= found?.ino;
    if (!found || found.ino !== inode) return "The database file was removed or replaced; restart Casefile.";
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail * bsize < FULL_BELOW_BYTES ? "The disk of the data directory is full." : null;
  };

  const schemaProblem = (): string | null => {
    const version = database.query<{ schema_version: number }, []>("pragma schema_version").get()?.schema_version ?? 0;
    if (version === checkedSchema) return null;
    const { missing } = schemaDifferences(database, expected);
    if (missing.length > 0) return "The database lacks a part of its schema; restore a backup.";
    checkedSchema = version;
    return null;
  };

  const pageProblem = (): string | null => {
    if (performance.now() - checkedAt < CHECK_EVERY_MS) return null;
    for (const table of CHECKED_TABLES) {
      const faults = database.query<{ quick_check: string }, []>(`pragma quick_check(${table})`).all();
      if (faults.some(({ quick_check }) => quick_check !== "ok")) return DAMAGED;
    }
    checkedAt = performance.now();
    return null;
  };

  return async () => {
    try {
      if (damage()) return DAMAGED;
      if (hasFailedFlush()) return FLUSH_FAILED;
      const problem = (await fileProblem()) ?? schemaProblem() ?? pageProblem();
      if (problem !== null) return problem;
      await queries.selectFrom("keys").select("id").limit(1).execute();
      const value = String(Math.floor(performance.now()));
      await queries
        .insertInto("settings")
        .values({ name: PROBE, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
      return null;
    } catch (error) {
      const failure = asStoreFailure(error);
      return failure instanceof Failure ? failure.message : "The database does not answer; check the data directory.";
    }
  };
}

/** A setting that only the probe writes. */
const PROBE = "health.probe";

import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema.ts";

/**
 * What distinguishes this database from its copies, which have the same rows: the server's number, which a standby shares,
 * and the database's. Both change with a dump that is loaded elsewhere, but not with a copy of the server's files (a base
 * backup, a restore to a point in time, a snapshot of a volume), which needs another folder in the object storage.
 */
export async function databaseIdentity(queries: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select system_identifier::text || '-' || pg_database.oid::text as id
    from pg_control_system(), pg_database where datname = current_database()`.execute(queries);
  return rows[0]?.id ?? "";
}

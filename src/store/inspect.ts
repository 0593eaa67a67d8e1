import { Database } from "bun:sqlite";
import { Failure } from "../vocabulary/failure.ts";
import { pendingOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";

/** What this release brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Looks through a copy of a database that nobody has open: whether it is whole, and of which schema.
 *
 * @returns the number of its last migration; null when it is damaged or no database of this program
 * @throws Failure `store.unusable` when a newer release made it
 */
export function inspectCopy(path: string): number | null {
  let database: Database | undefined;
  try {
    database = new Database(path, { readwrite: true, create: false, strict: true });
    // What a file says of itself is not believed.
    database.run("pragma trusted_schema = off");
    database.run("pragma cell_size_check = on");
    const [found] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
    if (found?.integrity_check !== "ok") return null;
    const pending = pendingOf(database, MIGRATIONS).length;
    return pending === MIGRATIONS.length ? null : MIGRATIONS.length - pending;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return null;
  } finally {
    database?.close();
  }
}
